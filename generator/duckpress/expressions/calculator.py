"""Expressions that stand by themselves, and are no part of a template: text -> tree -> code -> value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import CodeType
from typing import Any, NamedTuple

from jinja2 import nodes
from jinja2.environment import Template
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError
from jinja2.runtime import StrictUndefined, Undefined
from jinja2.utils import missing

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
from duckpress.expressions.sandbox import LazyContext, LazyValue, Sandbox


class _ExpressionContext(LazyContext):
    """The context of an expression, used again with other values.

    Names that these lack are looked up among the globals, which are not put together with them each time.
    """

    def resolve_or_missing(self, key: str) -> Any:
        """Return the value of a name, or Jinja's `missing`."""
        value = self.parent.get(key, missing)
        if value is missing:
            value = self.environment.globals.get(key, missing)
        return value.value if type(value) is LazyValue else value


_RESULT = "result"
_FAILURES = (TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What an expression can do wrong; anything else is of the functions that it calls, and goes its way."""


class Compiled(NamedTuple):
    """A compiled expression, for any calculator of its profile."""

    text: str
    code: CodeType


class Calculator:
    """Computes the expressions of one profile against one budget."""

    def __init__(self, profile: Profile, steps: int | None = None) -> None:
        """Take a profile, and a number of steps if it is not the profile's limit."""
        self.budget = Budget(profile, steps)
        self._sandbox = Sandbox(profile, self.budget)
        self._templates: dict[str, tuple[Template, list[_ExpressionContext]]] = {}  # with contexts that nobody uses
        self._is_setup = profile.where is Where.SETUP

    @property
    def functions(self) -> Mapping[str, Any]:
        """The built-in functions."""
        return self._sandbox.globals

    def text(self, expression: Compiled, values: Mapping[str, Any]) -> str:
        """Return the value of an expression as readers see it. Raises as `value` does."""
        written: str = self.value(expression, values, lambda value: str(self.budget.written(value)))
        return written

    def value(
        self, expression: Compiled, values: Mapping[str, Any], finish: Callable[[Any], Any] = lambda value: value
    ) -> Any:
        """Return the value of an expression. Raises `ExpressionError`; `OutOfSteps` if the budget is used up."""
        try:
            known = self._templates.get(expression.text)
            if known is None:
                known = Template.from_code(self._sandbox, expression.code, {}), []
                self._templates[expression.text] = known
            template, contexts = known
            context = contexts.pop() if contexts else _ExpressionContext(self._sandbox, {}, None, template.blocks)
            context.parent = values  # type: ignore[assignment]  # read only
            for _ in template.root_render_func(context):
                pass
            result = context.vars.pop(_RESULT)
            contexts.append(context)
            return finish(self._capped(result))
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
    """Return a compiled expression. Raises `ExpressionError`."""
    refuse_long(profile, text)
    return _compiled(profile, text, most_size())


def read_tree(profile: Profile, text: str, size: TreeSize) -> nodes.Expr:
    try:
        return parse_expression(_compiler(profile), text, size)
    except TemplateSyntaxError as error:
        raise explained(error, profile, quoted(text), {}, text) from error


def compile_tree(profile: Profile, text: str, tree: nodes.Expr) -> Compiled:
    """Return a compiled expression; its tree is changed. Raises `ExpressionError`."""
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
    """Return a sandbox that only reads and compiles."""
    return Sandbox(profile, Budget(profile))
