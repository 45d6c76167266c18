"""The kinds of values for keys: single values, lists, mappings with names of the game's own, nested mappings.

A whole number is written with digits alone (`12`, `-3`; `012` is 12, as YAML 1.2 has it; `1_000`, `0x1f` and `7.0` are
no whole numbers); a number may have a fraction and an exponent and is finite. A yes-no value is `yes`, `no`, `true` or
`false`. Quotes make a text: a quoted "7" is neither a number nor, as "yes", a yes-no value. Where a text is asked for,
every scalar is one (`no`, `3:1`, `2-6`, `0.10`), as it was written, less the line breaks a block ends with.

Whatever should stand there and does not is `wrong-type` or `empty-value`, a number outside of its range `out-of-range`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from duckpress.content.yaml.declared_shapes import Kind, ListOf, NamesOf, Plain, Shape, as_mapping, read_shape, required
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described, quoted
from duckpress.core.geometry import parse_length
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean, same_word
from duckpress.model import Value

T = TypeVar("T")
R = TypeVar("R")
W = TypeVar("W", bound=str)
S = TypeVar("S", bound=Shape)

_WHOLE = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
MAX_DIGITS = 15  # all whole numbers of so many digits are exact as floats too, in JSON and in templates


PLAIN = Plain()
"""Any single value but an empty one: as a text it is what was written."""
NULL = Plain(("null",))
ANYTHING = Plain(())
_FILLED = Plain(pattern=r"\S")
_LENGTH = Plain(("string", "number"), r"^\s*([+-]?(\d+\.?\d*|\.\d+)\s*(mm|cm|in|pt)?\s*)?$")


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
    read = _numeral("a whole number", _WHOLE, int, MAX_DIGITS, low, high)
    return Kind(read, low or 0, low=low, high=high, takes=(Plain(("integer",)),), is_scalar=True)


def number(low: float | None = None, high: float | None = None) -> Kind[float]:
    read = _numeral("a number", _NUMBER, float, 32, low, high)
    return Kind(read, low or 0.0, low=low, high=high, takes=(Plain(("number",)),), is_scalar=True)


def choice(choices: Iterable[W], also: Iterable[tuple[str, W]] = ()) -> Kind[W]:
    """Return the kind for one of some words, in any case, or for the members of an enumeration (`unknown-choice`).

    `also` has other words for some of them, which no message suggests.
    """
    by_word = {str(word): word for word in choices}
    accepted = {**dict(also), **by_word}

    def read(node: Node, label: str) -> Read[W | None]:
        text, problems = _text(node, label)
        word = None if text is None else same_word(text, accepted)
        if text is None or word is not None:
            return Read(None if word is None else accepted[word], problems)
        what = f"{label} is {quoted(text)}, which is not one of its choices"
        return Read(None, [Problem("unknown-choice", node.source, what, did_you_mean(text, by_word))])

    return Kind(read, next(iter(by_word.values())), tuple(by_word | accepted), is_scalar=True)


def length(low_mm: float, high_mm: float) -> Kind[float]:
    """Return the kind for lengths, in millimetres; an empty text is None without a problem."""

    def read(node: Node, label: str) -> Read[float | None]:
        text, problems = _text(node, label)
        if not text:
            return Read(None, problems)
        value_mm = parse_length(text)
        if value_mm is not None and low_mm <= value_mm <= high_mm:
            return Read(value_mm)
        code, is_wrong, fix = "wrong-type", "not a length", "write it as 63mm, 6.3cm or 2.5in"
        if value_mm is not None:
            code, is_wrong = "out-of-range", "which is out of range"
            fix = f"write a length from {low_mm:g}mm to {high_mm:g}mm"
        return Read(None, [Problem(code, node.source, f"{label} is {quoted(text)}, {is_wrong}", fix)])

    return Kind(read, 0.0, low=low_mm, high=high_mm, takes=(_LENGTH,), is_scalar=True)


def list_of(kind: Kind[T], word: str = "") -> Kind[tuple[T, ...]]:
    """Return the kind for lists of a kind; `word` names an entry in messages. Invalid entries are left out."""

    def read(node: Node, label: str) -> Read[tuple[T, ...] | None]:
        if not isinstance(node, Sequence):
            what = f"{label} is {described(node)}, not a list"
            fix = "write each entry on a line of its own after '- '"
            return Read(None, [Problem("wrong-type", node.source, what, fix)])
        problems = ProblemList()
        values = [problems.take(kind.read(item, word or f"an entry of {label}")) for item in node.items]
        return Read(tuple(value for value in values if value is not None), problems)

    return Kind(read, (), takes=(ListOf((kind,)),))


def by_name(kind: Kind[T], word: str = "") -> Kind[tuple[Named[T], ...]]:
    """Return the kind for mappings with names of the game's own; `word` names an entry in messages.

    Without a word each entry is read as a required key.
    """

    def read(node: Node, label: str) -> Read[tuple[Named[T], ...] | None]:
        problems = ProblemList()
        mapping = problems.take(as_mapping(node, label))
        entries = []
        for name, (inner, source) in mapping.entries.items() if mapping is not None else ():
            as_key = kind.read(inner, f"{word} {name!r}") if word else required(kind, "", name=name).read(inner, label)
            value = problems.take(as_key)
            if value is not None:
                entries.append(Named(name, source, value))
        return Read(None if mapping is None else tuple(entries), problems)

    return Kind(read, (), takes=(NamesOf((kind,)),))


def named(kind: Kind[T], word: str, convert: Callable[[str, Source, T], R | None]) -> Kind[dict[str, R]]:
    """Return the kind for mappings by name of the results of `convert`, which takes a name, its source and its value.

    None is what nothing can be made of: it is left out.
    """

    def made_of(entries: tuple[Named[T], ...]) -> dict[str, R]:
        values = ((entry.name, convert(*entry)) for entry in entries)
        return {name: value for name, value in values if value is not None}

    return converted(by_name(kind, word), made_of, {})


def each_named(kind: Kind[T], word: str, convert: Callable[[str, Source, T], R | None]) -> Kind[tuple[R, ...]]:
    """Return the kind for mappings as `named` reads them, as a tuple of their values in order."""
    return converted(named(kind, word, convert), lambda values: tuple(values.values()), ())


def shape(declaration: type[S]) -> Kind[S]:
    return Kind(lambda node, label: read_shape(node, declaration, label), takes=(declaration,))


def converted(kind: Kind[T], convert: Callable[[T], R | None], empty: R | None = None) -> Kind[R]:
    """Return a kind that converts the values of another; `convert` returns None for invalid ones."""

    def read(node: Node, label: str) -> Read[R | None]:
        value, problems = kind.read(node, label)
        return Read(None if value is None else convert(value), problems)

    return Kind(read, empty, kind.choices, kind.low, kind.high, kind.takes, is_scalar=kind.is_scalar)


def made(declaration: type[S], make: Callable[[S], R | None]) -> Kind[R]:
    return converted(shape(declaration), make)


def record(declaration: type[Shape], of: type[R]) -> Kind[R]:
    return made(declaration, lambda written: written.as_record(of))


def either(kind: Kind[T], declaration: type[S]) -> Kind[T | S]:
    """Return the kind for a declared mapping or, in short, a value of another kind."""

    def read(node: Node, label: str) -> Read[T | S | None]:
        return read_shape(node, declaration, label) if isinstance(node, Mapping) else kind.read(node, label)

    return Kind(read, kind.empty, takes=(kind, declaration), is_scalar=True)


def plain_value(node: Node) -> Value:
    """Return a value of no declared kind (`facts`, `lists`): plain numbers and yes-no words, and texts."""
    if isinstance(node, Sequence):
        return tuple(plain_value(item) for item in node.items)
    if isinstance(node, Mapping):
        return {key: plain_value(entry.value) for key, entry in node.entries.items()}
    text = node.text
    if not node.is_plain:
        return text
    if node.is_null:
        return None
    if len(text) <= MAX_DIGITS:
        if _WHOLE.fullmatch(text):
            return int(text)
        if _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
            return number
    return _YES_NO.get(text, text)


def texts_of(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    """Return the texts of a list, None if one is invalid."""
    if not isinstance(node, Sequence):
        return _wrong_type(node, label, "a list")
    problems = ProblemList()
    texts = [problems.take(_text(item, f"an entry of {label}")) for item in node.items]
    return Read(None if problems else tuple(text for text in texts if text is not None), problems)


def _text(node: Node, label: str) -> Read[str | None]:
    if not isinstance(node, Scalar) or node.is_null:
        return _wrong_type(node, label, "a text")
    return Read(node.text.rstrip("\n"))


def _numeral(
    wanted: str, pattern: re.Pattern[str], number_of: Callable[[str], Any], longest: int, low: Any, high: Any
) -> Callable[[Node, str], Read[Any]]:
    """Return a function that reads numbers matching a pattern, of at most `longest` letters."""

    def read(node: Node, label: str) -> Read[Any]:
        if not (isinstance(node, Scalar) and node.is_plain and pattern.fullmatch(node.text)):
            return _wrong_type(node, label, wanted)
        value = number_of(node.text) if len(node.text) <= longest else math.inf
        if math.isfinite(value) and (low is None or value >= low) and (high is None or value <= high):
            return Read(value)
        if low is None and high is None:
            fix = f"write a number of at most {MAX_DIGITS} digits"
        elif low is None or high is None:
            fix = f"write a number of at {f'most {high:g}' if low is None else f'least {low:g}'}"
        else:
            fix = f"write a number from {low:g} to {high:g}"
        what = f"{label} is {quoted(node.text)}, which is out of range"
        return Read(None, [Problem("out-of-range", node.source, what, fix)])

    return read


def _yes_no(node: Node, label: str) -> Read[bool | None]:
    if isinstance(node, Scalar) and node.is_plain and node.text.lower() in _YES_NO:
        return Read(_YES_NO[node.text.lower()])
    return _wrong_type(node, label, "yes or no")


def _title(node: Node, label: str) -> Read[str | None]:
    """Return a text of one line, for lists and the edges of sheets. Problem: `text-too-long`."""
    text, problems = _text(node, label)
    most = limit("title-length")
    if text is None or len(text) <= most:
        return Read(text, problems)
    what = f"{label} is {len(text)} letters long; {most} are allowed"
    fix = f"shorten it; {how_to_raise('title-length')}"
    return Read(text[:most], [Problem("text-too-long", node.source, what, fix)])


def _placed(node: Node, label: str) -> Read[Placed | None]:
    text, problems = _text(node, label)
    return Read(None if text is None else Placed(text, node.source), problems)


def _texts(node: Node, label: str) -> Read[tuple[str, ...] | None]:
    """Return the texts of a list, none of them blank (`empty-value`)."""
    problems = ProblemList()
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar) and not item.is_null and not item.text.strip():
            problems.add("empty-value", item.source, f"an entry of {label} is empty", "write what it is, or delete it")
    return Read(problems.take(texts_of(node, label)), problems)


def _wrong_type(node: Node, label: str, wanted: str) -> Read[None]:
    if isinstance(node, Scalar) and node.is_null:
        what, fix = f"{label} is empty", f"write {wanted}, or delete the key"
        return Read(None, [Problem("empty-value", node.source, what, fix)])
    fix, has = f"write {wanted}", described(node)
    if isinstance(node, Scalar):
        has = f"the text {quoted(node.text)}" if not node.is_plain else quoted(node.text)
        if wanted == "a list":
            fix = "write it in brackets: [" + (node.text if len(node.text) < 30 else "...") + "]"
        elif not node.is_plain:
            fix += " without quotes"
    elif isinstance(node, Mapping) and wanted == "a text":
        fix += "; text that begins with { has to stand in quotes"
    return Read(None, [Problem("wrong-type", node.source, f"{label} is {has}, not {wanted}", fix)])


TEXT: Kind[str] = Kind(_text, "", takes=(PLAIN,), is_scalar=True)
TITLE: Kind[str] = Kind(_title, "", takes=(PLAIN,), is_scalar=True)
PLACED: Kind[Placed] = Kind(_placed, Placed("", Source("")), takes=(PLAIN,), is_scalar=True)
YES_NO: Kind[bool] = Kind(_yes_no, False, takes=(choice(_YES_NO),), is_scalar=True)
TEXTS: Kind[tuple[str, ...]] = Kind(_texts, (), takes=(ListOf((_FILLED,)),))
TEXT_OR_TEXTS: Kind[tuple[str, ...]] = Kind(
    lambda node, label: Read((node.text,)) if isinstance(node, Scalar) else _texts(node, label),
    (),
    takes=(PLAIN, NULL, TEXTS),
    reads_null=True,
)
PLACED_OR_LIST: Kind[tuple[Placed, ...]] = Kind(
    lambda node, label: list_of(PLACED).read(
        Sequence([node], node.source) if isinstance(node, Scalar) else node, label
    ),
    (),
    takes=(PLAIN, ListOf((PLAIN,))),
)
LENGTH = length(-math.inf, math.inf)
NODE: Kind[Node] = Kind(lambda node, _: Read(node), takes=(ANYTHING,), reads_null=True)
MAPPING: Kind[Mapping] = Kind(as_mapping, takes=(NamesOf((ANYTHING,)),))
