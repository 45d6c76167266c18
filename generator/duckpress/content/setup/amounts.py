"""The small parts of `setup.yaml`: expressions, amounts per player count and lists of player counts."""

from __future__ import annotations

import re

from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import ALL, Amount, Expression

MAX_PLAYERS = 1000
_COUNTS = re.compile(r"([0-9]{1,4})(?:\s*-\s*([0-9]{1,4}))?")


def read_expression(node: Node | None, label: str, problems: list[Problem]) -> Expression | None:
    """Give an expression, or a text that may hold some. Problems: `wrong-type`, `empty-value`."""
    if node is None:
        return None
    if not isinstance(node, Scalar):
        has = "a list" if isinstance(node, Sequence) else "a mapping"
        fix = "write one expression; put text that begins with { or [ in quotes"
        problems.append(Problem("wrong-type", node.source, f"{label} is {has}, not an expression", fix))
        return None
    if node.is_null or not node.text.strip():
        fix = "write an expression, or delete the key"
        problems.append(Problem("empty-value", node.source, f"{label} is empty", fix))
        return None
    return Expression(node.text, node.source, 0 if node.is_plain else 1)


def read_amount(node: Node | None, label: str, problems: list[Problem]) -> Amount | None:
    """Give an amount: one for all, or a mapping from player counts (`2`, `2-4`) to amounts.

    Problems: `wrong-type`, `empty-value`, `bad-player-count`, `repeated-count`.
    """
    if node is None or not isinstance(node, Mapping):
        expression = read_expression(node, label, problems)
        return None if expression is None else Amount({None: expression}, expression.source)
    found: dict[int | None, Expression] = {}
    for key, entry in node.entries.items():
        expression = read_expression(entry.value, f"{label} for {key} players", problems)
        for count in _counts(key, entry.source, problems):
            if count in found:
                what = f"{label} for {count} players is given twice"
                problems.append(Problem("repeated-count", entry.source, what, "keep one of the two"))
            elif expression is not None:
                found[count] = expression
    if not node.entries:
        problems.append(Problem("empty-value", node.source, f"{label} is empty", "write an amount"))
    return Amount(found, node.source) if found else None


def everything(source: Source) -> Amount:
    """Give the amount that means all that is left."""
    return Amount({None: Expression(ALL, source)}, source)


def read_player_counts(node: Node | None, label: str, problems: list[Problem]) -> tuple[int, ...] | None:
    """Give player counts from `6`, `3-6` or a list of these; None for none. Problems: `bad-player-count`."""
    if node is None:
        return None
    items = node.items if isinstance(node, Sequence) else [node]
    found: list[int] = []
    for item in items:
        if isinstance(item, Scalar):
            found += _counts(item.text, item.source, problems)
        else:
            what = f"{label} holds something that is not a player count"
            problems.append(Problem("bad-player-count", item.source, what, "write 6, 3-6 or [3, 5]"))
    return tuple(sorted(set(found)))


def excess(node: Node, most: int) -> Source | None:
    """Give the place at which a setup has more parts than so many; None where it has not.

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


def read_level(reader: Reader, default: str) -> str:
    """Give the word of a level: error, warning or note."""
    return reader.choice("level", ("error", "warning", "note"), default)


def _counts(text: str, source: Source, problems: list[Problem]) -> list[int]:
    match = _COUNTS.fullmatch(text.strip())
    low = int(match[1]) if match else 0
    high = int(match[2]) if match and match[2] else low
    if 0 < low <= high <= MAX_PLAYERS:
        return list(range(low, high + 1))
    fix = f"write a number of players from 1 to {MAX_PLAYERS} (6), or a range (3-6)"
    problems.append(Problem("bad-player-count", source, f"{text!r} is not a player count", fix))
    return []
