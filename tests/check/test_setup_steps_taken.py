"""How many steps of the limit `setup-steps` a setup takes: a step more or less and the limit means something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_setup_values import AT, VALUES, valued_game

from duckpress.check import deal_cards
from duckpress.check.expectations import failed_expectations, seating_problems, unbalanced_sets, wrong_totals
from duckpress.check.expressions import Spent
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.core import limits
from duckpress.core.problems import MachineError
from duckpress.model.setup import Expression
from rich_setup import rich_game

MORE = """
totals:
  ducks: {of: duck, count: 40}
  hens: {of: duck, where: card.sex == 'hen', count: 20}
balanced:
  - {deck: duck, by: value, field: sex}
expect:
  - {that: hand > 0, each: player, say: "{{ hand }} cards and many words, so that a text of them is counted, too, here"}
  - {that: left('duck'), is: 0, when: variant == ''}
"""


def taken(book: Book, do: Callable[[], object]) -> int:
    before = book.calculator.budget.steps_left
    do()
    return before - book.calculator.budget.steps_left


def test_what_a_setup_takes(golden: Callable[[Path, str], None]) -> None:
    game = valued_game(MORE)
    assert game.setup is not None
    book = Book(game, game.setup)
    runs = Runs(book)
    lines = []
    for variant in (None, "long"):
        for players in game.players:
            steps = taken(book, lambda: runs.run(players, variant))  # noqa: B023
            lines.append(f"{players} {variant}: {steps}")
    run = runs.run(3, "long")
    for name, problems in {
        "expectations": lambda: list(failed_expectations(book, run)),
        "totals": lambda: list(wrong_totals(book, run.steps.first_scene)),
        "balanced": lambda: list(unbalanced_sets(book)),
        "seats": lambda: list(seating_problems(run.steps.first_scene)),
    }.items():
        lines.append(f"{name}: {taken(book, problems)}")
    text = Expression("{{ players }} " + "cards " * 30 + "{{ facts['row'] }}", AT)
    lines.append(f"a text: {taken(book, lambda: run.steps.first_scene.spoken(text))}")
    for (players, variant, seat), expressions in VALUES.items():
        moment = runs.run(players, variant).steps.first_scene.at_seat(seat)
        for text in expressions:
            if (
                "bag" in text
                or "flock" in text
                or text in ("market", "twice", "facts['limit']", "lists['kinds'][0].id")
            ):
                continue
            try:
                steps = taken(book, lambda: moment.value(Expression(text, AT)))  # noqa: B023
            except Exception:
                continue
            lines.append(f"{text} at {players} {variant} {seat}: {steps}")
    golden(Path(__file__).with_name("golden") / "steps-taken.txt", "\n".join([*lines, ""]))


def test_what_a_shortage_takes() -> None:
    where = "{where: card.sex == 'hen', count: 6}"
    game = rich_game(f"setup:\n  - {{row: market, take: {{duck: 25}}}}\n  - {{pile: hens, take: {{duck: {where}}}}}\n")
    assert game.setup is not None
    book = Book(game, game.setup)
    assert taken(book, lambda: Runs(book).run(2, None)) == 2_724


def test_a_deal_takes_as_many_steps_as_this() -> None:
    game = rich_game()
    for players, variant, steps in ((2, None, 7_712), (4, "long", 8_488)):
        limits.use({"setup-steps": steps})
        deal_cards(game, players, "candle", variant)
        limits.use({"setup-steps": steps - 1})
        with pytest.raises(MachineError, match="the cards cannot be dealt"):
            deal_cards(game, players, "candle", variant)


@pytest.mark.parametrize(("most", "line"), [(1_500, 2), (3_000, 10), (4_000, 15), (5_600, 23)])
def test_too_many_steps_are_told_at_the_place_that_took_the_last(most: int, line: int) -> None:
    game = rich_game()
    assert game.setup is not None
    limits.use({"setup-steps": most})
    with pytest.raises(Spent) as spent:
        Runs(Book(game, game.setup)).run(2, None)
    assert (spent.value.problem.code, spent.value.problem.source.line) == ("too-many-steps", line)


def test_what_a_step_itself_takes_is_told_at_the_step() -> None:
    first = "setup:\n  - {pile: stock, take: {duck: 4}}\n"
    game = rich_game(first)
    assert game.setup is not None
    book = Book(game, game.setup)
    steps = taken(book, lambda: Runs(book).run(2, None))
    game = rich_game(f"{first}  - row: line\n    take: {{stock: 1}}\n")
    assert game.setup is not None
    limits.use({"setup-steps": steps})
    with pytest.raises(Spent) as spent:
        Runs(Book(game, game.setup)).run(2, None)
    assert spent.value.problem.source == game.setup.steps[1].source
