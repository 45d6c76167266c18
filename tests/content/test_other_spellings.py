"""What people write in other words than the reference has: it is read where it can mean one thing only."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.cli.options import choice_of, papers, sleeve
from duckpress.content import read_yaml
from duckpress.content.game.deck_file import SIZE
from duckpress.content.game.fields import FIELDS
from duckpress.content.setup.step_section import PLAYER_COUNTS
from duckpress.content.yaml.declared_shapes import Kind
from duckpress.content.yaml.kinds import choice
from small_games import small_game


def read(kind: Kind[object], text: str) -> object:
    """Return the value of a text, or the code of what is wrong with it."""
    node = read_yaml("f.yaml", text.encode()).value
    assert node is not None
    value, problems = kind.read(node, "it")
    return problems[0].code if problems else value


@pytest.mark.parametrize(
    ("text", "word"), [("Red", "Red"), ("red", "red"), ("RED", "unknown-choice"), ("bLUE", "blue")]
)
def test_a_choice_is_read_in_any_case_but_an_exact_one_comes_first(text: str, word: str) -> None:
    assert read(choice(("red", "Red", "blue")), text) == word


def test_kinds_have_the_words_of_programmers() -> None:
    fields, problems = FIELDS.read(read_yaml("f", b"{a: Integer, b: {kind: boolean}, c: string, d: Whole}").value, "it")  # type: ignore[arg-type]
    assert ([field.kind.value for field in (fields or {}).values()], problems) == (
        ["whole", "yes-no", "text", "whole"],
        [],
    )


@pytest.mark.parametrize(
    ("text", "trim"),
    [
        ("Poker", (63.5, 88.9)), ("63x88", (63, 88)), ("63 × 88 mm", (63, 88)), ("1X2in", (25.4, 50.8)),
        ("63x4", "out-of-range"), ("63x88x3", "unknown-size"), ("63x", "unknown-size"),
    ],
)  # fmt: skip
def test_a_size_is_a_name_in_any_case_or_two_sides(text: str, trim: object) -> None:
    size = read(SIZE, text)
    assert getattr(size, "trim", size) == trim


def test_options_take_names_in_any_case() -> None:
    assert papers("A4,Letter,a4,320X450mm") == ("a4", "letter", "320x450mm")
    assert sleeve("Standard").name == "standard"
    assert choice_of(("marks", "none")).convert("Marks", None, None) == "marks"


@pytest.mark.parametrize(("text", "counts"), [("2..4", (2, 3, 4)), ("3+", tuple(range(3, 101))), ("3..", None)])
def test_player_counts(text: str, counts: object) -> None:
    assert read(PLAYER_COUNTS, text) == (counts or "bad-player-count")


def test_a_count_and_more_ends_with_the_games_most() -> None:
    setup = "setup:\n  - {pile: a, take: {duck: {2: 12, 3+: 12}}}\n  - {row: b, only: %s, take: {a: 1}}\n"
    assert check_game(small_game(setup % "3+", duck=12)) == []
    assert [one.code for one in check_game(small_game(setup % "7+", duck=12))] == ["extra-count"]
