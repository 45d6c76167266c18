"""Playing a game by its rounds: the setup, then round after round until it is over, with what happened noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Stopped, unknown
from duckpress.core.limits import limit
from duckpress.model.setup import PlaceKind, Rounds
from duckpress.playtest.formulas import Formulas, Look
from duckpress.playtest.game_table import GameTable
from duckpress.playtest.moving import Deed, Mover
from duckpress.playtest.tally import Tally, note


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
        self._mover = mover = Mover(book, rounds, self._table, self._formulas)
        self._happened: Counter[str] = Counter()
        self._looked: Counter[str] = Counter()
        self._setup = [deed for step in setup for deed in mover.deeds(step)]
        mover.is_set_up = True
        self._round = [deed for step in steps for deed in (*mover.deeds(step), *self._looks_after(step.place))]
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
        for counter in (self._mover.shorts, self._mover.shuffled, self._happened, self._looked):
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
            for place in [place for place in watched if not table.total(place) or place in self._mover.shuffled]:
                dry[place] = table.round
                watched.remove(place)
            is_over = is_over or (until is not None and bool(until(0)))
        tally.runs += 1
        tally.unfinished += not is_over
        tally.rounds[table.round] += 1
        for place in self._watched:
            note(tally.dry, place, dry.get(place, 0))
        for place in self._rounds.reshuffles:
            note(tally.reshuffles, place, self._mover.shuffled[place])
        for place in self.places:
            note(tally.left, place, table.total(place))
        for place, count in self._mover.shorts.items():
            note(tally.short, place, count)
        for name in self._rounds.events:
            note(tally.events, name, self._happened[name])
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
