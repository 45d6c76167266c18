"""The fields of a deck's cards, and the conversion of every value to its field's kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from duckpress.content.yaml.declared_shapes import (
    Key,
    Kind,
    NamesOf,
    Shape,
    When,
    as_mapping,
    optional,
    read_shape,
    required,
)
from duckpress.content.yaml.kinds import MAPPING, NODE, TEXT, TEXTS, TITLE, YES_NO, choice, number, texts_of, whole
from duckpress.content.yaml.nodes import Cell, Entry, Node, Scalar, quoted
from duckpress.core.problems import Problem, ProblemList, Read, Source
from duckpress.model import Field, FieldKind, Value

HasArt = Callable[[str], bool]
"""Whether an image of a name exists."""

LIST_SEPARATOR = ";"  # between the texts of a list in one cell of a table
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}")
_COLOUR = re.compile(r"#?[0-9a-fA-F]{6}")
_ROLE = re.compile(r"[a-z][a-z0-9-]*")
_ALSO = (("integer", FieldKind.WHOLE), ("boolean", FieldKind.YES_NO), ("string", FieldKind.TEXT))
_KIND = choice(FieldKind, _ALSO)
_SHORT_KIND = choice((kind for kind in FieldKind if kind is not FieldKind.CHOICE), _ALSO)
_EMPTY: Mapping[FieldKind, Value] = {
    FieldKind.WHOLE: None,
    FieldKind.NUMBER: None,
    FieldKind.YES_NO: False,
    FieldKind.LIST: (),
}


class CardKeys(Shape):
    """The keys that every card has beside the fields of its deck."""

    is_open = True
    id = required(TEXT, "its id, its own in the deck")
    copies: Key[Any] = optional(whole(0), 1, "how often it is in the deck")

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[CardKeys]]]:
        return ((When("for"), CardFamilyKeys),)


class CardFamilyKeys(CardKeys):
    """The keys that make a family of an entry of `cards`."""

    copies: Key[Any] = optional(TEXT, 1, CardKeys.copies.about)
    for_ = required(MAPPING, "names, and the list that each runs through")
    where = optional(TEXT, "", "only the combinations for which this is true")


RESERVED = tuple(CardFamilyKeys.keys)
"""Names that no field can have."""


class FieldKeys(Shape):
    """A field that a deck declares."""

    kind = optional(_KIND, FieldKind.TEXT, "what it holds")
    optional_ = optional(YES_NO, False, "whether a card may leave it out")
    is_words = optional(YES_NO, True, "whether it holds words, which a translation has to change", name="translate")
    label = optional(TITLE, "", "what it is called where changes are told to players; its name without it")
    default = optional(NODE, None, "what a card holds that does not say")

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[FieldKeys]]]:
        return ((When("kind", (FieldKind.CHOICE.value,)), ChoiceKeys),)


class ChoiceKeys(FieldKeys):
    """A field that holds one of some words."""

    choices = required(TEXTS, "the words of a choice")

    def check(self) -> Iterator[Problem]:
        if self.has("choices") and not self.choices and "choices" not in self.wrong:
            what = f"the choices of {self.what} are an empty list"
            yield Problem("missing-key", self.at("choices"), what, "write the words: [duck, plant]")


class FieldTyper:
    """Types the values of one deck's cards; `has_art` returns whether an image exists."""

    def __init__(self, fields: Mapping[str, Field], has_art: HasArt) -> None:
        self.fields = fields
        self._defaults: dict[str, Value] = {name: default_of(field) for name, field in fields.items()}
        self._required = [name for name, field in fields.items() if field.is_required]
        self._readers = {name: reader_of(field, has_art) for name, field in fields.items()}
        self._texts = frozenset(name for name, field in fields.items() if field.kind is FieldKind.TEXT)

    def type_values(
        self, given: Iterable[tuple[str, Entry]], label: str
    ) -> Read[tuple[dict[str, Value], dict[str, Source], list[str]]]:
        """Return a card's typed values by field, the sources of its written values, and the missing required fields.

        A wrong value is a problem and stands as its field's default: `wrong-type`, `empty-value`, `out-of-range`,
        `unknown-choice`, `missing-art`, `bad-colour`.
        """
        problems: list[Problem] = []
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
            value, wrong = self._readers[name](node, f"{name!r} of {label}")
            problems += [problem._replace(cause=f"{field.source} {problem.code}") for problem in wrong]
            if value is not None:
                values[name] = value
            elif values[name] is None:
                values[name] = 0  # it is reported: that a layout cannot compute with it is no other mistake
        return Read((values, sources, [name for name in self._required if name not in sources]), problems)


def default_of(field: Field) -> Value:
    """Return the value of a field that a card leaves out: its default, else an empty value of its kind.

    An empty number is none. A card that lacks a required one is reported; a draft shows 0 there.
    """
    empty = _EMPTY.get(field.kind, "")
    return field.default if field.default is not None else 0 if empty is None and field.is_required else empty


def can_be_field(name: str) -> bool:
    return name not in RESERVED and _NAME.fullmatch(name) is not None


def _fields(node: Node, label: str) -> Read[dict[str, Field] | None]:
    """Return the declared fields of a deck, in order.

    Problems: `bad-name`, `unknown-choice` for kinds that do not exist, `missing-key` for a choice without choices,
    and those of the default's value.
    """
    problems = ProblemList()
    fields: dict[str, Field] = {}
    mapping = problems.take(as_mapping(node, label))
    for name, (inner, source) in mapping.entries.items() if mapping is not None else ():
        if (bad_name := _name_problem(name, source)) is not None:
            problems.append(bad_name)
        else:
            fields[name] = problems.take(_field(name, inner, source))
    return Read(fields, problems)


FIELDS: Kind[dict[str, Field]] = Kind(_fields, {}, takes=(NamesOf((_SHORT_KIND, FieldKeys), f"^{_NAME.pattern}$"),))
"""The fields of a deck: in short `name: kind`."""


def _field(name: str, node: Node, source: Source) -> Read[Field]:
    problems = ProblemList()
    unknown = Field(name, FieldKind.TEXT, source, is_required=False)  # reported; its cards are not to blame
    if isinstance(node, Scalar):
        kind = problems.take(_KIND.read(node, f"the kind of field {name!r}"))
        if kind is FieldKind.CHOICE:
            fix = f"write '{name}: {{kind: choice, choices: [...]}}'"
            problems.add("missing-key", node.source, f"the choice field {name!r} has no 'choices'", fix)
        return Read(unknown if kind is None or problems else Field(name, kind, source), problems)
    written = problems.take(read_shape(node, FieldKeys, f"field {name!r}"))
    if written is None or (isinstance(written, ChoiceKeys) and not written.choices):
        return Read(unknown, problems)
    default = written.default
    is_required = not written.optional_ and default is None
    field = written.as_record(Field, name=name, source=source, is_required=is_required, default=None)
    if default is None or (isinstance(default, Scalar) and default.is_null):
        return Read(field, problems)
    # The file of a default image is looked for where a card uses it.
    value = problems.take(reader_of(field, lambda _: True)(default, f"the default of field {name!r}"))
    return Read(field._replace(default=value), problems)


def _name_problem(name: str, source: Source) -> Problem | None:
    if name in RESERVED:
        what = f"a field cannot be called {name!r}: every card has one of its own"
        return Problem("bad-name", source, what, "take another word")
    if can_be_field(name):
        return None
    better = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "text"
    fix = f"write {better if _NAME.fullmatch(better) else 'field_' + better!r}: letters, digits and '_', a letter first"
    return Problem("bad-name", source, f"{quoted(name)} cannot be the name of a field", fix)


def _colour(node: Node, label: str) -> Read[str | None]:
    if isinstance(node, Scalar) and node.is_null:
        fix = "put a colour in quotes ('#aabbcc'): without them # begins a comment"
        return Read(None, [Problem("empty-value", node.source, f"{label} is empty", fix)])
    text, problems = TEXT.read(node, label)
    if text is None or _COLOUR.fullmatch(text) or _ROLE.fullmatch(text.lower()):  # the theme knows which
        return Read(text, problems)
    what = f"{label} is {quoted(text)}, which is neither a role of the theme nor a colour"
    return Read(None, [Problem("bad-colour", node.source, what, "write a role's name, or '#rrggbb' in quotes")])


def reader_of(field: Field, has_art: HasArt) -> Callable[[Node, str], Read[Value]]:
    if field.kind is FieldKind.CHOICE:
        return choice(field.choices).read
    if field.kind is FieldKind.IMAGE:
        return partial(_image, has_art=has_art)
    return _READERS.get(field.kind, TEXT.read)


def _list(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    """Return the texts of a list; in a table's cell or a filled-in text they are separated by `;`."""
    if not isinstance(node, Cell):
        return texts_of(node, label)
    return Read(tuple(text for part in node.text.split(LIST_SEPARATOR) if (text := part.strip())))


def _image(node: Node, label: str, has_art: HasArt) -> Read[str | None]:
    text, problems = TEXT.read(node, label)
    if text is None or has_art(text):
        return Read(text, problems)
    if isinstance(node, Cell) and has_art(f"art/{text}"):  # tables list files by their names
        return Read(f"art/{text}")
    fix = "put the file below the game's art/, or correct its name (art/...)"
    return Read(text, [Problem("missing-art", node.source, f"{label}: there is no file {quoted(text)}", fix)])


_READERS: Mapping[FieldKind, Callable[[Node, str], Read[Value]]] = {
    FieldKind.WHOLE: whole().read,
    FieldKind.NUMBER: number().read,
    FieldKind.YES_NO: YES_NO.read,
    FieldKind.LIST: _list,
    FieldKind.COLOUR: _colour,
}
