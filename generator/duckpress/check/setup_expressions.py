"""Reading expressions: which names, card fields, facts and functions one uses, and where in its text they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

from msgspec import Struct

from duckpress.check.expression_errors import Trouble
from duckpress.check.setup_sandbox import compile_tree, parse, walk
from duckpress.core.limits import how_to_raise, limit

_NUMBER = re.compile(r"[0-9]{1,12}")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_HOLE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


class Word(Struct, frozen=True):
    """A name, a field or a key used in an expression, and how far into the text it stands."""

    text: str
    offset: int


class DeckCall(Struct, frozen=True):
    """A call of a function about a deck or a place: `count('duck', where='card.rare')`; only what is written out."""

    function: str
    offset: int
    origin: Word | None
    field: Word | None
    where: Word | None


class Reading(Struct, frozen=True):
    """What an expression says, or the trouble with it; `compute` gives its value from the names it uses."""

    text: str
    names: tuple[Word, ...] = ()
    card_fields: tuple[Word, ...] = ()
    facts: tuple[Word, ...] = ()
    calls: tuple[DeckCall, ...] = ()
    constant: int | None = None
    trouble: Trouble | None = None
    compute: Callable[[Mapping[str, object]], object] | None = None

    def uses(self, name: str) -> bool:
        """Tell whether the expression uses a name."""
        return any(word.text == name for word in self.names)


def holes(text: str) -> list[tuple[str, int]]:
    """Give the expressions between `{{` and `}}` in a text, each with its offset."""
    found = []
    for match in _HOLE.finditer(text, 0, _last_hole(text)):
        inner = match[1]
        found.append((inner.strip(), match.start(1) + len(inner) - len(inner.lstrip())))
    return found


def fill_holes(text: str, spoken: Callable[[str, int], str]) -> str:
    """Give a text with each `{{ expression }}` replaced by what `spoken` gives for it and its offset."""
    found = iter(holes(text))
    end = _last_hole(text)
    return _HOLE.sub(lambda _: spoken(*next(found)), text[:end]) + text[end:]


def _last_hole(text: str) -> int:
    # Behind the last hole that is closed nothing is looked for: every opening would be followed to the end.
    return text.rfind("}}") + 2 if "}}" in text else 0


def read_expression(text: str) -> Reading:
    """Give what an expression says; a whole number costs nothing, everything else is read and compiled once."""
    most = limit("setup-expression")
    if len(text) > most:
        what = f"the expression is {len(text)} letters long; {most} is the most"
        fix = f"cut it in two with a named value; {how_to_raise('setup-expression')}"
        return Reading(text, trouble=Trouble("bad-expression", what, fix))
    return _read(text)


def names_in(text: str) -> set[str]:
    """Return the names that an expression may use, at a look: without reading it."""
    return set(_NAME.findall(_STRING.sub("", text)))


@lru_cache(maxsize=10_000)  # as many as a budget of steps allows, and more
def _read(text: str) -> Reading:
    if _NUMBER.fullmatch(text):
        return Reading(text, constant=int(text))
    try:
        tree = parse(text)
        # A name alone says what it is; to compile takes a millisecond, and a table has a column for every value.
        compute = (
            itemgetter(text) if text.isidentifier() and type(tree).__name__ == "Name" else compile_tree(text, tree)
        )
    except Trouble as trouble:
        return Reading(text, trouble=trouble)
    # Strings are blanked so that a name inside one is not taken for the name itself.
    bare = _STRING.sub(lambda match: " " * len(match[0]), text)
    names: list[Word] = []
    fields: list[Word] = []
    facts: list[Word] = []
    calls: list[DeckCall] = []
    called: set[int] = set()
    for node in walk(tree):
        kind = type(node).__name__
        if kind == "Call":
            called.add(id(node.node))
            calls.append(_deck_call(node, text, bare))
        elif kind == "Name" and id(node) not in called:
            if node.name not in {word.text for word in names}:
                names.append(Word(node.name, _offset(rf"(?<![\w.]){re.escape(node.name)}\b", bare)))
        elif kind in ("Getattr", "Getitem") and type(node.node).__name__ == "Name":
            key = node.attr if kind == "Getattr" else _constant(node.arg)
            owner = node.node.name
            if isinstance(key, str) and owner in ("card", "facts"):
                pattern = rf"\b{owner}\s*(?:\.\s*|\[\s*['\"])(?={re.escape(key)}\b)"
                (fields if owner == "card" else facts).append(Word(key, _offset(pattern, text, at_end=True)))
    return Reading(text, tuple(names), tuple(fields), tuple(facts), tuple(calls), None, None, compute)


def _deck_call(node: Any, text: str, bare: str) -> DeckCall:
    name: str = node.node.name
    by_place = [_constant(arg) for arg in node.args]
    by_name = {keyword.key: _constant(keyword.value) for keyword in node.kwargs}
    order = PARAMETERS.get(name, ())
    given = {**dict(zip(order, by_place, strict=False)), **by_name}
    start = _offset(rf"\b{re.escape(name)}\s*\(", bare)

    def word(parameter: str) -> Word | None:
        value = given.get(parameter)
        if not isinstance(value, str):
            return None
        found = text.find(value, start + len(name))
        return Word(value, found if found >= 0 else start)

    return DeckCall(name, start, word("of"), word("field"), word("where"))


def _constant(node: object) -> object:
    return getattr(node, "value", None) if type(node).__name__ == "Const" else None


def _offset(pattern: str, text: str, *, at_end: bool = False) -> int:
    match = re.search(pattern, text)
    return 0 if match is None else match.end() if at_end else match.start()


# The functions that expressions may call, each with the names of what it is given, in order.
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "count": ("of", "where"),
    "sum": ("of", "field", "where"),
    "distinct": ("of", "field", "where"),
    "taken": ("of",),
    "left": ("of",),
    "removed": ("of",),
    "total": ("of",),
    "told": ("of",),
    "knowers": ("of",),
    "tally": ("of", "field", "value", "where"),
    "spaces": ("of", "holding"),
    "contents": ("of", "holding"),
    "perimeter": ("of",),
    "min": (),
    "max": (),
    "abs": (),
    "ceil": (),
    "floor": (),
}
