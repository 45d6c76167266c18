"""The sandbox that the expressions of families run in: Jinja's, over plain data, with every result capped.

Filters, tests and methods are the few listed here, and what they look at is counted against the budget. What a single
expression could blow up is capped: products and powers, and every text or list that comes out. Importing this module
imports Jinja, so importers do it late.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import StrictUndefined, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from duckpress.content.game.family_budget import Budget
from duckpress.core.limits import limit
from duckpress.core.units import added
from duckpress.expressions.none_values import refuse_none
from duckpress.expressions.parsing import refuse_excess
from duckpress.expressions.rewriting import BUILT, COMPARED, JOINED, SEARCHED, count_expressions
from duckpress.expressions.weighing import weight

MAX_NUMBER = 10**15
_OF_VALUES = ("abs", "count", "default", "first", "last", "length")
_TO_NUMBERS = ("float", "int")
_OF_TEXTS = ("capitalize", "lower", "string", "trim", "upper")
_OF_LISTS = ("max", "min", "sort", "unique")
_TESTS = (
    "!=", "<", "<=", "==", ">", ">=", "defined", "divisibleby", "eq", "even", "false", "float", "ge", "gt", "in",
    "integer", "le", "lt", "mapping", "ne", "none", "number", "odd", "sequence", "string", "true", "undefined",
)  # fmt: skip
_MOST_LOOKED_AT = 10**6
_LETTERS = 16  # a step of the budget
_LETTERS_OF_TITLES = 2  # Jinja takes a text apart for them, word by word
_STEPS_OF_A_PART = 4
_METHODS = {"endswith", "get", "items", "keys", "lower", "split", "startswith", "title", "upper", "values"}


class TooLargeError(Exception):
    """A result beyond the caps; `limit` is the one that it is beyond, where it can be set otherwise."""

    def __init__(self, what: str, limit_: str = "") -> None:
        super().__init__(what)
        self.limit = limit_


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox without globals, with a record's own keys before the methods of `dict`, and with caps."""

    intercepted_binops = frozenset({"*", "**", "%", "+", "-"})

    def __init__(self) -> None:
        # Not optimized: what is constant would be worked out again at every level of what it stands in.
        super().__init__(undefined=StrictUndefined, autoescape=False, optimized=False)
        self.budget = Budget()
        self.globals.clear()
        usual = self.filters
        self.filters = {name: usual[name] for name in _OF_VALUES}
        self.filters |= {name: self._of_text(usual[name], _LETTERS) for name in _OF_TEXTS}
        self.filters["title"] = self._of_text(usual["title"], _LETTERS_OF_TITLES)
        self.filters |= {name: self._of_list(usual[name]) for name in _TO_NUMBERS + _OF_LISTS}
        self.filters |= {"round": _round, "join": self._of_list(_join), "sum": self._of_list(_sum)}
        self.filters |= {
            BUILT: _built, COMPARED: self._looked_at, JOINED: _joined, SEARCHED: self._looked_at
        }  # fmt: skip
        self.tests = {name: self.tests[name] for name in _TESTS}

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        refuse_excess(source)
        count_expressions(source)
        return super()._generate(source, *args, **kwargs)

    def _looked_at(self, value: Any) -> Any:
        if isinstance(value, list | tuple | dict):
            self.budget.spend(weight(value, _MOST_LOOKED_AT) // 2)
        elif isinstance(value, str):
            self.budget.spend(len(value) // 256)
        return value

    def _of_text(self, function: Callable[..., Any], letters: int) -> Callable[..., Any]:
        def counted(value: Any, *args: Any) -> Any:
            text = value if isinstance(value, str) else as_text(value)
            self.budget.spend(len(text) // letters)
            return capped(function(text, *args))

        return counted

    def _of_list(self, function: Callable[..., Any]) -> Callable[..., Any]:
        at = 1 if hasattr(function, "jinja_pass_arg") else 0

        def counted(*args: Any, **kwargs: Any) -> Any:
            self._looked_at(args[at])
            given = function(*args, **kwargs)
            return list(given) if isinstance(given, Iterator) else given

        if at:
            counted.jinja_pass_arg = function.jinja_pass_arg  # type: ignore[attr-defined]
        return counted

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        __self._looked_at(getattr(__obj, "__self__", None))
        given = super().call(__context, __obj, *args, **kwargs)
        if isinstance(given, list):  # a text cut into pieces takes far more room than the text
            __self.budget.spend(_STEPS_OF_A_PART * len(given))
        return given

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr in _METHODS and isinstance(obj, str | dict) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, _value: Any) -> None:
        """Leave `format` to `is_safe_attribute`: Jinja would run it, and `"{:>999999999}"` takes a gigabyte."""

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        refuse_none(left, right)
        if operator == "*" and not (_is_number(left) and _is_number(right)):
            raise TooLargeError("only numbers can be multiplied")
        if operator == "-" and not (_is_number(left) and _is_number(right)):
            raise TooLargeError("only numbers can be taken from each other")  # keys would become a set, in any order
        if operator == "%" and not _is_number(left):
            raise TooLargeError("'%' needs numbers on both sides; join texts with '~'")
        if operator == "**" and not (_is_number(left) and _is_number(right) and abs(left) <= 1000 and 0 <= right <= 5):
            raise TooLargeError("powers are limited to numbers up to 1000 and exponents from 0 to 5")
        return capped(super().call_binop(context, operator, left, right))


def capped(value: Any) -> Any:
    """Give the value itself; raises `TooLargeError` for one too long, a number beyond `MAX_NUMBER`, or not finite."""
    if isinstance(value, str | list | tuple | dict):
        _refuse_length(len(value))
    elif _is_number(value) and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
        raise TooLargeError("the result is too large a number")
    return value


def _refuse_length(length: int) -> None:
    most = limit("expression-result")
    if length > most:
        raise TooLargeError(f"the result is longer than {most}", "expression-result")


def _built(value: Any) -> Any:
    """Weigh a list or record that an expression made: it may hold others again and again."""
    most = limit("expression-result")
    _refuse_length(weight(value, most))
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _round(value: float, precision: int = 0) -> float:
    """Round half to even; to a whole number where no precision is given."""
    return round(value, min(max(precision, 0), 9)) if precision else round(value)


def _sum(values: Any, attribute: str | None = None, start: float = 0) -> float:
    """Add up numbers, or one value of each of some records; empty ones are passed over."""
    if not _is_number(start):
        raise TypeError("'sum' adds up numbers")
    summands = values if attribute is None else [value[attribute] for value in values]
    return added((number for number in summands if number is not None), start)


def _join(values: Any, separator: str = "") -> str:
    texts = [as_text(value) for value in values]
    _refuse_length(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


def _joined(parts: list[Any]) -> str:
    return _join([str(part) if isinstance(part, StrictUndefined) else part for part in parts])


def as_text(value: object) -> str:
    """Give a value as a card shows it: yes-no values as words, nothing as an empty text, 2.0 as 2.

    Raises `UndefinedError` for an unknown name, `TypeError` for a record, `TooLargeError` for a list of too much.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        _built(value)
        return "; ".join(as_text(item) for item in value)
    if isinstance(value, str | int | float | StrictUndefined):
        return str(value)
    raise TypeError("a record is no text; name one of its values")
