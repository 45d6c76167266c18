"""Texts with `{{ expressions }}`: filled in from plain data in Jinja's sandbox, with every mistake at its own place.

Only expressions: no statements, loops or macros, so one filling is bounded by the length of its text. What a single
expression could still blow up, the `sandbox` caps. Importing this module imports Jinja, so importers do it late.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError
from msgspec import Struct

from duckpress.content.game.family_budget import Budget, SpentError
from duckpress.content.game.family_sandbox import Sandbox, TooLargeError, as_text, capped
from duckpress.content.yaml.scalars import quoted
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.none_values import computed_with_none, is_about_none

_OPENING = re.compile(r"\{\{|\{%|\}\}")
_LETTERS = 16  # of a text, or entries of a list: a step of the budget
_STEPS_OF_COMPILING = 1_000
_MOST_COMPILED = 2_000


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
            text = _evaluate(part, variables, problems, budget, as_text)
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
        return wanted(capped(value))
    except SpentError:
        raise
    except UndefinedError as error:
        problems.append(_unknown_name(str(error), part, variables))
    except RecursionError:
        problems.append(Problem("bad-expression", part.source, "the expression is nested too deep", "write it flatter"))
    except TooLargeError as error:
        what = f"cannot work out {quoted(part.words)}: {error}"
        fix = f"ask for less; {how_to_raise(error.limit)}" if error.limit else "ask for less"
        problems.append(Problem("bad-expression", part.source, what, fix))
    except Exception as error:  # whatever a game's expression provokes is that expression's mistake
        is_none = is_about_none(error)
        why = computed_with_none(part.words) if is_none else _plain_words(str(error)[:200])
        fix = "write a number there, or ask first whether it 'is not none'"
        fix = fix if is_none else "check the kinds of the values it works with"
        problems.append(Problem("bad-expression", part.source, f"cannot work out {quoted(part.words)}: {why}", fix))
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


def _plain_words(message: str) -> str:
    return message.replace("'dict object'", "the record").replace("template", "text").rstrip(".")


_SANDBOX: list[Sandbox] = []
_COMPILED: dict[str, Callable[..., Any]] = {}  # by the text of the expression


def _sandbox() -> Sandbox:
    if not _SANDBOX:
        _SANDBOX.append(Sandbox())
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
