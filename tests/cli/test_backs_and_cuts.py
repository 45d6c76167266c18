"""`build` with backs elsewhere than behind the fronts, gaps and cut lines: files, and what their pages hold."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import Result

import running
from duckpress import cli
from duckpress.cli.options import CUTS, GAPS
from duckpress.files.workspace import Workspace
from duckpress.impose import Backs, Gaps
from duckpress.impose.sheets import Cut
from running import MakeWorkspace

FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "1.0"\ndesigner: Nobody\nplayers: 2\ntheme: pond\npieces:\n'
        "  - {id: cards, title: Cards, decks: [duck]}\n  - {id: chits, title: Chits, decks: [chit]}\n"
    ),
    "content/pond/theme.yaml": (
        'families: {body: Alegreya Sans}\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
        "text: {body: {font: body, size: 12, min: 8, colour: ink}}\n"
    ),
    "content/pond/decks/duck.yaml": (
        "title: Ducks\nsize: poker\nfront: face\nback: back\ncards: [{id: teal, copies: 5}, {id: coot, copies: 6}]\n"
    ),
    "content/pond/decks/chit.yaml": "title: Chits\nsize: token-1in\nfront: face\ncards: [{id: egg, copies: 3}]\n",
    "content/pond/layouts/face.xml": (
        '<face><ground fill="#e8d8b0"/>'
        '<text x="2" y="4" width="{{ trim.width - 4 }}" height="8">{{ card.id }}</text></face>\n'
    ),
    "content/pond/layouts/back.xml": (
        '<face><ground fill="#204060"/>'
        '<text x="2" y="4" width="{{ trim.width - 4 }}" height="8" fill="paper">back</text></face>\n'
    ),
}


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def run(workspace: Workspace, line: str, status: int = cli.DONE) -> Result:
    return running.run(workspace, *line.split(), columns=120, status=status)


def words(path: Path) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]


def test_the_command_offers_what_impose_knows() -> None:
    assert set(CUTS) == set(Cut)
    assert set(GAPS) | {"most", "least"} == set(Gaps)


def test_builds_of_all_kinds_stand_beside_each_other(workspace: Workspace) -> None:
    for backs in Backs:
        run(workspace, f"build pond --paper a4 --backs {backs}")
    folder = workspace.root / "output" / "pond"
    manifest = json.loads((folder / "manifest.json").read_text())
    found = {entry["name"]: (entry["backs"], entry["pages"], entry["sheets"]) for entry in manifest["files"]}
    assert found == {
        "pond-all-a4.pdf": ("duplex", 6, 3),
        "pond-cards-a4.pdf": ("duplex", 4, 2),
        "pond-chits-a4.pdf": ("duplex", 1, 1),
        "pond-all-a4-gutterfold.pdf": ("gutterfold", 4, 4),
        "pond-cards-a4-gutterfold.pdf": ("gutterfold", 3, 3),
        "pond-chits-a4-gutterfold.pdf": ("gutterfold", 1, 1),
        "pond-all-a4-fronts.pdf": ("none", 3, 3),
        "pond-cards-a4-fronts.pdf": ("none", 2, 2),
        "pond-chits-a4-fronts.pdf": ("none", 1, 1),
        # The chits have no backs: no file of their own, and an empty page where the others lie together.
        "pond-all-a4-backs.pdf": ("only", 3, 3),
        "pond-cards-a4-backs.pdf": ("only", 2, 2),
    }
    assert words(folder / "pond-all-a4-backs.pdf")[2] == ""
    assert "teal" not in "".join(words(folder / "pond-all-a4-backs.pdf"))
    assert "flip on the long edge" in words(folder / "pond-cards-a4-backs.pdf")[0]
    assert "fold back along the dashed line" in words(folder / "pond-cards-a4-gutterfold.pdf")[0]
    assert "back" not in "".join(words(folder / "pond-chits-a4-gutterfold.pdf")).split()
    with pikepdf.open(folder / "pond-cards-a4-gutterfold.pdf") as pdf:
        assert pdf.Root.ViewerPreferences.Duplex == pikepdf.Name.Simplex


def test_cut_lines_need_not_be_printed(workspace: Workspace) -> None:
    run(workspace, "build pond --paper a4 --piece cards --cut lines --cut-print no --gaps always")
    with pikepdf.open(workspace.root / "output" / "pond" / "pond-cards-a4.pdf") as pdf:
        (layer,) = pdf.Root.OCProperties.OCGs
        assert (str(layer.Name), layer.Usage.Print.PrintState) == ("Cut lines", pikepdf.Name.OFF)


def test_nothing_is_printed_where_nothing_has_a_back(workspace: Workspace) -> None:
    done = run(workspace, "build pond --paper a4 --piece chits --backs only", status=cli.CONTENT_ERROR)
    assert "nothing printed: 1 error" in done.output
    assert "error[nothing-to-print]: nothing that would be printed has a back" in done.output


def test_unlike_cards_have_room_in_every_file_and_who_wants_none_is_told(make_workspace: MakeWorkspace) -> None:
    """Nine cards of two grounds would fill a sheet, and with two aids of a third piece the sheets of all of them."""
    face = '<face><ground fill="{{ card.fill }}"/></face>\n'
    deck = "title: {0}\nsize: poker\nfront: {0}\nfields: {{fill: colour}}\ncards:\n{1}"
    cards = '  - {{id: {}, copies: {}, fill: "{}"}}\n'
    files: dict[str, str | bytes] = {
        **FILES,
        "content/pond/game.yaml": str(FILES["content/pond/game.yaml"]).replace("chits", "aids").replace("chit", "aid"),
        "content/pond/decks/duck.yaml": deck.format(
            "duck", cards.format("teal", 4, "#aa2222") + cards.format("coot", 5, "#2233aa")
        ),
        "content/pond/decks/aid.yaml": deck.format("aid", cards.format("help", 9, "#22aa33")),
        "content/pond/layouts/duck.xml": face,
        "content/pond/layouts/aid.xml": face,
    }
    del files["content/pond/decks/chit.yaml"]
    workspace = make_workspace(files)
    by_default = run(workspace, "build pond --paper a4").output
    assert "touching-edges" not in by_default
    assert sheets_of(workspace) == {"pond-cards-a4.pdf": 2, "pond-aids-a4.pdf": 1, "pond-all-a4.pdf": 3}
    never = run(workspace, "build pond --paper a4 --gaps never").output
    assert (
        "warning[touching-edges]: the fronts of cards 'teal' and 'coot' of deck 'duck' touch in pond-cards-a4.pdf, "
        "pond-all-a4.pdf, and their colours differ there"
    ) in never
    assert "'help'" not in never
    assert sheets_of(workspace) == {"pond-cards-a4.pdf": 1, "pond-aids-a4.pdf": 1, "pond-all-a4.pdf": 2}
    assert "touching-edges" not in run(workspace, "check pond").output


def sheets_of(workspace: Workspace) -> dict[str, int]:
    manifest = json.loads((workspace.root / "output" / "pond" / "manifest.json").read_text())
    return {entry["name"]: entry["sheets"] for entry in manifest["files"]}
