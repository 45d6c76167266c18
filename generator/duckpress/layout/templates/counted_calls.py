"""What templates may call, each call counted: filters and tests take from the budget by the size of what they get.

Every filter gives a finished value, no stream that is worked off later, so that what it costs is counted where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jinja2 import Environment, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import Undefined
from jinja2.tests import TESTS
from markupsafe import Markup, escape

from duckpress.core.units import added
from duckpress.expressions.none_values import refuse_none
from duckpress.expressions.parsing import MAX_WHOLE, is_number_of_sense
from duckpress.layout.templates.template_budget import Budget
from duckpress.layout.templates.written_values import Writer

_OF_TEXTS = ("capitalize", "e", "escape", "lower", "safe", "string", "title", "trim", "truncate", "upper", "wordcount")
_OF_VALUES = ("count", "d", "default", "first", "last", "length")
_OF_NUMBERS = ("abs", "float", "int")
_OF_LISTS = ("items", "list", "reject", "rejectattr", "reverse", "select", "selectattr")
_COMPARING = ("dictsort", "groupby", "max", "min", "sort", "unique")
_TESTS_OF_VALUES = (
    "boolean", "defined", "false", "float", "integer", "iterable", "mapping", "none", "number", "sequence", "string",
    "true", "undefined",
)  # fmt: skip
_TESTS_OF_TEXTS = ("lower", "upper")
_TESTS_OF_NUMBERS = ("divisibleby", "even", "odd")
_COMPARISONS = (
    "!=", "<", "<=", "==", ">", ">=", "eq", "equalto", "ge", "greaterthan", "gt", "le", "lessthan", "lt", "ne",
)  # fmt: skip
_MAX_DOTS = 10
_ENTRIES_OF_A_STEP = 8


def counted_filters(room: Environment, budget: Budget, writer: Writer) -> dict[str, Callable[..., Any]]:
    """Give the filters of a room by name; what they make is counted against the budget."""
    found: dict[str, Callable[..., Any]] = {name: FILTERS[name] for name in _OF_VALUES}
    found |= {name: _of_text(budget, writer, FILTERS[name]) for name in _OF_TEXTS}
    found |= {name: _of_number(budget, FILTERS[name]) for name in _OF_NUMBERS}
    found |= {name: _of_list(budget, FILTERS[name]) for name in _OF_LISTS}
    found |= {name: _of_list(budget, FILTERS[name], budget.compare) for name in _COMPARING}
    found["map"] = _of_list(budget, FILTERS["map"], makes_new=True)
    found["batch"] = _of_list(budget, _batch, makes_new=True)
    found["sum"] = _of_number(budget, _of_list(budget, _sum_of(room)))
    found["round"] = _of_number(budget, _round)
    found["join"], found["replace"] = _join_of(room, budget, writer), _replace_of(budget, writer)
    return found


def counted_tests(budget: Budget) -> dict[str, Callable[..., Any]]:
    """Give the tests of a room by name."""

    def compared(test: Any) -> Callable[..., bool]:
        return lambda value, other: test(budget.compare(value), other)

    def of_text(test: Any) -> Callable[..., bool]:
        return lambda value: test(budget.read(value) if isinstance(value, str | Undefined) else "")

    def of_number(test: Any) -> Callable[..., bool]:
        def tested(value: Any, *others: Any, **named: Any) -> bool:
            refuse_none(value)
            if not isinstance(value, int | float | Undefined):
                raise SecurityError("only numbers are even, odd or divisible")  # `%` would format a text
            return bool(test(value, *others, **named))

        return tested

    usual: Any = TESTS
    found: dict[str, Callable[..., Any]] = {name: usual[name] for name in _TESTS_OF_VALUES}
    found |= {name: compared(usual[name]) for name in _COMPARISONS}
    found |= {name: of_text(usual[name]) for name in _TESTS_OF_TEXTS}
    found |= {name: of_number(usual[name]) for name in _TESTS_OF_NUMBERS}
    found["in"] = lambda value, values: budget.compare(value) in budget.search(values)
    return found


def _passing(like: Callable[..., Any], counted: Callable[..., Any]) -> Callable[..., Any]:
    # Jinja reads off a function whether its first argument is the context.
    kind = getattr(like, "jinja_pass_arg", None)
    if kind is not None:
        counted.jinja_pass_arg = kind  # type: ignore[attr-defined]
    return counted


def _place_of_value(function: Callable[..., Any]) -> int:
    return 1 if hasattr(function, "jinja_pass_arg") else 0


def _of_text(budget: Budget, writer: Writer, function: Callable[..., Any]) -> Callable[..., Any]:
    at = _place_of_value(function)

    def counted(*args: Any, **kwargs: Any) -> Any:
        value = args[at]
        if isinstance(value, str):
            budget.read(value)
            for other in (*args[at + 1 :], *kwargs.values()):
                budget.pair(value, other)
        elif not isinstance(value, int | float):
            args = (*args[:at], writer.written(value), *args[at + 1 :])
        return budget.measured(function(*args, **kwargs))

    return _passing(function, counted)


def _of_number(budget: Budget, function: Callable[..., Any]) -> Callable[..., Any]:
    at = _place_of_value(function)

    def counted(*args: Any, **kwargs: Any) -> Any:
        refuse_none(args[at])
        for arg in (*args, *kwargs.values()):
            budget.read(arg)
        number = function(*args, **kwargs)
        if not is_number_of_sense(number):
            raise SecurityError(f"a number above {MAX_WHOLE:g} comes out")
        return number

    return _passing(function, counted)


def _of_list(
    budget: Budget,
    function: Callable[..., Any],
    look: Callable[[Any], Any] | None = None,
    *,
    makes_new: bool = False,
) -> Callable[..., Any]:
    at = _place_of_value(function)

    def counted(*args: Any, **kwargs: Any) -> Any:
        values = args[at]
        if isinstance(values, Undefined):
            len(values)  # raises, with the name that is unknown
        if not isinstance(values, list | tuple | dict | str | range):
            values = list(values) if hasattr(values, "__len__") else values
        if hasattr(values, "__len__"):
            budget.spend(1 + len(values) // _ENTRIES_OF_A_STEP)
        if look is not None:
            look(values)
        for word in (*args[at + 1 :], *kwargs.values()):
            if isinstance(word, str) and word.count(".") > _MAX_DOTS:
                raise SecurityError(f"the name {word[:40]!r} has more than {_MAX_DOTS} points")
        given = function(*args[:at], values, *args[at + 1 :], **kwargs)
        if isinstance(given, Iterator):
            given = list(given)
        return budget.built(given) if makes_new else given

    return _passing(function, counted)


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    """Round a number to at most ten decimals."""
    rounded: float = FILTERS["round"](value, max(-10, min(10, int(precision))), method)
    return rounded


def _batch(values: Iterable[Any], size: int, fill: Any = None) -> list[list[Any]]:
    """Give the values in rows of a size, the last one filled up where `fill` is given."""
    if not isinstance(size, int) or not 1 <= size <= 10_000:
        raise SecurityError(f"batch({str(size)[:20] if isinstance(size, int) else '...'}): a row has 1 to 10000 places")
    return list(FILTERS["batch"](values, size, fill))


def _sum_of(room: Environment) -> Callable[..., Any]:
    def sum_(values: Iterable[Any], attribute: str | int | None = None, start: float = 0) -> float:
        """Add up numbers, as Jinja's own `sum` does; empty ones are passed over."""
        if not isinstance(start, int | float):
            raise SecurityError("'sum' adds up numbers")
        summands = values if attribute is None else map(make_attrgetter(room, attribute), values)
        return added((number for number in summands if number is not None), start)

    return sum_


def _join_of(room: Environment, budget: Budget, writer: Writer) -> Callable[..., Any]:
    @pass_eval_context
    def join(
        context: EvalContext, values: Iterable[Any], separator: str = "", attribute: str | int | None = None
    ) -> str:
        """Join values with a separator between them, as Jinja's own `join` does."""
        parts = list(values if attribute is None else map(make_attrgetter(room, attribute), values))
        budget.spend(1 + len(parts) // _ENTRIES_OF_A_STEP)
        words = [writer.written(part) for part in parts]
        letters = sum(len(word) for word in words if isinstance(word, str)) + len(separator) * len(words)
        budget.refuse_length(letters, "'join'")
        joined: str = budget.measured(FILTERS["join"](context, words, separator))
        return joined

    return join


def _replace_of(budget: Budget, writer: Writer) -> Callable[..., Any]:
    @pass_eval_context
    def replace(context: EvalContext, text: Any, old: Any, new: Any, count: int | None = None) -> str:
        """Replace a part of a text, as Jinja's own `replace` does."""
        text, old, new = (part if isinstance(part, str) else str(writer.written(part)) for part in (text, old, new))
        budget.spend(1 + len(text) // 64)
        # Where one of them is escaped already, the others are escaped first: that makes five letters of one.
        is_escaped = context.autoescape and any(isinstance(part, Markup) for part in (text, old, new))
        found, long = (escape(text), 5 * len(new)) if is_escaped else (text, len(new))
        times = max(str(found).count(str(part)) for part in ((old, escape(old)) if is_escaped else (old,)))
        budget.refuse_length(len(found) + times * long, "'replace'")
        replaced: str = budget.measured(FILTERS["replace"](context, text, old, new, count))
        return replaced

    return replace
