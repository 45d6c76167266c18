"""What may be spent on computing: steps, letters of a text, parts of a value; and how values are written within that.

Beyond the budget is `OverLimit`. A step of a layout is a turn of a loop or a call, or about as much work in another
way: sixteen parts of a body that is run, sixty-four letters that are written, eight entries of a list that a filter
looks at. Other uses have finer steps (`Profile.pace`) and take further ones themselves.

A list that holds a list twice, which holds another twice, and so on, is small in memory and endless to write, compare
or hash. So lists are weighed when an expression makes them, and everything later is bounded by that. What is no plain
value is not written at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.nodes import EvalContext
from jinja2.runtime import Undefined, markup_join, str_join
from jinja2.utils import Namespace, pass_eval_context
from markupsafe import Markup

from duckpress.core.limits import limit
from duckpress.expressions.profiles import LAYOUT, Profile, Where

_LETTERS = 16  # so many letters of a text weigh as much as one part
CONTAINERS = frozenset((list, tuple, dict, Namespace))
_VIEWS = frozenset(map(type, ({}.keys(), {}.values(), {}.items())))
_LONG = 1_000
_SHORT = 64  # letters: a step of the budget
_VALUES = (str, int, float, list, tuple, dict, Namespace, range, Undefined)


class OverLimit(SecurityError):
    """An error of asking for more than a limit allows; `limit` is its name, the words are those of a problem."""

    def __init__(self, what: str, limit_: str) -> None:
        super().__init__(what)
        self.limit = limit_


class OutOfSteps(OverLimit):
    """An error of a budget that is used up: nothing more can be computed with it."""


class Budget:
    """What is left to spend; every method counts, and raises `OverLimit` once a limit is passed.

    Values are written within it, as its use writes them.
    """

    def __init__(self, profile: Profile, steps: int | None = None) -> None:
        """Take a use, and how many steps there are where it is not the use's limit."""
        self.profile = profile
        self._given = steps
        self._pace = profile.pace
        self.begin()

    def begin(self) -> None:
        """Begin again with the whole budget, by the limits of now."""
        self.steps_left = self._steps = limit(self.profile.steps) if self._given is None else self._given
        self._most_text = limit(self.profile.text)
        self._most_value = limit(self.profile.value)

    @property
    def is_mostly_left(self) -> bool:
        """Whether no more than half of the steps are used up."""
        return self.steps_left * 2 >= self._steps

    def spend(self, steps: int) -> None:
        """Take steps of the use's own; raises `OutOfSteps` once they are used up."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise OutOfSteps(f"more than {self._steps} steps are taken {self.profile.spent}", self.profile.steps)

    def work(self, steps: int) -> None:
        """Take as many steps as work is worth that takes a layout so many."""
        self.spend(steps * self._pace)

    def measured(self, text: Any) -> Any:
        """Return a text or list, where it is not too long."""
        if len(text) > self._most_text:
            what = f"a text of {len(text)} letters comes out; {self._most_text} are the most"
            raise OverLimit(what, self.profile.text)
        self.work(len(text) // 64)
        return text

    def refuse_length(self, length: int, maker: str) -> None:
        """Raise `OverLimit` where something of such a length would come out."""
        if length > self._most_text:
            what = f"{maker} would make something {length} long; {self._most_text} is the most"
            raise OverLimit(what, self.profile.text)

    def weigh(self, value: Any) -> None:
        """Count the parts and letters of a value, as often as they would be written."""
        heavy = weight(value, self._most_value)
        if heavy > self._most_value:
            raise OverLimit(f"a list of more than {self._most_value} parts comes out", self.profile.value)
        self.work(heavy // 64)

    def built(self, values: Any) -> Any:
        """Weigh a list, tuple or record that was made, where it holds more than small values."""
        if type(values) in CONTAINERS:
            entries = (*values, *values.values()) if type(values) is dict else values
            if any(map(is_heavy, entries)):
                self.weigh(values)
        return values

    def read(self, value: Any) -> Any:
        """Count what going through a text once may take."""
        if isinstance(value, str):
            self.work(len(value) // 64)
        return value

    def compare(self, value: Any) -> Any:
        """Count what comparing a value with another one, or finding it by its hash, may take."""
        self.read(value)
        if type(value) in CONTAINERS or type(value) in _VIEWS:
            self.work(weight(value, self._most_value) // 16)
        return value

    def search(self, values: Any) -> Any:
        """Count what looking for something in a value may take."""
        if isinstance(values, str):
            self.work(len(values) // 256)
            return values
        if isinstance(values, range):
            self.work(len(values) // 16)
        return self.compare(values)

    def pair(self, text: Any, other: Any) -> None:
        """Count what holding each letter of a text against those of another one, as `strip` does, may take."""
        if isinstance(text, str) and isinstance(other, str):
            self.work(len(text) * len(other) // 4096)

    def count_method(self, owner: Any, args: Iterable[Any]) -> None:
        """Count what a method of a text or list may take, and what it is given."""
        for arg in args:
            self.compare(arg)
            self.pair(owner, arg)
        if isinstance(owner, str):
            self.read(owner)
        elif isinstance(owner, list | tuple):
            self.search(owner)

    def looped(self, values: Any, steps: int) -> Any:
        """Return what a loop goes over, counted: so many steps for each turn."""
        if isinstance(values, Undefined):
            return values
        values = values if isinstance(values, list | tuple | dict | str | range) else list(values)
        self.work(len(values) * steps)
        return values

    def ran(self, steps: int) -> str:
        """Count a body that is run, as so many steps; there is nothing to write for it."""
        self.work(steps)
        return ""

    def written(self, value: Any) -> Any:
        """Return a value as it should read: nothing for None, yes and no, and no `.0` behind a whole number.

        Raises `SecurityError` for what is no plain value, `OverLimit` for what is too long.
        """
        kind = type(value)
        if kind is str or kind is Markup:
            if len(value) > _SHORT:
                self.work(len(value) // _SHORT)
            return value
        if value is None or kind in (int, bool, float):
            return as_written(value, self.profile)
        if kind in CONTAINERS or isinstance(value, tuple):
            self.weigh(value)
            for part in parts(value):
                self._refuse_unwritable(part)
            return self.measured(str(as_written(value, self.profile)))
        self._refuse_unwritable(value)
        return value

    def _refuse_unwritable(self, value: object) -> None:
        if isinstance(value, dict) and self.profile.where is Where.FIELD:
            raise TypeError("a record is no text; name one of its values")
        if not (value is None or isinstance(value, _VALUES)):
            raise SecurityError(f"a {type(value).__name__} cannot be written; write one of its values")

    @pass_eval_context  # so that Jinja does not escape constants, and make them text, before they come here
    def finalized(self, _context: EvalContext, value: Any) -> Any:
        """Return what `{{ }}` writes: `written`, with what nearly always comes first."""
        kind = type(value)
        if kind is int:
            return value
        if kind is float:
            return self.profile.decimal(value)
        if (kind is str or kind is Markup) and len(value) <= _SHORT:
            return value
        return self.written(value)

    @pass_eval_context
    def joined(self, context: EvalContext, parts: Sequence[Any]) -> str:
        """Return what `~` makes of its operands, each of them as it is written."""
        self.refuse_length(sum(len(part) for part in parts if isinstance(part, str)), "'~'")
        words = [self.written(part) for part in parts]
        self.refuse_length(sum(len(word) for word in words if isinstance(word, str)), "'~'")
        return markup_join(words) if context.autoescape else str_join(words)

    @pass_eval_context
    def emphasised(self, context: EvalContext, parts: Sequence[Any], stars: str) -> str:
        """Return values in a row between stars, or without them where there is nothing to emphasise."""
        words = self.joined(context, parts)
        between = type(words)(stars)
        return between + words + between if words.strip() else words


def weight(value: object, most: int) -> int:
    """Return the number of a value's parts and sixteenths of texts; beyond `most` it stops counting."""
    total = 0
    waiting: list[Any] = [value]
    while waiting and total <= most:
        item = waiting.pop()
        if isinstance(item, str):
            total += 1 + len(item) // _LETTERS
        elif (entries := _entries(item)) is not None:
            total += 1 + len(entries)
            waiting += entries
    return total


def parts(value: object) -> Iterator[Any]:
    """Yield a value and all that it holds, as often as it would be written; it has been weighed before."""
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        yield item
        waiting += _entries(item) or ()


def _entries(item: Any) -> Collection[Any] | None:
    kind = type(item)
    if kind is dict:
        return [*item.keys(), *item.values()]
    if kind is list or isinstance(item, tuple) or kind in _VIEWS:
        return item  # type: ignore[no-any-return]
    return [item._Namespace__attrs] if kind is Namespace else None


def is_heavy(value: object) -> bool:
    """Return whether one part may weigh more than a few others."""
    return type(value) in CONTAINERS or (isinstance(value, str) and len(value) > _LONG)


def as_written(value: Any, profile: Profile = LAYOUT) -> Any:
    """Return a plain value as it should read; texts and whole numbers, and the lists of a layout, as they are."""
    if value is None:
        return ""
    if value is True or value is False:
        return "yes" if value else "no"
    if type(value) is float:
        return profile.decimal(value)
    if profile.separator is not None and isinstance(value, list | tuple):
        return profile.separator.join(str(as_written(item, profile)) for item in value)
    return value
