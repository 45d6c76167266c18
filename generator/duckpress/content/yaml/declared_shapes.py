"""Declarations of YAML mappings as classes: every key with its kind, its default and its description.

    class CreditKeys(Shape):
        role = required(TITLE, "what was done")
        name = required(TITLE, "by whom")

`read_shape` reads a node by such a class: `written.role` is a text then, and `written.at("role")` its place. A value
that is missing or wrong is one problem and is replaced by the default of its key, or of its kind where the key is
required. `CreditKeys.keys` is the table for whoever describes the file: documentation, checks of it, editors.

`schema_of` makes a JSON Schema (draft 2020-12) of a declaration, for editors. It knows the structure and no meaning:
that a deck exists, that ids differ, or what an expression comes to, `duckpress check` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast, overload

from msgspec import Struct

from duckpress.content.yaml import nodes
from duckpress.content.yaml.nodes import Node, Scalar, described, quoted
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean, nearest, same_word

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
D = TypeVar("D")
R = TypeVar("R")
S = TypeVar("S", bound="Shape")


class Plain(Struct, frozen=True):
    """A single value of a key: its types in JSON Schema, and a pattern for its text."""

    types: tuple[str, ...] = ("string", "number", "boolean")
    pattern: str = ""


class ListOf(Struct, frozen=True):
    """A list as the value of a key, with the kinds of its entries."""

    entries: tuple[Taken, ...]
    least: int = 0


class NamesOf(Struct, frozen=True):
    """A mapping as the value of a key, with names of the game's own; with the kinds of its values."""

    values: tuple[Taken, ...]
    pattern: str = ""


class When(Struct, frozen=True):
    """The condition of a form of a mapping: a key is written, or has one of some words; always true without a key."""

    key: str = ""
    words: tuple[str, ...] = ()
    is_mapping: bool = False
    without: str = ""  # another key, which is not written

    def holds(self, node: nodes.Mapping) -> bool:
        if not self.key:
            return True
        entry = node.entries.get(self.key)
        if entry is None or (self.without and self.without in node.entries):
            return False
        if self.is_mapping:
            return isinstance(entry.value, nodes.Mapping)
        text = entry.value.text.rstrip("\n") if isinstance(entry.value, Scalar) else ""
        return not self.words or same_word(text, self.words) is not None


class Kind(Struct, Generic[T_co], frozen=True):
    """The type of a key. `read` takes a node and its label in messages, and returns None for an invalid value."""

    read: Callable[[Node, str], Read[T_co | None]]
    empty: T_co | None = None  # stands for a required key that is missing or wrong
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    takes: tuple[Taken, ...] = ()  # what may be written, each its own way: whoever describes the file reads it
    is_scalar: bool = False  # one that is required is not blank
    reads_null: bool = False  # an empty value is no key left out
    has_bare_label: bool = False  # messages do not say which mapping the key is of


Taken = Plain | ListOf | NamesOf | Kind[Any] | type["Shape"]
"""What may be written for a key. A kind stands for all that it takes."""


class Key(Struct, Generic[T]):
    """A key of a mapping: its kind, its description in one line, its name, and its default."""

    kind: Kind[Any]
    about: str
    name: str  # as it is written
    default: T
    is_required: bool
    is_filled: bool  # where it is written it holds something
    attribute: str = ""

    def __set_name__(self, _owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = self.name or attribute.rstrip("_")

    @overload
    def __get__(self, shape: None, _owner: type) -> Key[T]: ...
    @overload
    def __get__(self, shape: Shape, _owner: type) -> T: ...
    def __get__(self, shape: Shape | None, _owner: type) -> Key[T] | T:
        return self if shape is None else cast(T, shape.values[self.name])

    def read(self, node: Node, what: str) -> Read[T]:
        """Return the value of the key; `what` names the mapping in messages."""
        kind = self.kind
        label = repr(self.name) if kind.has_bare_label else f"{self.name!r} of {what}"
        if isinstance(node, Scalar) and not kind.reads_null:
            if node.is_null and not self.is_filled:
                return Read(self.default)
            if kind.is_scalar and self.is_filled and (node.is_null or not node.text.strip()):
                fix = f"write what it is: '{self.name}: ...'"
                return Read(self.default, [Problem("empty-value", node.source, f"{label} is empty", fix)])
        value, problems = kind.read(node, label)
        return Read(self.default if value is None else value, problems)


def required(kind: Kind[T], about: str, *, name: str = "") -> Key[T]:
    """Return a required key (`missing-key`)."""
    return Key(kind, about, name, cast(T, kind.empty), is_required=True, is_filled=True)


def optional(kind: Kind[T], default: D, about: str, *, name: str = "") -> Key[T | D]:
    """Return a key that may be missing or empty."""
    return Key(kind, about, name, default, is_required=False, is_filled=False)


def omittable(kind: Kind[T], about: str, *, name: str = "") -> Key[T | None]:
    """Return a key that may be missing, but not empty."""
    return Key(kind, about, name, None, is_required=False, is_filled=True)


class Shape:
    """A mapping read by its declaration: a value for every key, and the entries as written."""

    keys: ClassVar[Mapping[str, Key[Any]]] = {}
    one_of: ClassVar[tuple[str, ...]] = ()  # exactly one of these is written
    is_open: ClassVar[bool] = False  # there may be other keys, which whoever reads it knows
    __slots__ = ("node", "source", "values", "what", "wrong")

    def __init_subclass__(cls) -> None:
        own = {attribute: key for attribute, key in vars(cls).items() if isinstance(key, Key)}
        if taken := own.keys() & dir(Shape):
            raise TypeError(f"{cls.__name__}: every shape has {', '.join(taken)}; put '_' behind the key")
        cls.keys = {**cls.keys, **{key.name: key for key in own.values()}}

    def __init__(self, node: nodes.Mapping, what: str, values: Mapping[str, Any], wrong: Iterable[str]) -> None:
        self.node = node
        self.source = node.source
        self.what = what
        self.values = values
        self.wrong = frozenset(wrong)  # keys that something is wrong with

    @classmethod
    def empty(cls: type[S]) -> S:
        return cls(nodes.Mapping({}, Source("")), "", {name: key.default for name, key in cls.keys.items()}, ())

    @classmethod
    def cases(cls) -> Sequence[tuple[When, type[Shape]]]:
        """Return the possible forms: the first with a true condition applies, else the class itself."""
        return ()

    @classmethod
    def form(cls, node: nodes.Mapping, _what: str) -> type[Shape] | Problem:
        """Return the declaration of a mapping's form, or the problem if it has none."""
        return next((shape for when, shape in cls.cases() if when.holds(node)), cls)

    @classmethod
    def called(cls, _node: nodes.Mapping, what: str) -> str:
        return what

    def check(self) -> Iterable[Problem]:
        return ()

    def has(self, key: str) -> bool:
        return key in self.node.entries

    def at(self, key: str) -> Source:
        entry = self.node.entries.get(key)
        return entry.value.source if entry else self.source

    def as_record(self, record: type[R], **own: Any) -> R:
        """Return a record: each field comes from `own`, from the key or attribute of its name, or from its default."""
        attributes = {key.attribute: self.values[name] for name, key in self.keys.items()}
        values = {"source": self.source, "sources": self.sources, **self.values, **attributes, **own}
        return record(**{name: values[name] for name in record.__annotations__ if name in values})

    @property
    def written(self) -> dict[str, Any]:
        return {key: value for key, value in self.values.items() if self.has(key)}

    @property
    def sources(self) -> dict[str, Source]:
        """The places of the written values, by the fields of their record, whatever their keys are called."""
        fields = {name: key.attribute.rstrip("_") for name, key in self.keys.items()}
        return {fields.get(name, name): entry.value.source for name, entry in self.node.entries.items()}


def as_mapping(node: Node, what: str) -> Read[nodes.Mapping | None]:
    """Return a node if it is a mapping, else None. Problem: `wrong-type`."""
    if isinstance(node, nodes.Mapping):
        return Read(node)
    fix = "write it as keys and values ('key: value')"
    return Read(None, [Problem("wrong-type", node.source, f"{what} is {described(node)}, not a mapping", fix)])


def read_shape(node: Node, shape: type[S], what: str) -> Read[S | None]:
    """Return a mapping read by its declaration, or None if it is none; `what` names it in messages.

    Problems: `wrong-type`, `unknown-key`, `missing-key`, and those of the kinds and of `Shape.form` and `Shape.check`.
    """
    problems = ProblemList()
    mapping = problems.take(as_mapping(node, what))
    if mapping is None:
        return Read(None, problems)
    form = shape.form(mapping, what)
    if isinstance(form, Problem):
        return Read(None, [form])
    what = form.called(mapping, what)
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, key in form.keys.items():
        entry = mapping.entries.get(name)
        if entry is None:
            values[name] = key.default
            continue
        values[name], wrong_value = key.read(entry.value, what)
        if wrong_value:
            problems += wrong_value
            wrong.append(name)
    problems += _misnamed_keys(mapping, form.keys, what)
    written = cast(S, form(mapping, what, values, wrong))
    problems += written.check()
    return Read(written, problems)


def _misnamed_keys(node: nodes.Mapping, keys: Mapping[str, Key[Any]], what: str) -> ProblemList:
    """Return `unknown-key` for every undeclared key, `missing-key` for every missing required one.

    A missing key that an unknown one was meant for is not reported as well.
    """
    problems = ProblemList()
    free = [name for name in keys if name not in node.entries]
    missing = [name for name in free if keys[name].is_required]
    for name, entry in node.entries.items():
        if name in keys:
            continue
        if problems.is_full:
            break
        near = nearest(name, free)
        if near in missing:
            missing.remove(near)
        fix = did_you_mean(near or name, keys)
        problems.add("unknown-key", entry.source, f"{what} has no key {quoted(name)}", fix)
    for name in missing:
        problems.add("missing-key", node.source, f"{what} has no {name!r}", f"add '{name}: ...'")
    return problems


DIALECT = "https://json-schema.org/draft/2020-12/schema"
_AS_YAML = {"true": (True,), "false": (False,)}
"""What an editor's YAML 1.2 makes of words."""


def schema_of(taken: Taken) -> dict[str, Any]:
    """Return the JSON Schema of a file with this content."""
    definitions = _Definitions()
    return {"$schema": DIALECT, **definitions.taken(taken), "$defs": definitions.by_name}


class _Definitions:
    """The schemas of a file's mappings, each once, by the names of their declarations."""

    def __init__(self) -> None:
        self.by_name: dict[str, Any] = {}

    def _any_of(self, taken: tuple[Taken, ...]) -> dict[str, Any]:
        schemas = [self.taken(one) for one in taken]
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def taken(self, one: Taken) -> dict[str, Any]:
        if isinstance(one, Plain):
            types = {"type": list(one.types) if len(one.types) > 1 else one.types[0]} if one.types else {}
            return {**types, **({"pattern": one.pattern} if one.pattern else {})}
        if isinstance(one, ListOf):
            least = {"minItems": one.least} if one.least else {}
            return {"type": "array", "items": self._any_of(one.entries), **least}
        if isinstance(one, NamesOf):
            names = {"propertyNames": {"pattern": one.pattern}} if one.pattern else {}
            return {"type": "object", "additionalProperties": self._any_of(one.values), **names}
        if isinstance(one, Kind):
            return self._kind(one)
        name = one.__name__.removesuffix("Keys")
        if name not in self.by_name:
            self.by_name[name] = {}  # it may hold others like itself
            self.by_name[name] = self._by_cases(one)
        return {"$ref": f"#/$defs/{name}"}

    def _kind(self, kind: Kind[Any]) -> dict[str, Any]:
        if kind.choices:
            return _one_of(kind.choices)
        schema = self._any_of(kind.takes)
        ends = (("minimum", kind.low), ("maximum", kind.high))  # of numbers: a length with a unit is a text
        return {**schema, **{name: end for name, end in ends if end is not None and math.isfinite(end)}}

    def _by_cases(self, shape: type[Shape]) -> dict[str, Any]:
        """Return the schema of a mapping; of several forms the first with a true condition applies."""
        cases = [case for case in shape.cases() if case[1] is not shape]
        schema = self._mapping(shape) if not cases or cases[-1][0].key else None
        for when, form in reversed(cases):
            value = {"type": "object"} if when.is_mapping else _one_of(when.words) if when.words else {}
            without = {"not": {"required": [when.without]}} if when.without else {}
            condition = {"required": [when.key], "properties": {when.key: value}, **without}
            then = self._mapping(form)
            schema = then if schema is None else {"if": condition, "then": then, "else": schema}
        return {"type": "object", **(schema or {})}

    def _mapping(self, shape: type[Shape]) -> dict[str, Any]:
        needed = [name for name, key in shape.keys.items() if key.is_required]
        either = {"oneOf": [{"required": [name]} for name in shape.one_of]} if shape.one_of else {}
        return {
            "type": "object",
            "description": (shape.__doc__ or "").partition("\n")[0],
            "properties": {name: self._key(key) for name, key in shape.keys.items()},
            **({"required": needed} if needed else {}),
            **either,
            **({} if shape.is_open else {"additionalProperties": False}),
        }

    def _key(self, key: Key[Any]) -> dict[str, Any]:
        schema = self._kind(key.kind)
        if not key.is_filled and not key.kind.reads_null:
            schema = _or_null(schema)
        elif key.is_filled and key.kind.is_scalar:
            schema = {**schema, "not": {"type": "string", "pattern": r"^\s*$"}}
        about = f"{key.about}; {key.name} is required" if key.is_required else key.about
        default = key.default
        is_shown = isinstance(default, str | int | float) and default != "" and not key.is_required
        return {"description": about, **schema, **({"default": default} if is_shown else {})}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that may be empty, in a form that keeps the places of inner mistakes."""
    types = schema.get("type")
    if types is None:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": list(dict.fromkeys([*([types] if isinstance(types, str) else types), "null"]))}


def _one_of(words: Iterable[str]) -> dict[str, Any]:
    """Return the schema of one of some words, which editors offer, or of a word that differs in capitals alone."""
    forms = dict.fromkeys(form for word in words for form in _forms_of(word))
    letters = "|".join(words).replace(".", r"\.")
    in_any_case = "".join(f"[{one.upper()}{one.lower()}]" if one.isalpha() else one for one in letters)
    return {"anyOf": [{"enum": list(forms)}, {"type": "string", "pattern": f"^({in_any_case})$"}]}


def _forms_of(word: str) -> list[Any]:
    """Return the values that an editor may read from a word: `90` may be a number."""
    number = [int(word)] if word.isdigit() else []
    return [word, *number, *_AS_YAML.get(word, ())]
