"""Running the steps of a setup on counts: at every player count, in the basic game and in every variant.

A shortage says what is needed, what is there, by how much it falls short, and the two ways out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.check.setup.counting import CardGroup
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Move, Tabletop
from duckpress.check.setup_expressions import Stopped
from duckpress.core.problems import Problem, Source
from duckpress.model import Deck
from duckpress.model.setup import Amount, Step, Take


class Shortage(NamedTuple):
    """A step that needs more than is surely there; `to_add` is what would do for the whole setup."""

    origin: str
    place: str
    need: int
    supply: int
    to_add: int
    seat: int  # whose set it is that falls short; 0 for one common to all
    source: Source
    each: int | None = None  # how many each player needs, where it is the same for all
    where: str | None = None
    is_removal: bool = False
    is_untouched: bool = False  # none of these cards had been taken before
    is_sure: bool = True  # the supply does not hang on chance
    whole: int = 0  # how many such cards there were before any was taken; 0 for a removal


class SetupRun(Struct):
    """What the steps came to: the tabletop afterwards, what fell short and what else was wrong."""

    players: int
    variant: str | None
    top: Tabletop
    scene: Scene
    shortages: list[Shortage] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # What each part of an origin lacks: (origin, seat, where) -> part -> cards.
    lacks: dict[tuple[str, int, str | None], dict[CardGroup | None, int]] = field(default_factory=dict)
    formed: set[str] = field(default_factory=set)  # the places of the steps so far
    carried_out: set[int] = field(default_factory=set)  # by id: the steps that are not left out at this player count
    # (place, seat) -> the most that fits, and where `slots` said so last.
    rooms: dict[tuple[str, int], tuple[int, Source]] = field(default_factory=dict)
    untold: Source | None = None  # the step that stopped the run for a mistake which the check of words tells
    is_complete: bool = True  # False where a step could not be computed: nothing after it means anything

    def is_short_of(self, shortage: Shortage) -> bool:
        """Return whether the origin of a shortage falls short here, too."""
        return any(other.origin == shortage.origin for other in self.shortages)


class Runs(Struct):
    """The runs of a book's setup, each worked out once."""

    book: Book
    _runs: dict[tuple[int, str | None], SetupRun] = field(default_factory=dict)

    def run(self, players: int, variant: str | None) -> SetupRun:
        """Return the run at a player count; None is the basic game."""
        if (players, variant) not in self._runs:
            self._runs[players, variant] = _run_steps(self.book, players, variant)
        return self._runs[players, variant]

    def of_variant(self, variant: str | None) -> list[SetupRun]:
        """Return the runs at every player count of the game."""
        return [self.run(players, variant) for players in self.book.game.players]

    def used(self) -> Mapping[tuple[str, int], set[int]] | None:
        """Return the player counts at which a step may take a card, for each deck and position that any may take.

        In the basic game or in any variant; None where a run broke off.
        """
        variants = (None, *self.book.setup.variants)
        runs = [self.run(players, variant) for players in self.book.game.players for variant in variants]
        if not all(run.is_complete for run in runs):
            return None
        used: dict[tuple[str, int], set[int]] = {}
        for run in runs:
            for key in run.top.used:
                used.setdefault((key.deck, key.position), set()).add(run.players)
        return used


def _run_steps(book: Book, players: int, variant: str | None) -> SetupRun:
    """Run the steps.

    Where something falls short the steps go on as if it were there, so that one mistake gives one problem. A step
    that cannot be computed ends the run.
    """
    top = Tabletop(book, players, variant)
    run = SetupRun(players, variant, top, Scene(book, players, variant, top))
    for step in book.steps(variant):
        try:
            _run_step(run, step)
        except Stopped as stopped:
            run.is_complete = False
            if stopped.problem is not None:
                run.problems.append(stopped.problem)
            else:
                run.untold = step.source
            break
        run.formed.add(step.place)
    for index, shortage in enumerate(run.shortages):
        place = (top.destination if shortage.is_removal else top.place)(shortage.origin, shortage.seat)
        of_such = sum(run.lacks[shortage.origin, shortage.seat, shortage.where].values())
        run.shortages[index] = shortage._replace(to_add=max(of_such, -place.size))
    return run


def is_carried_out(scene: Scene, step: Step) -> bool:
    """Return whether a step is for this player count, and its condition holds. Raises `Stopped`."""
    scene.book.at = step.source
    scene.book.spend(1)
    return (step.only is None or scene.players in step.only) and (step.when is None or bool(scene.value(step.when)))


def seats_of(scene: Scene, step: Step) -> range:
    """Return the seats that a step is for; 0 where it is common to all."""
    return range(1, scene.players + 1) if step.is_for_each_player else range(1)


def moves_of(scene: Scene, step: Step, take: Take) -> Iterator[Move]:
    """Yield what moves from where to where; from places that every player has, the amount is taken from each."""
    is_personal = scene.top.is_personal(take.origin)
    for to_seat in seats_of(scene, step):
        for origin_seat in [to_seat] if to_seat or not is_personal else range(1, scene.players + 1):
            seen = scene.at_seat(to_seat or origin_seat or None)
            from_seat = origin_seat if is_personal else 0
            place = scene.top.place(take.origin, from_seat)
            scene.book.spend(place.cost(None))
            part = None if take.where is None else seen.chosen(place.whole, take.where)
            yield Move(from_seat, part, seen.number_or_all(take.amount), to_seat)


def _run_step(run: SetupRun, step: Step) -> None:
    if not is_carried_out(run.scene, step):
        return
    run.carried_out.add(id(step))
    for take in step.takes:
        _run_take(run, step, take)
    for seat in seats_of(run.scene, step):
        scene = run.scene.at_seat(seat or None)
        if step.remove is not None:
            _remove(run, step, step.remove, scene, seat)
        if step.slots is not None:
            run.rooms[step.place, seat] = scene.number(step.slots), step.slots.source
        if (step.place, seat) in run.rooms:
            _compare_room(run, step, *run.rooms[step.place, seat], run.top.size(step.place, seat or None))


def _compare_room(run: SetupRun, step: Step, room: int, source: Source, size: int) -> None:
    """Note where a place has more cards than room; what a step says of it stays true for the steps after it."""
    if size <= room:
        return
    says = "" if step.slots is not None else f" (line {source.line})"
    what = f"{step.place!r} gets {size} cards and has room for {room}{says}"
    fix = f"take {size - room} fewer, or give it more slots"
    problem = Problem("no-room", source if step.slots is not None else step.source, what, fix)
    if not any(known.code == "no-room" and known.source == problem.source for known in run.problems):
        run.problems.append(run.scene.problem(problem))


def _run_take(run: SetupRun, step: Step, take: Take) -> None:
    book = run.top.book
    is_known = take.origin in book.game.decks or take.origin in run.formed
    if take.source in book.faulty or not is_known:
        raise Stopped(None)
    groups: dict[tuple[int, int], list[tuple[Move, int]]] = {}
    for move in moves_of(run.scene, step, take):
        group = groups.setdefault((move.origin_seat, id(move.part)), [])
        count = _count_of_all(run, take, move, is_shared=bool(group)) if move.number is None else move.number
        group.append((move, count))
    for group in groups.values():
        first, number = group[0]
        place = run.top.place(take.origin, first.origin_seat)
        book.spend(2 * place.cost(first.part))
        need, supply = sum(count for _, count in group), place.supply(first.part)
        if need > supply:
            is_alike = step.is_for_each_player and len(group) > 1 and len({count for _, count in group}) == 1
            source = run.scene.expression(take.amount).source
            book.spend(2 * place.cost(first.part))
            lack, whole = place.lack(first.part, need), (first.part or place.whole).size
            shortage = Shortage(
                take.origin, step.place, need, supply, lack, first.origin_seat, source,
                each=number if is_alike else None, where=take.where.text if take.where is not None else None,
                is_untouched=place.is_untouched(first.part), is_sure=place.knows(first.part), whole=whole,
            )  # fmt: skip
            _note_shortage(run, shortage, first.part)
        # Moved before the next group is looked at: parts for different seats may share cards.
        for move, count in group:
            run.top.move(take.origin, move, count, step.place)


def _count_of_all(run: SetupRun, take: Take, move: Move, *, is_shared: bool) -> int:
    """Return how many cards 'all' are. Raises `Stopped`: `unclear-amount`, for the same cards cannot go to several."""
    place = run.top.place(take.origin, move.origin_seat)
    run.top.book.spend(2 * place.cost(move.part))
    if not is_shared and place.knows(move.part):
        return place.supply(move.part)
    what = "how many cards 'all' means here hangs on which ones were drawn before"
    fix = "take these cards before others are drawn at random, or say how many"
    if is_shared:
        what = "'all' of the same cards cannot go to each player"
        fix = "say how many each player gets: left('...') // players"
    raise Stopped(run.scene.problem(Problem("unclear-amount", take.amount.source, what, fix)))


def _remove(run: SetupRun, step: Step, remove: Amount, scene: Scene, seat: int) -> None:
    place = run.top.destination(step.place, seat)
    number = scene.number_or_all(remove)
    count = max(0, place.size) if number is None else number
    if count > place.supply(None):
        supply, source = place.supply(None), scene.expression(remove).source
        shortage = Shortage(step.place, step.place, count, supply, count - supply, seat, source, is_removal=True)
        _note_shortage(run, shortage, None)
    run.top.remove(step.place, seat, count)


def _note_shortage(run: SetupRun, shortage: Shortage, part: CardGroup | None) -> None:
    """Keep the first shortage of an origin; the later ones follow from it and only raise what has to be added."""
    lacks = run.lacks.setdefault((shortage.origin, shortage.seat, shortage.where), {})
    lacks[part] = max(lacks.get(part, 0), shortage.to_add)
    if not run.is_short_of(shortage):
        run.shortages.append(shortage)


def shortage_problem(shortage: Shortage, decks: Mapping[str, Deck], players: int, fine: Sequence[int]) -> Problem:
    """Return a shortage as a `not-enough`; `fine` are the player counts at which its origin has enough, upwards."""
    deck = decks.get(shortage.origin)
    is_deck = deck is not None and not shortage.is_removal
    if is_deck:
        whose = " (each player's)" if deck is not None and deck.is_per_player else ""
        first_way = f"add {_cards(shortage.to_add)}{_such(shortage)} to {shortage.origin!r}{whose}"
    else:
        first_way = f"put {_cards(shortage.to_add)} more{_such(shortage)} into {shortage.origin!r}"
    smaller = [count for count in fine if count < players]
    other_way = "for no player count works as it is"
    if fine:
        other_way = f"or play with {f'at most {smaller[-1]}' if smaller else f'at least {fine[0]}'} players"
    return Problem("not-enough", shortage.source, _what(shortage, is_deck=is_deck), f"{first_way}, {other_way}")


def _what(shortage: Shortage, *, is_deck: bool) -> str:
    whose = f"player {shortage.seat}'s " if shortage.seat else ""
    short = f"{shortage.need - shortage.supply} too few"
    if shortage.is_removal:
        held = f"{whose}{shortage.origin!r}, which holds {shortage.supply}"
        return f"{_cards(shortage.need)} are to be removed from {held}: {short}"
    each = f" ({shortage.each} for each player)" if shortage.each is not None else ""
    surely = "" if shortage.is_sure else "surely "
    has, counted = f"which {surely}{'has' if is_deck else 'holds'} {shortage.supply}", shortage.supply
    if is_deck and not shortage.is_untouched:
        has, counted = f"{has} left of {shortage.whole}", shortage.whole
    if shortage.where is not None:
        has = f"{has} such {'card' if counted == 1 else 'cards'}"
    need = f"{_cards(shortage.need)} of {whose}{shortage.origin!r}{_such(shortage)}{each}"
    return f"{shortage.place!r} needs {need}, {has}: {short}"


def _such(shortage: Shortage) -> str:
    return f" where {shortage.where}" if shortage.where is not None else ""


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
