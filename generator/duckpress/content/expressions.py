"""Texts with `{{ expressions }}`: filled in from plain data in Jinja's sandbox, with every mistake at its own place.

Only expressions: no statements, loops or macros, so one filling is bounded by the length of its text. What a single
expression could still blow up is capped: products and powers, and every text or list that comes out; filters and
methods are the few listed here, and what they look at is counted. Importing this module imports Jinja, so importers do
it late.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from msgspec import Struct

from duckpress.content.budget import Budget, SpentError
from duckpress.content.scalars import quoted
from duckpress.limits import how_to_raise, limit
from duckpress.problems import Problem, Source, did_you_mean
from duckpress.sandboxes.rewriting import count_expressions
from duckpress.sandboxes.weighing import weight

MAX_NUMBER = 10**15
_OPENING = re.compile(r"\{\{|\{%|\}\}")
_OF_VALUES = ("abs", "count", "default", "first", "float", "int", "last", "length")
_OF_TEXTS = ("capitalize", "lower", "string", "title", "trim", "upper")
_OF_LISTS = ("max", "min", "sort", "unique")
_TESTS = (
    "!=", "<", "<=", "==", ">", ">=", "defined", "divisibleby", "eq", "even", "false", "float", "ge", "gt", "in",
    "integer", "le", "lt", "mapping", "ne", "none", "number", "odd", "sequence", "string", "true", "undefined",
)  # fmt: skip
_LETTERS = 16  # of a text, or entries of a list: a step of the budget
_MOST_LOOKED_AT = 10**6
_STEPS_OF_COMPILING = 1_000
_MOST_COMPILED = 2_000
_METHODS = {"endswith", "get", "items", "keys", "lower", "split", "startswith", "title", "upper", "values"}


class _TooLargeError(Exception):
    """A result beyond the caps; `limit` is the one that it is beyond, where it can be set otherwise."""

    def __init__(self, what: str, limit_: str = "") -> None:
        super().__init__(what)
        self.limit = limit_


class _Part(Struct, frozen=True):
    """A stretch of a text: words, or an expression with its place."""

    words: str
    evaluate: Callable[..., Any] | None
    source: Source


class Template:
    """A text whose expressions have been compiled; see `compile_text`."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts

    def fill(self, variables: Mapping[str, Any], problems: list[Problem], budget: Budget | None = None) -> str | None:
        """Give the text with its expressions filled in; None after reporting `unknown-name` or `bad-expression`.

        Raises `SpentError` where the budget is used up.
        """
        budget = budget or Budget()
        words = []
        for part in self._parts:
            text = _evaluate(part, variables, problems, budget, _as_text)
            if isinstance(text, _Failed):
                return None
            budget.spend(1 + len(text) // _LETTERS)
            words.append(text)
        return "".join(words)

    def holds(self, variables: Mapping[str, Any], problems: list[Problem], budget: Budget | None = None) -> bool | None:
        """Tell whether the only expression is true; None after reporting what is wrong with it."""
        value = _evaluate(self._parts[0], variables, problems, budget or Budget(), bool)
        return None if isinstance(value, _Failed) else bool(value)


class _Failed:
    """What `_evaluate` gives after reporting a problem; None and False are values."""


def compile_text(
    text: str, source: Source, inset: int, problems: list[Problem], budget: Budget | None = None
) -> Template | None:
    """Give a text ready to be filled in, or None after reporting `bad-expression`.

    `inset` is how far the text's first letter stands from its source: 1 behind a quote. In a text of several lines
    every problem is at the source.
    """
    parts: list[_Part] = []
    offset = 0
    while opening := _OPENING.search(text, offset):
        at = source if "\n" in text else source._replace(column=source.column + inset + opening.start())
        if opening[0] != "{{":
            what = f"{opening[0]!r} has no meaning on a card"
            problems.append(Problem("bad-expression", at, what, "only {{ expressions }} are filled in"))
            return None
        end = _end_of_expression(text, opening.end())
        if end is None:
            what, fix = "the '{{' that opens here is never closed", "write '}}' behind the expression"
            problems.append(Problem("bad-expression", at, what, fix))
            return None
        if opening.start() > offset:
            parts.append(_Part(text[offset : opening.start()], None, at))
        part = _compile(text[opening.end() : end].strip(), at, problems, budget)
        if part is None:
            return None
        parts.append(part)
        offset = end + 2
    if offset < len(text):
        parts.append(_Part(text[offset:], None, source))
    return Template(parts)


def compile_condition(
    text: str, source: Source, inset: int, problems: list[Problem], budget: Budget | None = None
) -> Template | None:
    """Give a condition, with or without `{{ }}` around it; None after reporting `bad-expression`."""
    bare = text.strip()
    if bare.startswith("{{"):
        template = compile_text(bare, source, inset, problems, budget)
        if template is not None and len(template._parts) != 1:
            what = f"{quoted(bare)} is more than one expression"
            problems.append(Problem("bad-expression", source, what, 'write one condition: "{{ ... }}"'))
            return None
        return template
    part = _compile(bare, source, problems, budget)
    return Template([part]) if part else None


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox without globals, with a record's own keys before the methods of `dict`, and with caps."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, autoescape=False)
        self.budget = Budget()
        self.globals.clear()
        usual = self.filters
        self.filters = {name: usual[name] for name in _OF_VALUES}
        self.filters |= {name: _of_text(usual[name]) for name in _OF_TEXTS}
        self.filters |= {name: self._of_list(usual[name]) for name in _OF_LISTS}
        self.filters |= {"round": _round, "join": self._of_list(_join), "sum": self._of_list(_sum)}
        self.filters |= {
            "_built": _built, "_compared": self._looked_at, "_joined": _joined, "_searched": self._looked_at
        }  # fmt: skip
        self.tests = {name: self.tests[name] for name in _TESTS}

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        count_expressions(source)
        return super()._generate(source, *args, **kwargs)

    def _looked_at(self, value: Any) -> Any:
        if isinstance(value, list | tuple | dict):
            self.budget.spend(weight(value, _MOST_LOOKED_AT) // 2)
        elif isinstance(value, str):
            self.budget.spend(len(value) // 256)
        return value

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
        return super().call(__context, __obj, *args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr in _METHODS and isinstance(obj, str | dict) and super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, _value: Any) -> None:
        """Leave `format` to `is_safe_attribute`: Jinja would run it, and `"{:>999999999}"` takes a gigabyte."""

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "*" and not (_is_number(left) and _is_number(right)):
            raise _TooLargeError("only numbers can be multiplied")
        if operator == "%" and not _is_number(left):
            raise _TooLargeError("'%' needs numbers on both sides; join texts with '~'")
        if operator == "**" and not (_is_number(left) and _is_number(right) and abs(left) <= 1000 and 0 <= right <= 5):
            raise _TooLargeError("powers are limited to numbers up to 1000 and exponents from 0 to 5")
        return _capped(super().call_binop(context, operator, left, right))


def _compile(expression: str, source: Source, problems: list[Problem], budget: Budget | None) -> _Part | None:
    most = limit("expression")
    if not expression or len(expression) > most:
        what = f"the expression is longer than {most} characters" if expression else "there is no expression"
        fix = f"write it shorter; {how_to_raise('expression')}" if expression else "write one: {{ species.name }}"
        problems.append(Problem("bad-expression", source, what, fix))
        return None
    evaluate = _COMPILED.get(expression)
    if evaluate is not None:
        return _Part(expression, evaluate, source)
    if budget is not None:
        budget.spend(_STEPS_OF_COMPILING)
    try:
        # undefined_to_none=False: an unknown name must be reported, not become nothing.
        evaluate = _sandbox().compile_expression(expression, undefined_to_none=False)
    except TemplateSyntaxError as error:
        what = f"cannot read {quoted(expression)}: {_plain_words(error.message or '')}"
        problems.append(Problem("bad-expression", source, what, "write it as {{ name }} or {{ list.key }}"))
        return None
    except Exception:  # Jinja works out what is constant, and Python compiles the rest: any of it may be refused
        what = f"cannot read {quoted(expression)}"
        problems.append(Problem("bad-expression", source, what, "write it more simply"))
        return None
    if len(_COMPILED) < _MOST_COMPILED:
        _COMPILED[expression] = evaluate
    return _Part(expression, evaluate, source)


def _evaluate(
    part: _Part, variables: Mapping[str, Any], problems: list[Problem], budget: Budget, wanted: Callable[[Any], Any]
) -> Any:
    """Give what is wanted of an expression's value; a `_Failed` after reporting what is wrong with it."""
    if part.evaluate is None:
        return part.words
    budget.spend(1 + len(part.words) // _LETTERS)
    _sandbox().budget = budget
    try:
        value = part.evaluate(variables)
        if isinstance(value, StrictUndefined):
            str(value)  # raises, with the name that is unknown
        return wanted(_capped(value))
    except SpentError:
        raise
    except UndefinedError as error:
        problems.append(_unknown_name(str(error), part, variables))
    except RecursionError:
        problems.append(Problem("bad-expression", part.source, "the expression is nested too deep", "write it flatter"))
    except _TooLargeError as error:
        what = f"cannot work out {quoted(part.words)}: {error}"
        fix = f"ask for less; {how_to_raise(error.limit)}" if error.limit else "ask for less"
        problems.append(Problem("bad-expression", part.source, what, fix))
    except Exception as error:  # whatever a game's expression provokes is that expression's mistake
        what = f"cannot work out {quoted(part.words)}: {_plain_words(str(error)[:200])}"
        problems.append(Problem("bad-expression", part.source, what, "check the kinds of the values it works with"))
    return _Failed()


def _unknown_name(message: str, part: _Part, variables: Mapping[str, Any]) -> Problem:
    found = re.search(r"has no attribute '([^']*)'|has no element ([^ ]+)|'([^']*)' is undefined", message)
    groups = found.groups() if found else (None, None, None)
    name = next((group for group in groups if group is not None), part.words).strip("'")
    if groups[2] is not None:
        known = set(variables)
    else:
        known = {key for value in variables.values() if isinstance(value, dict) for key in value}
    what = f"{quoted(part.words)} uses {quoted(name)}, which is not known here"
    return Problem("unknown-name", part.source, what, did_you_mean(name, known))


def _capped(value: Any) -> Any:
    if isinstance(value, str | list | tuple | dict):
        _refuse_length(len(value))
    elif _is_number(value) and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
        raise _TooLargeError("the result is too large a number")
    return value


def _refuse_length(length: int) -> None:
    most = limit("expression-result")
    if length > most:
        raise _TooLargeError(f"the result is longer than {most}", "expression-result")


def _built(value: Any) -> Any:
    """Weigh a list or record that an expression made: it may hold others again and again."""
    most = limit("expression-result")
    _refuse_length(weight(value, most))
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _of_text(function: Callable[..., Any]) -> Callable[..., Any]:
    def counted(value: Any, *args: Any) -> Any:
        return _capped(function(value if isinstance(value, str) else _as_text(value), *args))

    return counted


def _round(value: float, precision: int = 0) -> float:
    """Round half to even; to a whole number where no precision is given."""
    return round(value, min(max(precision, 0), 9)) if precision else round(value)


def _sum(values: Any, attribute: str | None = None, start: float = 0) -> float:
    """Add up numbers, or one value of each of some records."""
    if not _is_number(start):
        raise TypeError("'sum' adds up numbers")
    return sum((values if attribute is None else [value[attribute] for value in values]), start)


def _join(values: Any, separator: str = "") -> str:
    texts = [_as_text(value) for value in values]
    _refuse_length(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


def _joined(parts: list[Any]) -> str:
    return _join([str(part) if isinstance(part, StrictUndefined) else part for part in parts])


def _as_text(value: object) -> str:
    """Give a value as a card shows it: yes-no values as words, nothing as an empty text, 2.0 as 2."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        _built(value)
        return "; ".join(_as_text(item) for item in value)
    if isinstance(value, str | int | float | StrictUndefined):
        return str(value)
    raise TypeError("a record is no text; name one of its values")


def _plain_words(message: str) -> str:
    return message.replace("'dict object'", "the record").replace("template", "text").rstrip(".")


_SANDBOX: list[_Sandbox] = []
_COMPILED: dict[str, Callable[..., Any]] = {}  # by the text of the expression


def _sandbox() -> _Sandbox:
    if not _SANDBOX:
        _SANDBOX.append(_Sandbox())
    return _SANDBOX[0]


def _end_of_expression(text: str, start: int) -> int | None:
    """Give the offset of the `}}` that closes an expression, past texts in quotes and inner braces."""
    depth, quote = 0, ""
    for offset in range(start, len(text)):
        letter = text[offset]
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "{":
            depth += 1
        elif letter == "}":
            if not depth and text.startswith("}}", offset):
                return offset
            depth -= 1
    return None
