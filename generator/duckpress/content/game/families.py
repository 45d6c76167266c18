"""Families: one entry for many cards; `for:` names lists, and the entry is filled in for every combination."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from duckpress.content.yaml.kinds import plain_value
from duckpress.content.yaml.nodes import Cell, Entry, Node, Scalar, Sequence, quoted
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean
from duckpress.expressions.budget import OutOfSteps
from duckpress.expressions.calculator import Calculator, Compiled, compile_expression
from duckpress.expressions.counted_names import joined
from duckpress.expressions.parsing import ExpressionError, holes
from duckpress.expressions.profiles import FIELD

_STRAY = re.compile(r"\{\{|\{%|\}\}")
_LETTERS = 16  # of a text: a step of the budget
_STEPS_OF_COMPILING = 1_000


class CompiledHole(Struct, frozen=True):
    """A compiled expression of a text, and its place."""

    expression: Compiled
    source: Source


FilledText = tuple[str | CompiledHole, ...]
"""A text whose expressions have been compiled: words and expressions in their order."""


class TextFiller:
    """Fills in the texts of a game's families, within one budget.

    A step of it is a value filled in, a name known to it, sixteen letters written. Every method raises `OutOfSteps`
    once they are used up.
    """

    def __init__(self) -> None:
        self._calculator = Calculator(FIELD)
        self._compiled: set[str] = set()
        self.spend = self._calculator.budget.spend

    def compile(self, text: str, source: Source, inset: int) -> FilledText | Problem:
        """Return a compiled text. Problem: `bad-expression`.

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
        """Return a compiled condition, with or without `{{ }}` around it. Problem: `bad-expression`."""
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


_RANGE = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}")


class Data(Struct, frozen=True):
    """The data for expressions beside a family's own variables: the game's facts and lists.

    `filler` has the budget of all families of the game.
    """

    facts: Mapping[str, Any]
    lists: Mapping[str, Mapping[str, Mapping[str, Any]]]
    filler: TextFiller = field(default_factory=TextFiller)


def filled_cards(
    entry: MappingNode, data: Data, problems: ProblemList, spoken: Data | None = None, words: Collection[str] = ()
) -> Iterator[dict[str, Entry]]:
    """Yield the values of each card of a family, in the order of its lists; the last list varies fastest.

    With `spoken`, the same data in another language, the keys named in `words` are filled from that; ids and
    conditions go by the original all the same. `problems` gets what is wrong: `bad-name`, `unknown-list`,
    `empty-family`, `too-many-cards`, `bad-expression`, `unknown-name`; each once, however many cards it spoils.
    """
    try:
        yield from _filled_cards(entry, data, problems, spoken or data, words)
    except OutOfSteps as error:
        fix = f"use shorter lists, or simpler expressions; {how_to_raise(error.limit)}"
        problems.add("too-many-cards", entry.entries["for"].source, str(error), fix)


def _filled_cards(
    entry: MappingNode, data: Data, problems: ProblemList, spoken: Data, words: Collection[str]
) -> Iterator[dict[str, Entry]]:
    filler, source = data.filler, entry.entries["for"].source
    variables = problems.take(_read_variables(entry, data))
    where = problems.take(_read_where(entry, filler))
    texts = {
        key: (problems.take(_prepare(value, filler)), at)
        for key, (value, at) in entry.entries.items()
        if key not in ("for", "where")
    }
    if problems:
        return
    size, most = math.prod(len(values) for values in variables.values()), limit("family-cards")
    if size > most:
        what = f"the family has {size if size < 10**30 else 'far too many'} combinations; {most} are allowed"
        problems.add("too-many-cards", source, what, f"use fewer or shorter lists; {how_to_raise('family-cards')}")
        return
    is_empty = True
    # The same lists in another language hold as many records, in the same order.
    retold = variables if spoken is data else _read_variables(entry, spoken).value
    steps = 1 + len(variables) + len(texts)
    for chosen, said in zip(*(itertools.product(*lists.values()) for lists in (variables, retold)), strict=True):
        filler.spend(steps)
        names = {"facts": data.facts, "lists": data.lists, **dict(zip(variables, chosen, strict=True))}
        own = {"facts": spoken.facts, "lists": spoken.lists, **dict(zip(variables, said, strict=True))}
        holds = filler.holds(where, names) if where else True
        if isinstance(holds, Problem):
            problems.append(holds)
            return
        if not holds:
            continue
        is_empty = False
        given: dict[str, Entry] = {}
        for key, (value, at) in texts.items():
            node = value if isinstance(value, Node) else value(own if key in words else names)
            if isinstance(node, Problem):
                problems.append(node)
                return
            given[key] = Entry(node, at)
        yield given
    if is_empty:
        reason = "'where' holds for no combination" if size else "one of its lists is empty"
        problems.add("empty-family", source, f"the family has no cards: {reason}", "correct it, or delete the family")


_Fill = Callable[[Mapping[str, Any]], Node | Problem]
"""What fills the expressions of a value in."""


def _prepare(node: Node, filler: TextFiller) -> Read[_Fill | Node]:
    """Return a function that fills in a value, or the node itself if it has no expression."""
    if isinstance(node, Sequence) and any(isinstance(item, Scalar) and "{{" in item.text for item in node.items):
        problems = ProblemList()
        items = [problems.take(_prepare(item, filler)) for item in node.items]

        def fill_list(names: Mapping[str, Any]) -> Node | Problem:
            filler.spend(len(items))
            nodes: list[Node] = []
            for item in items:
                filled = item if isinstance(item, Node) else item(names)
                if isinstance(filled, Problem):
                    return filled
                nodes.append(filled)
            return Sequence(nodes, node.source)

        return Read(fill_list, problems)
    if not isinstance(node, Scalar) or "{{" not in node.text:
        return Read(node)
    text = filler.compile(node.text, node.source, 0 if node.is_plain else 1)
    if isinstance(text, Problem):
        return Read(node, [text])

    def fill_text(names: Mapping[str, Any]) -> Node | Problem:
        filled = filler.fill(text, names)
        return filled if isinstance(filled, Problem) else Cell(filled, True, node.source)

    return Read(fill_text)


def _read_where(entry: MappingNode, filler: TextFiller) -> Read[CompiledHole | None]:
    if "where" not in entry.entries:
        return Read(None)
    node = entry.entries["where"].value
    if not isinstance(node, Scalar):
        fix = 'write an expression in quotes: "{{ not species.rare }}"'
        return Read(None, [Problem("wrong-type", node.source, "'where' is not a text", fix)])
    condition = filler.compile_condition(node.text, node.source, 1)  # in quotes, where it begins with {{
    return Read(None, [condition]) if isinstance(condition, Problem) else Read(condition)


def _read_variables(entry: MappingNode, data: Data) -> Read[dict[str, list[Any]]]:
    lists, at = entry.entries["for"].value, entry.entries["for"].value.source
    if not isinstance(lists, MappingNode) or not lists.entries:
        fix = "write 'for: {species: species}': a name, and the list it runs through"
        return Read({}, [Problem("wrong-type", at, "'for' is not a mapping of names to lists", fix)])
    problems = ProblemList()
    variables: dict[str, list[Any]] = {}
    for name, (node, source) in lists.entries.items():
        if not _VARIABLE.fullmatch(name) or name in ("facts", "lists"):
            what = f"{quoted(name)} cannot be the name of a variable"
            problems.add("bad-name", source, what, "use letters, digits and '_'; not facts or lists")
        variables[name] = problems.take(_values_of(node, data))
    return Read(variables, problems)


def _values_of(node: Node, data: Data) -> Read[list[Any]]:
    """Return the values of a variable: the records of a named list, a list's own words, the numbers of a range."""
    if isinstance(node, Sequence):
        return Read([plain_value(item) for item in node.items])
    if not isinstance(node, Scalar):
        what = "a mapping is no list to run through"
        return Read([], [Problem("wrong-type", node.source, what, "name a list, or write one")])
    span = _RANGE.fullmatch(node.text)
    if span:
        first, last = int(span[1]), int(span[2])
        most = limit("family-cards")
        if last - first < most:
            return Read(list(range(first, last + 1)))
        what = f"the range {quoted(node.text)} is longer than {most}"
        fix = f"write a shorter one; {how_to_raise('family-cards')}"
        return Read([], [Problem("too-many-cards", node.source, what, fix)])
    if node.text in data.lists:
        return Read(list(data.lists[node.text].values()))
    what = f"there is no list {quoted(node.text)} in game.yaml"
    fix = did_you_mean(node.text, data.lists) or "write the words in brackets: [drake, hen]"
    return Read([], [Problem("unknown-list", node.source, what, fix)])
