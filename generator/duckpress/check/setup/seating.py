"""Who sits where: what one seat calls the others, whose cards each player is told, and how many know a hand.

Seats stand in a ring and are counted from 1; beyond the last one the count begins again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duckpress.check.expression_errors import Stopped
from duckpress.check.rule_book import Book
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Expression, Knowledge, PlaceKind

if TYPE_CHECKING:
    from duckpress.check.setup.scene import Scene

RESERVED = ("knows", "places", "player")
"""What a deal says of a seat beside the relations, which therefore cannot bear these names."""

_OWN = Expression("seat", Source(""))


def round_the_ring(number: int, players: int) -> int:
    """Give a seat from 1 to the number of players: one beyond the last is the first."""
    return (number - 1) % players + 1


def knowledge_of(book: Book, variant: str | None) -> tuple[Knowledge, ...]:
    """Give what each player is told; where the setup does not say, players know the hands they hold themselves."""
    seats, formed = book.setup.seats, book.places(variant)
    book.spend(1 + len(seats.knows if seats is not None else formed) // 8)
    if seats is not None and seats.knows:
        return tuple(knowledge for knowledge in seats.knows if knowledge.place in formed)
    hands = dict.fromkeys(step.place for step in book.steps(variant) if step.kind is PlaceKind.HAND)
    return tuple(Knowledge(place, (_OWN,), Source("")) for place in hands)


def told_seats(scene: Scene, knowledge: Knowledge) -> tuple[int, ...]:
    """Give the seats whose cards the player of a scene is told, in the order written. Raises `Stopped`."""
    return tuple(dict.fromkeys(scene.seat_of(expression) for expression in knowledge.whose))


def told_of(scene: Scene, place: str) -> tuple[int, ...]:
    """Give the seats whose cards at a place the player of a scene is told; the first player, where there is none."""
    seated = scene.at_seat(scene.seat or 1)
    found = (one for one in knowledge_of(scene.book, scene.variant) if one.place == place)
    return tuple(dict.fromkeys(seat for knowledge in found for seat in told_seats(seated, knowledge)))


def count_knowers(scene: Scene, place: str) -> int:
    """Give how many players are told what the player of a scene has at a place; the first, where there is none."""
    everyone = range(1, scene.players + 1)
    return sum((scene.seat or 1) in told_of(scene.at_seat(seat), place) for seat in everyone)


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
