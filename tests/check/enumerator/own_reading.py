"""The text of a random setup, read for the enumerator: steps, expectations and ways to play, each with its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import yaml


class Text(str):
    """A word of a YAML file, with its line."""

    line: int


@dataclass(frozen=True)
class Part:
    origin: str
    amount: Any  # a text, or one for each range of player counts
    where: str | None
    line: int
    per: str | None = None  # a place: as much for each card that lies there
    is_chosen: bool = False  # by somebody, not drawn


@dataclass(frozen=True)
class Rule:
    kind: str
    place: str
    each: str  # "player", "team", "number", or "" for a place common to all
    number: Any
    only: tuple[int, ...] | None
    when: str | None
    parts: tuple[Part, ...]
    remove: Any
    slots: Any
    replaces: str | None


@dataclass(frozen=True)
class Wish:
    that: str
    wanted: Any
    each: bool
    only: tuple[int, ...] | None
    when: str | None
    of: tuple[str, ...] | None
    line: int


@dataclass(frozen=True)
class Extension:
    name: str
    is_module: bool
    only: tuple[int, ...] | None
    needs: str | None
    excludes: str | None
    drops: tuple[str, ...]
    rules: tuple[Rule, ...]
    wishes: tuple[Wish, ...]


@dataclass(frozen=True)
class Rules:
    values: Mapping[str, Any]
    teams: str
    relations: Mapping[str, str]
    rules: tuple[Rule, ...]
    wishes: tuple[Wish, ...]
    extensions: tuple[Extension, ...]

    def ways(self, players: int) -> list[tuple[str, ...]]:
        """Return the ways to play at a player count: the basic game or one variant, with any modules that fit."""
        variants = [part for part in self.extensions if not part.is_module]
        modules = [part for part in self.extensions if part.is_module]
        ways = []
        for first in [(), *((one,) for one in variants)]:
            for size in range(len(modules) + 1):
                for chosen in combinations(modules, size):
                    played = (*first, *chosen)
                    names = {part.name for part in played}
                    if all(
                        (part.only is None or players in part.only)
                        and (part.needs is None or part.needs in names)
                        and part.excludes not in names
                        for part in played
                    ):
                        ways.append(tuple(part.name for part in played))
        return ways

    def played(self, way: tuple[str, ...]) -> list[Extension]:
        return [part for part in self.extensions if part.name in way]

    def rules_of(self, way: tuple[str, ...]) -> list[Rule]:
        """Return the steps in order: what replaces a place stands where it was first formed, other steps come last."""
        rules, last = list(self.rules), list[Rule]()
        for part in self.played(way):
            gone = {*part.drops, *(rule.replaces for rule in part.rules if rule.replaces)}
            kept, placed = list[Rule](), set[str]()
            for rule in rules:
                if rule.place in gone and rule.place not in placed:
                    placed.add(rule.place)
                    kept += [new for new in part.rules if new.replaces == rule.place]
                if rule.place not in gone:
                    kept.append(rule)
            rules = kept
            last = [rule for rule in last if rule.place not in gone]
            last += [rule for rule in part.rules if rule.replaces is None]
        return rules + last

    def wishes_of(self, way: tuple[str, ...]) -> list[Wish]:
        every = [*self.wishes, *(wish for part in self.played(way) for wish in part.wishes)]
        return [wish for wish in every if wish.of is None or set(way or ("base",)) & set(wish.of)]


def at_count(amount: Any, players: int) -> str:
    if isinstance(amount, str):
        return amount
    return next(text for key, text in amount.items() if players in counts(key))


def counts(text: str) -> tuple[int, ...]:
    """Return the player counts of `2-4` or `3`."""
    first, _, last = text.partition("-")
    return tuple(range(int(first), int(last or first) + 1))


def read_rules(text: str) -> Rules:
    root = _plain(yaml.compose(text, Loader=yaml.SafeLoader))
    extensions = [
        _extension(name, part, is_module=key == "modules")
        for key in ("variants", "modules")
        for name, part in root.get(key, {}).items()
    ]
    seats = root.get("seats", {})
    teams, relations = seats.get("teams", "1"), seats.get("relations", {})
    return Rules(root.get("values", {}), teams, relations, _rules(root), _wishes(root), tuple(extensions))


def _extension(name: str, part: Mapping[str, Any], *, is_module: bool) -> Extension:
    needs, excludes, drops = part.get("needs"), part.get("excludes"), tuple(part.get("drops", ()))
    return Extension(name, is_module, _only(part), needs, excludes, drops, _rules(part), _wishes(part))


def _only(part: Mapping[str, Any]) -> tuple[int, ...] | None:
    return counts(part["only"]) if "only" in part else None


def _plain(node: yaml.Node | None) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {_plain(key): _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(value) for value in node.value]
    assert isinstance(node, yaml.ScalarNode)
    text = Text(node.value)
    text.line = node.start_mark.line + 1
    return text


def _rules(root: Mapping[str, Any]) -> tuple[Rule, ...]:
    return tuple(map(_rule, root.get("setup", ())))


def _rule(step: Mapping[str, Any]) -> Rule:
    kind = next(word for word in ("pile", "hand", "row", "box") if word in step)
    each = step.get("each", "player" if kind == "hand" else "")
    number = each if each not in ("", "player", "team") else ""
    parts = tuple(part for origin, said in step.get("take", {}).items() for part in _parts(origin, said))
    return Rule(
        kind, step[kind], "number" if number else each, number, _only(step), step.get("when"), parts,
        step.get("remove"), step.get("slots"), step.get("replaces"),
    )  # fmt: skip


def _parts(origin: Text, said: Any) -> list[Part]:
    entries = said if isinstance(said, list) else [said]
    parts = []
    for entry in entries:
        is_open = isinstance(entry, dict) and bool({"count", "choose", "where"} & {*entry})
        amount = entry.get("choose") or entry.get("count", "all") if is_open else entry
        where, per = (entry.get("where"), entry.get("per")) if is_open else (None, None)
        line = getattr(amount, "line", None) or getattr(where, "line", None)
        if isinstance(amount, dict):
            line = next(iter(amount)).line
        parts.append(Part(origin, amount, where, line or origin.line, per, is_open and "choose" in entry))
    return parts


def _wishes(root: Mapping[str, Any]) -> tuple[Wish, ...]:
    return tuple(map(_wish, root.get("expect", ())))


def _wish(wish: Mapping[str, Any]) -> Wish:
    of = tuple(wish["for"]) if "for" in wish else None
    is_each = wish.get("each") == "player"
    return Wish(wish["that"], wish.get("is"), is_each, _only(wish), wish.get("when"), of, wish["that"].line)
