"""A slip in a game that was fine is told once, at its place, with what may be meant and what else may be done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import running
from duckpress.cli.commands import main

WEATHER, CROP, CARDS = "decks/weather.yaml", "decks/crop.yaml", "decks/weather.csv"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    running.run(tmp_path, "new", "g", status=0)
    return tmp_path / "content" / "g"


def errors(game: Path) -> list[dict[str, Any]]:
    workspace = str(game.parent.parent)
    done = CliRunner().invoke(main, ["--workspace", workspace, "check", "g", "--no-cache", "--format", "json"])
    return [problem for problem in json.loads(done.output)["problems"] if problem["level"] == "error"]


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "after", "line", "told"),
    [
        ("fields: {", "fields {", 9, ("there is no ':' after 'fields'", "write 'fields: {...'")),
        ("fields: {name", "fields {\n  name", 9, ("there is no ':' after 'fields'", "write 'fields: {...'")),
        ("cards:\n", "cards [\n", 10, ("there is no ':' after 'cards'", "write 'cards: [...'")),
        ("points: 2,", "points: a {x} b: 2,", 11, ("there is no ',' or '}'", "write a ',' there")),
    ],
)
def test_a_key_without_its_colon(game: Path, before: str, after: str, line: int, told: tuple[str, str]) -> None:
    change(game / WEATHER, before, after)
    (problem,) = errors(game)
    assert (problem["code"], problem["line"]) == ("yaml-syntax", line)
    assert problem["what"].startswith(told[0])
    assert problem["fix"].startswith(told[1])


def test_a_name_that_is_near_hides_no_declaration(game: Path) -> None:
    change(game / WEATHER, "fields: {", "fields: {Stone: {optional: yes}, ")
    change(game / WEATHER, "{id: rain, ", "{id: rain, Stage: x, ")
    (problem,) = errors(game)
    assert problem["fix"] == "did you mean 'Stone'? Or declare it (add 'Stage: text' under 'fields')"


def test_a_wrong_colour_is_told_once_for_a_card(game: Path) -> None:
    """Four elements of the card take it."""
    change(game / CROP, '"{{ crop.colour }}"', "inkk")
    told = errors(game)
    assert {problem["code"] for problem in told} == {"unknown-colour"}
    cards = [problem["what"].split("'")[1] for problem in told]
    assert len(cards) == len(set(cards)) == 15
    assert {problem["fix"] for problem in told} == {"did you mean 'ink'? Or declare it under 'colours' of the theme"}


def test_copies_that_cannot_be_read_are_one_mistake(game: Path) -> None:
    """Totals, steps and expectations that hang on how many cards there are say nothing then."""
    change(game / CROP, "copies: 2", "copies: two")
    (problem,) = errors(game)
    assert (problem["code"], problem["fix"]) == ("wrong-type", "write a whole number")


@pytest.mark.parametrize(
    ("rows", "fix"),
    [
        ("id,name,points,text\na,A,1,x\n,B,2,y\n", "fill its cell in column 'id'"),
        ("name,points,text\nA,1,x\nB,2,y\n", "add it; if another row names the columns, delete what stands above"),
    ],
)
def test_an_id_that_a_table_lacks_is_put_into_the_table(game: Path, rows: str, fix: str) -> None:
    text = (game / WEATHER).read_text("utf-8")
    (game / WEATHER).write_text(text.partition("cards:")[0] + "cards: weather.csv\n", encoding="utf-8")
    (game / CARDS).write_text(rows, encoding="utf-8")
    (problem,) = errors(game)
    assert problem["code"] == "missing-key"
    assert problem["fix"].startswith(fix)
