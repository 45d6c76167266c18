"""Comparisons that cannot be true of their kinds are told at their place, with what to write; no others are."""

from __future__ import annotations

import itertools

import pytest

from duckpress.check.all_findings import wrong_words
from duckpress.check.expression_kinds import Cards, ExpressionKinds
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game
from duckpress.core.problems import Problem
from duckpress.expressions.calculator import Calculator, compile_expression
from duckpress.expressions.parsing import ExpressionError
from duckpress.expressions.profiles import SETUP as SETUP_PROFILE
from duckpress.model import Game
from running import MakeWorkspace as Make

GAME = """title: Pond
version: "0.1"
designer: Nobody
players: 2-4
languages: [en]
facts: {hand size: 2, motto: quack, open: yes, sizes: [1, 2], odd one: "3"}
pieces: [{id: cards, title: Cards, decks: [duck, warden]}]
"""
DUCK = """title: Ducks
size: poker
front: duck
fields:
  rank: whole
  weight: {kind: number, optional: yes}
  name: text
  suit: {kind: choice, choices: [reed, lily], optional: yes}
  rare: yes-no
  tags: {kind: list, optional: yes}
  shared: text
cards:
  - {id: ace, copies: 30, rank: 1, weight: 1.5, name: Teal, suit: reed, rare: no, tags: [wet, "3"], shared: a}
  - {id: two, copies: 30, rank: 2, name: "3", rare: yes, shared: b}
"""
WARDEN = """title: Wardens
size: poker
front: duck
fields: {shared: whole, suit: {kind: choice, choices: [oak]}}
cards: [{id: w, copies: 30, shared: 3, suit: oak}]
"""
SETUP = """values: {flight: 3, twice: flight * 2}
seats: {teams: seat %% 2 + 1, relations: {left hand: seat + 1}}
variants: {long: {title: Long}}
setup:
  - {pile: ducks, take: {duck: 20}}
  - {pile: mixed, take: {duck: 5, warden: 5}}
  - {pile: here, take: {%s: {where: "%s", count: 0}}}
  - {hand: hand, take: {ducks: 2}, when: "%s"}
modules: {rain: {title: Rain}}
"""


def game_of(make_workspace: Make, *parts: str) -> Game:
    """Return the game with a setup that takes from an origin under two conditions."""
    files = {
        "content/pond/game.yaml": GAME, "content/pond/decks/duck.yaml": DUCK, "content/pond/decks/warden.yaml": WARDEN,
        "content/pond/setup.yaml": SETUP % parts,
    }  # fmt: skip
    game, problems = load_game(make_workspace(files), "pond")
    assert game is not None
    assert problems == []
    return game


def told(make_workspace: Make, where: str, *, origin: str = "duck", when: str = "players > 1") -> list[Problem]:
    return wrong_words(game_of(make_workspace, origin, where.replace("\\", "\\\\"), when))


NEVER = {
    "card.rank == 'ace'": ("card.rank is a whole number and is compared with the text 'ace'", "write card.id == 'ace'"),
    "card.rank == 'king'": (
        "card.rank is a whole number and is compared with the text 'king'",
        "compare it with a number: card.rank == 1",
    ),
    "'3' == card.rank": ("card.rank is a whole number and is compared with the text '3'", "write card.rank == 3"),
    "1 < card.rank < '3'": ("card.rank is a whole number and is compared with the text '3'", "write card.rank < 3"),
    "'3' > card.rank": ("card.rank is a whole number and is compared with the text '3'", "write card.rank < 3"),
    "card.rank in [1, '2']": ("card.rank is a whole number and is compared with the text '2'", "write card.rank == 2"),
    "card.weight == ''": ("card.weight is a number and is compared with the text ''", "write card.weight is none"),
    "card.name > 3": ("card.name is a text and is compared with the number 3",
                      "compare it with ==, or declare it as a number"),
    "card.name == 3": ("card.name is a text and is compared with the number 3", "write card.name == '3'"),
    "card.name == flight": ("card.name is a text and is compared with flight, a number",
                            "compare card.name with a text in quotes"),
    "card.rank == card.name": ("card.rank is a whole number and is compared with card.name, a text",
                               "compare card.rank with a number"),
    "card.rank + 1 == 'x'": ("a number is compared with the text 'x'", "compare it with a number"),
    "card.name == facts['hand size']": ("card.name is a text and is compared with facts['hand size'], a number", None),
    "card.suit == 'oak'": ("card.suit is never 'oak'", "it is one of: lily, reed"),
    "card.suit in ['reed', 'lilly']": ("card.suit is never 'lilly'", "did you mean 'lily'?"),
    "card.suit == 3": ("card.suit is a choice and is compared with the number 3", "write card.suit == '3'"),
    "card.rare == 'yes'": ("card.rare is yes or no and is compared with the text 'yes'", "write card.rare"),
    "card.rare == 'no'": ("card.rare is yes or no and is compared with the text 'no'", "write not card.rare"),
    "card.tags == 'wet'": ("card.tags is a list of texts and is compared with the text 'wet'",
                            "write 'wet' in card.tags"),
    "3 in card.tags": ("the number 3 is looked for in card.tags, a list of texts", "write '3' in card.tags"),
    "'a' in card.rank": ("card.rank is a whole number, and nothing is in it", "compare it with =="),
    "card.rank == 5 or 6": ("6 stands where a condition should, and is always true", "write card.rank in [5, 6]"),
    "card.rare and 'Teal'": ("'Teal' stands where a condition should, and is always true", "write card.name == 'Teal'"),
    "not 'Teal'": ("'Teal' stands where a condition should, and is always true", "write card.name == 'Teal'"),
    "variant == 3": ("variant is a text and is compared with the number 3", "write variant == '3'"),
    "modules == 'rain'": ("modules is a list and is compared with the text 'rain'", "write 'rain' in modules"),
    "variant == long": ("nothing is named 'long'", "put texts in quotes: 'long'"),
    "suit == 'reed'": ("nothing is named 'suit'", "did you mean card.suit?"),
    "card.suit == reed": ("nothing is named 'reed'", "put texts in quotes: 'reed'"),
    "card.suit = 'reed'": ("\"card.suit = 'reed'\" cannot be read: it should end before '='",
                           "'==' compares, and '>=' and '<=' are at least and at most"),
    "count('duck', where='card.rank == \\'3\\'') > 1": (
        "card.rank is a whole number and is compared with the text '3'", "write card.rank == 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", NEVER)
def test_what_can_never_be_true(make_workspace: Make, where: str) -> None:
    what, fix = NEVER[where]
    (problem,) = told(make_workspace, where)
    assert (problem.what, problem.source.line) == (what, 7)
    assert problem.code in ("bad-expression", "unknown-name")
    assert fix is None or problem.fix == fix


@pytest.mark.parametrize(
    "where",
    [
        "card.rank == 1 or card.rank in [2, 3]", "card.name == 'Teal' or 'ea' in card.name", "card.name < 'b'",
        "card.suit == 'reed' or card.suit == ''", "card.rare == 1 or not card.rare", "card.id == 'anything'",
        "card.deck in ['duck', 'x']", "card.rank == twice", "card.rank == ducks", "card.rank == count('duck')",
        "card.rank == players // 2", "card.name == ('a' if players > 2 else 'b')", "card.rank % 2", "card.name",
        "card.rank in values('duck', 'rank')", "variant == 'long'", "'long' in modules or variant == ''",
    ],
)  # fmt: skip
def test_what_may_be_true(make_workspace: Make, where: str) -> None:
    assert [one for one in told(make_workspace, where) if one.code != "unknown-variant"] == []


def test_fields_that_differ_between_decks_may_be_either(make_workspace: Make) -> None:
    for where in ("card.shared == 'a'", "card.shared == 3", "card.suit == 'oak' or card.suit == 'reed'"):
        assert told(make_workspace, where, origin="mixed") == []
    (found,) = told(make_workspace, "card.suit == 'elm'", origin="mixed")
    assert found.fix == "it is one of: lily, oak, reed"
    (found,) = told(make_workspace, "card.shared == 3", origin="ducks")
    assert found.what == "card.shared is a text and is compared with the number 3"


@pytest.mark.parametrize(
    ("when", "what"),
    [
        ("players == '3'", "players is a number and is compared with the text '3'"),
        ("ducks > 'a'", "ducks is a number and is compared with the text 'a'"),
        ("seat == 'first'", "seat is a number and is compared with the text 'first'"),
        ("left_hand == '1'", "left_hand is a number and is compared with the text '1'"),
        ("count('duck') == 'a'", "count(...) is a number and is compared with the text 'a'"),
    ],
)
def test_conditions_of_steps(make_workspace: Make, when: str, what: str) -> None:
    (found,) = told(make_workspace, "card.rank == 1", when=when)
    assert (found.code, found.what, found.source.line) == ("bad-expression", what, 8)


def test_the_place_is_that_of_the_value(make_workspace: Make) -> None:
    (found,) = told(make_workspace, "card.rank == 1 or card.rank == '3'")
    assert found.source.column == len("  - {pile: here, take: {duck: {where: \"card.rank == 1 or card.rank == '")


ATOMS = (
    "card.rank", "card.weight", "card.name", "card.suit", "card.rare", "card.tags", "card.id", "card.copies", "players",
    "flight", "facts.motto", "facts['hand size']", "facts.open", "facts.sizes", "facts['odd one']", "1", "'3'",
    "'reed'", "'wet'", "[1, 2]", "['reed']", "card.rank + 1", "card.name ~ 'x'", "none", "(1 if card.rare else 'a')",
    "(not card.rare)",
)  # fmt: skip


@pytest.mark.sweep(3)
@pytest.mark.parametrize("sign", ["==", "in", "<"])
def test_nothing_that_is_ever_true_is_refused(make_workspace: Make, sign: str) -> None:
    """Whatever is compared with whatever is computed for every card; ordering what has no order fails for all."""
    game = game_of(make_workspace, "duck", "card.rare", "players > 1")
    assert game.setup is not None
    book, calculator = Book(game, game.setup), Calculator(SETUP_PROFILE, 10**9)
    kinds = ExpressionKinds(book, Cards(("duck",)))
    cards = [{"id": card.id, "deck": "duck", "copies": card.copies, **card.values} for card in game.decks["duck"].cards]
    refused = 0
    for one, other in itertools.product(ATOMS, ATOMS):
        text = f"{one} {sign} {other}"
        if not [*kinds.mistakes(text, is_condition=True)]:
            continue
        refused += 1
        compiled = compile_expression(SETUP_PROFILE, text)
        for card in cards:
            try:
                assert not calculator.value(compiled, {"card": card, "players": 3, "flight": 3, "facts": game.facts}), (
                    text
                )
            except ExpressionError:
                assert sign != "==", text
    assert refused > 100
