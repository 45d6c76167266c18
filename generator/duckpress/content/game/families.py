"""One entry that stands for many cards: `for:` names lists, and the entry is filled in for every combination."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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


_RANGE = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
_VARIABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}")

Records = Mapping[str, Mapping[str, Any]]


class Data(Struct, frozen=True):
    """What expressions may read beside a family's own variables: the game's facts and lists, as plain data.

    `filler` has the budget of all families of the game.
    """

    facts: Mapping[str, Any]
    lists: Mapping[str, Records]
    filler: TextFiller = field(default_factory=TextFiller)


class Family:
    """A family, filled in: iterating yields the values of each card, in the order of its lists, the last one fastest.

    With `spoken`, the same data in another language, the keys named in `words` are filled from that; ids and
    conditions go by the original all the same. `problems` is what was wrong, complete after the last card:
    `bad-name`, `unknown-list`, `empty-family`, `too-many-cards`, `bad-expression`, `unknown-name`; each once, however
    many cards it spoils.
    """

    def __init__(self, entry: MappingNode, data: Data, spoken: Data | None = None, words: Collection[str] = ()) -> None:
        self._entry = entry
        self._data = data
        self._spoken = spoken or data
        self._words = words
        self.problems = ProblemList()

    def __iter__(self) -> Iterator[dict[str, Entry]]:
        try:
            yield from self._cards()
        except OutOfSteps as error:
            fix = f"use shorter lists, or simpler expressions; {how_to_raise(error.limit)}"
            self.problems.add("too-many-cards", self._entry.entries["for"].source, str(error), fix)

    def _cards(self) -> Iterator[dict[str, Entry]]:
        entry, data, spoken, filler = self._entry, self._data, self._spoken, self._data.filler
        variables = self.problems.take(_read_variables(entry, data))
        where = self.problems.take(_read_where(entry, filler))
        texts = {
            key: (self.problems.take(_prepare(value, filler)), source)
            for key, (value, source) in entry.entries.items()
            if key not in ("for", "where")
        }
        if self.problems:
            return
        size = math.prod(len(values) for values in variables.values())
        source = entry.entries["for"].source
        most = limit("family-cards")
        if size > most:
            count = size if size < 10**30 else "far too many"
            what = f"the family has {count} combinations; {most} are allowed"
            fix = f"use fewer or shorter lists; {how_to_raise('family-cards')}"
            self.problems.add("too-many-cards", source, what, fix)
            return
        is_empty = True
        # The same lists in another language hold as many records, in the same order.
        retold = variables if spoken is data else _read_variables(entry, spoken).value
        steps = 1 + len(variables) + len(texts)
        for chosen, spoken_ones in zip(
            *(itertools.product(*lists.values()) for lists in (variables, retold)), strict=True
        ):
            filler.spend(steps)
            names = _names(data, variables, chosen)
            said = names if spoken is data else _names(spoken, variables, spoken_ones)
            holds = filler.holds(where, names) if where else True
            if isinstance(holds, Problem):
                self.problems.append(holds)
                return
            if not holds:
                continue
            is_empty = False
            given: dict[str, Entry] = {}
            for key, (value, key_source) in texts.items():
                node = _filled(value, said if key in self._words else names, filler)
                if isinstance(node, Problem):
                    self.problems.append(node)
                    return
                given[key] = Entry(node, key_source)
            yield given
        if is_empty:
            reason = "'where' holds for no combination" if size else "one of its lists is empty"
            what = f"the family has no cards: {reason}"
            self.problems.add("empty-family", source, what, "correct it, or delete the family")


def _names(data: Data, variables: Iterable[str], combination: Iterable[Any]) -> dict[str, Any]:
    return {"facts": data.facts, "lists": data.lists} | dict(zip(variables, combination, strict=True))


class _Prepared(Struct, frozen=True):
    """A value with expressions: one text, or a list of which some texts have them."""

    text: FilledText | None
    items: list[_Prepared | Node]
    source: Source


def _filled(value: _Prepared | Node, names: Mapping[str, Any], filler: TextFiller) -> Node | Problem:
    if not isinstance(value, _Prepared):
        return value
    if value.text is not None:
        text = filler.fill(value.text, names)
        return text if isinstance(text, Problem) else Cell(text, True, value.source)
    filler.spend(len(value.items))
    nodes: list[Node] = []
    for item in value.items:
        node = _filled(item, names, filler)
        if isinstance(node, Problem):
            return node
        nodes.append(node)
    return Sequence(nodes, value.source)


def _prepare(node: Node, filler: TextFiller) -> Read[_Prepared | Node]:
    """Return a value ready to be filled in, or the node itself where there is nothing to fill in."""
    if isinstance(node, Sequence) and any(isinstance(item, Scalar) and "{{" in item.text for item in node.items):
        problems = ProblemList()
        items = [problems.take(_prepare(item, filler)) for item in node.items]
        return Read(_Prepared(None, items, node.source), problems)
    if not isinstance(node, Scalar) or "{{" not in node.text:
        return Read(node)
    text = filler.compile(node.text, node.source, 0 if node.is_plain else 1)
    return Read(node, [text]) if isinstance(text, Problem) else Read(_Prepared(text, [], node.source))


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
    """Return what a variable runs through: the records of a named list, a list's own words, the numbers of a range."""
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
