"""Everything that may come of a setup: every draw with its exact probability, and what falls short in which of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from duckpress.model.setup import Step
from enumerator.evaluating import named_places
from enumerator.laying import ANY, Card, Cell, Odds, State, added, at_start, cards_at, changed, draws
from enumerator.looking import Look, Play
from enumerator.shifting import Shift, groups_of, places_of, shifts_of

REMOVAL = 99  # comes after all that a step takes


_MOST_BRANCHES = 3_000  # of one draw: more takes long
_SHORT: Cell = ("short", "", 0)  # of a state in which the part under way needs more than there is


class TooMuch(Exception):
    """A setup with more states than a test should look at."""


class Group(NamedTuple):
    """What is served from the same cards: the step, the part (or `REMOVAL`), whose cards, and who is first."""

    step: int
    part: int
    origin: int
    goal: int
    drawn: Card | None = None


@dataclass
class Short:
    """A group that has too few cards: in which share of draws, and how many at worst."""

    line: int
    share: Fraction = Fraction(0)
    deficit: int = 0
    keys: frozenset[Card] | None = None


@dataclass
class Outcome:
    """What came of a setup: how the cards may lie in the end, and what fell short on the way, which ends a deal."""

    odds: Odds = field(default_factory=dict)
    last: tuple[int, int] = (-1, 0)  # the step and part at which a deal last ended so
    shorts: dict[Group, Short] = field(default_factory=dict)
    full: dict[int, tuple[Fraction, int]] = field(default_factory=dict)  # by line: in which share, by how many at worst


def run(
    play: Play, put: Mapping[Group, int] | None = None, until: int | None = None, most_states: int = 200
) -> Outcome:
    """Carry out a setup, or its steps up to one; `put` are cards that lie at a place in addition, when needed."""
    outcome = Outcome({at_start(play.decks, play.players): Fraction(1)})
    for number, rule in enumerate(play.steps):
        if until is None or number <= until:
            _carry_out(play, outcome, number, rule, put or {}, goes_on=until is not None)
            if len(outcome.odds) > most_states:
                raise TooMuch
    return outcome


def _carry_out(
    play: Play, outcome: Outcome, number: int, rule: Step, put: Mapping[Group, int], *, goes_on: bool
) -> None:
    by_places: dict[tuple[int, ...], Odds] = {}
    for state, chance in outcome.odds.items():
        places = places_of(Look(play, state), rule)
        if rule.kind != "box":
            formed: dict[Cell, dict[Card, int]] = {}
            for place in places:
                cell = ("place", rule.place, place)
                formed[cell] = cards_at(state, cell)
            state = changed(state, formed)
        odds = by_places.setdefault(tuple(places), {})
        odds[state] = odds.get(state, Fraction(0)) + chance
    outcome.odds = {}
    for places, odds in by_places.items():
        for at, _part in enumerate(rule.takes):
            odds = _merged(
                (end, chance * share)
                for state, chance in odds.items()
                for end, share in _taken(play, outcome, (number, at), state, chance, places, put)
            )
            odds = _going_on(outcome, odds, (number, at), goes_on=goes_on)
        for place in places if rule.remove is not None else ():
            odds = _merged(
                (end, chance * share)
                for state, chance in odds.items()
                for end, share in _removed(play, outcome, number, state, chance, place, put)
            )
        odds = _going_on(outcome, odds, (number, REMOVAL), goes_on=goes_on)
        for state, chance in odds.items():
            end = _with_rooms(play, rule, state, places)
            excess = max((_excess(end, rule, place) for place in places), default=0)
            if excess > 0:
                line = (rule.slots or rule).source.line
                share, most = outcome.full.get(line, (Fraction(0), 0))
                outcome.full[line] = share + chance, max(most, excess)
            outcome.odds[end] = outcome.odds.get(end, Fraction(0)) + chance


def _going_on(outcome: Outcome, odds: Odds, at: tuple[int, int], *, goes_on: bool) -> Odds:
    after: Odds = {}
    for state, chance in odds.items():
        if goes_on or not cards_at(state, _SHORT):
            end = changed(state, {_SHORT: {}})
            after[end] = after.get(end, Fraction(0)) + chance
        else:
            outcome.last = max(outcome.last, at)
    return after


def _with_rooms(play: Play, rule: Step, state: State, places: tuple[int, ...]) -> State:
    """Return a state that knows for how many cards places have room."""
    if rule.slots is None:
        return state
    rooms: dict[Cell, dict[Card, int]] = {}
    for place in places:
        room = Look(play, state).at(rule.each, place).number(rule.slots)
        rooms["room", rule.place, place] = {ANY: room + 1}  # of nothing a state says nothing
    return changed(state, rooms)


def _excess(state: State, rule: Step, place: int) -> int:
    """Return by how many cards a place has more than room; nothing where nobody said how many it has room for."""
    room = cards_at(state, ("room", rule.place, place)).get(ANY)
    return 0 if room is None else sum(cards_at(state, ("place", rule.place, place)).values()) - (room - 1)


def _merged(branches: Iterator[tuple[State, Fraction]]) -> Odds:
    odds: Odds = {}
    for number, (state, chance) in enumerate(branches):
        if number > _MOST_BRANCHES:
            raise TooMuch
        odds[state] = odds.get(state, Fraction(0)) + chance
    return odds


def _taken(
    play: Play, outcome: Outcome, at: tuple[int, int], state: State, chance: Fraction, places: tuple[int, ...],
    put: Mapping[Group, int],
) -> Iterator[tuple[State, Fraction]]:  # fmt: skip
    rule = play.steps[at[0]]
    part = rule.takes[at[1]]
    is_deck = part.origin in play.decks
    odds = {state: Fraction(1)}
    names = named_places(part.where.text) if part.where is not None else set()
    has_own = bool(
        names & {"seat", "team", "nth", "drawn", *play.rules.seats.relations} or any(map(play.each_of, names))
    )
    for shifts in groups_of(shifts_of(Look(play, state), rule, part, places), has_own=has_own):
        first = shifts[0]
        cell = ("deck" if is_deck else "place", part.origin, first.origin)
        group, after = Group(*at, first.origin, first.goal, first.drawn), Odds()
        for one, share in odds.items():
            cards = _with(cards_at(one, cell), first.keys, put.get(group, 0))
            there = sum(n for card, n in cards.items() if _fits(card, first.keys))
            need = sum(shift.number for shift in shifts)
            _note(outcome, group, part.amount.source.line, chance * share, need - there, first.keys)
            begin = changed(one, {cell: cards}) if group in put else one
            branches = {changed(begin, {_SHORT: {ANY: 1}}) if need > there else begin: share}
            for shift in shifts:
                branches = _merged(
                    (end, odd * more)
                    for before, odd in branches.items()
                    for end, more in _shifted(before, rule, cell, shift)
                )
            for end, odd in branches.items():
                after[end] = after.get(end, Fraction(0)) + odd
        odds = after
    yield from odds.items()


def _fits(card: Card, keys: frozenset[Card] | None) -> bool:
    return keys is None or card in keys or card == ANY


def _with(cards: dict[Card, int], keys: frozenset[Card] | None, number: int) -> dict[Card, int]:
    kinds = [card for card in cards if _fits(card, keys)] or [ANY]
    return added(cards, {kinds[0]: number}) if number else cards


def _shifted(state: State, rule: Step, cell: Cell, shift: Shift) -> Iterator[tuple[State, Fraction]]:
    cards = cards_at(state, cell)
    fitting = {card: n for card, n in cards.items() if _fits(card, shift.keys)}
    number = min(shift.number, sum(fitting.values()))
    for hand, chance in draws(fitting, number) if number else ():
        rest = changed(state, {cell: added(cards, {card: -n for card, n in hand.items()})})
        goal = ("place", rule.place, shift.goal)
        cells: dict[Cell, dict[Card, int]] = {}
        if rule.kind == "box":
            gone: Cell = ("gone", rule.place, 0)
            cells[gone] = added(cards_at(rest, gone), {ANY: number})
            for card, n in hand.items():
                home = ("deck", card[0], card[1])
                cells[home] = added(cells.get(home) or cards_at(rest, home), {card: n})
        else:
            cells[goal] = added(cards_at(rest, goal), hand)
        yield changed(rest, cells), chance
    if not number:
        yield state, Fraction(1)


def _removed(
    play: Play, outcome: Outcome, number: int, state: State, chance: Fraction, place: int, put: Mapping[Group, int]
) -> Iterator[tuple[State, Fraction]]:
    rule = play.steps[number]
    cell, gone = ("place", rule.place, place), ("gone", f"-{rule.place}", 0)
    group = Group(number, REMOVAL, 0, place)
    cards = _with(cards_at(state, cell), None, put.get(group, 0))
    assert rule.remove is not None
    wanted = Look(play, state).at(rule.each, place).number(rule.remove)
    there = sum(cards.values())
    _note(outcome, group, rule.remove.source.line, chance, wanted - there, None)
    state = changed(state, {_SHORT: {ANY: 1}}) if wanted > there else state
    for hand, share in draws(cards, min(wanted, there)):
        rest = added(cards, {card: -n for card, n in hand.items()})
        yield changed(state, {cell: rest, gone: added(cards_at(state, gone), {ANY: sum(hand.values())})}), share


def _note(
    outcome: Outcome, group: Group, line: int, chance: Fraction, lacking: int, keys: frozenset[Card] | None
) -> None:
    if lacking > 0:
        short = outcome.shorts.setdefault(group, Short(line, keys=keys))
        short.share += chance
        short.deficit = max(short.deficit, lacking)
