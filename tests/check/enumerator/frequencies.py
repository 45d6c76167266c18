"""How often a setup comes out as it may, held against the probabilities of all that may come of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from random import Random

from duckpress.chance import Odds, checked_question, odds_of
from duckpress.chance.playing import Player
from duckpress.chance.pools import NotExact, RandomTable, lay_out
from duckpress.check import Deal, deal_cards
from duckpress.check.expressions import Stopped
from duckpress.check.setup.rule_book import Book
from duckpress.model import Game
from duckpress.model.setup import Each, Expression, Rounds
from enumerator.comparing import game_of, lying, places_in
from enumerator.enumerating import run
from enumerator.laying import Cards, Cell, sorted_cards
from enumerator.looking import Play
from enumerator.random_setups import Setup
from enumerator.ways_to_play import read_rules

_DEALS = 300
_FEW = 5  # outcomes that are expected more seldom are counted as one
_MOST_OFF = 6  # standard deviations of chi-square: beyond that no chance leads, in all the setups that are tried

Lying = frozenset[tuple[Cell, Cards]]
Dealer = Callable[[str], Lying]


def hold_frequencies(setup: Setup, most_states: int) -> bool:
    """Hold how often each outcome of the basic game comes up; return whether there was anything to hold."""
    play = Play(read_rules(setup.text), setup.decks, setup.players[-1], ())
    outcome, game = run(play, most_states=most_states), game_of(setup)
    odds: dict[Lying, Fraction] = {}
    for state, share in outcome.odds.items():
        places = _with_cards(places_in(state))
        odds[places] = odds.get(places, Fraction(0)) + share
    if outcome.shorts or len(odds) == 1:
        return False
    _hold_exact(game, play, odds)
    for dealer in (_deals(game, play), _playouts(game, play), _simulated(game, play)):
        try:
            dealt = Counter(map(dealer, map(str, range(_DEALS))))
        except NotExact:  # what simulated odds do not do themselves, they take from playouts
            continue
        assert dealt.keys() <= odds.keys(), "what cannot be"
        common = {outcome: share for outcome, share in odds.items() if share * _DEALS >= _FEW}
        rare = 1 - sum(common.values())
        expected = [(share, dealt[outcome]) for outcome, share in common.items()]
        expected += [(rare, _DEALS - sum(number for _, number in expected))] if rare * _DEALS >= _FEW else []
        off = sum((number - _DEALS * share) ** 2 / (_DEALS * share) for share, number in expected)
        free = len(expected) - 1
        assert free < 1 or (float(off) - free) / sqrt(2 * free) < _MOST_OFF, (dealer, expected)
    return True


def _hold_exact(game: Game, play: Play, odds: dict[Lying, Fraction]) -> None:
    """Hold the exact odds of a kind of card at each place, of the first one that has such a place."""
    assert game.setup is not None
    book = Book(game, game.setup)
    for name, each in book.each_of_places(None).items():
        ask = Expression(f"{name} has >= 1 where card.kind == 'a'", game.setup.source)
        question = checked_question(book, ask, [None])
        if isinstance(question, list) or name in play.decks:
            continue
        told = odds_of(book, question, play.players, None, runs=1)
        cell = "place", name, int(each is not Each.NOBODY)
        has = sum((share for state, share in odds.items() if _has_kind(play, state, cell)), Fraction(0))
        if isinstance(told, Odds) and told.method == "exact":
            assert told.probability == has, (name, told)


def _has_kind(play: Play, state: Lying, cell: Cell) -> bool:
    return any(play.decks[deck].cards[at]["kind"] == "a" for (deck, _, at), _ in dict(state).get(cell, ()))


def _deals(game: Game, play: Play) -> Dealer:
    def deal(seed: str) -> Lying:
        dealt = deal_cards(game, play.players, seed)
        assert isinstance(dealt, Deal)
        return _with_cards(lying(play, dealt))

    return deal


def _playouts(game: Game, play: Play) -> Dealer:
    setup = game.setup
    assert setup is not None
    player = Player(Book(game, setup), Rounds((), None, {}, False, {}, {}, setup.source), play.players, None)
    positions = {(deck.name, card["id"]): at for deck in play.decks.values() for at, card in enumerate(deck.cards)}

    def lay(seed: str) -> Lying:
        table, places = player.set_up(seed), dict[Cell, Cards]()
        for (place, instance), cards in table.lists.items():
            data = [(table.data[card], table.homes[card][1]) for card in cards]
            keys = Counter((str(of["deck"]), owner, positions[of["deck"], of["id"]]) for of, owner in data)
            places["place", place, instance] = sorted_cards(keys)
        return _with_cards(frozenset((cell, cards) for cell, cards in places.items() if cell[1] in player.places))

    return lay


def _simulated(game: Game, play: Play) -> Dealer:
    assert game.setup is not None
    book = Book(game, game.setup)

    def lay(seed: str) -> Lying:
        book.calculator.budget.begin()
        try:
            (table,) = lay_out(RandomTable(book, play.players, None, random=Random(seed)))
        except Stopped as stopped:
            raise NotExact from stopped
        cells = table.places.items()
        return _with_cards(frozenset(
            (("place", *cell), sorted_cards(Counter(map(tuple, cards))))  # type: ignore[arg-type]
            for cell, cards in cells if not cell[0].startswith("removed from ")
        ))  # fmt: skip

    return lay


def _with_cards(places: Lying) -> Lying:
    """Return what lies at places without those where nothing lies: whether they were formed is not looked at."""
    return frozenset((cell, cards) for cell, cards in places if cards)
