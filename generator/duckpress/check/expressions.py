"""Expressions of a setup, parsed: names, card fields, facts and functions, with their offsets in the text.

Also what stops a computation, beside `ExpressionError`: too many steps, or a mistake that has its problem.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from jinja2 import nodes
from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.problems import Problem, did_you_mean
from duckpress.expressions.budget import as_written
from duckpress.expressions.calculator import Compiled, compile_tree, read_tree, refuse_long
from duckpress.expressions.parsing import ExpressionError, TreeSize, most_size, quoted
from duckpress.expressions.profiles import SETUP, NameKind

PARAMETERS = SETUP.names(NameKind.FUNCTION)
"""The functions that expressions may call, each with the names of what it is given, in order."""
_NUMBER = re.compile(r"[0-9]{1,12}")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_COMPARING = (nodes.Compare, nodes.And, nodes.Or, nodes.Not)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


class Spent(Exception):
    """A setup above its limit of steps, with its problem; nothing more is computed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


class Stopped(Exception):
    """A computation that cannot go on, with its problem; None if the check of names reports the mistake."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__()
        self.problem = problem


def unknown(
    code: str, name: str, known: Iterable[str], what: str = "", *, says: str = "", offset: int | None = None
) -> ExpressionError:
    """Return the error for an unknown name, with a guess; its words are taken from the code: `unknown-deck`.

    `says` comes before what there is, `offset` is that of an `ExpressionError`.
    """
    kind = code.removeprefix("unknown-")
    fix = did_you_mean(name, known, else_say=says or f"the {kind}s are") or "correct the name"
    return ExpressionError(code, what or f"there is no {kind} {name!r}", fix, offset)


class NameUse(Struct, frozen=True):
    """A name, a field or a key used in an expression, and its offset in the text."""

    text: str
    offset: int


class DeckCall(Struct, frozen=True):
    """A call of a function about a deck or a place: `count('duck', where='card.rare')`; only literal arguments."""

    function: str
    offset: int
    origin: NameUse | None
    field: NameUse | None
    where: NameUse | None


class Reading(Struct, frozen=True):
    """A parsed expression, or its mistake. A single name and a whole number are not compiled."""

    text: str
    names: tuple[NameUse, ...] = ()
    card_fields: tuple[NameUse, ...] = ()
    drawn_fields: tuple[NameUse, ...] = ()
    facts: tuple[NameUse, ...] = ()
    calls: tuple[DeckCall, ...] = ()
    parts: tuple[tuple[str, NameUse], ...] = ()  # what `variant` or `modules` is compared with
    compares: bool = False  # whether anything is compared, or stands alone where a condition may
    constant: int | None = None
    error: ExpressionError | None = None
    compiled: Compiled | None = None


def read_expression(text: str) -> Reading:
    """Return a parsed expression, cached; a whole number needs no parsing."""
    try:
        refuse_long(SETUP, text)
        return _read(text, most_size())
    except ExpressionError as error:
        return Reading(text, error=error)


def without_strings(text: str) -> str:
    return _STRING.sub(lambda match: " " * len(match[0]), text)


def names_in(text: str) -> set[str]:
    """Return the names that may be in an expression, quickly: without parsing it."""
    return set(_NAME.findall(_STRING.sub("", text)))


@lru_cache(maxsize=10_000)  # as many as a budget of steps allows, and more
def _read(text: str, size: TreeSize) -> Reading:
    if _NUMBER.fullmatch(text):
        return Reading(text, constant=int(text))
    tree = read_tree(SETUP, text, size)
    reading = _parsed(text, tree)
    # A name alone says what it is; to compile takes a millisecond, and a table has a column for every value.
    if isinstance(tree, nodes.Name) and text.isidentifier():
        return reading
    return replace(reading, compiled=compile_tree(SETUP, text, tree))


def _parsed(text: str, tree: nodes.Expr) -> Reading:
    """Return the names, the fields of cards, the facts and the calls of a tree. Raises `ExpressionError`."""
    # Strings are blanked so that a name inside one is not taken for the name itself.
    bare = without_strings(text)
    names: dict[str, NameUse] = {}
    keys: dict[str, list[NameUse]] = {"card": [], "drawn": [], "facts": []}
    calls: list[DeckCall] = []
    parts: list[tuple[str, NameUse]] = []
    called: set[int] = set()
    every = list(_all_nodes(tree))
    for node in every:
        if isinstance(node, nodes.Call):
            if not isinstance(node.node, nodes.Name) or node.dyn_args or node.dyn_kwargs:
                what = f"{quoted(text)} cannot be read: only the functions of the setup can be called"
                raise ExpressionError("bad-expression", what, "docs/expressions.md has them all")
            called.add(id(node.node))
            calls.append(_deck_call(node, node.node.name, text, bare))
        elif isinstance(node, nodes.Name) and id(node) not in called:
            names.setdefault(node.name, NameUse(node.name, _offset(rf"(?<![\w.]){re.escape(node.name)}\b", bare)))
        elif isinstance(node, nodes.Compare):
            parts += _compared_names(node, text)
        elif isinstance(node, nodes.Getattr | nodes.Getitem) and isinstance(node.node, nodes.Name):
            key = node.attr if isinstance(node, nodes.Getattr) else _constant(node.arg)
            owner = node.node.name
            if isinstance(key, str) and owner in keys:
                pattern = rf"\b{owner}\s*(?:\.\s*|\[\s*['\"])(?={re.escape(key)}\b)"
                keys[owner].append(NameUse(key, _offset(pattern, text, at_end=True)))
    fields, drawn, facts = map(tuple, keys.values())
    compares = isinstance(tree, nodes.Const) or any(isinstance(node, _COMPARING) for node in every)
    return Reading(text, tuple(names.values()), fields, drawn, facts, tuple(calls), tuple(parts), compares)


def _compared_names(node: nodes.Compare, text: str) -> Iterator[tuple[str, NameUse]]:
    """Yield each string that is compared with `variant` or `modules`, with the one it is compared with."""
    sides = [node.expr, *(operand.expr for operand in node.ops)]
    owners = [side.name for side in sides if isinstance(side, nodes.Name) and side.name in ("variant", "modules")]
    for side in sides if owners else ():
        for part in side.items if isinstance(side, nodes.List | nodes.Tuple) else [side]:
            name = _constant(part)
            if isinstance(name, str):
                yield owners[0], NameUse(name, _offset(rf"(['\"])(?={re.escape(name)}\1)", text, at_end=True))


def _all_nodes(tree: nodes.Node) -> Iterator[nodes.Node]:
    """Yield every node of a tree, parents first."""
    waiting = [tree]
    for node in waiting:
        yield node
        waiting.extend(node.iter_child_nodes())


def _deck_call(node: nodes.Call, name: str, text: str, bare: str) -> DeckCall:
    by_place = [_constant(arg) for arg in node.args]
    by_name = {keyword.key: _constant(keyword.value) for keyword in node.kwargs}
    given: Mapping[str, object] = {**dict(zip(PARAMETERS.get(name, ()), by_place, strict=False)), **by_name}
    start = _offset(rf"\b{re.escape(name)}\s*\(", bare)

    def word(parameter: str) -> NameUse | None:
        value = given.get(parameter)
        if not isinstance(value, str):
            return None
        place = text.find(value, start + len(name))
        return NameUse(value, place if place >= 0 else start)

    return DeckCall(name, start, word("of"), word("field"), word("where"))


def _constant(node: nodes.Node) -> object:
    return node.value if isinstance(node, nodes.Const) else None


def _offset(pattern: str, text: str, *, at_end: bool = False) -> int:
    match = re.search(pattern, text)
    return 0 if match is None else match.end() if at_end else match.start()


def value_order(value: object) -> tuple[bool, object]:
    """Return the sort key of a field's value: numbers first."""
    is_number = isinstance(value, int | float)
    return (not is_number, value if is_number else str(value))


def exactly(value: object) -> str:
    """Return a value in words, with enough digits to tell it from a rounded one."""
    words = as_words(value)
    return repr(value) if isinstance(value, float) and math.isfinite(value) and float(words) != value else words


def as_words(value: object) -> str:
    """Return a value as readers see it: yes and no, whole numbers without a point."""
    return str(as_written(value, SETUP))
