"""What a part of a step moves: which cards, how many, from whose place to whose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from duckpress.model.setup import Step, Take
from enumerator.laying import ANY, Card, cards_at
from enumerator.looking import Look
from enumerator.ways_to_play import at_count


class Shift(NamedTuple):
    """So many of some cards (None: any) go from one of the places of a name to one of another's."""

    origin: int
    keys: frozenset[Card] | None
    number: int
    goal: int
    drawn: Card | None = None


def places_of(look: Look, rule: Step) -> list[int]:
    """Return the places that a step is for; none where it does not happen."""
    if rule.only is not None and look.play.players not in rule.only:
        return []
    numbers = look.numbers_of(rule.each, rule.instances)
    return [number for number in numbers if rule.when is None or look.at(rule.each, number).value(rule.when.text)]


def shifts_of(look: Look, rule: Step, part: Take, places: tuple[int, ...]) -> list[Shift]:
    """Return what a part of a step moves, worked out before anything moves."""
    shifts = []
    shared: dict[tuple[int, frozenset[Card] | None], int] = {}
    for place in places:
        for origin, here in _origins(look, rule, part, place):
            for seen in _for_each_drawn(here, part):
                cell = ("deck" if part.origin in look.play.decks else "place", part.origin, origin)
                cards, keys = cards_at(look.state, cell), None
                if part.where is not None:
                    known = [*cards]
                    if part.origin in look.play.decks:
                        known = [(part.origin, origin, at) for at in range(len(look.play.decks[part.origin].cards))]
                    keys = frozenset(card for card in known if seen.holds(part.where.text, card))
                text = at_count(part.amount, look.play.players)
                there = sum(n for card, n in cards.items() if keys is None or card in keys)
                if text == "all":
                    number = there
                elif text == "even":
                    index = shared[origin, keys] = shared.get((origin, keys), -1) + 1
                    number = there // len(places) + (index < there % len(places))
                else:
                    number = seen.number(part.amount)
                shifts.append(Shift(origin, keys, number, place, seen.drawn))
    return shifts


def _for_each_drawn(look: Look, part: Take) -> list[Look]:
    if part.per is None:
        return [look]
    cards = cards_at(look.state, ("place", part.per, look.own(part.per)))
    return [replace(look, drawn=card) for card, n in cards.items() if card != ANY for _ in range(n)]


def _origins(look: Look, rule: Step, part: Take, place: int) -> list[tuple[int, Look]]:
    here, each = look.at(rule.each, place), look.play.each_of(part.origin)
    if each in ("", rule.each):
        return [(place if each else 0, here)]
    if (rule.each, each) == ("player", "team"):
        return [(look.team_of(place), here)]
    if (rule.each, each) == ("team", "player"):
        seats = range(1, look.play.players + 1)
        return [(seat, here.at("player", seat)) for seat in seats if look.team_of(seat) == place]
    assert not rule.each, "no such setup is made"
    kind = "deck" if part.origin in look.play.decks else "place"
    owners = sorted(cell[2] for cell, _ in look.state if cell[:2] == (kind, part.origin))
    return [(owner, here.at(each, owner)) for owner in owners]


def groups_of(shifts: list[Shift], *, has_own: bool) -> Iterator[list[Shift]]:
    """Yield what is served from the same cards; in the order of the seats where others may take some of them, too."""
    kinds = list(dict.fromkeys((shift.origin, shift.keys) for shift in shifts))
    overlap = any(
        one[0] == other[0] and (one[1] is None or other[1] is None or one[1] & other[1])
        for at, one in enumerate(kinds)
        for other in kinds[:at]
    )
    groups: list[list[Shift]] = []
    for shift in shifts:
        # Where there is no such card, whoever has a condition of an own lacks cards of an own.
        is_alone = has_own and shift.keys == frozenset()
        candidates = groups[-1:] if overlap else groups
        same = [
            group for group in candidates if group[0][:2] == shift[:2] and not (is_alone and group[0][3:] != shift[3:])
        ]
        if same:
            same[0].append(shift)
        else:
            groups.append([shift])
    yield from groups
