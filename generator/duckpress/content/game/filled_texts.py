"""Texts of families with `{{ expressions }}`: filled in from plain data, with every mistake at its own place.

Only expressions: no statements, loops or macros, so one filling is bounded by the length of its text. What a single
expression could still blow up, the sandbox caps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Problem, Source
from duckpress.expressions.calculator import Calculator, Compiled, compile_expression
from duckpress.expressions.empty_emphasis import joined
from duckpress.expressions.mistakes import ExpressionError
from duckpress.expressions.parsing import holes
from duckpress.expressions.profiles import FIELD

_STRAY = re.compile(r"\{\{|\{%|\}\}")
_LETTERS = 16  # of a text: a step of the budget
_STEPS_OF_COMPILING = 1_000


class CompiledHole(Struct, frozen=True):
    """An expression of a text, and its place."""

    expression: Compiled
    source: Source


FilledText = tuple[str | CompiledHole, ...]
"""A text whose expressions have been compiled: words and expressions in their order."""


class TextFiller:
    """Fills the texts of a game's families, all of them against one budget.

    A step of it is a value filled in, a name known to it, sixteen letters written. Every method raises `OutOfSteps`
    once they are used up.
    """

    def __init__(self) -> None:
        self._calculator = Calculator(FIELD)
        self._compiled: set[str] = set()
        self.spend = self._calculator.budget.spend

    def compile(self, text: str, source: Source, inset: int) -> FilledText | Problem:
        """Return a text ready to be filled in. Problem: `bad-expression`.

        `inset` is how far the text's first letter stands from its source: 1 behind a quote. In a text of several lines
        every problem is at the source.
        """
        parts: list[str | CompiledHole] = []
        end = 0
        for hole in (*holes(text), None):
            words = text[end : hole.start if hole is not None else len(text)]
            stray = _STRAY.search(words)
            if stray is not None:
                what, fix = f"{stray[0]!r} has no meaning on a card", "only {{ expressions }} are filled in"
                if stray[0] == "{{":
                    what, fix = "the '{{' that opens here is never closed", "write '}}' behind the expression"
                return Problem("bad-expression", _place(text, source, inset + end + stray.start()), what, fix)
            if words:
                parts.append(words)
            if hole is not None:
                part = self._hole(hole.expression, _place(text, source, inset + hole.start))
                if isinstance(part, Problem):
                    return part
                parts.append(part)
                end = hole.end
        return tuple(parts)

    def compile_condition(self, text: str, source: Source, inset: int) -> CompiledHole | Problem:
        """Return a condition, with or without `{{ }}` around it. Problem: `bad-expression`."""
        bare = text.strip()
        if not bare.startswith("{{"):
            return self._hole(bare, source)
        parts = self.compile(bare, source, inset)
        if isinstance(parts, Problem):
            return parts
        if len(parts) == 1 and isinstance(parts[0], CompiledHole):
            return parts[0]
        what = f"{quoted(bare)} is more than one expression"
        return Problem("bad-expression", source, what, 'write one condition: "{{ ... }}"')

    def fill(self, text: FilledText, values: Mapping[str, Any]) -> str | Problem:
        """Return a text with its expressions filled in. Problems: `unknown-name`, `bad-expression`."""
        words = []
        for part in text:
            written = part if isinstance(part, str) else self._computed(part, values, self._calculator.text)
            if isinstance(written, Problem):
                return written
            self.spend(1 + len(written) // _LETTERS)
            words.append(written)
        return joined(words, [not isinstance(part, str) for part in text])

    def holds(self, condition: CompiledHole, values: Mapping[str, Any]) -> bool | Problem:
        """Return whether a condition is true. Problems: as `fill`."""
        value = self._computed(condition, values, self._calculator.value)
        return value if isinstance(value, Problem) else bool(value)

    def _computed(self, hole: CompiledHole, values: Mapping[str, Any], compute: Callable[..., Any]) -> Any:
        self.spend(1 + len(hole.expression.text) // _LETTERS)
        try:
            return compute(hole.expression, values)
        except ExpressionError as error:
            return error.problem(hole.source)

    def _hole(self, expression: str, source: Source) -> CompiledHole | Problem:
        if not expression:
            return Problem("bad-expression", source, "there is no expression", "write one: {{ species.name }}")
        if expression not in self._compiled:
            self.spend(_STEPS_OF_COMPILING)
            self._compiled.add(expression)
        try:
            return CompiledHole(compile_expression(FIELD, expression), source)
        except ExpressionError as error:
            return error.problem(source)


def _place(text: str, source: Source, offset: int) -> Source:
    return source if "\n" in text else source._replace(column=source.column + offset)
