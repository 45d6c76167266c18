"""The columns of a table -> a plain layout that shows the fields of its cards, to be changed into one's own."""

from __future__ import annotations

from duckpress.content.tables.guessed_columns import GuessedColumn, GuessedTable
from duckpress.model import FieldKind

_LEFT_MM, _WIDTH_MM, _TOP_MM, _BOTTOM_MM = 5.0, 53.5, 5.0, 83.0  # of a poker card, inside its safe zone
_LINE_MM, _PICTURE_MM, _GAP_MM = 9.0, 26.0, 2.0
_SHORT = 40  # letters: texts that are never longer stand together, with their names
_ROOM = 130  # letters: what the box of the short ones holds at its smallest size
_CENTRED = 'align="center" valign="middle" min="4"'


def plain_layout(guess: GuessedTable) -> str:
    """Return a layout: the title, a picture, what is short in a row of its own, then the texts, each in a box.

    Short fields that the row has no room for are named in a remark, for the designer to place. A column that may be
    copies is not shown.
    """
    fields = [column for column in guess.columns if column.field is not None and not column.is_doubtful]
    words = [column for column in fields if column.kind is FieldKind.TEXT]
    title = next((column for column in words if column.name == guess.id_column), next(iter(words), None))
    picture = next((column for column in fields if column.kind is FieldKind.IMAGE), None)
    rest = [column for column in fields if column is not title and column.kind is not FieldKind.IMAGE]
    texts = [column for column in rest if column.kind is FieldKind.TEXT and column.letters > _SHORT]
    short, left = _fitting([column for column in rest if column not in texts])
    lines = ["<face>", '  <ground fill="ground"/>']
    top_mm = _TOP_MM
    if title is not None:
        lines.append(_box(top_mm, _LINE_MM, _value(title), f'style="title" {_CENTRED}'))
        top_mm += _LINE_MM + _GAP_MM
    if picture is not None:
        image = f'<image href="{_value(picture)}" {_place(top_mm, _PICTURE_MM)}/>'
        lines.append(f"  {{% if card.{picture.field} %}}{image}{{% endif %}}")
        top_mm += _PICTURE_MM + _GAP_MM
    if short:
        lines.append(_box(top_mm, _LINE_MM, " · ".join(map(_named, short)), _CENTRED))
        top_mm += _LINE_MM + _GAP_MM
    if left:
        lines.append(f"  {{# No room here for: {', '.join(str(column.field) for column in left)}. #}}")
    height_mm = (_BOTTOM_MM - top_mm + _GAP_MM) / max(len(texts), 1) - _GAP_MM
    for column in texts:
        lines.append(_box(top_mm, height_mm, _value(column), _CENTRED))
        top_mm += height_mm + _GAP_MM
    return "\n".join([*lines, "</face>"]) + "\n"


def _fitting(columns: list[GuessedColumn]) -> tuple[list[GuessedColumn], list[GuessedColumn]]:
    """Return the columns that the box of the short ones has room for, from the first on, and those left over."""
    letters = 0
    for number, column in enumerate(columns):
        letters += len(f"{column.field}:  · ") + column.letters
        if letters > _ROOM:
            return columns[:number], columns[number:]
    return columns, []


def _named(column: GuessedColumn) -> str:
    return f"{column.field}: {_value(column)}"


def _value(column: GuessedColumn) -> str:
    return f"{{{{ card.{column.field} }}}}"


def _place(top_mm: float, height_mm: float) -> str:
    return f'x="{_LEFT_MM:g}" y="{top_mm:.4g}" width="{_WIDTH_MM:g}" height="{height_mm:.4g}"'


def _box(top_mm: float, height_mm: float, words: str, attributes: str) -> str:
    return f"  <text {_place(top_mm, height_mm)} {attributes}>{words}</text>"
