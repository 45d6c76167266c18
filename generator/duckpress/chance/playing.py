"""Playing a game round by round until it is over; and the results of many games, as figures.

Several processes play; each figure has an interval of confidence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.chance.compiled_steps import Action, CompiledSteps
from duckpress.chance.formulas import Formulas
from duckpress.chance.game_table import GameTable, Look
from duckpress.check.expressions import Spent, Stopped, unknown
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Tabletop
from duckpress.core.limits import limit
from duckpress.core.problems import Level, Problem, Source
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Game
from duckpress.model.setup import Each, PlaceKind, Rounds, Step
from duckpress.pool.parallel import in_parts, shares

_FIGURES: partial[Any] = partial(defaultdict, partial(defaultdict, Counter))


class Tally(Struct):
    """The results of many games: how often each value of a figure came up, such as `left` of a place."""

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
    """Return the rounds of a setup: the base game's, with the changes of its variant and modules."""
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
    """Return a problem for each bound of an unknown event."""
    known = ("rounds", *rounds.events)
    return [
        unknown("unknown-name", bound.name, known, f"no event is named {bound.name!r}").problem(bound.source)
        for bound in rounds.bounds.values()
        if bound.name not in known
    ]


class Player:
    """Plays one setup of a game at one player count, as often as needed; everything is compiled once."""

    def __init__(self, book: Book, rounds: Rounds, players: int, variant: str | None) -> None:
        """Compile the steps. Raises `Stopped`, and `Spent` if it takes too long."""
        self._book, self._rounds, self._players, self._variant = book, rounds, players, variant
        setup = [step for step in book.steps(variant) if step.only is None or players in step.only]
        steps = [step for step in rounds.steps if step.only is None or players in step.only]
        formed = [step for step in (*setup, *steps) if step.kind is not PlaceKind.BOX]
        _refuse_two_kinds(book, formed)
        self.places = list(dict.fromkeys(step.place for step in formed))
        each = {step.place: step.each for step in formed}
        each |= {step.place: Each.NOBODY for step in (*setup, *steps) if step.kind is PlaceKind.BOX}
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
        """Return the results of games with these numbers; each number has a random stream of its own."""
        tally = Tally()
        for number in numbers:
            if has_own_budget:
                self._book.calculator.budget.begin()
            self._play_once(f"{seed}\0{self._book.game.id}\0{self._players}\0{self._variant}\0{number}", tally)
        return tally

    def set_up(self, seed: str) -> GameTable:
        """Return the table after the steps of the setup; every game reuses the same table."""
        self._table.begin(seed)
        for counter in (self._steps.shorts, self._steps.shuffled, self._happened, self._looked):
            counter.clear()
        for action in self._setup:
            action()
        return self._table

    def idle_takes(self, tally: Tally) -> Mapping[Source, Problem | None]:
        """Return the problem of each take that neither a round nor the setup supplies; None for supplied takes."""
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
        """Return the actions that test the events after a step's place; None: at the end of a round."""
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
    """Raise `Stopped`, `place-kind`, for a place of two kinds, or of each team in a game without teams."""
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


_Z = 2.576  # of a normal distribution: so many standard deviations on both sides hold 99 % of it
_PARTS = 32


class Spread(Struct, frozen=True):
    """The distribution of a number over games: its mean with the 99 % confidence interval."""

    least: int
    median: float
    most: int
    mean: float
    low: float
    high: float
    counts: Mapping[int, int]

    @staticmethod
    def of(counts: Mapping[int, int]) -> Spread:
        numbers = sorted(number for number, count in counts.items() for _ in range(count))
        runs = len(numbers)
        total = sum(number * count for number, count in counts.items())
        squares = sum(number * number * count for number, count in counts.items())
        mean = total / runs  # and the variance from whole numbers, so that no order of additions shows
        margin = _Z * sqrt((runs * squares - total * total) / runs / max(runs - 1, 1) / runs)
        middle = (numbers[(runs - 1) // 2] + numbers[runs // 2]) / 2
        return Spread(numbers[0], middle, numbers[-1], mean, mean - margin, mean + margin, dict(sorted(counts.items())))


class EventShare(Struct, frozen=True):
    """How often an event happened: its share of the tests with an interval, and in how many games."""

    share: float
    low: float
    high: float
    looks: int
    of_games: float


class Playouts(Struct, frozen=True):
    """The results of many games of one setup at one player count."""

    players: int
    variant: str | None
    runs: int
    unfinished: int
    rounds: Spread
    dry: Mapping[str, Spread | None]  # place -> the round in which it first ran dry, in the games in which it did
    dry_games: Mapping[str, float]
    reshuffles: Mapping[str, Spread]
    left: Mapping[str, Spread]
    short: Mapping[str, float]  # place -> in how much of the games a step of it was not supplied in full
    events: Mapping[str, EventShare]
    idle_takes: Mapping[Source, Problem | None] = {}  # take that no round supplies -> that the setup leaves it nothing


def rounds_known(game: Game, variant: str | None) -> Rounds | None:
    """Return the rounds of a game's setup, or None."""
    return rounds_of(Book(game, game.setup), variant) if game.setup is not None else None


def playtest(
    game: Game, players: int, variant: str | None, runs: int, seed: str, jobs: int, *, is_check: bool = False
) -> Playouts | Problem:
    """Return the results of many games, the same for any number of jobs; a problem if they cannot be played.

    Each game may take as many steps as a deal does; in a check all of them together.
    """
    assert game.setup is not None
    book = Book(game, game.setup, Calculator(SETUP))
    rounds = rounds_of(book, variant)
    assert rounds is not None
    try:
        player = Player(book, rounds, players, variant)
        parts = shares(runs, _PARTS if jobs > 1 else 1)
        whole = Tally()

        def work(part: int) -> Tally:
            return player.play(parts[part], seed, has_own_budget=not is_check)

        for tally in in_parts(work, len(parts), jobs):
            whole.add(tally)
        return replace(summed_up(whole, players, variant), idle_takes=player.idle_takes(whole))
    except Stopped as stopped:
        return stopped.problem or Problem("setup-stopped", rounds.source, "the rounds cannot be computed")
    except Spent as spent:
        return spent.problem


def summed_up(tally: Tally, players: int, variant: str | None) -> Playouts:
    runs = tally.runs
    dry = {place: {at: count for at, count in counts.items() if at} for place, counts in tally.figures["dry"].items()}
    return Playouts(
        players, variant, runs, tally.unfinished, Spread.of(tally.rounds),
        {place: Spread.of(counts) if counts else None for place, counts in dry.items()},
        {place: sum(counts.values()) / runs for place, counts in dry.items()},
        {place: Spread.of(counts) for place, counts in tally.figures["reshuffles"].items()},
        {place: Spread.of(counts) for place, counts in tally.figures["left"].items()},
        {place: sum(counts.values()) / runs for place, counts in tally.figures["short"].items()},
        {name: _share(counts, tally.looks[name], runs) for name, counts in tally.figures["events"].items()},
    )  # fmt: skip


def _share(counts: Counter[int], looks: int, runs: int) -> EventShare:
    """Return the share of an event, with Wilson's interval.

    Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    times, n, z = sum(number * count for number, count in counts.items()), max(looks, 1), _Z
    share = times / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    margin = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = max(0.0, middle - margin), min(1.0, middle + margin)
    return EventShare(share, low, high, looks, 1 - counts[0] / runs)
