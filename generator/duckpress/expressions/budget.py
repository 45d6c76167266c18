"""What a computation may spend: steps, letters of a text, parts of a value; and how values are written.

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
    """An error of exceeding a limit; `limit` is its name, the words are those of a problem."""

    def __init__(self, what: str, limit_: str) -> None:
        super().__init__(what)
        self.limit = limit_


class OutOfSteps(OverLimit):
    """An error of a budget without steps left: nothing more can be computed with it."""


class Budget:
    """The steps left to spend; every method counts, and raises `OverLimit` above a limit.

    Values are written within it, as its use writes them.
    """

    def __init__(self, profile: Profile, steps: int | None = None) -> None:
        """Take a profile, and a number of steps if it is not the profile's limit."""
        self.profile = profile
        self._given = steps
        self._pace = profile.pace
        self.begin()

    def begin(self) -> None:
        """Begin again with the whole budget, by the current limits."""
        self.steps_left = self._steps = limit(self.profile.steps) if self._given is None else self._given
        self._most_text = limit(self.profile.text)
        self._most_value = limit(self.profile.value)

    @property
    def is_mostly_left(self) -> bool:
        """Whether at least half of the steps are left."""
        return self.steps_left * 2 >= self._steps

    def spend(self, steps: int) -> None:
        """Spend steps of the profile; raises `OutOfSteps` if none are left."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise OutOfSteps(f"more than {self._steps} steps are taken {self.profile.spent}", self.profile.steps)

    def work(self, steps: int) -> None:
        """Spend steps, given as steps of a layout, at the profile's rate."""
        self.spend(steps * self._pace)

    def measured(self, text: Any) -> Any:
        """Return a text or list that is not too long, else raise `OverLimit`."""
        if len(text) > self._most_text:
            what = f"a text of {len(text)} letters comes out; {self._most_text} are the most"
            raise OverLimit(what, self.profile.text)
        self.work(len(text) // 64)
        return text

    def refuse_length(self, length: int, maker: str) -> None:
        """Raise `OverLimit` if a result of this length is too long."""
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
        """Count the parts of a new list, tuple or dict, if one of them may be large."""
        if type(values) in CONTAINERS:
            entries = (*values, *values.values()) if type(values) is dict else values
            if any(map(is_heavy, entries)):
                self.weigh(values)
        return values

    def read(self, value: Any) -> Any:
        """Count the cost of reading a text once."""
        if isinstance(value, str):
            self.work(len(value) // 64)
        return value

    def compare(self, value: Any) -> Any:
        """Count the cost of comparing or hashing a value."""
        self.read(value)
        if type(value) in CONTAINERS or type(value) in _VIEWS:
            self.work(weight(value, self._most_value) // 16)
        return value

    def search(self, values: Any) -> Any:
        """Count the cost of searching a value."""
        if isinstance(values, str):
            self.work(len(values) // 256)
            return values
        if isinstance(values, range):
            self.work(len(values) // 16)
        return self.compare(values)

    def pair(self, text: Any, other: Any) -> None:
        """Count the cost of comparing each letter of a text with those of another one, as `strip` does."""
        if isinstance(text, str) and isinstance(other, str):
            self.work(len(text) * len(other) // 4096)

    def count_method(self, owner: Any, args: Iterable[Any]) -> None:
        """Count the cost of a method of a text or list, and of its arguments."""
        for arg in args:
            self.compare(arg)
            self.pair(owner, arg)
        if isinstance(owner, str):
            self.read(owner)
        elif isinstance(owner, list | tuple):
            self.search(owner)

    def looped(self, values: Any, steps: int) -> Any:
        """Return the iterable of a loop after counting so many steps for each turn."""
        if isinstance(values, Undefined):
            return values
        values = values if isinstance(values, list | tuple | dict | str | range) else list(values)
        self.work(len(values) * steps)
        return values

    def ran(self, steps: int) -> str:
        """Count one run of a body as so many steps; return an empty text for the template."""
        self.work(steps)
        return ""

    def written(self, value: Any) -> Any:
        """Return a value as readers see it: nothing for None, yes and no, and no `.0` after a whole number.

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
        """Return the output of `{{ }}`: as `written`, with a fast path for the commonest kinds of values."""
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
        """Return the result of `~`: its operands as they are written, joined."""
        self.refuse_length(sum(len(part) for part in parts if isinstance(part, str)), "'~'")
        words = [self.written(part) for part in parts]
        self.refuse_length(sum(len(word) for word in words if isinstance(word, str)), "'~'")
        return markup_join(words) if context.autoescape else str_join(words)

    @pass_eval_context
    def emphasised(self, context: EvalContext, parts: Sequence[Any], stars: str) -> str:
        """Return joined values between stars, or without stars if all values are empty."""
        words = self.joined(context, parts)
        between = type(words)(stars)
        return between + words + between if words.strip() else words


def weight(value: object, most: int) -> int:
    """Return the number of a value's parts and sixteenths of texts; it stops counting above `most`."""
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
    """Yield a value and all its nested parts, repetitions included; call `weigh` first."""
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
    """Return whether a part may be large."""
    return type(value) in CONTAINERS or (isinstance(value, str) and len(value) > _LONG)


def as_written(value: Any, profile: Profile = LAYOUT) -> Any:
    """Return a plain value as readers see it; texts, whole numbers and the lists of a layout stay as they are."""
    if value is None:
        return ""
    if value is True or value is False:
        return "yes" if value else "no"
    if type(value) is float:
        return profile.decimal(value)
    if profile.separator is not None and isinstance(value, list | tuple):
        return profile.separator.join(str(as_written(item, profile)) for item in value)
    return value
