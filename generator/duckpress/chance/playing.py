"""Playing a game by its rounds: the setup, then round after round until it is over, with what happened noted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field

from duckpress.chance.compiled_steps import Action, CompiledSteps
from duckpress.chance.formulas import Formulas
from duckpress.chance.game_table import GameTable, Look
from duckpress.check.expressions import Stopped, unknown
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.limits import limit
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import Each, PlaceKind, Rounds, Step

_FIGURES: partial[Any] = partial(defaultdict, partial(defaultdict, Counter))


class Tally(Struct):
    """What happened in many games: how often each number of a figure came up, such as `left` of a place."""

    runs: int = 0
    unfinished: int = 0  # games that were broken off at the limit
    rounds: Counter[int] = field(default_factory=Counter)
    figures: defaultdict[str, defaultdict[str, Counter[int]]] = field(default_factory=_FIGURES)
    looks: Counter[str] = field(default_factory=Counter)  # name -> times that it was looked at
    supplied: Counter[int] = field(default_factory=Counter)  # take that no round supplies -> cards left by the setup

    def add(self, other: Tally) -> None:
        self.runs += other.runs
        self.unfinished += other.unfinished
        self.rounds.update(other.rounds)
        self.looks.update(other.looks)
        self.supplied.update(other.supplied)
        for figure, by_name in other.figures.items():
            for name, counter in by_name.items():
                self.figures[figure][name].update(counter)


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


class Player:
    """Plays one setup of a game at one player count, as often as asked; everything is prepared once."""

    def __init__(self, book: Book, rounds: Rounds, players: int, variant: str | None) -> None:
        """Prepare the steps. Raises `Stopped`, and `Spent` where it takes too long."""
        self._book, self._rounds, self._players, self._variant = book, rounds, players, variant
        setup = [step for step in book.steps(variant) if step.only is None or players in step.only]
        steps = [step for step in rounds.steps if step.only is None or players in step.only]
        formed = [step for step in (*setup, *steps) if step.kind is not PlaceKind.BOX]
        _refuse_two_kinds(book, formed)
        self.places = list(dict.fromkeys(step.place for step in formed))
        each = {
            **{step.place: step.each for step in formed},
            **{step.place: Each.NOBODY for step in (*setup, *steps) if step.kind is PlaceKind.BOX},
        }
        others = [step.place for part in book.parts if part.rounds is not None for step in part.rounds.steps]
        places = {**dict.fromkeys((*book.all_places, *others), Each.NOBODY), **each}
        scene = Scene(book, players, variant, Tabletop(book, players, variant))
        has_teams = book.setup.seats is not None and book.setup.seats.teams is not None
        teams = {seat: scene.team_of(seat) for seat in range(1, players + 1)} if has_teams else {}
        self._table = GameTable(book, players, places, self.places, teams)
        self.formulas = self._formulas = Formulas(book, self._table, scene)
        for place in (*rounds.reshuffles, *rounds.reshuffles.values()):
            if place not in self.places:
                raise Stopped(unknown("unknown-place", place, self.places).problem(rounds.source))
        self._happened: Counter[str] = Counter()
        self._looked: Counter[str] = Counter()
        self._steps = CompiledSteps(book, rounds, variant, self._table, self._formulas)
        self._setup = [self._steps.at_once(step) for step in setup]
        self._round = [action for step in steps for action in (*self._steps.of_round(step), *self._looks(step))]
        self._round += self._looks(None)
        for event in rounds.events.values():
            if event.after is not None and event.after not in {step.place for step in rounds.steps}:
                what = f"no step of a round fills {event.after!r}"
                raise Stopped(unknown("unknown-place", event.after, self.places, what).problem(event.source))
        self._until = self._formulas.of_anybody(rounds.until) if rounds.until is not None else None
        origins = {take.origin for step in steps for take in step.takes}
        refilled = {*rounds.reshuffles, *(step.place for step in steps)}
        is_boxed = any(step.kind is PlaceKind.BOX for step in steps)
        self._sources = [
            (step, take, name)
            for step in steps
            for take in step.takes
            if (name := self._steps.origin(step, take)) not in refilled
            and not (is_boxed and self._table.is_deck(take.origin))
        ]
        piles = dict.fromkeys(step.place for step in formed if step.kind is PlaceKind.PILE)
        self._watched = [place for place in piles if place in origins]

    def play(self, numbers: Iterable[int], seed: str, *, has_own_budget: bool) -> Tally:
        """Return what happened in games of these numbers, each of which has chance of its own."""
        tally = Tally()
        for number in numbers:
            if has_own_budget:
                self._book.calculator.budget.begin()
            self._play_once(f"{seed}\0{self._book.game.id}\0{self._players}\0{self._variant}\0{number}", tally)
        return tally

    def set_up(self, seed: str) -> GameTable:
        """Return the table once the steps of the setup are done; the same one for every game."""
        self._table.begin(seed)
        for counter in (self._steps.shorts, self._steps.shuffled, self._happened, self._looked):
            counter.clear()
        for action in self._setup:
            action()
        return self._table

    def idle_takes(self, tally: Tally) -> Mapping[Source, Problem | None]:
        """Return for each take that no round supplies the problem that the setup has left it nothing in any game."""
        table, takes = self.set_up(""), dict[Source, Problem | None]()
        for at, (step, take, name) in enumerate(self._sources):
            takes[take.source] = None
            if tally.supplied[at]:
                continue
            what = f"{step.place!r} never gets a card from {take.origin!r}: the setup leaves none there"
            what += ", and no round does"
            here = {place: table.total_from(place, name) for place in self.places}
            most = max(here, key=here.__getitem__, default="")
            there = f"take from {most!r}, which has {here[most]} of its cards" if here.get(most) else ""
            fix = there or "take from elsewhere"
            takes[take.source] = Problem("empty-take", take.source, what, fix, Level.WARNING)
        return takes

    def _play_once(self, seed: str, tally: Tally) -> None:
        until, most, table = self._until, limit("playout-rounds"), self.set_up(seed)
        figures = tally.figures
        for at, (_, _, name) in enumerate(self._sources):
            tally.supplied[at] += table.total(name)
        dry: dict[str, int] = {}
        watched = [place for place in self._watched if table.total(place)]
        is_over = False
        while not is_over and table.round < most:
            table.round += 1
            self._book.spend(1 + len(self._round))
            for action in self._round:
                if not action():
                    is_over = True
                    break
            for place in [place for place in watched if not table.total(place) or place in self._steps.shuffled]:
                dry[place] = table.round
                watched.remove(place)
            is_over = is_over or (until is not None and bool(until()))
        tally.runs += 1
        tally.unfinished += not is_over
        tally.rounds[table.round] += 1
        for place in self._watched:
            figures["dry"][place][dry.get(place, 0)] += 1
        for place in self._rounds.reshuffles:
            figures["reshuffles"][place][self._steps.shuffled[place]] += 1
        for place in self.places:
            figures["left"][place][table.total(place)] += 1
        for place, count in self._steps.shorts.items():
            figures["short"][place][count] += 1
        for name in self._rounds.events:
            figures["events"][name][self._happened[name]] += 1
        tally.looks.update(self._looked)

    def _looks(self, step: Step | None) -> list[Action]:
        """Return what looks at the events of a step's place once it has happened; None: of the end of a round."""
        place, done = step.place if step is not None else None, self._steps.done
        events = [event for event in self._rounds.events.values() if event.after == place]
        looks = [partial(self._look, event.name, self._formulas.of_anybody(event.that)) for event in events]
        if step is None or step.when is None or not looks:
            return [*looks]

        def look() -> bool:
            if id(step) in done:
                done.discard(id(step))
                for one in looks:
                    one()
            return True

        return [look]

    def _look(self, name: str, that: Look) -> bool:
        self._looked[name] += 1
        if that():
            self._happened[name] += 1
        return True


def _refuse_two_kinds(book: Book, steps: Sequence[Step]) -> None:
    """Raise `Stopped`, `place-kind`, where a place is of two kinds, or is each team's and there are no teams."""
    first_of: dict[str, Step] = {}
    for step in steps:
        first = first_of.setdefault(step.place, step)
        if (first.kind, first.each) != (step.kind, step.each):
            kinds = [f"{one.kind.value}{f' of each {one.each.value}' if one.each else ''}" for one in (step, first)]
            what = f"{step.place!r} is a {kinds[0]} here and a {kinds[1]} in line {first.source.line}"
            raise Stopped(Problem("place-kind", step.source, what, "make them the same, or give one another name"))
        if step.each is Each.TEAM and (book.setup.seats is None or book.setup.seats.teams is None):
            what = f"{step.place!r} is each team's, and there are no teams"
            fix = "say which team a seat is of, under 'seats': 'teams: seat % 2 + 1'"
            raise Stopped(Problem("place-kind", step.source, what, fix))
