"""Playing a game by its rounds: the setup, then round after round until it is over, with what happened noted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from msgspec import Struct, field

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Stopped, unknown
from duckpress.core.limits import limit
from duckpress.core.problems import Problem
from duckpress.model.setup import ALL, EVEN, PlaceKind, Rounds, Step, Take
from duckpress.playtest.formulas import Fixed, Formulas, Look
from duckpress.playtest.game_table import GameTable, Ids, Rank, in_box

ANY = "any"
_MOST = 10**6
_RANGE = re.compile(r"([0-9]{1,6}) to ([0-9]{1,6})")
Deed = Callable[[], bool]
"""Does a part of a step; returns whether the game goes on."""


class Tally(Struct):
    """What happened in many games: how often each number came up, by what it is the number of."""

    runs: int = 0
    unfinished: int = 0  # games that were broken off at the limit
    rounds: Counter[int] = field(default_factory=Counter)
    dry: dict[str, Counter[int]] = field(default_factory=dict)  # place -> round in which it first was (0: never)
    reshuffles: dict[str, Counter[int]] = field(default_factory=dict)
    left: dict[str, Counter[int]] = field(default_factory=dict)
    short: dict[str, Counter[int]] = field(default_factory=dict)  # place -> times that a step of it was not supplied
    events: dict[str, Counter[int]] = field(default_factory=dict)  # name -> times that it happened in a game
    looks: Counter[str] = field(default_factory=Counter)  # name -> times that it was looked at

    def add(self, other: Tally) -> None:
        """Add what happened in other games."""
        self.runs += other.runs
        self.unfinished += other.unfinished
        self.rounds.update(other.rounds)
        self.looks.update(other.looks)
        for name in ("dry", "reshuffles", "left", "short", "events"):
            mine: dict[str, Counter[int]] = getattr(self, name)
            for key, counter in getattr(other, name).items():
                mine.setdefault(key, Counter()).update(counter)


class Player:
    """Plays one setup of a game at one player count, as often as asked; everything is prepared once."""

    def __init__(self, book: Book, rounds: Rounds, players: int, variant: str | None) -> None:
        """Prepare the steps. Raises `Stopped`, and `Spent` where it takes too long."""
        self._book, self._rounds, self._players, self._variant = book, rounds, players, variant
        setup = [step for step in book.steps(variant) if step.only is None or players in step.only]
        steps = [step for step in rounds.steps if step.only is None or players in step.only]
        places = {step.place: step.is_for_each_player for step in (*setup, *steps)}
        self.piles = list(dict.fromkeys(step.place for step in (*setup, *steps) if step.kind is PlaceKind.PILE))
        self.places = list(places)
        self._table = GameTable(book, players, places)
        self._formulas = Formulas(book, self._table, players, variant)
        for place in (*rounds.reshuffles, *rounds.reshuffles.values()):
            if place not in places:
                raise Stopped(unknown("unknown-place", place, places).problem(rounds.source))
        self._shorts: Counter[str] = Counter()
        self._shuffled: Counter[str] = Counter()
        self._happened: Counter[str] = Counter()
        self._looked: Counter[str] = Counter()
        self._is_set_up = False  # while its steps are prepared
        self._setup = [deed for step in setup for deed in self._deeds(step)]
        self._is_set_up = True
        self._round = [deed for step in steps for deed in (*self._deeds(step), *self._looks_after(step.place))]
        self._round += self._looks_after(None)
        for event in rounds.events.values():
            if event.after is not None and event.after not in {step.place for step in rounds.steps}:
                what = f"no step of a round fills {event.after!r}"
                raise Stopped(unknown("unknown-place", event.after, places, what).problem(event.source))
        self._until = self._formulas.value(rounds.until) if rounds.until is not None else None
        origins = {take.origin for step in steps for take in step.takes}
        self._watched = [place for place in self.piles if place in origins]

    def play(self, numbers: Iterable[int], seed: str, *, has_own_budget: bool) -> Tally:
        """Return what happened in games of these numbers, each of which has chance of its own."""
        tally = Tally()
        for number in numbers:
            if has_own_budget:
                self._book.calculator.budget.begin()
            self._play_once(Random(f"{seed}\0{self._book.game.id}\0{self._players}\0{self._variant}\0{number}"), tally)
        return tally

    def _play_once(self, chance: Random, tally: Tally) -> None:
        table, until, most = self._table, self._until, limit("playout-rounds")
        table.begin(chance)
        for counter in (self._shorts, self._shuffled, self._happened, self._looked):
            counter.clear()
        for deed in self._setup:
            deed()
        dry: dict[str, int] = {}
        watched = [place for place in self._watched if table.total(place)]
        is_over = False
        while not is_over and table.round < most:
            table.round += 1
            self._book.spend(1 + len(self._round))
            for deed in self._round:
                if not deed():
                    is_over = True
                    break
            for place in [place for place in watched if not table.total(place) or place in self._shuffled]:
                dry[place] = table.round
                watched.remove(place)
            is_over = is_over or (until is not None and bool(until(0)))
        tally.runs += 1
        tally.unfinished += not is_over
        tally.rounds[table.round] += 1
        for place in self._watched:
            _note(tally.dry, place, dry.get(place, 0))
        for place in self._rounds.reshuffles:
            _note(tally.reshuffles, place, self._shuffled[place])
        for place in self.places:
            _note(tally.left, place, table.total(place))
        for place, count in self._shorts.items():
            _note(tally.short, place, count)
        for name in self._rounds.events:
            _note(tally.events, name, self._happened[name])
        tally.looks.update(self._looked)

    def _looks_after(self, place: str | None) -> list[Deed]:
        return [
            self._look_at(event.name, self._formulas.value(event.that))
            for event in self._rounds.events.values()
            if event.after == place
        ]

    def _look_at(self, name: str, that: Look) -> Deed:
        def look() -> bool:
            self._looked[name] += 1
            if that(0):
                self._happened[name] += 1
            return True

        return look

    def _deeds(self, step: Step) -> list[Deed]:
        """Return what a step does, ready to be done: one deed for each take and seat, in order."""
        seats = range(1, self._players + 1) if step.is_for_each_player else (0,)
        when = self._formulas.value(step.when) if step.when is not None else None
        deeds: list[Deed] = []
        for seat in seats:
            parts = [deed for take in step.takes for deed in self._moves(step, take, seat)]
            if step.remove is not None:
                parts.append(self._removal(step, seat))
            deeds.append(_all_of(parts, when, seat) if len(parts) != 1 or when is not None else parts[0])
        return deeds

    def _removal(self, step: Step, seat: int) -> Deed:
        assert step.remove is not None
        table, number = self._table, self._formulas.number(step.remove)

        def remove() -> bool:
            gone = table.draw((step.place, seat), number(seat), None, None)
            table.gone[step.place] = table.gone.get(step.place, 0) + len(gone)
            return True

        return remove

    def _moves(self, step: Step, take: Take, seat: int) -> list[Deed]:
        """Return a deed for each list that a seat's take is from."""
        table, name = self._table, self._origin(take)
        if not table.is_personal[name]:
            origins: Iterable[int] = (0,)
        else:
            origins = (seat,) if seat else range(1, self._players + 1)
        fits = self._formulas.fitting(take.where) if take.where is not None else None
        return [self._move(step, take, name, fits, origin, seat) for origin in origins]

    def _move(
        self, step: Step, take: Take, name: str, fits: Callable[[int], Ids] | None, origin: int, seat: int
    ) -> Deed:
        table, place, is_shuffled, amount = self._table, step.place, step.is_shuffled, self._amount(take)
        key, target = (name, origin), (place, seat)
        have, draw = table.lists[key], table.draw
        spare = self._rounds.reshuffles.get(name)
        spare_key = table.key(spare, origin) if spare is not None else None
        ends_short, eye, shorts, shuffled = bool(self._rounds.ends_short), seat or origin, self._shorts, self._shuffled
        ranks, span, is_in_round = self._ranks(take.pick), self._span(take), self._is_set_up
        same = fits.value if isinstance(fits, Fixed) else None  # the cards that fit, where they never change

        def move() -> bool:
            number = amount(eye) if amount is not None else None
            if not have and (not number or (spare_key is None and not is_in_round)):
                return True
            fitting = same if same is not None or fits is None else fits(eye)
            if span is not None:  # people take as many as they like
                count = len(have) if fitting is None else len([card for card in have if card in fitting])
                low, high = span
                number = min(count, low + int(table.chance.random() * (min(high, count) - low + 1)))
            cards = draw(key, number, fitting, ranks)
            if number is not None and len(cards) < number:
                if spare_key is not None and (fresh := draw(spare_key, None, None, None)):
                    shuffled[name] += 1
                    table.put(key, fresh, is_shuffled=True)
                    cards += draw(key, number - len(cards), fitting, ranks)
                if len(cards) < number and is_in_round:
                    shorts[place] += 1
                    if ends_short:
                        table.put(target, cards, is_shuffled=is_shuffled)
                        return False
            if cards:
                table.put(target, cards, is_shuffled=is_shuffled)
            return True

        return move

    def _ranks(self, pick: str) -> list[Rank] | None:
        """Return the order in which cards are picked; None where any of them is."""
        word, _, name = pick.partition(" of ")
        return self._table.ranks(name, -1 if word == "highest" else 1) if name else None

    def _origin(self, take: Take) -> str:
        """Return what the table calls that which is taken from: in a round a place stands before a deck of its name."""
        table, name = self._table, take.origin
        is_place = name in table.places
        if table.is_deck(name) and not (is_place and self._is_set_up):
            return in_box(name)
        if not is_place:
            known = (*self._book.game.decks, *table.places)
            what = f"there is no deck {name!r}, and no step forms it"
            raise Stopped(unknown("unknown-deck", name, known, what, says="there are").problem(take.source))
        return name

    def _span(self, take: Take) -> tuple[int, int] | None:
        """Return between what people choose how many cards to take; None where they do not."""
        text = self._formulas.expression(take.amount).text
        choice = _RANGE.fullmatch(text)
        return (int(choice[1]), int(choice[2])) if choice is not None else (0, _MOST) if text == ANY else None

    def _amount(self, take: Take) -> Look | None:
        """Return what gives how many; None for all there are, and where people choose."""
        is_open = self._span(take) is not None or self._formulas.expression(take.amount).text in (ALL, EVEN)
        return None if is_open else self._formulas.number(take.amount)


def _all_of(parts: list[Deed], when: Look | None, seat: int) -> Deed:
    def do() -> bool:
        return (when is not None and not when(seat)) or all(part() for part in parts)

    return do


def _note(counters: dict[str, Counter[int]], name: str, number: int) -> None:
    if name not in counters:
        counters[name] = Counter()
    counters[name][number] += 1


def rounds_of(book: Book, variant: str | None) -> Rounds | None:
    """Return the rounds of a setup: the basic game's, and what its variant and modules add and replace."""
    whole: Rounds | None = None
    for part in book.parts_of(variant):
        more = part.rounds
        if more is None or whole is None:
            whole = more or whole
            continue
        replaced = {step.replaces for step in more.steps if step.replaces}
        steps = [step for step in whole.steps if step.place not in replaced]
        first = min((at for at, step in enumerate(whole.steps) if step.place in replaced), default=len(steps))
        new = [step for step in more.steps if step.replaces]
        whole = Rounds(
            (*steps[:first], *new, *steps[first:], *(step for step in more.steps if not step.replaces)),
            more.until or whole.until,
            {**whole.reshuffles, **more.reshuffles},
            whole.ends_short if more.ends_short is None else more.ends_short,
            {**whole.events, **more.events},
            {**whole.bounds, **more.bounds},
            more.source,
            more.sources,
        )
    return whole


def no_event(rounds: Rounds) -> list[Problem]:
    """Return a problem for each bound of something that is not counted."""
    known = ("rounds", *rounds.events)
    return [
        unknown("unknown-name", bound.name, known, f"no event is named {bound.name!r}").problem(bound.source)
        for bound in rounds.bounds.values()
        if bound.name not in known
    ]
