"""The functions, filters and tests of all expressions; they spend the budget by the size of their arguments.

Every filter gives a finished value, no stream that is worked off later, so that what it costs is counted where it is.

Every loop, body, list and comparison of a template or an expression is rewritten so that it goes through a filter that
counts it. These are the environment's own: `LOOPED`, `RAN`, `MEASURED` and `EMPHASISED` for templates; `BUILT`,
`COMPARED`, `JOINED` and `SEARCHED` for all expressions. Nobody can write their names, as no name begins with an @:
whoever could, could say `{{ -9999|ran }}`, and have steps given back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import Environment, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import Undefined
from jinja2.tests import TESTS
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from duckpress.core.geometry import added
from duckpress.expressions.budget import Budget, is_heavy
from duckpress.expressions.parsing import MAX_WHOLE, is_number_of_sense, steps_of
from duckpress.expressions.profiles import NameKind, Where

_GROUPS = {  # filters of Jinja's, by what they work on
    "texts": "capitalize e escape lower safe string title trim truncate upper wordcount",
    "values": "count d default first last length",
    "numbers": "abs float int",
    "lists": "items list reject rejectattr reverse select selectattr",
    "comparing": "dictsort groupby max min sort unique",
}
_COMPARISONS = "!= < <= == > >= eq equalto ge greaterthan gt le lessthan lt ne"
MAX_RANGE = 10_000
_MAX_DOTS = 10
_ENTRIES_OF_A_STEP = 8
_LETTERS_OF_A_STEP = 8  # for `title`: Jinja takes a text apart for it, word by word

_Function = Callable[..., Any]


def refuse_none(*operands: object) -> None:
    """Raise `TypeError` if an operand of a calculation is None, which does not count as 0."""
    if any(operand is None for operand in operands):
        raise TypeError("NoneType in a calculation")


class CountedNames:
    """The functions, filters and tests of one sandbox."""

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self._environment = environment
        self._profile = budget.profile
        self._is_field = self._profile.where is Where.FIELD
        self._budget = budget

    def functions(self) -> dict[str, _Function]:
        """Return the general functions of the profile, by name."""
        known = self._profile.names(NameKind.FUNCTION)
        return {name: function for name, function in _FUNCTIONS.items() if name in known}

    def filters(self) -> dict[str, _Function]:
        """Return the filters of the profile, by name."""
        budget = self._budget
        wrappers: dict[str, Callable[[_Function], _Function]] = {
            "texts": lambda function: _counted(function, self._text, self._written_text),
            "values": lambda function: function,
            "numbers": lambda function: _counted(function, self._number, _number_of_sense),
            "lists": lambda function: _counted(function, self._list, _worked_off),
            "comparing": lambda function: _counted(
                function, lambda values, others: budget.compare(self._list(values, others)), _worked_off
            ),
        }
        filters = {name: wrappers[group](FILTERS[name]) for group, names in _GROUPS.items() for name in names.split()}
        for name, function in (("batch", _batch), ("map", FILTERS["map"])):
            filters[name] = _counted(function, self._list, lambda values: budget.built(_worked_off(values)))
        filters["title"] = _counted(FILTERS["title"], self._text, self._titled)
        filters["sum"] = wrappers["numbers"](wrappers["lists"](self._sum))
        filters["round"] = wrappers["numbers"](_round_whole if self._is_field else _round)
        filters |= {"join": self._join, "replace": self._replace}
        known = self._profile.names(NameKind.FILTER)
        return {name: function for name, function in filters.items() if name in known} | {
            BUILT: budget.built, COMPARED: budget.compare, EMPHASISED: budget.emphasised,
            JOINED: budget.joined, LOOPED: budget.looped, MEASURED: budget.measured, RAN: budget.ran,
            SEARCHED: budget.search,
        }  # fmt: skip

    def tests(self) -> dict[str, _Function]:
        """Return the tests of the profile, by name."""
        usual: Any = TESTS
        budget = self._budget
        tests: dict[str, _Function] = {name: usual[name] for name in self._profile.names(NameKind.TEST)}
        wrappers: dict[str, Callable[[_Function], _Function]] = {
            _COMPARISONS: lambda test: lambda value, other: test(budget.compare(value), other),
            "lower upper": lambda test: (
                lambda value: test(budget.read(value) if isinstance(value, str | Undefined) else "")
            ),
            "divisibleby even odd": _testing_number,
            "in": lambda _: lambda value, values: budget.compare(value) in budget.search(values),
        }
        for group, wrap in wrappers.items():
            tests |= {name: wrap(usual[name]) for name in group.split() if name in tests}
        return tests

    def _text(self, value: Any, others: Sequence[Any]) -> Any:
        # A layout's filters take numbers as Python writes them.
        if isinstance(value, str):
            self._budget.read(value)
            for other in others:
                self._budget.pair(value, other)
        elif self._is_field or not isinstance(value, int | float):
            return self._budget.written(value)
        return value

    def _written_text(self, result: Any) -> Any:
        return self._budget.measured(result) if isinstance(result, str) else result

    def _titled(self, result: str) -> Any:
        self._budget.work(len(result) // _LETTERS_OF_A_STEP)
        return self._budget.measured(result)

    def _number(self, value: Any, others: Sequence[Any]) -> Any:
        if not self._is_field:  # where `none|int` is 0, as Jinja has it
            refuse_none(value)
        for part in (value, *others):
            self._budget.read(part)
        return value

    def _list(self, values: Any, others: Sequence[Any]) -> Any:
        if isinstance(values, Undefined):
            len(values)  # raises, with the name that is unknown
        if not isinstance(values, list | tuple | dict | str | range):
            values = list(values)
        self._budget.work(1 + len(values) // _ENTRIES_OF_A_STEP)
        for word in others:
            if isinstance(word, str) and word.count(".") > _MAX_DOTS:
                raise SecurityError(f"the name {word[:40]!r} has more than {_MAX_DOTS} points")
        return values

    def _sum(self, values: Iterable[Any], attribute: str | int | None = None, start: float = 0) -> float:
        """Add up numbers, as Jinja's own `sum` does; empty values are skipped."""
        if not isinstance(start, int | float):
            raise SecurityError("'sum' adds up numbers")
        return added((number for number in self._each(values, attribute) if number is not None), start)

    def _each(self, values: Iterable[Any], attribute: str | int | None) -> Iterable[Any]:
        return values if attribute is None else map(make_attrgetter(self._environment, attribute), values)

    @pass_eval_context
    def _join(
        self, context: EvalContext, values: Iterable[Any], separator: str = "", attribute: str | int | None = None
    ) -> str:
        """Join values with a separator between them, as Jinja's own `join` does."""
        budget = self._budget
        entries = list(self._each(values, attribute))
        budget.work(1 + len(entries) // _ENTRIES_OF_A_STEP)
        words = [self._budget.written(entry) for entry in entries]
        letters = sum(len(word) for word in words if isinstance(word, str)) + len(separator) * len(words)
        budget.refuse_length(letters, "'join'")
        joined: str = budget.measured(FILTERS["join"](context, words, separator))
        return joined

    @pass_eval_context
    def _replace(self, context: EvalContext, text: Any, old: Any, new: Any, count: int | None = None) -> str:
        """Replace a part of a text, as Jinja's own `replace` does."""
        budget, written = self._budget, self._budget.written
        text, old, new = (part if isinstance(part, str) else str(written(part)) for part in (text, old, new))
        budget.read(text)
        # Where one of them is escaped already, the others are escaped first: that makes five letters of one.
        is_escaped = context.autoescape and any(isinstance(part, Markup) for part in (text, old, new))
        whole, long = (escape(text), 5 * len(new)) if is_escaped else (text, len(new))
        times = max(str(whole).count(str(part)) for part in ((old, escape(old)) if is_escaped else (old,)))
        budget.refuse_length(len(whole) + times * long, "'replace'")
        replaced: str = budget.measured(FILTERS["replace"](context, text, old, new, count))
        return replaced


def _counted(function: _Function, look: Callable[[Any, Sequence[Any]], Any], finish: Callable[[Any], Any]) -> _Function:
    """Return a filter that passes its value and arguments through `look`, and its result through `finish`."""
    # Jinja reads off a function whether its first argument is the context.
    kind = getattr(function, "jinja_pass_arg", None)
    at = 0 if kind is None else 1

    def counted(*args: Any, **kwargs: Any) -> Any:
        value = look(args[at], (*args[at + 1 :], *kwargs.values()))
        return finish(function(*args[:at], value, *args[at + 1 :], **kwargs))

    if kind is not None:
        counted.jinja_pass_arg = kind  # type: ignore[attr-defined]
    return counted


def _number_of_sense(number: Any) -> Any:
    if not is_number_of_sense(number):
        raise SecurityError(f"a number above {MAX_WHOLE:g} comes out")
    return number


def _worked_off(result: Any) -> Any:
    return list(result) if isinstance(result, Iterator) else result


def _testing_number(test: _Function) -> _Function:
    def tested(value: Any, *others: Any, **named: Any) -> bool:
        refuse_none(value)
        if not isinstance(value, int | float | Undefined):
            raise SecurityError("only numbers are even, odd or divisible")  # `%` would format a text
        return bool(test(value, *others, **named))

    return tested


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    """Round a number to at most ten decimals."""
    rounded: float = FILTERS["round"](value, max(-10, min(10, int(precision))), method)
    return rounded


def _round_whole(value: float, precision: int = 0) -> float:
    """Round a number: by default to a whole one, else to at most nine decimals."""
    return round(value, min(max(precision, 0), 9)) if precision else round(value)


def _range(*limits: int) -> range:
    numbers = range(*limits)
    if len(numbers) > MAX_RANGE:
        raise SecurityError(f"range() of {str(len(numbers))[:40]} numbers; {MAX_RANGE} are the most")
    return numbers


_FUNCTIONS: Mapping[str, _Function] = {
    "range": _range, "namespace": Namespace, "min": min, "max": max, "abs": abs, "ceil": math.ceil, "floor": math.floor
}  # fmt: skip


def _batch(values: Iterable[Any], size: int, fill: Any = None) -> list[list[Any]]:
    """Return the values in rows of a size, the last one filled up where `fill` is given."""
    if not isinstance(size, int) or not 1 <= size <= 10_000:
        raise SecurityError(f"batch({str(size)[:20] if isinstance(size, int) else '...'}): a row has 1 to 10000 places")
    return list(FILTERS["batch"](values, size, fill))


_OPENING = re.compile(r"(?<![*\\])\*{1,3}\Z")
_CLOSING = re.compile(r"\*{1,3}(?!\*)")


def emphasised_values(parts: Sequence[str | None]) -> list[tuple[int, int, int]]:
    """Return each run of values between equal stars: the parts with the stars, and the number of stars.

    `parts` are the words of a text and, as None, its values. Between the stars are values and blanks alone.
    """
    runs: list[tuple[int, int, int]] = []
    opened: tuple[int, int] | None = None  # a part, and its stars
    for index, words in enumerate(parts):
        if words is None:
            continue
        closing = _CLOSING.match(words)
        stars = len(closing[0]) if closing is not None else 0
        is_closed = opened is not None and index > opened[0] + 1 and stars == opened[1]
        if opened is not None and is_closed:
            runs.append((opened[0], index, stars))
        elif opened is not None and words.isspace():
            continue
        opening = _OPENING.search(words, stars if is_closed else 0)
        opened = (index, len(opening[0])) if opening is not None else None
    return runs


def joined(parts: Sequence[str], is_value: Sequence[bool]) -> str:
    """Return words and values as one text, without the stars around values that are all empty."""
    written = list(parts)
    words = [None if is_one else part for part, is_one in zip(parts, is_value, strict=True)]
    for start, end, count in emphasised_values(words):
        if not "".join(parts[start + 1 : end]).strip():
            written[start] = written[start][:-count]
            written[end] = written[end][count:]
    return "".join(written)


def _move_stars(template: nodes.Template) -> None:
    """Rewrite a template's tree in place: a filter writes the stars around values."""
    for output in template.find_all(nodes.Output):
        parts = list(output.nodes)
        words = [part.data if isinstance(part, nodes.TemplateData) else None for part in parts]
        for start, end, count in reversed(emphasised_values(words)):
            first, last = parts[start], parts[end]
            assert isinstance(first, nodes.TemplateData)
            assert isinstance(last, nodes.TemplateData)
            inner = [
                nodes.Const(part.data, lineno=part.lineno) if isinstance(part, nodes.TemplateData) else part
                for part in parts[start + 1 : end]
            ]
            at = inner[0].lineno
            stars: list[nodes.Expr] = [nodes.Const("*" * count, lineno=at)]
            value = nodes.Filter(nodes.List(inner, lineno=at), EMPHASISED, stars, [], None, None, lineno=at)
            first.data, last.data = first.data[:-count], last.data[count:]
            parts[start + 1 : end] = [value]
        output.nodes = parts


HIDDEN = "@"
"""What the name of a filter begins with that is not for whoever writes templates or expressions."""
LOOPED, RAN, MEASURED = (f"{HIDDEN}{name}" for name in ("looped", "ran", "measured"))
BUILT, COMPARED, JOINED, SEARCHED = (f"{HIDDEN}{name}" for name in ("built", "compared", "joined", "searched"))
EMPHASISED = f"{HIDDEN}emphasised"

_FEW = 50


def count_everything(template: nodes.Template) -> None:
    """Rewrite a template's tree in place; `parse_template` has limited its depth."""
    for node in [template, *template.find_all(nodes.Node)]:
        if isinstance(node, nodes.For):
            only = [node.test] if node.test is not None else []
            node.iter = _filtered(node.iter, LOOPED, 1 + steps_of([*node.body, *node.else_, *only]))
        elif isinstance(node, nodes.AssignBlock | nodes.FilterBlock):
            node.filter = _filtered(node.filter, MEASURED)
        elif isinstance(node, nodes.Template | nodes.Macro | nodes.CallBlock | nodes.Block):
            steps = steps_of([*node.body, *getattr(node, "defaults", ())])
            if steps:
                at = node.lineno or 1
                node.body.insert(0, nodes.ExprStmt(_filtered(nodes.Const(steps, lineno=at), RAN), lineno=at))
    count_expressions(template)
    _move_stars(template)


def count_expressions(node: nodes.Node) -> None:
    """Rewrite the expressions within a node, in place; the node itself stays."""
    for field, value in list(node.iter_fields()):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, nodes.Node):
                count_expressions(child)
        if isinstance(value, list):
            setattr(node, field, [_instead(child) for child in value])
        elif isinstance(value, nodes.Node):
            setattr(node, field, _instead(value))


def _instead(node: Any) -> Any:
    """Return the replacement of a node, which counts its cost; the node itself if it needs none."""
    if isinstance(node, nodes.Concat):
        return _filtered(nodes.List(node.nodes, lineno=node.lineno, environment=node.environment), JOINED)
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
        node.node = _filtered(node.node, SEARCHED)
    elif isinstance(node, nodes.Compare):
        _count_comparison(node)
    entries: list[nodes.Expr]
    if isinstance(node, nodes.List) or (isinstance(node, nodes.Tuple) and node.ctx == "load"):
        entries = node.items
    elif isinstance(node, nodes.Dict):
        entries = [part for pair in node.items for part in (pair.key, pair.value)]
    else:
        return node
    return node if all(isinstance(entry, nodes.Const) for entry in entries) else _filtered(node, BUILT)


def _count_comparison(compare: nodes.Compare) -> None:
    """Count the operands of a comparison if both may be large; a short constant makes it cheap."""
    left: nodes.Compare | nodes.Operand = compare
    for operand in compare.ops:
        if operand.op in ("in", "notin"):
            if not _is_short(operand.expr) and not _is_short_list(operand.expr):
                operand.expr = _filtered(operand.expr, SEARCHED)
                left.expr = left.expr if _is_short(left.expr) else _filtered(left.expr, COMPARED)
        elif not _is_short(left.expr) and not _is_short(operand.expr):
            operand.expr = _filtered(operand.expr, COMPARED)
        left = operand


def _is_short(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and not is_heavy(node.value)


def _is_short_list(node: nodes.Expr) -> bool:
    return isinstance(node, nodes.List | nodes.Tuple) and len(node.items) <= _FEW and all(map(_is_short, node.items))


def _filtered(inner: nodes.Node | None, name: str, *args: int) -> nodes.Filter:
    lineno = getattr(inner, "lineno", 1)
    environment = getattr(inner, "environment", None)
    arguments = [nodes.Const(arg, lineno=lineno, environment=environment) for arg in args]
    return nodes.Filter(inner, name, arguments, [], None, None, lineno=lineno, environment=environment)
