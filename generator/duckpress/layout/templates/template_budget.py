"""What a template may spend on one face: steps, letters of a text, parts of a value; beyond them is `TooMuch`.

A step of the budget is a turn of a loop or a call, or about as much work in another way: sixteen parts of a body that
is run, sixty-four letters that are written, eight entries of a list that a filter looks at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.runtime import Context, Undefined
from jinja2.utils import pass_context

from duckpress.core.limits import limit
from duckpress.expressions.weighing import CONTAINERS, VIEWS, is_heavy, weight


class TooMuch(SecurityError):
    """A template that asks for more than a limit allows, and the limit's name; its words are those of a problem."""

    def __init__(self, what: str, limit_: str) -> None:
        super().__init__(what)
        self.limit = limit_


class Budget:
    """What is left for the face at hand; every method counts, and raises `TooMuch` once a limit is passed."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Give the next face its whole budget, by the limits of now."""
        self.steps_left = self._steps = limit("template-steps")
        self._most_text = limit("template-text")
        self._most_value = limit("template-value")

    def spend(self, steps: int) -> None:
        """Take steps from the budget; raises `TooMuch` once it is used up."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise TooMuch(f"the template takes more than {self._steps} steps for one face", "template-steps")

    def measured(self, text: Any) -> Any:
        """Give a text or list back, where it is not too long."""
        if len(text) > self._most_text:
            what = f"a text of {len(text)} letters comes out; {self._most_text} are the most"
            raise TooMuch(what, "template-text")
        self.spend(len(text) // 64)
        return text

    def refuse_length(self, length: int, maker: str) -> None:
        """Raise `TooMuch` where something of such a length would come out."""
        if length > self._most_text:
            raise TooMuch(f"{maker} would make something {length} long; {self._most_text} is the most", "template-text")

    def weigh(self, value: Any) -> None:
        """Count the parts and letters of a value, as often as they would be written."""
        heavy = weight(value, self._most_value)
        if heavy > self._most_value:
            raise TooMuch(f"a list of more than {self._most_value} parts comes out", "template-value")
        self.spend(heavy // 64)

    def built(self, values: Any) -> Any:
        """Weigh a list, tuple or record that a template made, where it holds more than small values."""
        if type(values) in CONTAINERS:
            for value in (*values, *values.values()) if type(values) is dict else values:
                if is_heavy(value):
                    self.weigh(values)
                    break
        return values

    def read(self, value: Any) -> Any:
        """Count what going through a text once may take."""
        if isinstance(value, str):
            self.spend(len(value) // 64)
        return value

    def compare(self, value: Any) -> Any:
        """Count what comparing a value with another one, or finding it by its hash, may take."""
        self.read(value)
        if type(value) in CONTAINERS or type(value) in VIEWS:
            self.spend(weight(value, self._most_value) // 16)
        return value

    def search(self, values: Any) -> Any:
        """Count what looking for something in a value may take."""
        if isinstance(values, str):
            self.spend(len(values) // 256)
            return values
        if isinstance(values, range):
            self.spend(len(values) // 16)
        return self.compare(values)

    def pair(self, text: Any, other: Any) -> None:
        """Count what holding each letter of a text against those of another one, as `strip` does, may take."""
        if isinstance(text, str) and isinstance(other, str):
            self.spend(len(text) * len(other) // 4096)

    def count_method(self, owner: Any, args: Iterable[Any]) -> None:
        """Count what a method of a text or list may take, and what it is given."""
        for arg in args:
            self.compare(arg)
            self.pair(owner, arg)
        if isinstance(owner, str):
            self.read(owner)
        elif isinstance(owner, list | tuple):
            self.search(owner)

    # These look at the context only so that Jinja does not work them out when it compiles a template.

    @pass_context
    def looped(self, _context: Context, values: Any, steps: int) -> Any:
        """Give what a loop goes over, counted: so many steps for each turn."""
        if isinstance(values, Undefined):
            return values
        values = values if isinstance(values, list | tuple | dict | str | range) else list(values)
        self.spend(len(values) * steps)
        return values

    @pass_context
    def compared(self, _context: Context, value: Any) -> Any:
        """Give an operand of a comparison, counted."""
        return self.compare(value)

    @pass_context
    def searched(self, _context: Context, values: Any) -> Any:
        """Give what something is looked for in, counted."""
        return self.search(values)

    @pass_context
    def captured(self, _context: Context, text: Any) -> Any:
        """Give what a block wrote into a name or a filter, where it is not too long."""
        return self.measured(text)

    @pass_context
    def ran(self, _context: Context, steps: int) -> str:
        """Count a body that is run, as so many steps; there is nothing to write for it."""
        self.spend(steps)
        return ""
