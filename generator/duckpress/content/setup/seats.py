"""The `seats` of `setup.yaml`: what one seat calls the others, and which cards each player is told of."""

from __future__ import annotations

from duckpress.content.setup.amounts import read_expression
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node, Scalar, Sequence
from duckpress.core.problems import Problem
from duckpress.model.setup import Expression, Knowledge, NamedValue, Seats


def read_seats(setup: Reader, problems: list[Problem]) -> Seats | None:
    """Give the seats of a setup; None where it says nothing of them. Problems: those of `Reader` and expressions."""
    reader = setup.reader("seats")
    if reader is None:
        return None
    relations: dict[str, NamedValue] = {}
    inner = reader.reader("relations")
    for name in inner.keys() if inner is not None else ():
        assert inner is not None
        expression = read_expression(inner.node(name), f"the relation {name!r}", problems)
        if expression is not None:
            relations[name] = NamedValue(name, expression, inner.key_at(name))
    knows: list[Knowledge] = []
    inner = reader.reader("knows")
    for place in inner.keys() if inner is not None else ():
        assert inner is not None
        node = inner.node(place)
        if node is not None:
            knows.append(Knowledge(place, _whose(place, node, problems), inner.key_at(place)))
    seats = Seats(relations, tuple(knows), reader.yes_no("shuffled", True), reader.source)
    reader.finish()
    return seats


def _whose(place: str, node: Node, problems: list[Problem]) -> tuple[Expression, ...]:
    """Give whose cards are told: `yes` for those of a place common to all, or one expression or several for seats."""
    if isinstance(node, Scalar) and node.text in ("yes", "true"):
        return ()
    items = node.items if isinstance(node, Sequence) else [node]
    found = (read_expression(item, f"who is told {place!r}", problems) for item in items)
    return tuple(expression for expression in found if expression is not None)
