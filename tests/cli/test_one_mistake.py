"""A slip in a game that was fine is told once, at its place, with what may be meant; in many cards with their count."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import running
from duckpress.files.workspace import Workspace
from held_pond import Pond
from running import MakeWorkspace


@pytest.fixture
def game(tmp_path: Path) -> Pond:
    pond = Pond(tmp_path)
    pond.done("new", "pond")
    return pond


def errors(game: Pond) -> list[dict[str, Any]]:
    problems = running.run_json(game.root, "check", "pond", "--no-cache", status=1)["problems"]
    return [problem for problem in problems if problem["level"] == "error"]


def test_a_name_that_is_near_hides_no_declaration(game: Pond) -> None:
    near = ("fields: {", "fields: {Stone: {optional: yes}, "), ("{id: rain, ", "{id: rain, Stage: x, ")
    game.edit("decks/weather.yaml", *near)
    (problem,) = errors(game)
    assert problem["fix"] == "did you mean 'Stone'? Or declare it (add 'Stage: text' under 'fields')"


def test_a_wrong_colour_is_told_once_for_a_card(game: Pond) -> None:
    """Four elements of the card take it."""
    game.edit("decks/crop.yaml", ('"{{ crop.colour }}"', "inkk"))
    cards = [problem["what"].split("'")[1] for problem in errors(game) if problem["code"] == "unknown-colour"]
    assert len(cards) == len(set(cards)) == 15


def test_copies_that_cannot_be_read_are_one_mistake(game: Pond) -> None:
    """Totals, steps and expectations that hang on how many cards there are say nothing then."""
    game.edit("decks/crop.yaml", ("copies: 2", "copies: two"))
    (problem,) = errors(game)
    assert (problem["code"], problem["fix"]) == ("wrong-type", "write a whole number")


MANY = 40
_WORDS = "one more word that the box is far too small for"


def game_of(make_workspace: MakeWorkspace, rows: str, fields: str = "{text: text}") -> Workspace:
    return make_workspace(
        {
            "content/g/game.yaml": "title: G\nversion: '1.0'\ndesigner: D\nplayers: 2\nlicence: L\n"
            "languages: [en]\ntheme: base\n"
            "pieces: [{id: items, title: Items, decks: [item]}]\n",
            "content/g/decks/item.yaml": f"title: Items\nsize: poker\nfront: card\nfields: {fields}\ncards: item.csv\n"
            "component: no\n",
            "content/g/decks/item.csv": rows,
            "content/g/layouts/card.xml": '<face><text x="6" y="6" width="30" height="9">{{ card.text }}</text></face>',
        }
    )


def test_many_texts_that_are_too_long(make_workspace: MakeWorkspace) -> None:
    rows = "".join(f"c{number},{number} {' '.join([_WORDS] * (number % 9 + 3))}\n" for number in range(MANY))
    workspace = game_of(make_workspace, f"id,text\n{rows}")
    told = running.run(workspace, "check", "g").output
    assert f"error[text-overflow]: {MANY} of the same kind, the worst first:" in told
    over = [float(size) for size in re.findall(r"is ([0-9.]+) mm over", told)]
    assert over == sorted(over, reverse=True)
    assert len(over) == 5
    assert f"... and {MANY - 5} more" in told
    assert f"\ng: {MANY} errors; checked: " in told
    problems = running.run_json(workspace, "check", "g", status=1)["problems"]
    assert [problem["code"] for problem in problems] == ["text-overflow"] * MANY  # and nothing that follows from it
    assert len({problem["cause"] for problem in problems}) == 1
    assert max(float(problem["what"].partition(" mm over")[0].rpartition(" ")[2]) for problem in problems) == over[0]


def test_the_same_wrong_id_copies_or_cell_in_many_rows_and_in_few(make_workspace: MakeWorkspace) -> None:
    for rows, code in (
        ("id,text\n" + "same,A\n" * (MANY + 1), "duplicate-id"),
        ("id,text\n" + "".join(f"Not good {number},A\n" for number in range(MANY)), "bad-id"),
        ("id,text,copies\n" + "".join(f"c{number},A,two\n" for number in range(MANY)), "wrong-type"),
        ("id,text\n" + "".join(f"c{number},A,B\n" for number in range(MANY)), "csv-row"),
    ):
        told = running.run(game_of(make_workspace, rows), "check", "g").output
        assert f"error[{code}]: {MANY} of the same kind:\n" in told
        assert told.count("    fix: ") == (5 if code == "bad-id" else 1)
        assert f"\ng: {MANY} errors; checked: " in told
    few = game_of(make_workspace, "id,text,copies\na,A,x\nb,B,y\n")
    assert running.run(few, "check", "g").output.count("error[wrong-type]: 'copies' of card") == 2


def test_a_forced_build_prints_the_cards_that_could_be_read(make_workspace: MakeWorkspace) -> None:
    """A card with a wrong value, one with a wrong icon and one that is too long hide no other, and are there."""
    rows = f"a,Fine,1\nb,Wrong,many\nc,Icon {{none}},1\nd,{' '.join([_WORDS] * 9)},1\n"
    workspace = game_of(make_workspace, f"id,text,cost\n{rows}", "{text: text, cost: whole}")
    assert "nothing printed: 1 error" in running.run(workspace, "build", "g", "--paper", "a4").output
    assert "g: G: 3 errors" in running.run(workspace, "build", "g", "--paper", "a4", "--force", status=1).output
    document = pypdfium2.PdfDocument(workspace.root / "output/g/g-items-a4.pdf")
    words = document[0].get_textpage().get_text_bounded()
    assert all(word in words for word in ("DRAFT", "Fine", "Wrong", "{none}", "far too small"))
