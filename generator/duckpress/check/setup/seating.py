"""What is wrong with who sits where: what one seat calls the others, and whose cards each player is told."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.expression_errors import Stopped
from duckpress.check.setup.scene import Scene
from duckpress.core.problems import Problem

RESERVED = ("knows", "places", "player")
"""What a deal says of a seat beside the relations, which therefore cannot bear these names."""


def seating_problems(scene: Scene) -> Iterator[Problem]:
    """Yield what cannot be computed of the relations and of what players are told, each once."""
    seats = scene.book.setup.seats
    if seats is None:
        return
    expressions = [(relation.expression, relation.name) for relation in seats.relations.values()]
    expressions += [(expression, "") for knowledge in seats.knows for expression in knowledge.whose]
    for expression, name in expressions:
        try:
            for seat in range(1, scene.players + 1):
                scene.at_seat(seat).seat_of(expression, name)
        except Stopped as stopped:
            if stopped.problem is not None:
                yield stopped.problem
