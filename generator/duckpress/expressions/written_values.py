"""How values read where they are written, each counted against the budget before its text is made.

What is no plain value is not written at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.nodes import EvalContext
from jinja2.runtime import Undefined, markup_join, str_join
from jinja2.utils import Namespace, pass_eval_context
from markupsafe import Markup

from duckpress.expressions.budget import CONTAINERS, Budget, parts
from duckpress.expressions.profiles import LAYOUT, Profile, Where

_SHORT = 64  # letters: a step of the budget
_VALUES = (str, int, float, list, tuple, dict, Namespace, range, Undefined)


class Writer:
    """Writes values as a use writes them, against a budget."""

    def __init__(self, profile: Profile, budget: Budget) -> None:
        self._profile = profile
        self._decimal = profile.decimal
        self._budget = budget

    def written(self, value: Any) -> Any:
        """Return a value as it should read: nothing for None, yes and no, and no `.0` behind a whole number.

        Raises `SecurityError` for what is no plain value, `OverLimit` for what is too long.
        """
        kind = type(value)
        if kind is str or kind is Markup:
            if len(value) > _SHORT:
                self._budget.work(len(value) // _SHORT)
            return value
        if value is None or kind in (int, bool, float):
            return as_written(value, self._profile)
        if kind in CONTAINERS or isinstance(value, tuple):
            self._budget.weigh(value)
            for part in parts(value):
                self._refuse_unwritable(part)
            return self._budget.measured(str(as_written(value, self._profile)))
        self._refuse_unwritable(value)
        return value

    def _refuse_unwritable(self, value: object) -> None:
        if isinstance(value, dict) and self._profile.where is Where.FIELD:
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
            return self._decimal(value)
        if (kind is str or kind is Markup) and len(value) <= _SHORT:
            return value
        return self.written(value)

    @pass_eval_context
    def joined(self, context: EvalContext, parts: Sequence[Any]) -> str:
        """Return what `~` makes of its operands, each of them as it is written."""
        self._budget.refuse_length(sum(len(part) for part in parts if isinstance(part, str)), "'~'")
        words = [self.written(part) for part in parts]
        self._budget.refuse_length(sum(len(word) for word in words if isinstance(word, str)), "'~'")
        return markup_join(words) if context.autoescape else str_join(words)

    @pass_eval_context
    def emphasised(self, context: EvalContext, parts: Sequence[Any], stars: str) -> str:
        """Return values in a row between stars, or without them where there is nothing to emphasise."""
        words = self.joined(context, parts)
        between = type(words)(stars)
        return between + words + between if words.strip() else words


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
