"""Everything that may come of a setup: every draw with its exact probability, and what falls short in which of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from enumerator.evaluating import named_places
from enumerator.laying import Card, Cell, Odds, State, added, at_start, cards_at, changed, draws
from enumerator.looking import Look, Play
from enumerator.own_reading import Part, Rule, at_count

REMOVAL = 99  # comes after all that a step takes


class TooMuch(Exception):
    """A setup with more states than a test should look at."""


class Group(NamedTuple):
    """What is served from the same cards: the step, the part (or `REMOVAL`), whose cards, and who is first."""

    step: int
    part: int
    origin: int
    goal: int
    drawn: Card | None = None


class Shift(NamedTuple):
    """So many of some cards (None: any) go from one of the places of a name to one of another's."""

    origin: int
    keys: frozenset[Card] | None
    number: int
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
    """What came of a setup: how the cards may lie in the end, and what fell short on the way."""

    odds: Odds = field(default_factory=dict)
    shorts: dict[Group, Short] = field(default_factory=dict)
    seen: set[Group] = field(default_factory=set)


def run(
    play: Play, put: Mapping[Group, int] | None = None, until: int | None = None, most_states: int = 200
) -> Outcome:
    """Carry out a setup, or its steps up to one; `put` are cards that lie at a place in addition, when they are needed.

    What falls short gets what there is. Raises `TooMuch`.
    """
    outcome = Outcome({at_start(play.decks, play.players): Fraction(1)})
    for number, rule in enumerate(play.steps):
        if until is None or number <= until:
            _carry_out(play, outcome, number, rule, put or {})
            if len(outcome.odds) > most_states:
                raise TooMuch
    return outcome


def _carry_out(play: Play, outcome: Outcome, number: int, rule: Rule, put: Mapping[Group, int]) -> None:
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
        for at, _part in enumerate(rule.parts):
            odds = _merged(
                (end, chance * share)
                for state, chance in odds.items()
                for end, share in _taken(play, outcome, (number, at), state, chance, places, put)
            )
        for place in places if rule.remove is not None else ():
            odds = _merged(
                (end, chance * share)
                for state, chance in odds.items()
                for end, share in _removed(play, outcome, number, state, chance, place, put)
            )
        for state, chance in odds.items():
            outcome.odds[state] = outcome.odds.get(state, Fraction(0)) + chance


def _merged(branches: Iterator[tuple[State, Fraction]]) -> Odds:
    odds: Odds = {}
    for state, chance in branches:
        odds[state] = odds.get(state, Fraction(0)) + chance
    return odds


def places_of(look: Look, rule: Rule) -> list[int]:
    """Return the places that a step is for; none where it does not happen."""
    if rule.only is not None and look.play.players not in rule.only:
        return []
    numbers = look.numbers_of(rule.each, rule.number)
    return [number for number in numbers if rule.when is None or look.at(rule.each, number).value(rule.when)]


def shifts_of(look: Look, rule: Rule, part: Part, places: tuple[int, ...]) -> list[Shift]:
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
                    keys = frozenset(card for card in known if seen.holds(part.where, card))
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


def _for_each_drawn(look: Look, part: Part) -> list[Look]:
    if part.per is None:
        return [look]
    cards = cards_at(look.state, ("place", part.per, look.own(part.per)))
    return [replace(look, drawn=card) for card, n in cards.items() if card != _ANY for _ in range(n)]


def _origins(look: Look, rule: Rule, part: Part, place: int) -> list[tuple[int, Look]]:
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


def _groups(shifts: list[Shift], *, has_own: bool) -> Iterator[list[Shift]]:
    """Yield what is served from the same cards; in the order of the seats where others may take some of them, too."""
    kinds = list(dict.fromkeys((shift.origin, shift.keys) for shift in shifts))
    overlap = any(
        one[0] == other[0] and (one[1] is None or other[1] is None or one[1] & other[1])
        for at, one in enumerate(kinds)
        for other in kinds[:at]
    )
    groups: list[list[Shift]] = []
    for shift in shifts:
        # Where a deck has no such card, whoever has a condition of an own lacks cards of an own.
        is_alone = has_own and shift.keys == frozenset()
        candidates = groups[-1:] if overlap else groups
        same = [group for group in candidates if group[0][:2] == shift[:2] and not is_alone]
        if same:
            same[0].append(shift)
        else:
            groups.append([shift])
    yield from groups


def _taken(
    play: Play, outcome: Outcome, at: tuple[int, int], state: State, chance: Fraction, places: tuple[int, ...],
    put: Mapping[Group, int],
) -> Iterator[tuple[State, Fraction]]:  # fmt: skip
    rule = play.steps[at[0]]
    part = rule.parts[at[1]]
    is_deck = part.origin in play.decks
    odds = {state: Fraction(1)}
    names = named_places(part.where) if part.where is not None else set()
    has_own = is_deck and bool(names & {"seat", "team", "nth", "drawn"} or any(map(play.each_of, names)))
    for shifts in _groups(shifts_of(Look(play, state), rule, part, places), has_own=has_own):
        first = shifts[0]
        cell = ("deck" if is_deck else "place", part.origin, first.origin)
        group, after = Group(*at, first.origin, first.goal, first.drawn), Odds()
        for one, share in odds.items():
            cards = _with(cards_at(one, cell), first.keys, put.get(group, 0))
            there = sum(n for card, n in cards.items() if _fits(card, first.keys))
            need = sum(shift.number for shift in shifts)
            _note(outcome, group, part.line, chance * share, need - there, first.keys)
            branches = {changed(one, {cell: cards}) if group in put else one: share}
            for shift in shifts:
                branches = _merged(
                    (end, odd * more)
                    for begin, odd in branches.items()
                    for end, more in _shifted(begin, rule, cell, shift)
                )
            for end, odd in branches.items():
                after[end] = after.get(end, Fraction(0)) + odd
        odds = after
    yield from odds.items()


_ANY: Card = ("", 0, 0)  # a card that is put to a place and fits whatever is asked


def _fits(card: Card, keys: frozenset[Card] | None) -> bool:
    return keys is None or card in keys or card == _ANY


def _with(cards: dict[Card, int], keys: frozenset[Card] | None, number: int) -> dict[Card, int]:
    kinds = [card for card in cards if _fits(card, keys)] or [_ANY]
    return added(cards, {kinds[0]: number}) if number else cards


def _shifted(state: State, rule: Rule, cell: Cell, shift: Shift) -> Iterator[tuple[State, Fraction]]:
    cards = cards_at(state, cell)
    fitting = {card: n for card, n in cards.items() if _fits(card, shift.keys)}
    number = min(shift.number, sum(fitting.values()))
    for hand, chance in draws(fitting, number) if number else ():
        rest = changed(state, {cell: added(cards, {card: -n for card, n in hand.items()})})
        goal = ("place", rule.place, shift.goal)
        cells: dict[Cell, dict[Card, int]] = {}
        if rule.kind == "box":
            gone: Cell = ("gone", rule.place, 0)
            cells[gone] = added(cards_at(rest, gone), {_ANY: number})
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
    wanted = Look(play, state).at(rule.each, place).number(rule.remove)
    there = sum(cards.values())
    _note(outcome, group, rule.remove.line, chance, wanted - there, None)
    for hand, share in draws(cards, min(wanted, there)):
        rest = added(cards, {card: -n for card, n in hand.items()})
        yield changed(state, {cell: rest, gone: added(cards_at(state, gone), {_ANY: sum(hand.values())})}), share


def _note(
    outcome: Outcome, group: Group, line: int, chance: Fraction, lacking: int, keys: frozenset[Card] | None
) -> None:
    outcome.seen.add(group)
    if lacking > 0:
        short = outcome.shorts.setdefault(group, Short(line, keys=keys))
        short.share += chance
        short.deficit = max(short.deficit, lacking)
