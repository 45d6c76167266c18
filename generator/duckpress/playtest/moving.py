"""The steps of a setup or a round, prepared once: what each of them moves, from where and how many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Stopped, unknown
from duckpress.model.setup import ALL, EVEN, Rounds, Step, Take
from duckpress.playtest.formulas import Fixed, Formulas, Look
from duckpress.playtest.game_table import GameTable, Ids, Rank, in_box

ANY = "any"
_MOST = 10**6
_RANGE = re.compile(r"([0-9]{1,6}) to ([0-9]{1,6})")
Deed = Callable[[], bool]
"""Does a part of a step; returns whether the game goes on."""


class Mover:
    """Prepares steps as deeds; counts what could not be supplied and what was reshuffled in a game."""

    def __init__(self, book: Book, rounds: Rounds, table: GameTable, formulas: Formulas) -> None:
        self._book, self._rounds, self._table, self._formulas = book, rounds, table, formulas
        self._players = formulas.players
        self.shorts: Counter[str] = Counter()
        self.shuffled: Counter[str] = Counter()
        self.is_set_up = False  # while the steps of the setup are prepared

    def deeds(self, step: Step) -> list[Deed]:
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
        ends_short, eye, shorts, shuffled = bool(self._rounds.ends_short), seat or origin, self.shorts, self.shuffled
        ranks, span, is_in_round = self._ranks(take.pick), self._span(take), self.is_set_up
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
        if table.is_deck(name) and not (is_place and self.is_set_up):
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
