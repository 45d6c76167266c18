"""What the names and functions of a setup come to, at a player count, in a variant and for a player, and mistakes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from duckpress.check import check_game, copies_for
from duckpress.check.expressions import Stopped
from duckpress.check.setup.rule_book import MAX_PENDING, Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup.scene import Scene
from duckpress.core.problems import Problem, Source
from duckpress.model import Game
from duckpress.model.setup import Amount, Expression
from rich_setup import SETUP, rich_game
from small_games import said, small_deck, small_game

AT = Source("content/small/setup.yaml", 99, 5)


def scene(game: Game, players: int, variant: str | None = None, seat: int | None = None) -> Scene:
    assert game.setup is not None
    return Runs(Book(game, game.setup)).run(players, variant).steps.first_scene.at_seat(seat)


def stopped_by(do: Callable[[], object]) -> Problem | None:
    """Return the problem that stops what is done."""
    with pytest.raises(Stopped) as stopped:
        do()
    return stopped.value.problem


def valued_game(more: str = "") -> Game:
    """Return the rich game with named values, facts and a deck whose cards bear lists; `more` is further setup."""
    values = "values:\n  flock size: players * 2\n  market: 99\n  twice: flock_size + flock_size\n"
    bag = small_deck(
        "bag",
        [
            {"id": "one", "copies": 2, "gems": ("red", "red", "blue"), "worth": 2.5, "rare": True},
            {"id": "two", "gems": ("blue",), "worth": None, "rare": False},
            {"id": "three", "copies": 0, "gems": (), "worth": 4, "rare": True},
        ],
    )
    game = rich_game(values + SETUP + more, bag)
    return replace(game, facts={"limit": 7, "row": tuple(range(40))}, lists={"kinds": ({"id": "teal"},)})


VALUES: dict[tuple[int, str | None, int | None], dict[str, object]] = {
    (2, None, None): {
        "players": 2, "market": 99, "facts['limit']": 7, "facts['row']": tuple(range(40)),
        "lists['kinds'][0].id": "teal", "count('duck')": 40,
        "count('bag')": 3, "count('duck', where=\"card.sex == 'hen'\")": 20, "count('duck', where='1')": 40,
        "count('duck', where='0')": 0, "count('duck', where='card.copies == 5')": 40, "sum('duck', 'value')": 100,
        "sum('duck', 'value', where='card.value < 3')": 30, "sum('bag', 'worth')": 5.0, "sum('bag', 'rare')": 2,
        "distinct('duck', 'value')": 4, "distinct('bag', 'worth')": 2,
        "most('duck', 'sex')": 20, "most('duck', 'value', where='card.value < 3')": 10, "most('bag', 'worth')": 2,
        "most('duck', 'sex', where='0')": 0,
        "distinct('duck', 'value', where='card.value < 3')": 2, "tally('bag', 'gems', 'red')": 4,
        "tally('bag', 'gems', 'blue')": 3, "tally('bag', 'gems', 'green')": 0, "tally('bag', 'worth', 2.5)": 2,
        "tally('duck', 'sex', 'hen', where='card.value == 2')": 5, "taken('duck')": 40, "left('duck')": 0, "draw": 33,
        "pot": 5,
    },
    (3, "long", None): {
        "variant": "long", "taken('kit')": 9, "left('kit')": 3, "pot": 4, "removed('stock')": 1,
    },
    (3, None, None): {
        "variant": "", "flock_size": 6, "count('duck', where='card.value > players')": 10,
        "count('duck', where='yes')": Problem, "count('blind', where='card.owner == seat')": Problem,
        "count('kit', where=\"card.id == 'boat'\")": 2, "taken('kit')": 6, "left('kit')": 6, "left('blind')": 5,
        "removed('stock')": 3, "removed('hand')": 3, "removed('gone')": 0, "told('hand')": 1, "told('own')": 0,
        "min(players, 2) + max(1, players)": 5,
    },
    (3, None, 2): {
        "seat": 2, "twice": 12, "count('blind', where='card.owner == seat')": 5, "knowers('hand')": 1,
        "knowers('market')": 0,
    },
    (3, None, 3): {
        "left": 1,
    },
    (4, None, 3): {
        "facing": 1, "hand": 6,
    },
    (4, None, None): {
        "count('kit')": 4, "taken('blind')": 20, "left('hand')": 4, "total('own')": 6, "total('hand')": 22, "pot": 0,
    },
    (2, "long", None): {
        "taken('duck')": 30, "left('duck')": 10, "removed('gone')": 4, "gone": 0,
    },
    (4, None, 1): {
        "left('own')": 3, "own": 3, "told('hand')": 2, "told('market')": 0, "knowers('hand')": 2,
    },
}  # fmt: skip
"""Moments after the last step: players, variant, seat; and what expressions come to then (`Problem`: nothing)."""


@pytest.fixture(scope="module")
def game() -> Game:
    return valued_game()


@pytest.mark.parametrize("at", VALUES)
def test_what_an_expression_comes_to(game: Game, at: tuple[int, str | None, int | None]) -> None:
    moments = scene(game, *at), scene(game, *at).settled()
    for text, value in VALUES[at].items():
        for moment in moments:
            try:
                computed = moment.value(Expression(text, AT))
            except Stopped:
                computed = Problem
            assert (computed, type(computed)) == (value, type(value)), text


PLACES = "use one of: draw, gone, hand, market, own, pot, rest, row, stock"
MISTAKES = {
    "count('duk')": ("unknown-deck", "there is no deck 'duk'", "did you mean 'duck'?"),
    "sum('duck', 'zzzz')": ("unknown-field", "deck 'duck' has no field 'zzzz'", "its fields are: sex, value"),
    "sum('duck', 'sex')": (
        "bad-expression", "'sex' of deck 'duck' holds 'drake', not a number", "count() counts cards whatever they hold"
    ),
    "removed('stok')": ("unknown-place", "no step forms 'stok'", "did you mean 'stock'?"),
    "total('zzzzzz')": ("unknown-place", "no step forms 'zzzzzz'", PLACES),
    "knowers('duck')": ("unknown-place", "no step forms 'duck'", PLACES),
    "taken('stock')": ("unknown-deck", "there is no deck 'stock'", ""),
    "7 // 0": ("bad-expression", "'7 // 0' fails: it divides by zero", "guard it: a // b if b else 0"),
    "count('duck', where='card.value // 0')": (
        "bad-expression", "'card.value // 0' fails: it divides by zero", "guard it: a // b if b else 0"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_with_its_place_and_the_player_count(game: Game, text: str) -> None:
    code, what, fix = MISTAKES[text]
    problem = stopped_by(lambda: scene(game, 3, "long").value(Expression(text, AT)))
    assert problem is not None
    assert (problem.code, problem.what, problem.players, problem.variant) == (code, what, 3, "long")
    assert (problem.source.file, problem.source.line) == (AT.file, AT.line)
    assert not fix or problem.fix == fix


@pytest.mark.parametrize("text", ["nothing", "seat", "left", "lefty('hand')", "seat + nothing"])
def test_an_unknown_name_stops_without_a_word_as_the_check_of_words_has_told_it(game: Game, text: str) -> None:
    assert stopped_by(lambda: scene(game, 3).value(Expression(text, AT))) is None


NUMBERS: list[tuple[str, int | None, str, str]] = [
    ("7", 7, "", ""),
    ("0", 0, "", ""),
    ("all", None, "", ""),
    ("7 / players", 0, "not-whole", "'7 / players' gives 2.33333"),
    ("players > 2", 0, "not-whole", "'players > 2' gives yes"),
    ("'a' ~ players", 0, "not-whole", "\"'a' ~ players\" gives 'a3'"),
    ("facts['none']", 0, "not-whole", "\"facts['none']\" gives nothing"),
    ("1 - players", 0, "negative-amount", "'1 - players' gives -2"),
]


@pytest.mark.parametrize(("text", "number", "code", "what"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_an_amount_is_a_whole_number_from_zero(game: Game, text: str, number: int | None, code: str, what: str) -> None:
    moment = scene(replace(game, facts={"none": None}), 3, "long")
    amount = Amount({None: Expression(text, AT)}, AT)
    if not code:
        assert moment.number_or_all(amount) == number
        return
    problem = stopped_by(lambda: moment.number_or_all(amount))
    assert problem is not None
    assert (problem.code, problem.what, problem.source, problem.players) == (code, what, AT, 3)
    whole = "a number of cards is a whole number; // divides without a remainder"
    assert problem.fix == (whole if code == "not-whole" else "an amount is 0 or more; max(0, ...) keeps it there")


def test_an_amount_for_each_player_count_names_those_that_there_are(game: Game) -> None:
    amount = Amount({4: Expression("1", AT), 2: Expression("players + 1", AT)}, AT)
    assert scene(game, 2).number(amount) == 3
    problem = stopped_by(lambda: scene(game, 3).number(amount))
    assert problem is not None
    assert (problem.code, problem.source, problem.players) == ("missing-count", AT, 3)
    assert problem.what == "there is no number for 3 players, only for 2, 4"
    assert problem.fix == "add '3: ...', or say 'only:' for which player counts the step is"


@pytest.mark.parametrize(
    ("text", "seat"), [("1", 1), ("3", 3), ("4", 1), ("0", 3), ("-1", 2), ("seat + 1", 3), ("players * 2", 3)]
)
def test_seats_stand_in_a_ring(game: Game, text: str, seat: int) -> None:
    assert scene(game, 3, None, 2).seat_of(Expression(text, AT)) == seat


def test_a_seat_is_a_whole_number(game: Game) -> None:
    problem = stopped_by(lambda: scene(game, 3, None, 2).seat_of(Expression("1 > 0", AT), "left hand"))
    assert problem is not None
    assert (problem.code, problem.what) == ("not-whole", "'1 > 0' gives yes")


def test_a_text_is_said_with_its_expressions(game: Game) -> None:
    moment = scene(game, 3, None, 2)
    assert (
        moment.spoken(Expression("{{ players }} of {{ 5 / 2 }}: {{ players > 2 }}{{ variant }}.", AT))
        == "3 of 2.5: yes."
    )
    problem = stopped_by(lambda: moment.spoken(Expression("all {{ 7 // 0 }}", AT)))
    assert problem is not None
    assert problem.source == Source(AT.file, AT.line, AT.column + 7)


def test_a_value_does_not_see_the_seat_and_one_that_needs_itself_is_told() -> None:
    setup = "values:\n  mine: seat\n  one: two\n  two: one + 1\nsetup:\n  - {pile: draw, take: {cards: 1}}\n"
    moment = scene(small_game(setup, cards=9), 2, None, 1)
    assert stopped_by(lambda: moment.value(Expression("mine", AT))) is None
    problem = stopped_by(lambda: moment.value(Expression("one", AT)))
    assert problem is not None
    assert (problem.code, problem.source.line) == ("circular-value", 3)
    assert problem.what == "the value 'one' needs itself: one -> two -> one"
    assert problem.fix == "compute one of them from something else"


def test_cards_are_printed_for_the_player_counts_whose_steps_may_take_them() -> None:
    setup = (
        "setup:\n  - {pile: stock, only: [3, 4], take: {kit: {where: \"card.id == 'boat'\", count: 1}, duck: all}}\n"
    )
    game = rich_game(setup)
    copies = {players: copies_for(game, players) for players in (None, 2, 3, 4)}
    assert [copies[players]["kit", "boat"] for players in copies] == [8, 0, 6, 8]
    assert [copies[players]["kit", "dog"] for players in copies] == [4, 2, 3, 4]  # no step ever takes it
    assert [copies[players]["duck", "teal-hen"] for players in copies] == [5, 0, 5, 5]
    assert [copies[players]["blind", "a-1"] for players in copies] == [1, 1, 1, 1]


def test_relations_may_need_others_as_deep_as_values_may() -> None:
    def seat_in_a_chain(length: int) -> int:
        chain = "".join(f"    r{at}: r{at + 1}\n" for at in range(length - 1))
        relations = f"seats:\n  relations:\n{chain}    r{length - 1}: seat + 1\n"
        moment = scene(rich_game(f"{relations}setup:\n  - {{row: line, take: {{duck: 1}}}}\n"), 3, None, 1)
        return moment.seat_of(Expression("r0", AT))

    assert seat_in_a_chain(MAX_PENDING) == 2
    problem = stopped_by(lambda: seat_in_a_chain(MAX_PENDING + 1))
    assert problem is not None
    assert problem.what == f"the value 'r{MAX_PENDING}' needs others that need others, more than 40 deep"


@pytest.mark.parametrize("where", ["card.cost > 2", "card.cost + 1 > 2", "-card.cost < 0", "max(card.cost, 1) == 1"])
def test_a_condition_that_computes_with_an_empty_number_is_told(where: str) -> None:
    duck = small_deck("duck", [{"id": "teal", "cost": None}, {"id": "smew", "cost": 3}])
    what = f"'{where}' fails: an empty value can be neither calculated with nor compared: 'cost' of card 'teal'"
    step = "setup:\n  - pile: pile\n    take: {duck: %s}\n"
    found = said(check_game(small_game(step % f"{{where: '{where}'}}", duck)))
    assert found[0] == f"3:26 bad-expression {what}"
    expectation = f"expect:\n  - that: \"count('duck', where='{where}') >= 0\""
    assert said(check_game(small_game(step % "all" + expectation, duck))) == [f"5:11 bad-expression {what}"]
