"""A regular expression -> the pairs of its repeats that one text can be shared out among in many ways.

`(a+)+`, `a*a*`, `a*x?a*`, `.*,.*`: where what follows fails, Python tries every share, in the square of the letters or
worse. The expression is read as a graph of places for one letter each (Glushkov), with an edge for each way from one
to the next. A loop that reads a text in two ways is exponential; two loops that read the same text, with a way from
one to the other that reads it too, are polynomial (Weber and Seidl, "On the degree of ambiguity of finite automata",
1991). What is atomic (`(?>...)`, `a++`) is settled once it has matched: it is looked at by itself, and is one place of
whatever is around it. So are looks ahead and behind. A repeat of more than 64 counts as one without a bound.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

# Named by what Python calls them: 3.11 moved them, typeshed has not all of their names.
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_MANY = 64
_OTHERS = "\x85\xa0\xb2\xe9\xdf\u0301\u0660\u05d0\u2003\u2028\u3042\u4e2d\uff21\ufffd\U0001f600"  # one of each kind


Doubt = tuple[str, str, str]
"""Two repeats that can match the same: "exponential" or "polynomial", and what each of them reads."""


class _Part(NamedTuple):
    """A piece of the graph: in how many ways it can be empty, and the places that it begins and ends with."""

    empty: int
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()


_NOTHING = _Part(1)

_IGNORECASE = int(re.IGNORECASE)  # much faster than a member of an enum


def doubts_of(pattern: re.Pattern[Any]) -> list[Doubt]:
    """Return the pairs of repeats of a pattern that can match the same, within or beside each other."""
    return [doubt for graph in _graphs(pattern) for doubt in graph.doubts()]


def _graphs(pattern: re.Pattern[Any]) -> Iterator[_Graph]:
    """Yield the graph of a pattern, and those of what is looked at by itself."""
    waiting = [(parser.parse(pattern.pattern, pattern.flags), pattern.flags)]
    while waiting:
        graph = _Graph(_alphabet(pattern))
        graph.read(*waiting.pop())
        waiting += graph.apart
        yield graph


def _alphabet(pattern: re.Pattern[Any]) -> list[str]:
    """Return the letters that a pattern is tried with: those that it names, those beside them, one of each kind."""
    text = pattern.pattern
    if isinstance(text, bytes):
        return [chr(number) for number in range(256)]
    return sorted({*map(chr, range(128)), *_OTHERS, *text, *(chr(ord(letter) + 1) for letter in text)})


class _Graph:
    """The places of an expression, each for one letter, and how often an edge leads from one to another."""

    def __init__(self, alphabet: list[str]) -> None:
        self._alphabet = alphabet
        self._letters = frozenset(alphabet)
        self.reads: list[frozenset[str]] = []
        self._edges: Counter[tuple[int, int]] = Counter()
        self.apart: list[tuple[Any, int]] = []
        """What is looked at by itself."""

    def read(self, tree: Iterable[Any], flags: int) -> _Part:
        """Add an expression, as Python parses it."""
        whole = _NOTHING
        for code, value in tree:
            whole = self._beside(whole, self._read(code, value, flags))
        return whole

    def reads_of(self, code: Any, value: Any, flags: int) -> frozenset[str]:
        """Return the letters that one node reads."""
        if code is op.LITERAL and not flags & _IGNORECASE:
            return frozenset({chr(value)}) & self._letters
        alone = compiler.compile(parser.SubPattern(parser.State(), [(code, value)]), flags)
        return frozenset(filter(alone.match, self._alphabet))

    def _read(self, code: Any, value: Any, flags: int) -> _Part:
        if code in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            return self._place(self.reads_of(code, value, flags))
        if code is op.BRANCH:
            parts = [self.read(one, flags) for one in value[1]]
            return _Part(
                min(2, sum(one.empty for one in parts)),
                tuple(place for one in parts for place in one.first),
                tuple(place for one in parts for place in one.last),
            )
        if code is op.SUBPATTERN:
            _, added, removed, inner = value
            return self.read(inner, flags & ~removed | added)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT):
            return self._repeat(*value, flags)
        if code in (op.ATOMIC_GROUP, op.POSSESSIVE_REPEAT):
            inner = value if code is op.ATOMIC_GROUP else [(op.MAX_REPEAT, value)]
            self.apart.append((inner, flags))
            return self._opaque(inner, flags)
        if code in (op.ASSERT, op.ASSERT_NOT):
            self.apart.append((value[1], flags))
            return _NOTHING
        if code is op.AT:
            return _NOTHING
        if code in (op.GROUPREF, op.GROUPREF_EXISTS):
            return self._place(frozenset(self._alphabet))
        raise AssertionError(code)

    def _opaque(self, tree: Any, flags: int) -> _Part:
        """Add one place for all that is atomic: it reads any letter that is read inside."""
        inner = _Graph(self._alphabet)
        part = inner.read(tree, flags)
        place = self._place(frozenset().union(*inner.reads))
        return place._replace(empty=min(1, part.empty))

    def _repeat(self, least: int, most: Any, inner: Any, flags: int) -> _Part:
        is_endless = most is op.MAXREPEAT or most > _MANY
        whole = _NOTHING
        # More than two of what is repeated a few times say nothing new.
        for number in range(max(1, min(least, 2)) if is_endless else min(most, 2)):
            part = self.read(inner, flags)
            if is_endless and number == max(1, min(least, 2)) - 1:
                self._join(part.last, part.first)
            whole = self._beside(
                whole, part if number < least else part._replace(empty=1 if is_endless else min(2, part.empty + 1))
            )
        return whole

    def _place(self, letters: frozenset[str]) -> _Part:
        self.reads.append(letters)
        here = (len(self.reads) - 1,)
        return _Part(0, here, here)

    def _join(self, ends: Iterable[int], begins: Iterable[int]) -> None:
        self._edges.update(product(ends, begins))

    def _beside(self, one: _Part, other: _Part) -> _Part:
        self._join(one.last, other.first)
        return _Part(
            min(2, one.empty * other.empty),
            one.first + other.first * one.empty,
            other.last + one.last * other.empty,
        )

    def doubts(self) -> Iterator[Doubt]:
        """Yield what can be read in many ways."""
        follow: dict[int, list[int]] = {place: [] for place in range(len(self.reads))}
        for begin, end in self._edges:
            follow[begin].append(end)
        everywhere = set(follow)
        reach = {place: {end for (end,) in self._walked((place,), follow, everywhere)} for place in follow}
        loops = [place for place in reach if place in reach[place]]
        around = {place: {one for one in reach[place] if place in reach[one]} for place in loops}
        for place in loops:
            home = around[place]
            is_doubled = any(self._edges[one, other] > 1 for one, other in product(home, home))
            apart = {pair for pair in self._walked((place, place), follow, home, home) if pair[0] != pair[1]}
            if is_doubled or any((place, place) in self._walked(pair, follow, home, home) for pair in apart):
                yield "exponential", self._shown(place), self._shown(place)
                break
        for first, second in product(loops, loops):
            if first != second and second in reach[first]:
                between = {place for place in reach[first] if second in reach[place]}
                homes = around[first], between, around[second]
                if (first, second, second) in self._walked((first, first, second), follow, *homes):
                    yield "polynomial", self._shown(first), self._shown(second)

    def _walked(self, begin: tuple[int, ...], follow: dict[int, list[int]], *homes: set[int]) -> set[tuple[int, ...]]:
        """Return where a text can lead from some places at once, each of them within its home."""
        todo, known = [begin], set[tuple[int, ...]]()
        while todo:
            for places in product(*(follow[place] for place in todo.pop())):
                is_at_home = all(place in home for place, home in zip(places, homes, strict=True))
                if places not in known and is_at_home and frozenset.intersection(*map(self.reads.__getitem__, places)):
                    known.add(places)
                    todo.append(places)
        return known

    def _shown(self, place: int) -> str:
        letters = sorted(self.reads[place])
        return repr("".join(letters[:12]) + ("..." if len(letters) > 12 else ""))
