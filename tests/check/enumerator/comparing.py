"""What `every_finding` tells of a random setup, held against everything that may come of it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from duckpress.check import Deal, deal_cards
from duckpress.check.all_findings import every_finding
from duckpress.core.problems import Problem
from duckpress.model import Game
from duckpress.model.setup import Expectation, Variant
from duckpress.model.setup import Setup as Rules
from enumerator.advising import MOST_ADDED, cards_to_add, least_cards, with_cards
from enumerator.enumerating import REMOVAL, Group, Outcome, Short, TooMuch, run
from enumerator.laying import Cards, Cell, State, sorted_cards
from enumerator.looking import Look, Play
from enumerator.random_setups import Setup
from enumerator.ways_to_play import at_count, read_rules
from small_games import small_deck, small_game

Expected = tuple[Short, list[tuple[str, int]]]
"""What falls short, and the cards of which more may help."""
CODES = ("not-enough", "unlucky-draw", "poor-choice", "expectation", "no-room")
_MOST_SHORT = 12  # at all player counts and in all ways to play: what is told of more takes long to find
IGNORED = ("unused-cards", "unused-step", "empty-take", "unused-expectation", "unused-variant", "place-too-late")


def game_of(setup: Setup) -> Game:
    decks = [small_deck(d.name, d.cards, per="player" if d.is_per_player else "") for d in setup.decks.values()]
    return small_game(setup.text, *decks, players=setup.players)


@dataclass(frozen=True)
class Told:
    """A finding, as far as it is compared."""

    line: int
    share: Fraction | None  # None: only estimated
    deficit: int | None
    problem: Problem


def told_of(problem: Problem, *, is_chosen: bool = False) -> Told:
    """Return what a finding says; `is_chosen`: people choose cards."""
    share: Fraction | None = Fraction(1)
    if " draws" in problem.what:
        exact = re.search(r"in (?:the other )?(\d+) of (\d+) draws(?! tried)", problem.what)
        share = Fraction(int(exact[1]), int(exact[2])) if exact else None
    if problem.code == "poor-choice" or (is_chosen and problem.code in ("unlucky-draw", "not-enough")):
        share = None  # people choose as they like, and not as often this as that
    deficit = re.search(r"(\d+) too few", problem.what) or re.search(r"take (\d+) fewer, or give", problem.fix)
    return Told(problem.source.line, share, int(deficit[1]) if deficit else None, problem)


def is_certain(one: Told) -> bool:
    """Return whether a finding says that no deal gets past its line, if not for the same cards in each draw."""
    return one.problem.code == "not-enough"


def hold(setup: Setup, most_states: int) -> None:
    """Hold everything that is told of a setup. Raises `AssertionError`, and `TooMuch` where it is too large to try."""
    rules = read_rules(setup.text)
    plays = [
        Play(rules, setup.decks, players, way)
        for players in setup.players
        for way in sorted(rules.ways(players), key=len)
    ]
    outcomes = {(play.players, play.way): run(play, most_states=most_states) for play in plays}
    if sum(len(outcome.shorts) for outcome in outcomes.values()) > _MOST_SHORT:
        raise TooMuch
    game = game_of(setup)
    problems = every_finding(game)
    codes = {problem.code for problem in problems}
    if codes & {"too-many-steps", "some-combinations"}:
        raise TooMuch
    assert codes <= {*CODES, *IGNORED}, problems
    for play in plays:
        _hold_way(game, play, outcomes[play.players, play.way], problems)


def _hold_way(game: Game, play: Play, outcome: Outcome, problems: list[Problem]) -> None:
    parts: list[Rules | Variant] = [play.rules.setup, *play.rules.setup.all_variants.values()]
    wishes = {wish.that.source.line for part in parts for wish in part.expectations}
    rooms = {at.source.line for part in parts for step in part.steps for at in (step.slots or step, step)}
    is_chosen = any(part.is_chosen for rule in play.steps for part in rule.takes)
    told = [
        (told_of(problem, is_chosen=is_chosen), set((problem.variant or "").split(",")) - {""})
        for problem in problems
        if problem.code in CODES and problem.players in (None, play.players)
    ]
    mine = [one for one, way in told if way == set(play.way)]
    known = [one for one, way in told if way <= set(play.way)]
    shortages = [one for one in mine if one.line not in wishes | rooms]
    if not outcome.shorts:
        assert not shortages, "a false alarm"
        _hold_shares(_failing(play, outcome), [one for one in mine if one.line in wishes], known)
        full = [one for one in mine if one.line in rooms]
        _hold_shares({line: share for line, (share, _) in outcome.full.items()}, full, known)
        assert all(one.deficit == outcome.full[one.line][1] for one in full), "an untrue number"
    else:
        _hold_shortages(play, outcome, shortages, [one for one in known if one.line not in wishes | rooms])
    assert not (outcome.odds and any(map(is_certain, shortages))), "an error where some deals get through"
    assert outcome.odds or any(map(is_certain, known)), "no error where no deal gets through"
    for seed in range(3):
        deal = deal_cards(game, play.players, str(seed), ",".join(play.way) or None)
        if not outcome.shorts:
            assert isinstance(deal, Deal), "a deal ends, though nothing is short"
            assert lying(play, deal) in {places_in(state) for state in outcome.odds}, "a deal that cannot be"
        if not outcome.odds:
            assert isinstance(deal, Problem), "a deal goes on, though something is short in any case"
            assert deal.code == "not-enough"


def lying(play: Play, deal: Deal) -> frozenset[tuple[Cell, Cards]]:
    positions = {(deck.name, card["id"]): at for deck in play.decks.values() for at, card in enumerate(deck.cards)}
    places = {}
    for holding in deal.places:
        cards = Counter((card.deck, card.set_of, positions[card.deck, card.card]) for card in holding.cards)
        places["place", holding.place, holding.number] = sorted_cards(cards)
    return frozenset(places.items())


def places_in(state: State) -> frozenset[tuple[Cell, Cards]]:
    return frozenset((cell, cards) for cell, cards in state if cell[0] == "place")


def _failing(play: Play, outcome: Outcome) -> dict[int, Fraction]:
    """Return the expectations that fail, by line, and the share of draws in which they do."""
    failing: dict[int, Fraction] = {}
    for wish in play.rules.wishes_of(play.way):
        share = sum((odds for state, odds in outcome.odds.items() if fails(Look(play, state), wish)), Fraction(0))
        if share:
            failing[wish.that.source.line] = share
    return failing


def _hold_shares(failing: dict[int, Fraction], mine: list[Told], known: list[Told]) -> None:
    """Hold that what is told is what fails, with the share of draws in which it does."""
    assert {(one.line, one.share) for one in mine if one.share is not None} <= set(failing.items()), "untrue"
    assert set(failing.items()) <= {(one.line, one.share or failing.get(one.line)) for one in known}, "missed"


def fails(look: Look, wish: Expectation) -> bool:
    """Return whether an expectation fails for anybody."""
    players = look.play.players
    if wish.only is not None and players not in wish.only:
        return False
    wanted = at_count(wish.is_, players) if wish.is_ is not None else None
    that, when = wish.that.text, wish.when.text if wish.when is not None else None
    texts = [text for text in (that, wanted, when) if text is not None]
    views = look.views(texts)
    if wish.is_for_each_player:
        views = [view.at("player", seat) for view in views for seat in range(1, players + 1)]
    for view in views:
        if when is None or view.value(when):
            value = view.value(that)
            if (not value) if wanted is None else value != view.value(wanted):
                return True
    return False


def _hold_shortages(play: Play, outcome: Outcome, mine: list[Told], known: list[Told]) -> None:
    """Hold that each independent shortage is told and no other, and the numbers of cards to add.

    Where cards were put to a place for a condition, and are not all needed in every draw, whether those that stay there
    are right for the next ones of the same part hangs on which cards they are, which nobody says: it ends there. So it
    does where they are put back into the box, as the decks hold more of them then.
    """
    expected, put, is_all = _expected(play, outcome, known)
    for one in mine if is_all else ():
        assert any(_agree(one, short) for short, _ in expected), f"a false alarm: {one.problem}"
    told = [one for one in known if any(_agree(one, short) for short, _ in expected)]
    if is_all and not put and all(sum(_agree(one, short) for one in told) == 1 for short, _ in expected):
        _hold_advice(play, [(one, [cards for short, cards in expected if _agree(one, short)]) for one in told])


def _expected(play: Play, outcome: Outcome, known: list[Told]) -> tuple[list[Expected], dict[Group, int], bool]:
    """Return what falls short, each mended before the next is looked for, what is put to places, and if that is all."""
    expected = list[Expected]()
    as_is, repaired, put = outcome, play, dict[Group, int]()
    if not outcome.odds:  # what the mending of others mends as well is told, too, where no deal gets through
        last = [(group, short) for group, short in as_is.shorts.items() if group[:2] == as_is.last]
        expected += [(short, cards_to_add(play, group, short)) for group, short in last]
    while outcome.shorts and len(expected) < 30:
        group, short = min(outcome.shorts.items(), key=lambda entry: (entry[0].step, entry[0].part, entry[0].goal))
        if sum(other[:4] == group[:4] for other in outcome.shorts) > 1:
            return expected, put, False  # which of them is mended first, is not said
        if any(other[:2] == group[:2] and _asks_for(play, other) for other in put):
            return expected, put, False
        cards = cards_to_add(play, group, short)
        short = as_is.shorts.get(group, short)
        if all(short is not one for one, _ in expected):
            expected.append((short, cards))
        assert any(_agree(one, short) for one in known), f"missed: {short}"
        if any(_agree(one, short) and (_is_large(one) or not cards) for one in known):
            return expected, put, False  # the number, or what such a card is like, is not tried here
        least = least_cards(repaired, put, group, short)
        if least is None:
            return expected, put, False  # what comes after it cannot be known
        repaired, put = least
        if any(play.steps[other.step].kind == "box" for other in put):
            return expected, put, False
        outcome = run(repaired, put)
    # Which cards are put somewhere makes a difference, and is not said.
    return expected, put, not any(_asks_for(play, group) for group in put)


def _asks_for(play: Play, group: Group) -> bool:
    return group.part != REMOVAL and play.steps[group.step].takes[group.part].where is not None


def _is_large(told: Told) -> bool:
    number = re.search(r"(\d+) cards", told.problem.fix)
    return number is not None and int(number[1]) >= MOST_ADDED


def _agree(one: Told, short: Short) -> bool:
    is_as_sure = one.share in (None, short.share) or (short.share == 1 and is_certain(one))
    return one.line == short.line and is_as_sure and one.deficit in (None, short.deficit)


def _hold_advice(play: Play, told: list[tuple[Told, list[list[tuple[str, int]]]]]) -> None:
    """Hold that what is advised is enough, all of it together, and that one card less of any of it is not.

    Each finding comes with the cards that may be added, once for each who lacks them alike. Its number is one of all
    of them together, but for where it says that it is for each: what mends the first may mend the others as well.
    """
    adds, lines = [], []
    for one, cards in told:
        advice = re.match(r"add (\d+) cards?(?: like '([^']+)')?.* to '(\w+)'", one.problem.fix)
        if advice is None:
            return  # there is nothing to add, or all of it is advised elsewhere
        deck = play.decks[advice[3]]
        is_for_each = "for each of them" in one.problem.fix and not deck.is_per_player
        for fitting in cards if is_for_each else cards[:1]:
            kinds = [at for name, at in fitting if name == deck.name and advice[2] in (None, deck.cards[at]["id"])]
            if not kinds:
                return  # there is no such card yet
            adds.append((deck.name, kinds, int(advice[1])))
            lines.append(one.line)

    def with_all(fewer: int = -1) -> Play:
        more = play
        for at, (deck, kinds, number) in enumerate(adds):
            more = with_cards(more, deck, kinds[0], number - (at == fewer))
        return more

    assert not run(with_all()).shorts, "what is advised is not enough"
    for at in range(len(adds)):
        assert run(with_all(at)).shorts, f"less than what is advised in line {lines[at]} is enough"
    if len(adds) == 1:
        name, kinds, number = adds[0]
        for kind in kinds:  # whichever is added, there what was told is mended
            shorts = run(with_cards(play, name, kind, number)).shorts.values()
            assert all(short.line != told[0][0].line for short in shorts), f"not enough of {kind}: {told[0][0].problem}"
            assert run(with_cards(play, name, kind, number - 1)).shorts, "one card less is enough"
