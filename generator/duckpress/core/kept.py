"""What was made of frozen values the last time, in a program that goes on: of the very same value it is taken again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

_Thing = TypeVar("_Thing")
_Given = TypeVar("_Given")
_Result = TypeVar("_Result")


class Kept(Generic[_Thing, _Given, _Result]):
    """The results of one function, those of the last time: a value is known by its identity, as it never changes."""

    def __init__(self) -> None:
        self._how: object = None
        # They hold their values, and so their identities.
        self._results: dict[int, tuple[_Thing, _Given, _Result]] = {}

    def each(
        self,
        things: Iterable[_Thing],
        given: Iterable[_Given],
        make: Callable[[_Thing, _Given], _Result],
        how: object = None,
    ) -> list[_Result]:
        """Return the result for each value; what is `given` beside it, and `how` for all, is compared with `==`."""
        before = self._results if how == self._how else {}
        now: dict[int, tuple[_Thing, _Given, _Result]] = {}
        results = []
        for thing, beside in zip(things, given, strict=False):
            known = before.get(id(thing))
            if known is None or known[1] != beside:
                known = thing, beside, make(thing, beside)
            now[id(thing)] = known
            results.append(known[2])
        self._how, self._results = how, now
        return results


class KeptLists(defaultdict[tuple[str, ...], Kept[Any, Any, Any]]):
    """What was made of several lists, by words for what is made, and of what."""

    def __init__(self) -> None:
        super().__init__(Kept)
