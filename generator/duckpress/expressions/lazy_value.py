"""Values that are made when a template first asks for one: all cards of all decks, which few templates look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from jinja2.runtime import Context
from jinja2.utils import missing


class LazyValue:
    """A value to be made when it is asked for, once; a template gets the value and never this."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def value(self) -> Any:
        """The value."""
        return self._make()


class LazyContext(Context):
    """The names that a template knows, as Jinja has them, but for values that are made later."""

    def resolve_or_missing(self, key: str) -> Any:
        """Return what a name stands for; Jinja's mark for nothing where it stands for nothing."""
        value = self.vars[key] if key in self.vars else self.parent.get(key, missing)
        return value.value if type(value) is LazyValue else value
