"""The same mistake of many cards: the terminal tells it once, with the worst and their number; JSON has all."""

from __future__ import annotations

import json
import re

import pypdfium2
from click.testing import CliRunner

import running
from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from kinds import MakeWorkspace

MANY = 40
_WORDS = "one more word that the box is far too small for"


def run(workspace: Workspace, form: str) -> str:
    return running.run(workspace, "check", "g", "--format", form).output


def game(make_workspace: MakeWorkspace, rows: str, fields: str = "{text: text}") -> Workspace:
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
    workspace = game(make_workspace, f"id,text\n{rows}")
    told = run(workspace, "text")
    assert f"error[text-overflow]: {MANY} of the same kind, the worst first:" in told
    over = [float(size) for size in re.findall(r"is ([0-9.]+) mm over", told)]
    assert over == sorted(over, reverse=True)
    assert len(over) == 5
    assert f"... and {MANY - 5} more" in told
    assert told.endswith(f"g: {MANY} errors\n")
    problems = json.loads(run(workspace, "json"))["problems"]
    assert [problem["code"] for problem in problems] == ["text-overflow"] * MANY  # and nothing that follows from it
    assert len({problem["cause"] for problem in problems}) == 1
    assert max(float(problem["what"].partition(" mm over")[0].rpartition(" ")[2]) for problem in problems) == over[0]


def test_the_same_wrong_value_in_many_rows(make_workspace: MakeWorkspace) -> None:
    rows = "".join(f"c{number},A,many\n" for number in range(MANY))
    workspace = game(make_workspace, f"id,text,cost\n{rows}", "{text: text, cost: whole}")
    told = run(workspace, "text")
    assert f"content/g/decks/item.csv:2:6: error[wrong-type]: {MANY} of the same kind:\n" in told
    assert "    content/g/decks/item.csv:3:6: 'cost' of card 'c1' is 'many', not a whole number\n" in told
    assert told.count("fix: write a whole number") == 1
    assert told.endswith(f"g: {MANY} errors\n")
    assert len(json.loads(run(workspace, "json"))["problems"]) == MANY


def test_few_of_a_kind_are_told_one_by_one(make_workspace: MakeWorkspace) -> None:
    workspace = game(make_workspace, "id,text,cost\na,A,x\nb,B,y\n", "{text: text, cost: whole}")
    assert run(workspace, "text").count("error[wrong-type]: 'cost' of card") == 2


def test_the_same_wrong_id_copies_or_cell_in_many_rows(make_workspace: MakeWorkspace) -> None:
    for rows, code in (
        ("id,text\n" + "same,A\n" * (MANY + 1), "duplicate-id"),
        ("id,text\n" + "".join(f"Not good {number},A\n" for number in range(MANY)), "bad-id"),
        ("id,text,copies\n" + "".join(f"c{number},A,two\n" for number in range(MANY)), "wrong-type"),
        ("id,text\n" + "".join(f"c{number},A,B\n" for number in range(MANY)), "csv-row"),
    ):
        told = run(game(make_workspace, rows), "text")
        assert f"error[{code}]: {MANY} of the same kind:\n" in told
        assert told.endswith(f"g: {MANY} errors\n")


def test_a_forced_build_prints_the_cards_that_could_be_read(make_workspace: MakeWorkspace) -> None:
    """A card with a wrong value, one with a wrong icon and one that is too long hide no other, and are there."""
    rows = f"a,Fine,1\nb,Wrong,many\nc,Icon {{none}},1\nd,{' '.join([_WORDS] * 9)},1\n"
    workspace = game(make_workspace, f"id,text,cost\n{rows}", "{text: text, cost: whole}")
    arguments = ["--workspace", str(workspace.root), "build", "g", "--paper", "a4"]
    assert "nothing printed: 1 error" in CliRunner().invoke(main, arguments).output
    done = CliRunner().invoke(main, [*arguments, "--force"])
    assert done.exit_code == 1
    assert "g: 3 errors" in done.output
    document = pypdfium2.PdfDocument(workspace.root / "output/g/g-items-a4.pdf")
    words = document[0].get_textpage().get_text_bounded()
    assert all(word in words for word in ("DRAFT", "Fine", "Wrong", "{none}", "far too small"))
