"""Shortages: steps that need more cards than there are, and the least number to add, found by trial."""

from __future__ import annotations

from itertools import islice, product

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.later_places import asks_what_lies
from duckpress.check.setup.steps import run_steps
from duckpress.check.setup.steps_run import REMOVAL, Falling, GroupId, Repairs, StepsRun
from duckpress.check.setup.tabletop import each_of
from duckpress.core.problems import Source
from duckpress.model.setup import Amount, Each

_MOST_KINDS = 6  # so many kinds of cards are tried, to find which of them it takes the fewest of
_MOST_TRIES = 8
_MOST_ONE_BY_ONE = 12
_MOST_IMAGINED = 60


class Shortage(Struct):
    """A step that needs more cards than there are, and the least number of additional cards."""

    falling: Falling
    run: StepsRun
    to_add: int | None = None  # copies of `card` in a deck, or cards more at the place; None: that cannot help
    card: CardKey | None = None  # a card of which copies were tried
    is_one_kind: bool = False  # it takes more of any other kind
    is_certain: bool = False  # whatever is drawn, this take falls short, of these cards or of others
    is_dealable: bool = False  # some deals of the game as it is get through
    after: list[int] = field(default_factory=list)  # the lines that have to be mended first for it to be one
    is_earlier: Source | None = None  # the step whose random draw comes before
    owners: list[int] = field(default_factory=list)  # whose cards fall short alike: players, teams or numbers
    is_unheard_of: bool = False  # a deck has no such card, and what one would be like cannot be known

    @property
    def is_only_counted(self) -> bool:
        """Whether additional cards could not be tried, so that they are missing in the result."""
        return self.card is None and self.to_add is not None and self.origin in self.run.book.game.decks

    @property
    def owner(self) -> tuple[Each, int]:
        """The owner of the missing cards, or else their recipient; 0 if there is not just one."""
        falling, run = self.falling, self.run
        if falling.take is not None and falling.group[1]:
            return each_of(run.book, falling.take.origin, run.variant), falling.group[1]
        return falling.step.each, falling.goals[0] if len(falling.goals) == 1 else 0

    @property
    def fitting(self) -> list[CardKey]:
        """The cards of its deck that fit the step's take."""
        return self.fitting_of(list(self.run.book.deck_part(self.origin, self.falling.group[1]).copies))

    def fitting_of(self, keys: list[CardKey]) -> list[CardKey]:
        """Return the cards that fit the step's take."""
        falling, take = self.falling, self.falling.take
        if take is None or take.where is None:
            return keys
        scene = self.run.scene(falling.states[0][0]).at(falling.step.each, falling.goals[0] or falling.group[1])
        if falling.group[3] is not None:
            scene = replace(scene, drawn=falling.group[3])
        fitting = scene.chosen(keys, take.where)
        return [key for key in keys if key in fitting]

    @property
    def origin(self) -> str:
        falling = self.falling
        return falling.take.origin if falling.take is not None else falling.step.place

    @property
    def source(self) -> Source:
        return self.run.scene(self.falling.states[0][0]).expression(self.amount).source

    @property
    def amount(self) -> Amount:
        falling = self.falling
        amount = falling.take.amount if falling.take is not None else falling.step.remove
        assert amount is not None
        return amount


def alike(shortages: list[Shortage]) -> list[Shortage]:
    """Return shortages, with equal ones of several seats merged."""
    first_of: dict[tuple[object, ...], Shortage] = {}
    for shortage in shortages:
        falling = shortage.falling
        _, need, supply = max(falling.states, key=lambda entry: entry[1] - entry[2])
        share = sum(state.weight for state, _, _ in falling.states) if len(falling.states) < len(falling.of) else 1
        # What is added to one player's set is in all of them: who lacks cards then, lacks more.
        own = shortage.owner if shortage.card is not None and shortage.card.seat else None
        numbers = need, supply, shortage.to_add, share, falling.each
        key = own, id(falling.step), id(falling.take), numbers, falling.group[3]
        first = first_of.setdefault(key, shortage)
        if shortage.owner[1]:
            first.owners = sorted({*first.owners, shortage.owner[1]})
    return list(first_of.values())


def repaired(run: StepsRun, shortage: Shortage) -> Repairs:
    """Return repairs that remove a shortage, and note them in it; the unchanged repairs if none helps."""
    before, group = run.repairs, shortage.falling.group
    best: tuple[int, CardKey, Repairs] | None = None
    cards, needed = _cards_to_add(run, shortage), set()
    for card in cards:
        number, repairs = _least(run, group, shortage.falling.deficit, card)
        needed.add(number)
        if number is not None and repairs is not None and (best is None or number < best[0]):
            best = number, card, repairs
    shortage.is_unheard_of = not cards and shortage.origin in run.book.game.decks
    if best is not None:
        shortage.to_add, shortage.card, repairs = best
        shortage.is_one_kind = len(needed) > 1
    else:
        number, repairs = None, None
        # A deck has what its cards are: where no more of them help, nothing can be put into it.
        if not shortage.falling.is_all and shortage.origin not in run.book.game.decks:
            number, repairs = _least(run, group, shortage.falling.deficit, None)
        shortage.to_add = number
    if shortage.falling.take is not None:
        shortage.is_earlier = _earlier(run, shortage)
    return repairs if repairs is not None else _with(before)


def repaired_together(run: StepsRun, shortages: list[Shortage]) -> Repairs | None:
    """Return repairs that remove several shortages, each by its number of missing cards, and note them.

    For shortages of one take from other cards each; None where that is not enough, so that each is tried by itself.
    """
    repairs = _with(run.repairs)
    cards: list[CardKey] = []
    for shortage in shortages:
        fitting = _cards_to_add(run, shortage)[:1]
        if not fitting:
            return None
        cards += fitting
        at = fitting[0].deck, fitting[0].position
        repairs.extra[at] = repairs.extra.get(at, 0) + shortage.falling.deficit
    groups = {shortage.falling.group for shortage in shortages}
    last = max(group[0] for group in groups)
    again = run_steps(run.book, run.players, run.variant, repairs, until=last, goes_on=True)
    if groups & again.falling.keys() or not again.is_complete:
        return None
    for shortage, card in zip(shortages, cards, strict=True):
        shortage.to_add, shortage.card, shortage.is_earlier = shortage.falling.deficit, card, _earlier(run, shortage)
    return repairs


def split_shortages(run: StepsRun, falling: list[Falling]) -> list[Falling]:
    """Return the shortages of the first one's take, if each needs other cards of the same deck.

    None where random draws, or a step that asks what lies somewhere, may bring the ones the cards of the others.
    The same card of two players' sets is one: a copy more of it is in both.
    """
    first, separate, taken = falling[0], list[Falling](), set[tuple[str, int]]()
    origin = first.take.origin if first.take is not None else ""
    if origin not in run.book.game.decks or origin in run.draws or asks_what_lies(run.book, run.variant):
        return []
    for other in falling:
        cards = {(key.deck, key.position) for key in other.keys or ()}
        if other.take is first.take and other.group[0] == first.group[0] and cards and not cards & taken:
            separate.append(other)
            taken |= cards
    return separate if len(separate) > 1 else []


def _with(repairs: Repairs) -> Repairs:
    return Repairs(dict(repairs.extra), dict(repairs.put), set(repairs.waived), set(repairs.tainted))


def _least(
    run: StepsRun, group: GroupId, deficit: int, card: CardKey | None
) -> tuple[int, Repairs] | tuple[None, None]:
    """Return the least number of copies of a card (None: of any at the place) that a group needs, and the repairs.

    Where steps ask what lies somewhere, each card may change everything: then smaller numbers are tried one by one.
    """
    enough, repairs = _enough(run, group, deficit, card)
    if deficit <= _MOST_ONE_BY_ONE and asks_what_lies(run.book, run.variant):
        for number in range(1, min(enough or deficit, 3 * _MOST_ONE_BY_ONE)):
            fewer, spare = _with_copies(run, group, number, card)
            if spare >= 0:
                return number, fewer
    return (enough, repairs) if enough is not None and repairs is not None else (None, None)


def _enough(run: StepsRun, group: GroupId, deficit: int, card: CardKey | None) -> tuple[int | None, Repairs | None]:
    """Return a sufficient number of copies of a card for a group, the least if other draws do not depend on it.

    A card that is added makes at most one more: so each try may add as many as are lacking, and passes no number that
    would do. Where draws before it may take what is added, as many more do; then as many fewer as are to spare.
    """
    too_few, number = 0, deficit
    for _ in range(2 if run.draws else _MOST_TRIES):
        repairs, spare = _with_copies(run, group, number, card)
        if spare >= 0:
            return number, repairs
        too_few, number = number, number - spare
    enough = too_few + deficit + run.moved
    repairs, spare = _with_copies(run, group, enough, card)
    if spare < 0 or not run.draws:
        return None, None
    while enough - too_few > 1:
        number = enough - spare if 0 < spare < enough - too_few else enough - 1 if spare == 0 else too_few + 1
        again, spare_then = _with_copies(run, group, number, card)
        if spare_then < 0:
            too_few = number
        else:
            enough, repairs, spare = number, again, spare_then
    return enough, repairs


def _with_copies(run: StepsRun, group: GroupId, number: int, card: CardKey | None) -> tuple[Repairs, int]:
    """Return repairs with `number` more of a card (None: of cards at the place), and how many a group has to spare.

    That is less than nothing where it lacks some.
    """
    repairs = _with(run.repairs)
    if card is None:
        repairs.put[group] = repairs.put.get(group, 0) + number
    else:
        at = card.deck, card.position
        repairs.extra[at] = repairs.extra.get(at, 0) + number
    again = run_steps(run.book, run.players, run.variant, repairs, until=group[0], goes_on=True)
    if not again.is_complete:
        return repairs, -number
    return repairs, again.spare.get(group, 0)


def _cards_to_add(run: StepsRun, shortage: Shortage) -> list[CardKey]:
    """Return cards whose copies may help: one of each kind that fits the step, from the decks of its origin."""
    falling, book = shortage.falling, run.book
    origin = shortage.origin
    if falling.group[1] == REMOVAL or origin not in book.game.decks:
        decks = book.decks_in(origin, run.variant)
    else:
        decks = (origin,)
    cards: dict[CardKey, None] = {}
    for deck in decks:
        seat = falling.group[1] if deck == origin else int(book.game.decks[deck].is_per_player)
        keys = list(book.deck_part(deck, max(0, seat)).copies)
        fitting = shortage.fitting_of(keys)
        # Cards that were imagined for another player count are no cards of the game: only where no other fits.
        keys = [key for key in fitting if key.position < len(book.game.decks[deck].cards)] or fitting
        if not keys and falling.take is not None and falling.take.where is not None:
            keys = _imagined(run, shortage, deck, max(0, seat))
        for key in run.kinds.merged(dict.fromkeys(keys, 1), 0):
            if len(cards) < _MOST_KINDS and key in keys:
                cards[key] = None
    return list(cards)


def _imagined(run: StepsRun, shortage: Shortage, deck: str, seat: int) -> list[CardKey]:
    """Return the key of an imaginary card that fits the step, a copy of a real one but for one field; or none."""
    where = shortage.falling.take.where if shortage.falling.take is not None else None
    book, cards = run.book, run.book.game.decks[deck].cards
    if where is None or not cards:
        return []
    fields = [use.text for use in book.reading(where.text).card_fields]
    quoted = (part for quote in "'\"" for part in where.text.split(quote)[1::2])
    values: list[str | int] = [*range(run.players + 1), *quoted]
    values += [value for card in cards for name in fields if isinstance(value := card.values.get(name), str | int)]
    known = list(book.imagined.get(deck, ()))
    others = islice(product(fields, dict.fromkeys(values)), _MOST_IMAGINED)
    like = [replace(cards[0], copies=0, values={**cards[0].values, name: value}) for name, value in others]
    first = book.imagine(deck, [*known, *like]) + len(known)
    keys = [CardKey(deck, seat, first + at) for at in range(len(like))]
    fitting = shortage.fitting_of(keys)
    book.imagine(deck, [*known, *(like[key.position - first] for key in fitting[:1])])
    return [CardKey(deck, seat, first)] if fitting else []


def _earlier(run: StepsRun, shortage: Shortage) -> Source | None:
    """Return the source of the first random draw from the same cards, or None."""
    draws = [step for at, step in run.draws.get(shortage.origin, []) if at < shortage.falling.group[0]]
    return draws[0].source if draws and draws[0] is not shortage.falling.step else None


def lower(run: StepsRun, shortages: list[Shortage]) -> None:
    """Lower the additions of earlier shortages where later ones add the same card; tried with all of them."""
    repairs = run.repairs
    for number, shortage in enumerate(shortages[:-1], 1):
        later = [shortage.falling, *(other.falling for other in shortages[number:])]
        if shortage.card is None or not shortage.to_add or len(split_shortages(run, later)) == len(later):
            continue
        at = shortage.card.deck, shortage.card.position
        while shortage.to_add:
            fewer = _with(repairs)
            fewer.extra[at] -= 1
            if run_steps(run.book, run.players, run.variant, fewer).falling:
                break
            shortage.to_add -= 1
            repairs = fewer
