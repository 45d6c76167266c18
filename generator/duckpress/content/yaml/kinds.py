"""The kinds of values that keys hold: single values, lists, mappings by names of the game's own, nested mappings."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from duckpress.content.yaml import scalars
from duckpress.content.yaml.declared_shapes import Kind, Shape, as_mapping, read_shape, required
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source
from duckpress.core.units import parse_length

T = TypeVar("T")
S = TypeVar("S", bound=Shape)


class Placed(NamedTuple):
    """A text and its place."""

    text: str
    source: Source


class Named(NamedTuple, Generic[T]):
    """An entry of a mapping whose keys are names of the game's own: its name, the name's place, and its value."""

    name: str
    source: Source
    value: T


def whole(low: int | None = None, high: int | None = None) -> Kind[int]:
    """Return the kind of whole numbers within a range."""
    read = partial(scalars.whole_of, low=low, high=high)
    return Kind("whole number", read, low or 0, low=low, high=high, is_scalar=True)


def number(low: float | None = None, high: float | None = None) -> Kind[float]:
    """Return the kind of finite numbers within a range."""
    read = partial(scalars.number_of, low=low, high=high)
    return Kind("number", read, low or 0.0, low=low, high=high, is_scalar=True)


def choice(choices: Collection[str]) -> Kind[str]:
    """Return the kind that is one of some words."""
    words = tuple(choices)
    return Kind("choice", partial(scalars.choice_of, choices=words), words[0], choices=words, is_scalar=True)


def length(low_mm: float, high_mm: float) -> Kind[float]:
    """Return the kind of lengths, which come in millimetres; an empty text is no length, and no mistake."""
    read = partial(_length, low_mm=low_mm, high_mm=high_mm)
    return Kind("length", read, 0.0, low=low_mm, high=high_mm, is_scalar=True)


def list_of(kind: Kind[T], word: str = "") -> Kind[tuple[T, ...]]:
    """Return the kind of lists of a kind; `word` is an entry in messages. Entries that are wrong are left out."""
    return Kind("list", partial(_list, kind=kind, word=word), (), of=kind)


def by_name(kind: Kind[T], word: str = "") -> Kind[tuple[Named[T], ...]]:
    """Return the kind of mappings whose keys are names of the game's own; `word` is an entry in messages.

    Without a word each entry is read as a required key.
    """
    return Kind("mapping by names", partial(_by_name, kind=kind, word=word), (), of=kind)


def shape(declaration: type[S]) -> Kind[S]:
    """Return the kind of nested mappings that are declared."""
    return Kind("mapping", lambda node, label: read_shape(node, declaration, label), of=declaration)


def either(kind: Kind[T], declaration: type[S]) -> Kind[T | S]:
    """Return the kind that is a declared mapping or, in short, a value of another kind."""
    read = partial(_either, kind=kind, declaration=declaration)
    return Kind(f"{kind.name} or mapping", read, kind.empty, of=declaration, is_scalar=True)


def _title(node: Node, label: str) -> Read[str | None]:
    """Return a text that stands on one line, in lists and at the edges of sheets. Problem: `text-too-long`."""
    text, problems = scalars.text_of(node, label)
    most = limit("title-length")
    if text is None or len(text) <= most:
        return Read(text, problems)
    what = f"{label} is {len(text)} letters long; {most} are allowed"
    return Read(
        text[:most], [Problem("text-too-long", node.source, what, f"shorten it; {how_to_raise('title-length')}")]
    )


def _placed(node: Node, label: str) -> Read[Placed | None]:
    text, problems = scalars.text_of(node, label)
    return Read(None if text is None else Placed(text, node.source), problems)


def _texts(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    """Return the texts of a list, none of them blank (`empty-value`)."""
    problems = ProblemList()
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar) and not item.is_null and not item.text.strip():
            what = f"an entry of {label} is empty"
            problems.add("empty-value", item.source, what, "write what it is, or delete it")
    return Read(problems.take(scalars.texts_of(node, label)), problems)


def _text_or_texts(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    return Read((node.text,)) if isinstance(node, Scalar) else _texts(node, label)


def _length(node: Node, label: str, low_mm: float, high_mm: float) -> Read[float | None]:
    text, problems = scalars.text_of(node, label)
    if not text:
        return Read(None, problems)
    value_mm = parse_length(text)
    if value_mm is None:
        what = f"{label} is {scalars.quoted(text)}, not a length"
        return Read(None, [Problem("wrong-type", node.source, what, "write it as 63mm, 6.3cm or 2.5in")])
    if not low_mm <= value_mm <= high_mm:
        what = f"{label} is {scalars.quoted(text)}, which is out of range"
        fix = f"write a length from {low_mm:g}mm to {high_mm:g}mm"
        return Read(None, [Problem("out-of-range", node.source, what, fix)])
    return Read(value_mm)


def _list(node: Node, label: str, kind: Kind[T], word: str) -> Read[tuple[T, ...] | None]:
    if not isinstance(node, Sequence):
        what = f"{label} is {scalars.described(node)}, not a list"
        fix = "write each entry on a line of its own after '- '"
        return Read(None, [Problem("wrong-type", node.source, what, fix)])
    problems = ProblemList()
    values = [problems.take(kind.read(item, word or f"an entry of {label}")) for item in node.items]
    return Read(tuple(value for value in values if value is not None), problems)


def _by_name(node: Node, label: str, kind: Kind[T], word: str) -> Read[tuple[Named[T], ...] | None]:
    problems = ProblemList()
    mapping = problems.take(as_mapping(node, label))
    if mapping is None:
        return Read(None, problems)
    entries = []
    for name, (inner, source) in mapping.entries.items():
        read = kind.read(inner, f"{word} {name!r}") if word else required(kind, "", name=name).read(inner, label)
        value = problems.take(read)
        if value is not None:
            entries.append(Named(name, source, value))
    return Read(tuple(entries), problems)


def _either(node: Node, label: str, kind: Kind[T], declaration: type[S]) -> Read[T | S | None]:
    return read_shape(node, declaration, label) if isinstance(node, Mapping) else kind.read(node, label)


TEXT: Kind[str] = Kind("text", scalars.text_of, "", is_scalar=True)
TITLE: Kind[str] = Kind("title", _title, "", is_scalar=True)
PLACED: Kind[Placed] = Kind("text", _placed, Placed("", Source("")), is_scalar=True)
YES_NO: Kind[bool] = Kind("yes or no", scalars.yes_no_of, False, is_scalar=True)
TEXTS: Kind[tuple[str, ...]] = Kind("list of texts", _texts, ())
TEXT_OR_TEXTS: Kind[tuple[str, ...]] = Kind("text or list of texts", _text_or_texts, (), reads_null=True)
LENGTH = length(-math.inf, math.inf)
NODE: Kind[Node] = Kind("anything", lambda node, _: Read(node), reads_null=True)
MAPPING: Kind[Mapping] = Kind("mapping by names", as_mapping)
