"""Expressions: text -> tree -> code -> value, for those that stand by themselves and are no part of a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import CodeType
from typing import Any, NamedTuple

from jinja2 import nodes
from jinja2.environment import Template
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError
from jinja2.runtime import StrictUndefined, Undefined

from duckpress.core.limits import how_to_raise, limit
from duckpress.expressions.budget import Budget, OutOfSteps, parts
from duckpress.expressions.counted_names import count_expressions
from duckpress.expressions.parsing import (
    MAX_WHOLE,
    ExpressionError,
    TreeSize,
    explained,
    most_size,
    parse_expression,
    quoted,
)
from duckpress.expressions.profiles import Profile, Where
from duckpress.expressions.sandbox import Sandbox

_RESULT = "result"
_FAILURES = (TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What an expression can do wrong; anything else is of the functions that it calls, and goes its way."""


class Compiled(NamedTuple):
    """An expression ready to be computed, by any calculator of its use."""

    text: str
    code: CodeType


class Calculator:
    """Computes the expressions of one use against one budget."""

    def __init__(self, profile: Profile, steps: int | None = None) -> None:
        """Take a use, and how many steps there are where it is not the use's limit."""
        self.budget = Budget(profile, steps)
        self._sandbox = Sandbox(profile, self.budget)
        self._templates: dict[str, Template] = {}
        self._is_setup = profile.where is Where.SETUP

    @property
    def functions(self) -> Mapping[str, Any]:
        """The functions that are at hand without being given."""
        return self._sandbox.globals

    def text(self, expression: Compiled, values: Mapping[str, Any]) -> str:
        """Return what an expression comes to, as it is written. Raises as `value` does."""
        written: str = self.value(expression, values, lambda value: str(self.budget.written(value)))
        return written

    def value(
        self, expression: Compiled, values: Mapping[str, Any], finish: Callable[[Any], Any] = lambda value: value
    ) -> Any:
        """Return what an expression comes to. Raises `ExpressionError`; `OutOfSteps` where the budget is used up."""
        try:
            template = self._templates.get(expression.text)
            if template is None:
                template = Template.from_code(self._sandbox, expression.code, {})
                self._templates[expression.text] = template
            context = template.new_context({**self._sandbox.globals, **values}, shared=True)
            for _ in template.root_render_func(context):
                pass
            return finish(self._capped(context.vars[_RESULT]))
        except OutOfSteps:
            raise
        except _FAILURES as error:
            subject = quoted(expression.text)
            raise explained(error, self._sandbox.profile, subject, values, expression.text) from error

    def _capped(self, value: Any) -> Any:
        if isinstance(value, int | float):
            if not abs(value) <= MAX_WHOLE:  # not "greater": that would let NaN through
                raise SecurityError(f"a number above {MAX_WHOLE:g} comes out")
        elif isinstance(value, str | list | tuple | dict):
            self.budget.refuse_length(len(value), "it")
            for part in parts(value) if self._is_setup else ():  # which goes on computing with it, by itself
                if isinstance(part, StrictUndefined):
                    str(part)  # raises, with the name that is unknown
        elif isinstance(value, Undefined):
            if self._is_setup:  # what counts cards has to say how many
                value._fail_with_undefined_error()
            str(value)  # raises, with the name that is unknown; an `if` without `else` is nothing
        return value


def refuse_long(profile: Profile, text: str) -> None:
    """Raise `ExpressionError` for an expression of too many letters."""
    most = limit(profile.letters)
    if len(text) > most:
        fix = f"write it shorter, or part it; {how_to_raise(profile.letters)}"
        raise ExpressionError(profile.codes.unreadable, f"the expression is longer than {most} letters", fix)


def compile_expression(profile: Profile, text: str) -> Compiled:
    """Return an expression ready to be computed. Raises `ExpressionError`."""
    refuse_long(profile, text)
    return _compiled(profile, text, most_size())


def read_tree(profile: Profile, text: str, size: TreeSize) -> nodes.Expr:
    try:
        return parse_expression(_compiler(profile), text, size)
    except TemplateSyntaxError as error:
        raise explained(error, profile, quoted(text), {}, text) from error


def compile_tree(profile: Profile, text: str, tree: nodes.Expr) -> Compiled:
    """Return an expression ready to be computed; its tree is changed. Raises `ExpressionError`."""
    compiler = _compiler(profile)
    whole = nodes.Template([nodes.Assign(nodes.Name(_RESULT, "store"), tree)])
    count_expressions(whole)
    whole.set_environment(compiler)
    try:
        return Compiled(text, compiler.compile(whole))
    except TemplateSyntaxError as error:
        raise explained(error, profile, quoted(text), {}, text) from error


@lru_cache(maxsize=10_000)
def _compiled(profile: Profile, text: str, size: TreeSize) -> Compiled:
    return compile_tree(profile, text, read_tree(profile, text, size))


@cache
def _compiler(profile: Profile) -> Sandbox:
    """Return a sandbox that reads and compiles; nothing is computed in it."""
    return Sandbox(profile, Budget(profile))
