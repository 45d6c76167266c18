"""Texts with `{{ expressions }}`: filled in from plain data in Jinja's sandbox, with every mistake at its own place.

Only expressions: no statements, loops or macros, so one filling is bounded by the length of its text. What a single
expression could still blow up is capped: products and powers, and every text or list that comes out; filters and
methods are the few listed here. Importing this module imports Jinja, so importers do it late.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from duckpress.content.scalars import quoted
from duckpress.problems import Problem, Source, did_you_mean

MAX_EXPRESSION = 2_000  # characters
MAX_RESULT = 100_000  # characters of a text, entries of a list
MAX_NUMBER = 10**15
_OPENING = re.compile(r"\{\{|\{%|\}\}")
_FILTERS = (
    "abs", "capitalize", "count", "default", "first", "float", "int", "last", "length", "lower", "max", "min", "sort",
    "string", "sum", "title", "trim", "unique", "upper",
)  # fmt: skip
_METHODS = {"endswith", "get", "items", "keys", "lower", "split", "startswith", "title", "upper", "values"}


class _TooLargeError(Exception):
    """A result beyond the caps."""


class _Part(NamedTuple):
    """A stretch of a text: words, or an expression with its place."""

    words: str
    evaluate: Callable[..., Any] | None
    source: Source


class Template:
    """A text whose expressions have been compiled; see `compile_text`."""

    def __init__(self, parts: list[_Part]) -> None:
        self._parts = parts

    def fill(self, variables: Mapping[str, Any], problems: list[Problem]) -> str | None:
        """Give the text with its expressions filled in; None after reporting `unknown-name` or `bad-expression`."""
        words = []
        for part in self._parts:
            if part.evaluate is None:
                words.append(part.words)
                continue
            value = _evaluate(part, variables, problems)
            if isinstance(value, _Failed):
                return None
            words.append(_as_text(value))
        return "".join(words)

    def holds(self, variables: Mapping[str, Any], problems: list[Problem]) -> bool | None:
        """Tell whether the only expression is true; None after reporting what is wrong with it."""
        value = _evaluate(self._parts[0], variables, problems)
        return None if isinstance(value, _Failed) else bool(value)


class _Failed:
    """What `_evaluate` gives after reporting a problem; None and False are values."""


def compile_text(text: str, source: Source, inset: int, problems: list[Problem]) -> Template | None:
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
        part = _compile(text[opening.end() : end].strip(), at, problems)
        if part is None:
            return None
        parts.append(part)
        offset = end + 2
    if offset < len(text):
        parts.append(_Part(text[offset:], None, source))
    return Template(parts)


def compile_condition(text: str, source: Source, inset: int, problems: list[Problem]) -> Template | None:
    """Give a condition, with or without `{{ }}` around it; None after reporting `bad-expression`."""
    bare = text.strip()
    if bare.startswith("{{"):
        template = compile_text(bare, source, inset, problems)
        if template is not None and len(template._parts) != 1:
            what = f"{quoted(bare)} is more than one expression"
            problems.append(Problem("bad-expression", source, what, 'write one condition: "{{ ... }}"'))
            return None
        return template
    part = _compile(bare, source, problems)
    return Template([part]) if part else None


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox without globals, with a record's own keys before the methods of `dict`, and with caps."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, autoescape=False)
        self.globals.clear()
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters["round"] = _round
        self.filters["join"] = _join

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return attr in _METHODS and isinstance(obj, str | dict) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "*" and not (_is_number(left) and _is_number(right)):
            raise _TooLargeError("only numbers can be multiplied")
        if operator == "%" and not _is_number(left):
            raise _TooLargeError("'%' needs numbers on both sides; join texts with '~'")
        if operator == "**" and not (_is_number(left) and _is_number(right) and abs(left) <= 1000 and 0 <= right <= 5):
            raise _TooLargeError("powers are limited to numbers up to 1000 and exponents from 0 to 5")
        return _capped(super().call_binop(context, operator, left, right))


def _compile(expression: str, source: Source, problems: list[Problem]) -> _Part | None:
    if not expression or len(expression) > MAX_EXPRESSION:
        what = f"the expression is longer than {MAX_EXPRESSION} characters" if expression else "there is no expression"
        problems.append(Problem("bad-expression", source, what, "write one, such as {{ species.name }}"))
        return None
    try:
        # undefined_to_none=False: an unknown name must be reported, not become nothing.
        evaluate = _sandbox().compile_expression(expression, undefined_to_none=False)
    except TemplateSyntaxError as error:
        what = f"cannot read {quoted(expression)}: {_plain_words(error.message or '')}"
        problems.append(Problem("bad-expression", source, what, "write it as {{ name }} or {{ list.key }}"))
        return None
    except (RecursionError, MemoryError, OverflowError, ValueError, SyntaxError):
        what = f"cannot read {quoted(expression)}"
        problems.append(Problem("bad-expression", source, what, "write it more simply"))
        return None
    return _Part(expression, evaluate, source)


def _evaluate(part: _Part, variables: Mapping[str, Any], problems: list[Problem]) -> Any:
    if part.evaluate is None:
        return part.words
    try:
        value = part.evaluate(variables)
        if isinstance(value, StrictUndefined):
            str(value)  # raises, with the name that is unknown
        return _capped(value)
    except UndefinedError as error:
        problems.append(_unknown_name(str(error), part, variables))
    except RecursionError:
        problems.append(Problem("bad-expression", part.source, "the expression is nested too deep", "write it flatter"))
    except Exception as error:  # whatever a game's expression provokes is that expression's mistake
        what = f"cannot work out {quoted(part.words)}: {_plain_words(str(error))}"
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
        if len(value) > MAX_RESULT:
            raise _TooLargeError(f"the result is longer than {MAX_RESULT}")
    elif _is_number(value) and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
        raise _TooLargeError("the result is too large a number")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _round(value: float, precision: int = 0) -> float:
    """Round half to even; to a whole number where no precision is given."""
    return round(value, min(max(precision, 0), 9)) if precision else round(value)


def _join(values: Any, separator: str = "") -> str:
    texts = [_as_text(value) for value in values]
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_RESULT:
        raise _TooLargeError(f"the result is longer than {MAX_RESULT}")
    return separator.join(texts)


def _as_text(value: object) -> str:
    """Give a value as a card shows it: yes-no values as words, nothing as an empty text, 2.0 as 2."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return "; ".join(_as_text(item) for item in value)
    return str(value)


def _plain_words(message: str) -> str:
    return message.replace("'dict object'", "the record").replace("template", "text").rstrip(".")


_SANDBOX: list[_Sandbox] = []


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
