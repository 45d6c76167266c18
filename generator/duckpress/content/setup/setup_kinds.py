"""The kinds of values that only `setup.yaml` has: expressions, amounts per player count and lists of player counts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from duckpress.content.yaml.declared_shapes import Kind, ListOf, NamesOf, Plain
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, nearest
from duckpress.model.setup import Amount, Each, Expression

MAX_PLAYERS = 1000
_COUNTS = re.compile(r"([0-9]{1,4})(?:\s*-\s*([0-9]{1,4}))?")


def read_expression(node: Node, label: str) -> Read[Expression | None]:
    """Return an expression, or a text that may hold some. Problems: `wrong-type`, `empty-value`."""
    if not isinstance(node, Scalar):
        is_table = isinstance(node, Mapping) and node.entries and all(map(_COUNTS.fullmatch, node.entries))
        table = "numbers by player count cannot stand here: give them a name under 'values', and write the name here"
        fix = table if is_table else "write one expression; put text that begins with { or [ in quotes"
        what = f"{label} is {described(node)}, not an expression"
        return Read(None, [Problem("wrong-type", node.source, what, fix)])
    if node.is_null or not node.text.strip():
        fix = "write an expression, or delete the key"
        return Read(None, [Problem("empty-value", node.source, f"{label} is empty", fix)])
    return Read(Expression(node.text, node.source, 0 if node.is_plain else 1))


def read_amount(node: Node, label: str) -> Read[Amount | None]:
    """Return an amount: one for all, or a mapping from player counts (`2`, `2-4`) to amounts.

    Problems: `wrong-type`, `empty-value`, `bad-player-count`, `repeated-count`.
    """
    if not isinstance(node, Mapping):
        expression, wrong = read_expression(node, label)
        return Read(None if expression is None else Amount({None: expression}, expression.source), wrong)
    problems = ProblemList()
    by_players: dict[int | None, Expression] = {}
    for key, entry in node.entries.items():
        expression = problems.take(read_expression(entry.value, f"{label} for {key} players"))
        for count in problems.take(_counts(key, entry.source)):
            if count in by_players:
                what = f"{label} for {count} players is given twice"
                problems.add("repeated-count", entry.source, what, "keep one of the two")
            elif expression is not None:
                by_players[count] = expression
    if not node.entries:
        problems.add("empty-value", node.source, f"{label} is empty", "write an amount")
    return Read(Amount(by_players, node.source) if by_players else None, problems)


def _each(node: Node, label: str) -> Read[tuple[Each, Amount | None] | None]:
    """Return who has a place, and how many have one where it is a number."""
    if isinstance(node, Scalar) and node.text in (Each.PLAYER, Each.TEAM):
        return Read((Each(node.text), None))
    amount, problems = read_amount(node, label)
    return Read(None if amount is None else (Each.NUMBER, amount), problems)


def looks_like_keys(node: Mapping, keys: Iterable[str]) -> bool:
    """Return whether a mapping holds keys like these, perhaps misspelt, and not numbers by player count."""
    known = set(keys)
    return any(name in known or (name.isalpha() and nearest(name, known)) for name in node.entries)


def read_player_counts(node: Node, label: str) -> Read[tuple[int, ...] | None]:
    """Return player counts from `6`, `3-6` or a list of these. Problems: `bad-player-count`."""
    problems = ProblemList()
    counts: set[int] = set()
    for item in node.items if isinstance(node, Sequence) else [node]:
        if isinstance(item, Scalar):
            counts.update(problems.take(_counts(item.text, item.source)))
        else:
            what = f"{label} holds something that is not a player count"
            problems.add("bad-player-count", item.source, what, "write 6, 3-6 or [3, 5]")
    return Read(tuple(sorted(counts)), problems)


_WORDS = Plain(pattern=r"\S")
COUNT = Plain(("integer", "string"), rf"^\s*{_COUNTS.pattern}\s*$")
_BY_COUNT = NamesOf((_WORDS,), COUNT.pattern)
EXPRESSION: Kind[Expression] = Kind(
    "expression", read_expression, takes=(_WORDS,), reads_null=True, has_bare_label=True
)
EACH: Kind[tuple[Each, Amount | None]] = Kind(
    "player, team or amount", _each, takes=(_WORDS, _BY_COUNT), has_bare_label=True
)
AMOUNT: Kind[Amount] = Kind("amount", read_amount, takes=(_WORDS, _BY_COUNT), reads_null=True, has_bare_label=True)
PLAYER_COUNTS: Kind[tuple[int, ...]] = Kind(
    "player counts", read_player_counts, takes=(COUNT, ListOf((COUNT,))), reads_null=True, has_bare_label=True
)


def _knowers(node: Node, label: str) -> Read[tuple[Expression, ...] | None]:
    """Return whose cards are told: none for `yes` (of a place common to all), or expressions for seats."""
    if isinstance(node, Scalar) and node.text in ("yes", "true"):
        return Read(())
    problems = ProblemList()
    items = node.items if isinstance(node, Sequence) else [node]
    whose = (problems.take(read_expression(item, label)) for item in items)
    return Read(tuple(expression for expression in whose if expression is not None), problems)


KNOWERS: Kind[tuple[Expression, ...]] = Kind(
    "yes, an expression or a list of them", _knowers, (), takes=(_WORDS, ListOf((_WORDS,)))
)


def excess(node: Node, most: int) -> Source | None:
    """Return the place at which a setup has more parts than so many; None where it has not.

    A range of player counts is as many parts as it names: that is what becomes of it.
    """
    count = 0
    waiting = [node]
    while waiting:
        here = waiting.pop()
        count += 1
        if isinstance(here, Mapping):
            count += sum(_span(key) for key in here.entries)
            waiting += [entry.value for entry in reversed(here.entries.values())]
        elif isinstance(here, Sequence):
            waiting += reversed(here.items)
        else:
            count += _span(here.text)
        if count > most:
            return here.source
    return None


def _span(text: str) -> int:
    match = _COUNTS.fullmatch(text) if len(text) < 20 else None
    return max(0, int(match[2]) - int(match[1])) if match and match[2] else 0


def _counts(text: str, source: Source) -> Read[range]:
    match = _COUNTS.fullmatch(text.strip())
    low = int(match[1]) if match else 0
    high = int(match[2]) if match and match[2] else low
    if 0 < low <= high <= MAX_PLAYERS:
        return Read(range(low, high + 1))
    fix = f"write a number of players from 1 to {MAX_PLAYERS} (6), or a range (3-6)"
    return Read(range(0), [Problem("bad-player-count", source, f"{text!r} is not a player count", fix)])
