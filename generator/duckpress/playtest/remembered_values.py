"""Values of expressions that are computed once for each set of values that they hang on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duckpress.check.setup_expressions import Stopped
from duckpress.expressions.mistakes import ExpressionError
from duckpress.model.amounts import Expression
from duckpress.playtest.view import Look

_MOST_REMEMBERED = 10_000
Compute = Callable[[Mapping[str, Any]], Any]


def value_of_one(name: str, look: Look, compute: Compute) -> Look:
    """Return what gives a value that hangs on one name, computed once for each value of it."""
    memory: dict[Any, Any] = {}

    def remembered() -> Any:
        value = look()
        if value not in memory:
            if len(memory) > _MOST_REMEMBERED:
                memory.clear()
            memory[value] = compute({name: value})
        return memory[value]

    return remembered


def value_of_several(
    expression: Expression,
    names: Mapping[str, Look],
    calls: Sequence[Look],
    compute: Compute,
) -> Look:
    """Return what gives a value that hangs on names and calls, computed once for what all of them give."""
    looks, memory = (*names.values(), *calls), dict[tuple[Any, ...], Any]()

    def remembered() -> Any:
        try:
            key = tuple([look() for look in looks])
        except ExpressionError as error:
            raise Stopped(error.problem(expression.source)) from error
        if key not in memory:
            if len(memory) > _MOST_REMEMBERED:
                memory.clear()
            memory[key] = compute(dict(zip(names, key, strict=False)))
        return memory[key]

    return remembered
