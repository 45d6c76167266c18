"""What a deck's cards may hold, and the typing of every value by its field's kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Cell, Entry, Node, Scalar, Sequence
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source
from duckpress.model import Field, FieldKind, Value

RESERVED = ("id", "copies", "for", "where")
LIST_SEPARATOR = ";"  # between the texts of a list in one cell of a table
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_ROLE = re.compile(r"[a-z][a-z0-9-]*")
_EMPTY: Mapping[FieldKind, Value] = {
    FieldKind.WHOLE: None,
    FieldKind.NUMBER: None,
    FieldKind.YES_NO: False,
    FieldKind.LIST: (),
}


class Values(NamedTuple):
    """A card's values by field, all of the declared ones, and the places of those that were written."""

    values: dict[str, Value]
    sources: dict[str, Source]


class FieldTyper:
    """Types the values of one deck's cards; `has_art` tells whether an image exists."""

    def __init__(self, fields: Mapping[str, Field], has_art: Callable[[str], bool]) -> None:
        self.fields = fields
        self._has_art = has_art
        self._defaults: dict[str, Value] = {name: default_of(field) for name, field in fields.items()}
        self._required = [name for name, field in fields.items() if field.is_required]
        self._texts = frozenset(name for name, field in fields.items() if field.kind is FieldKind.TEXT)

    def type_values(
        self, given: Iterable[tuple[str, Entry]], label: str, problems: list[Problem]
    ) -> tuple[Values, list[str]]:
        """Give a card's typed values and the names of the required fields it lacks.

        Every key must be a declared field. A wrong value is reported and stands as its field's default.
        """
        values = dict(self._defaults)
        sources: dict[str, Source] = {}
        texts = self._texts
        for name, (node, _) in given:
            sources[name] = node.source
            if name in texts and isinstance(node, Scalar) and not node.is_null:
                values[name] = node.text.rstrip("\n")
                continue
            field = self.fields[name]
            if not field.is_required and isinstance(node, Scalar) and (node.is_null or not node.text):
                continue
            value = self.value_of(field, node, f"{name!r} of {label}", problems)
            if value is not None:
                values[name] = value
            elif values[name] is None:
                values[name] = 0  # it is reported: that a layout cannot compute with it is no other mistake
        return Values(values, sources), [name for name in self._required if name not in sources]

    def value_of(self, field: Field, node: Node, label: str, problems: list[Problem]) -> Value:
        """Give one value by its field's kind, or None after reporting what is wrong with it.

        Problems: `wrong-type`, `empty-value`, `out-of-range`, `unknown-choice`, `missing-art`, `bad-colour`.
        """
        kind = field.kind
        if kind is FieldKind.WHOLE:
            return scalars.whole_of(node, label, problems)
        if kind is FieldKind.NUMBER:
            return scalars.number_of(node, label, problems)
        if kind is FieldKind.YES_NO:
            return scalars.yes_no_of(node, label, problems)
        if kind is FieldKind.CHOICE:
            return scalars.choice_of(node, label, problems, field.choices)
        if kind is FieldKind.LIST:
            return scalars.texts_of(split_list(node), label, problems)
        if kind is FieldKind.COLOUR:
            return _colour(node, label, problems)
        text = scalars.text_of(node, label, problems)
        if kind is FieldKind.IMAGE and text is not None and not self._has_art(text):
            fix = "put the file below the game's art/, or correct its name (art/...)"
            what = f"{label}: there is no file {scalars.quoted(text)}"
            problems.append(Problem("missing-art", node.source, what, fix))
        return text


def split_list(node: Node) -> Node:
    """Give a list for a table's cell or filled-in text that stands for one: its texts are parted by `;`."""
    if isinstance(node, Cell):
        texts = [text.strip() for text in node.text.split(LIST_SEPARATOR)]
        return Sequence([Scalar(text, False, node.source) for text in texts if text], node.source)
    return node


def default_of(field: Field) -> Value:
    """Return what a card holds where the field is not written: its default, else an empty value of its kind.

    An empty number is none. A card that lacks a required one is reported; a draft shows 0 there.
    """
    empty = _EMPTY.get(field.kind, "")
    return field.default if field.default is not None else 0 if empty is None and field.is_required else empty


def read_fields(deck: Reader, problems: list[Problem]) -> dict[str, Field] | None:
    """Give the fields that a deck declares under `fields:`, in order; None where they are too many (`game-too-large`).

    Problems: `bad-name`, `unknown-choice` for kinds that do not exist, `missing-key` for a choice without choices,
    and those of the default's value.
    """
    declared = deck.reader("fields")
    if declared is None:
        return {}
    nodes = declared.nodes()
    most = limit("deck-fields")
    if len(nodes) > most:
        what, fix = f"{declared.what} are more than {most}", f"declare fewer; {how_to_raise('deck-fields')}"
        deck.report("game-too-large", "fields", what, fix)
        return None
    fields = (_read_field(name, node, declared.key_at(name), problems) for name, node in nodes)
    return {field.name: field for field in fields if field is not None}


def _read_field(name: str, node: Node, source: Source, problems: list[Problem]) -> Field | None:
    if not _is_field_name(name, source, problems):
        return None
    if isinstance(node, Scalar):
        kind = scalars.choice_of(node, f"the kind of field {name!r}", problems, [kind.value for kind in FieldKind])
        if kind == FieldKind.CHOICE.value:
            fix = f"write '{name}: {{kind: choice, choices: [...]}}'"
            problems.append(Problem("missing-key", node.source, f"the choice field {name!r} has no 'choices'", fix))
            return Field(name, FieldKind.TEXT, source, is_required=False)
        return Field(name, FieldKind(kind or "text"), source, is_required=kind is not None)
    reader = Reader.of(node, f"field {name!r}", problems)
    if reader is None:
        return Field(name, FieldKind.TEXT, source, is_required=False)
    kind = FieldKind(reader.choice("kind", [kind.value for kind in FieldKind], "text"))
    choices = reader.texts("choices") if kind is FieldKind.CHOICE else ()
    is_optional = reader.yes_no("optional", False)
    is_words = reader.yes_no("translate", True)
    label = reader.title("label", "")
    default = reader.node("default")
    reader.finish()
    if kind is FieldKind.CHOICE and not choices:
        written = reader.node("choices")
        if isinstance(written, Sequence) and not written.items:
            what = f"the choices of field {name!r} are an empty list"
            problems.append(Problem("missing-key", written.source, what, "write the words: [duck, plant]"))
        return Field(name, FieldKind.TEXT, source, is_required=False)  # reported; its cards are not to blame
    field = Field(name, kind, source, choices, not is_optional and default is None, is_words=is_words, label=label)
    if default is None or (isinstance(default, Scalar) and default.is_null):
        return field
    typer = FieldTyper({}, lambda _: True)  # the file of a default image is looked for where a card uses it
    return field._replace(default=typer.value_of(field, default, f"the default of field {name!r}", problems))


def can_be_field(name: str) -> bool:
    """Tell whether a field can have the name."""
    return name not in RESERVED and _NAME.fullmatch(name) is not None


def _is_field_name(name: str, source: Source, problems: list[Problem]) -> bool:
    if name in RESERVED:
        what = f"a field cannot be called {name!r}: every card has one of its own"
        problems.append(Problem("bad-name", source, what, "take another word"))
        return False
    if can_be_field(name):
        return True
    better = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "text"
    fix = f"write {better if _NAME.fullmatch(better) else 'field_' + better!r}: letters, digits and '_', a letter first"
    problems.append(Problem("bad-name", source, f"{scalars.quoted(name)} cannot be the name of a field", fix))
    return False


def _colour(node: Node, label: str, problems: list[Problem]) -> str | None:
    if isinstance(node, Scalar) and node.is_null:
        fix = "put a colour in quotes ('#aabbcc'): without them # begins a comment"
        problems.append(Problem("empty-value", node.source, f"{label} is empty", fix))
        return None
    text = scalars.text_of(node, label, problems)
    if text is None or _COLOUR.fullmatch(text) or _ROLE.fullmatch(text):
        return text
    what = f"{label} is {scalars.quoted(text)}, which is neither a role of the theme nor a colour"
    problems.append(Problem("bad-colour", node.source, what, "write a role's name, or '#rrggbb' in quotes"))
    return None
