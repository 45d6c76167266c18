"""What a question looks for in cards or faces: the figures of a hand, counted card by card, and the condition on them.

Each comparison gives every card a value: whether it counts, its field, its number. Cards of the same values are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from duckpress.odds.question import COMPARISONS, Comparison, Condition, Figure, Joined, Question

Values = tuple[Any, ...]  # of a card, one for each comparison; None where a card has none
Counted = tuple[Any, ...]  # what was counted so far, one for each comparison


class Figures(Struct, frozen=True):
    """The comparisons of a question, and the field by whose values cards are best looked at one after the other."""

    condition: Condition
    comparisons: tuple[Comparison, ...]
    field: str

    @staticmethod
    def of(question: Question) -> Figures:
        """Return the figures that a question asks for."""
        comparisons = tuple(question.comparisons())
        of_sets = [one.field for one in comparisons if one.figure in (Figure.MOST, Figure.DISTINCT)]
        return Figures(question.condition, comparisons, of_sets[0] if of_sets else "")

    @property
    def nothing(self) -> Counted:
        """What is counted before the first card."""
        return tuple(self._beginning(one) for one in self.comparisons)

    def order(self, values: Values) -> str:
        """Return what sorts cards so that those with one value of the field follow each other."""
        for one, value in zip(self.comparisons, values, strict=True):
            if one.field == self.field and one.figure in (Figure.MOST, Figure.DISTINCT):
                return repr(value)
        return ""

    def add(self, counted: Counted, values: Values, number: int) -> Counted:
        """Return what is counted with so many more cards of such values."""
        return tuple(map(lambda one, had, value: self._added(one, had, value, number),
                         self.comparisons, counted, values)) if number else counted  # fmt: skip

    def turn(self, counted: Counted) -> Counted:
        """Return what is counted once all cards with one value of the field were looked at."""
        return tuple(
            (max(had), 0) if one.figure is Figure.MOST and one.field == self.field
            else (had[0] + had[1], 0) if one.figure is Figure.DISTINCT and one.field == self.field
            else had
            for one, had in zip(self.comparisons, counted, strict=True)
        )  # fmt: skip

    def holds(self, counted: Counted) -> bool:
        """Return whether the condition holds of what was counted in the end."""
        turned = self.turn(counted)
        found = {id(one): self._figure(one, had) for one, had in zip(self.comparisons, turned, strict=True)}
        return self._is_true(self.condition, found)

    def holds_of(self, cards: Iterable[Values]) -> bool:
        """Return whether the condition holds of some cards, given in any order."""
        counted, last = self.nothing, None
        numbers: dict[Values, int] = {}
        for values in cards:
            numbers[values] = numbers.get(values, 0) + 1
        orders = {values: self.order(values) if self.field else "" for values in numbers}
        for values in sorted(numbers, key=orders.__getitem__) if self.field else numbers:
            if last is not None and orders[values] != last:
                counted = self.turn(counted)
            last = orders[values]
            counted = self.add(counted, values, numbers[values])
        return self.holds(counted)

    def _beginning(self, one: Comparison) -> Any:
        if one.figure in (Figure.MOST, Figure.DISTINCT):
            return (0, 0) if one.field == self.field else ()
        return 0

    def _added(self, one: Comparison, had: Any, value: Any, number: int) -> Any:
        most = max(int(one.number) + 1, 1)  # more of them are all the same to a comparison
        if one.figure is Figure.COUNT:
            return min(had + number, most) if value else had
        if value is None:
            return had
        if one.figure is Figure.SUM:
            return had + number * value
        if one.figure is Figure.MOST and had and had[0] == most:
            return had
        if one.field == self.field:
            return (had[0], 1 if one.figure is Figure.DISTINCT else min(had[1] + number, most))
        counts = dict(had)
        counts[repr(value)] = 1 if one.figure is Figure.DISTINCT else counts.get(repr(value), 0) + number
        return tuple(sorted(counts.items()))

    def _figure(self, one: Comparison, had: Any) -> Any:
        if one.figure in (Figure.COUNT, Figure.SUM):
            return had
        if one.field == self.field:
            return had[0]
        return max((count for _, count in had), default=0) if one.figure is Figure.MOST else len(had)

    def _is_true(self, condition: Condition, found: Mapping[int, Any]) -> bool:
        if isinstance(condition, Joined):
            parts = (self._is_true(part, found) for part in condition.parts)
            return not next(parts) if condition.word == "not" else (all if condition.word == "and" else any)(parts)
        number = Fraction(str(condition.number))
        return COMPARISONS[condition.compare](found[id(condition)], number)  # type: ignore[arg-type]
