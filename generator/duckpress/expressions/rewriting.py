"""Every loop, body, list and comparison of a template or an expression sent through a filter that counts it.

The filters are the environment's own: `LOOPED`, `RAN`, `MEASURED` and `EMPHASISED` for templates; `BUILT`, `COMPARED`,
`JOINED` and `SEARCHED` for all expressions. Nobody can write their names, as no name begins with an @: whoever could,
could say `{{ -9999|ran }}`, and have steps given back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jinja2 import nodes

from duckpress.expressions.budget import is_heavy
from duckpress.expressions.parsing import steps_of

_OPENING = re.compile(r"(?<![*\\])\*{1,3}\Z")
_CLOSING = re.compile(r"\*{1,3}(?!\*)")


def emphasised_values(parts: Sequence[str | None]) -> list[tuple[int, int, int]]:
    """Return where values stand between equal stars: the parts with the stars, and how many there are.

    `parts` are the words of a text and, as None, its values. Between the stars are values and blanks alone.
    """
    found: list[tuple[int, int, int]] = []
    opened: tuple[int, int] | None = None  # a part, and its stars
    for index, words in enumerate(parts):
        if words is None:
            continue
        closing = _CLOSING.match(words)
        stars = len(closing[0]) if closing is not None else 0
        is_closed = opened is not None and index > opened[0] + 1 and stars == opened[1]
        if opened is not None and is_closed:
            found.append((opened[0], index, stars))
        elif opened is not None and words.isspace():
            continue
        opening = _OPENING.search(words, stars if is_closed else 0)
        opened = (index, len(opening[0])) if opening is not None else None
    return found


def joined(parts: Sequence[str], is_value: Sequence[bool]) -> str:
    """Return words and values as one text, without the stars around values that are all empty."""
    joined_parts = list(parts)
    words = [None if is_one else part for part, is_one in zip(parts, is_value, strict=True)]
    for start, end, count in emphasised_values(words):
        if not "".join(parts[start + 1 : end]).strip():
            joined_parts[start] = joined_parts[start][:-count]
            joined_parts[end] = joined_parts[end][count:]
    return "".join(joined_parts)


def move_stars(template: nodes.Template, name: str) -> None:
    """Rewrite a template's tree in place: a filter of this name writes values with the stars around them."""
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
            value = nodes.Filter(nodes.List(inner, lineno=at), name, stars, [], None, None, lineno=at)
            first.data, last.data = first.data[:-count], last.data[count:]
            parts[start + 1 : end] = [value]
        output.nodes = parts


HIDDEN = "@"
"""What the name of a filter begins with that is not for whoever writes templates or expressions."""
LOOPED, RAN, MEASURED = (f"{HIDDEN}{name}" for name in ("looped", "ran", "measured"))
BUILT, COMPARED, JOINED, SEARCHED = (f"{HIDDEN}{name}" for name in ("built", "compared", "joined", "searched"))
EMPHASISED = f"{HIDDEN}emphasised"

_FEW = 50


def count_everything(template: nodes.Template) -> nodes.Template:
    """Rewrite a template's tree in place; it is not nested deep, `parse_template` has made sure of that."""
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
    if template.environment is not None:
        template.set_environment(template.environment)
    return template


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
    """Return what stands in the place of a node."""
    if isinstance(node, nodes.Concat):
        return _filtered(nodes.List(node.nodes, lineno=node.lineno, environment=node.environment), JOINED)
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
        node.node = _filtered(node.node, SEARCHED)
    elif isinstance(node, nodes.Compare):
        _count_comparison(node)
    elif isinstance(node, nodes.List) or (isinstance(node, nodes.Tuple) and node.ctx == "load"):
        return node if _are_constants(node.items) else _filtered(node, BUILT)
    elif isinstance(node, nodes.Dict):
        entries = [part for pair in node.items for part in (pair.key, pair.value)]
        return node if _are_constants(entries) else _filtered(node, BUILT)
    return node


def _count_comparison(compare: nodes.Compare) -> None:
    """Have the operands looked at where both may be lists or long texts; with a short constant nothing takes long."""
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


def _are_constants(items: Sequence[nodes.Node]) -> bool:
    return all(isinstance(item, nodes.Const) for item in items)


def _filtered(inner: nodes.Node | None, name: str, *args: int) -> nodes.Filter:
    lineno = getattr(inner, "lineno", 1)
    environment = getattr(inner, "environment", None)
    arguments = [nodes.Const(arg, lineno=lineno, environment=environment) for arg in args]
    return nodes.Filter(inner, name, arguments, [], None, None, lineno=lineno, environment=environment)
