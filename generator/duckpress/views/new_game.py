"""A new game; a deck from an existing table; and the schemas with which editors check the files of any game.

A workbook or CSV is read from where it lies if that is the game's folder; else a copy goes to its `data/`. Cards in
JSON or YAML become a CSV there. The deck gets a file and a plain layout, with each guess and its reason. Nothing that
is there already is written over.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from duckpress.content import ID, read_yaml
from duckpress.content.game.deck_file import AnyDeckKeys
from duckpress.content.game.game_file import GameKeys
from duckpress.content.game.naming import card_id
from duckpress.content.setup.setup_file import SetupKeys
from duckpress.content.tables.cells import TableRoom, bare
from duckpress.content.tables.guessed_columns import GuessedColumn, GuessedTable, guess_table
from duckpress.content.tables.tables import SUFFIXES, as_csv, listed_rows, read_rows, sheet_names
from duckpress.content.translations.translation_keys import SharedWordsKeys, TranslationKeys
from duckpress.content.yaml.declared_shapes import NamesOf, schema_of
from duckpress.content.yaml.kinds import Placed
from duckpress.core.problems import Problem, ProblemList, Source
from duckpress.files.workspace import Refused, Workspace, read_named_table, read_plain_file
from duckpress.layout.theme_keys import ThemeKeys
from duckpress.model import FieldKind
from duckpress.store import OUTPUT, write_file, write_outputs
from duckpress.store.printer_file import PrinterKeys
from duckpress.text.fonts.library import FamilyKeys

STARTER = Path(__file__).resolve().parent.parent / "starter" / "game"
TITLE = "A New Game"
MAX_TITLE_LENGTH = 100


class NotStarted(Exception):
    """A game that cannot be made: the words give the reason, and an alternative."""


def start_game(workspace: Workspace, name: str, title: str | None) -> list[str]:
    """Make a game of that name in the workspace, or a workspace with it in an empty folder; return its files' paths.

    Raises `NotStarted` for a name that is no id or is taken, and for a folder that is no workspace and holds more than
    outputs; `MachineError` where the files cannot be written. Nothing is left behind then.
    """
    title = (title or name.replace("-", " ").capitalize()).strip()
    if not ID.fullmatch(name):
        raise NotStarted(f"{name!r} cannot be the name of a game: use small letters, digits and '-', such as my-game")
    if not title or len(title) > MAX_TITLE_LENGTH or not title.isprintable():
        raise NotStarted(f"a title is a text of 1 to {MAX_TITLE_LENGTH} letters on one line")
    content = workspace.root / "content"
    is_new = not content.is_dir()
    # Whoever has built the bundled games here has an output folder already.
    if is_new and any(not entry.name.startswith(".") and entry.name != OUTPUT for entry in workspace.root.iterdir()):
        raise NotStarted(
            f"{workspace.root} is no workspace, and it is not empty: start in an empty folder, or make a folder "
            "content/ in this one"
        )
    target = content / name
    if os.path.lexists(target):
        raise NotStarted(f"{target} is there already: choose another name, or move it away")
    files = {file: (STARTER / file).read_bytes() for file in starter_files()}
    own = [kind for kind, schema in SCHEMAS.items() if schema.files.startswith("content/")]
    files |= {f"{FOLDER}/{kind}.json": schema_text(kind).encode() for kind in own}
    quoted = json.dumps(title, ensure_ascii=False)  # a JSON text is one in YAML, whatever letters are in it
    files["game.yaml"] = files["game.yaml"].decode().replace(f'"{TITLE}"', quoted, 1).encode()
    write_outputs(target, files)
    return [f"content/{name}/{file}" for file in files]


def starter_files() -> list[str]:
    return sorted(path.relative_to(STARTER).as_posix() for path in STARTER.rglob("*") if path.is_file())


FOLDER = "schemas"
"""Of a game: the schemas of its files, to which their first lines lead."""
MODELINE = "# yaml-language-server: $schema="


class SchemaFile(Struct, frozen=True):
    """A schema: the files it is for, relative to the workspace, and the function that makes it."""

    files: str
    make: Callable[[], dict[str, Any]]


SCHEMAS: Mapping[str, SchemaFile] = {
    "game": SchemaFile("content/GAME/game.yaml", lambda: schema_of(GameKeys)),
    "deck": SchemaFile("content/GAME/decks/*.yaml, boards/*.yaml", lambda: schema_of(AnyDeckKeys)),
    "setup": SchemaFile("content/GAME/setup.yaml", lambda: schema_of(SetupKeys)),
    "theme": SchemaFile("content/GAME/theme.yaml, themes/*.yaml", lambda: schema_of(ThemeKeys)),
    "lang": SchemaFile("content/GAME/lang/*.yaml", lambda: schema_of(TranslationKeys)),
    "words": SchemaFile("layouts/lang/*.yaml", lambda: schema_of(SharedWordsKeys)),
    "family": SchemaFile("fonts/*/family.yaml", lambda: schema_of(FamilyKeys)),
    "printers": SchemaFile("printers.yaml of your settings", lambda: schema_of(NamesOf((PrinterKeys,)))),
}
"""The schemas by their names."""


def schema_text(name: str) -> str:
    return json.dumps(SCHEMAS[name].make(), indent=1, ensure_ascii=False) + "\n"


LISTS = (".json", ".yaml", ".yml")


class NotImported(Exception):
    """A table that cannot be imported: the words give the reason, and an alternative."""


class Imported(Struct, frozen=True):
    """An import: the sheets of the file, the sheet read, the guessed columns, and the files written."""

    deck: str
    sheets: tuple[str, ...] = ()
    sheet: str = ""
    guess: GuessedTable | None = None
    files: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def import_table(workspace: Workspace, game_id: str, file: Path, sheet: str | None, deck: str | None) -> Imported:
    """Write a deck file that reads a table, and a layout for it if there is none of its name.

    Problems: those of the file. Raises `NotImported` for a file of another kind, a name that is taken, a sheet without
    cards; `Refused` and `MachineError`.
    """
    suffix = file.suffix.lower()
    if suffix not in (*SUFFIXES, *LISTS):
        raise NotImported(f"{file.name} is of no kind that is read: {', '.join((*SUFFIXES, *LISTS))}")
    name = deck or card_id(sheet or file.stem)
    folder = workspace.root / "content" / game_id
    if any((folder / place / f"{name}.yaml").exists() for place in ("decks", "boards")):
        raise NotImported(f"{game_id} has a deck {name!r} already: say another name with --deck")
    try:
        data = read_named_table(workspace.root, file, "sheet-file" if suffix in SUFFIXES else "text-file")
    except Refused as refused:
        return Imported(name, problems=(refused.problem(Source(file.name)),))
    problems = ProblemList()
    nested: frozenset[str] = frozenset()
    if suffix in LISTS:
        node = problems.take(read_yaml(file.name, data))
        listed = problems.take(listed_rows(node)) if node is not None else None
        if listed is None:
            return Imported(name, problems=tuple(problems))
        suffix, data, nested = ".csv", as_csv(listed[0]), listed[1]
    path = f"table{suffix}"
    read, wrong = read_rows(path, data, TableRoom(), None if sheet is None else Placed(sheet, Source(file.name)))
    guess = guess_table(read, nested) if read is not None else None
    wrong = (*wrong, *(guess.problems if guess is not None else ()))
    problems += (problem._replace(source=problem.source._replace(file=file.name)) for problem in wrong)
    sheets = tuple(sheet_names(path, data))
    if read is None:
        return Imported(name, sheets, problems=tuple(problems))
    if guess is None or guess.id_column is None:
        others = f"; its sheets are {', '.join(sheets)}: choose one with --sheet" if len(sheets) > 1 else ""
        raise NotImported(f"{file.name} has no row of names with cards below it{others}")
    files: dict[str, bytes] = {}
    table = _inside(file, folder) if file.suffix.lower() in SUFFIXES else None
    if table is None:
        named = (f"data/{stem}{suffix}" for stem in (card_id(file.stem), name))
        table = next((path for path in named if not _is_another(folder / path, data)), None)
        if table is None:
            what = f"content/{game_id}/data/{name}{suffix} is there already, and another file"
            raise NotImported(f"{what}: move it away, or say another name with --deck")
        files[table] = data
    editor_line = f"{MODELINE}../{FOLDER}/deck.json\n" if (folder / FOLDER / "deck.json").is_file() else ""
    files[f"decks/{name}.yaml"] = (editor_line + _deck_file(name, table, sheet, guess, file.name)).encode()
    if not (folder / "layouts" / f"{name}.xml").exists():
        files[f"layouts/{name}.xml"] = plain_layout(guess).encode()
    for place, content in files.items():
        write_file(folder / place, content)
    written = tuple(f"content/{game_id}/{place}" for place in files)
    return Imported(name, sheets, sheet or (sheets[0] if sheets else ""), guess, written, tuple(problems))


def _is_another(path: Path, data: bytes) -> bool:
    return path.exists() and read_plain_file(path, "sheet-file") != data


def _inside(file: Path, folder: Path) -> str | None:
    """Return the path of a file relative to a folder, or None if it is elsewhere."""
    real, root = file.resolve(), folder.resolve()
    return real.relative_to(root).as_posix() if real.is_relative_to(root) else None


def _deck_file(name: str, table: str, sheet: str | None, guess: GuessedTable, origin: str) -> str:
    fields = [column for column in guess.columns if column.field is not None]
    named = [(column.field, column.name) for column in fields if column.field is not None]
    alike = Counter(bare(name) for name in (*(column.name for column in guess.columns), *guess.unread_names))
    columns = {field: name for field, name in named if bare(field) != bare(name) or alike[bare(name)] > 1}
    if guess.copies_column is not None and (bare(guess.copies_column) != "copies" or alike["copies"] > 1):
        columns["copies"] = guess.copies_column
    id_field = next((column.field for column in fields if column.name == guess.id_column), None)
    lines = [
        f"# Made of {origin} by `duckpress import`; `duckpress docs content` explains every key. The kinds of",
        "# fields are guesses: correct what you know better.",
        "",
        f"title: {_text(name.replace('-', ' ').capitalize())}",
        "size: poker",
        f"front: {name}",
        "fields:",
        *(f"  {column.field}: {_field(column)}" for column in fields),
        "table:",
        f"  file: {_text(table)}",
    ]
    lines += [f"  sheet: {_text(sheet)}"] if sheet is not None else []
    lines += [f"  header: {guess.header_row}"] if guess.header_row > 1 else []
    if columns:
        lines.append("  columns: {" + ", ".join(f"{key}: {_text(value)}" for key, value in columns.items()) + "}")
    if bare(guess.id_column or "") != "id" or guess.is_numbered:
        lines.append(f"  id: {_text(id_field or guess.id_column or '')}")
    lines += [f"  ignore: [{', '.join(map(_text, guess.ignored))}]"] if guess.ignored else []
    lines += ["  repeat: number"] if guess.is_numbered else []
    return "\n".join(lines) + "\n"


def _field(column: GuessedColumn) -> str:
    keys = {"kind": column.kind.value}
    if column.choices:
        keys["choices"] = f"[{', '.join(map(_text, column.choices))}]"
    if column.is_optional:
        keys["optional"] = "yes"
    if list(keys) == ["kind"]:
        return column.kind.value
    return "{" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}"


def _text(text: str) -> str:
    """Return a text as YAML: plain if that is safe, else in quotes as JSON has them."""
    is_plain = text.replace(" ", "").replace("-", "").replace("_", "").replace("/", "").replace(".", "").isalnum()
    starts_well = text[:1].isalpha() and text == " ".join(text.split()) and " -" not in text
    is_word = text.casefold() not in ("yes", "no", "true", "false", "null", "on", "off", "y", "n")
    return text if is_plain and starts_well and is_word and text.isascii() else json.dumps(text, ensure_ascii=False)


_LEFT_MM, _WIDTH_MM, _TOP_MM, _BOTTOM_MM = 5.0, 53.5, 5.0, 83.0  # of a poker card, inside its safe zone
_LINE_MM, _PICTURE_MM, _GAP_MM = 9.0, 26.0, 2.0
_SHORT = 40  # letters: texts that are never longer stand together, with their names
_ROOM = 130  # letters: what the box of the short ones holds at its smallest size
_CENTRED = 'align="center" valign="middle" min="4"'


def plain_layout(guess: GuessedTable) -> str:
    """Return a layout: the title, a picture, short fields in one row, then the texts, each in a box.

    Short fields that the row has no room for are named in a remark, for the designer to place. A column that may be
    copies is not shown.
    """
    fields = [column for column in guess.columns if column.field is not None and not column.is_doubtful]
    texts = [column for column in fields if column.kind is FieldKind.TEXT]
    title = next((column for column in texts if column.name == guess.id_column), next(iter(texts), None))
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
        named = " · ".join(f"{column.field}: {_value(column)}" for column in short)
        lines.append(_box(top_mm, _LINE_MM, named, _CENTRED))
        top_mm += _LINE_MM + _GAP_MM
    if left:
        lines.append(f"  {{# No room here for: {', '.join(str(column.field) for column in left)}. #}}")
    height_mm = (_BOTTOM_MM - top_mm + _GAP_MM) / max(len(texts), 1) - _GAP_MM
    for column in texts:
        lines.append(_box(top_mm, height_mm, _value(column), _CENTRED))
        top_mm += height_mm + _GAP_MM
    return "\n".join([*lines, "</face>"]) + "\n"


def _fitting(columns: list[GuessedColumn]) -> tuple[list[GuessedColumn], list[GuessedColumn]]:
    """Return the columns that fit into the row of short fields, from the first on, and the others."""
    letters = 0
    for number, column in enumerate(columns):
        letters += len(f"{column.field}:  · ") + column.letters
        if letters > _ROOM:
            return columns[:number], columns[number:]
    return columns, []


def _value(column: GuessedColumn) -> str:
    return f"{{{{ card.{column.field} }}}}"


def _place(top_mm: float, height_mm: float) -> str:
    return f'x="{_LEFT_MM:g}" y="{top_mm:.4g}" width="{_WIDTH_MM:g}" height="{height_mm:.4g}"'


def _box(top_mm: float, height_mm: float, words: str, attributes: str) -> str:
    return f"  <text {_place(top_mm, height_mm)} {attributes}>{words}</text>"
