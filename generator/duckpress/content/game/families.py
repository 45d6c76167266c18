"""One entry that stands for many cards: `for:` names lists, and the entry is filled in for every combination."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from duckpress.content.game.filled_texts import FilledText, TextFiller
from duckpress.content.yaml.nodes import Cell, Entry, Node, Scalar, Sequence
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.scalars import plain_value, quoted
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.expressions.budget import OutOfSteps

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


def has_expressions(text: str) -> bool:
    """Tell whether a text holds something to fill in."""
    return "{{" in text


def fill_family(
    entry: MappingNode,
    data: Data,
    problems: list[Problem],
    spoken: Data | None = None,
    words: Collection[str] = (),
) -> Iterator[dict[str, Entry]]:
    """Yield the values of each card of a family, in the order of its lists, the last list running fastest.

    With `spoken`, the same data in another language, the keys named in `words` are filled from that; ids and
    conditions go by the original all the same.
    Problems: `bad-name`, `unknown-list`, `empty-family`, `too-many-cards`, `bad-expression`, `unknown-name`; each
    once for the family, however many cards it spoils.
    """
    try:
        yield from _filled(entry, data, problems, spoken, words)
    except OutOfSteps as error:
        fix = f"use shorter lists, or simpler expressions; {how_to_raise(error.limit)}"
        problems.append(Problem("too-many-cards", entry.entries["for"].source, str(error), fix))


def _filled(
    entry: MappingNode, data: Data, problems: list[Problem], spoken: Data | None, words: Collection[str]
) -> Iterator[dict[str, Entry]]:
    filler = data.filler
    before = len(problems)
    variables = _read_variables(entry, data, problems)
    where = _read_where(entry, problems, filler)
    filled = {
        key: (_prepare(value, problems, filler), source)
        for key, (value, source) in entry.entries.items()
        if key not in ("for", "where")
    }
    if len(problems) > before:
        return
    size = math.prod(len(values) for values in variables.values())
    source = entry.entries["for"].source
    most = limit("family-cards")
    if size > most:
        count = size if size < 10**30 else "far too many"
        what = f"the family has {count} combinations; {most} are allowed"
        fix = f"use fewer or shorter lists; {how_to_raise('family-cards')}"
        problems.append(Problem("too-many-cards", source, what, fix))
        return
    found_any = False
    combinations = itertools.product(*variables.values())
    # The same lists in another language hold as many records, in the same order.
    retold = itertools.product(*_read_variables(entry, spoken, []).values()) if spoken is not None else None
    steps = 1 + len(variables) + len(filled)
    for combination in combinations:
        filler.spend(steps)
        names = _names(data, variables, combination)
        said = names if spoken is None or retold is None else _names(spoken, variables, next(retold))
        holds = filler.holds(where, names) if where else True
        if isinstance(holds, Problem):
            problems.append(holds)
            return
        if not holds:
            continue
        found_any = True
        given: dict[str, Entry] = {}
        for key, (value, key_source) in filled.items():
            node: Node | None
            if isinstance(value, _Prepared):
                node = value.fill(said if key in words else names, problems, filler)
                if node is None:
                    return
            else:
                node = value
            given[key] = Entry(node, key_source)
        yield given
    if not found_any:
        reason = "'where' holds for no combination" if size else "one of its lists is empty"
        what = f"the family has no cards: {reason}"
        problems.append(Problem("empty-family", source, what, "correct it, or delete the family"))


def _names(data: Data, variables: Iterable[str], combination: Iterable[Any]) -> dict[str, Any]:
    return {"facts": data.facts, "lists": data.lists} | dict(zip(variables, combination, strict=True))


class _Prepared(Struct, frozen=True):
    """A value with expressions: one text, or a list of which some texts have them."""

    text: FilledText | None
    items: list[_Prepared | Node]
    source: Source

    def fill(self, names: Mapping[str, Any], problems: list[Problem], filler: TextFiller) -> Node | None:
        if self.text is not None:
            text = filler.fill(self.text, names)
            if isinstance(text, Problem):
                problems.append(text)
                return None
            return Cell(text, True, self.source)
        filler.spend(len(self.items))
        filled = [item.fill(names, problems, filler) if isinstance(item, _Prepared) else item for item in self.items]
        return Sequence([node for node in filled if node is not None], self.source) if None not in filled else None


def _prepare(node: Node, problems: list[Problem], filler: TextFiller) -> _Prepared | Node:
    """Give a value ready to be filled in, or the node itself where there is nothing to fill in."""
    texts = [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []
    if isinstance(node, Sequence) and any(map(has_expressions, texts)):
        return _Prepared(None, [_prepare(item, problems, filler) for item in node.items], node.source)
    if not isinstance(node, Scalar) or not has_expressions(node.text):
        return node
    text = filler.compile(node.text, node.source, 0 if node.is_plain else 1)
    if isinstance(text, Problem):
        problems.append(text)
        return node
    return _Prepared(text, [], node.source)


def _read_where(entry: MappingNode, problems: list[Problem], filler: TextFiller) -> FilledText | None:
    found = entry.entries.get("where")
    if found is None:
        return None
    if not isinstance(found.value, Scalar):
        fix = 'write an expression in quotes: "{{ not species.rare }}"'
        problems.append(Problem("wrong-type", found.value.source, "'where' is not a text", fix))
        return None
    condition = filler.compile_condition(found.value.text, found.value.source, 0 if found.value.is_plain else 1)
    if isinstance(condition, Problem):
        problems.append(condition)
        return None
    return condition


def _read_variables(entry: MappingNode, data: Data, problems: list[Problem]) -> dict[str, list[Any]]:
    found = entry.entries["for"].value
    if not isinstance(found, MappingNode) or not found.entries:
        fix = "write 'for: {species: species}': a name, and the list it runs through"
        problems.append(Problem("wrong-type", found.source, "'for' is not a mapping of names to lists", fix))
        return {}
    variables: dict[str, list[Any]] = {}
    for name, (node, source) in found.entries.items():
        if not _VARIABLE.fullmatch(name) or name in ("facts", "lists"):
            what = f"{quoted(name)} cannot be the name of a variable"
            problems.append(Problem("bad-name", source, what, "use letters, digits and '_'; not facts or lists"))
        variables[name] = _values_of(node, data, problems)
    return variables


def _values_of(node: Node, data: Data, problems: list[Problem]) -> list[Any]:
    """Give what a variable runs through: the records of a named list, a list's own words, the numbers of a range."""
    if isinstance(node, Sequence):
        return [plain_value(item) for item in node.items]
    if isinstance(node, Scalar):
        span = _RANGE.fullmatch(node.text)
        if span:
            first, last = int(span[1]), int(span[2])
            most = limit("family-cards")
            if last - first >= most:
                what = f"the range {quoted(node.text)} is longer than {most}"
                fix = f"write a shorter one; {how_to_raise('family-cards')}"
                problems.append(Problem("too-many-cards", node.source, what, fix))
                return []
            return list(range(first, last + 1))
        if node.text in data.lists:
            return list(data.lists[node.text].values())
        what = f"there is no list {quoted(node.text)} in game.yaml"
        fix = did_you_mean(node.text, data.lists) or "write the words in brackets: [drake, hen]"
        problems.append(Problem("unknown-list", node.source, what, fix))
        return []
    what = "a mapping is no list to run through"
    problems.append(Problem("wrong-type", node.source, what, "name a list, or write one"))
    return []
