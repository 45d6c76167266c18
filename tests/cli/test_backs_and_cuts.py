"""`build` with backs elsewhere than behind the fronts, gaps and cut lines: files, and what their pages hold."""

from __future__ import annotations

import json

import pikepdf
import pytest
from click.testing import Result

import running
from duckpress import cli
from duckpress.cli.options import CUTS, GAPS
from duckpress.files.workspace import Workspace
from duckpress.impose import Backs, Gaps
from duckpress.impose.sheets import Cut
from pdf_reading import pages_of
from printed_pond import POND
from running import MakeWorkspace


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(POND)


def run(workspace: Workspace, line: str, status: int = cli.DONE) -> Result:
    return running.run(workspace, *line.split(), columns=120, status=status)


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
        "pond-alone-a4.pdf": ("duplex", 1, 1),
        "pond-all-a4-gutterfold.pdf": ("gutterfold", 4, 4),
        "pond-cards-a4-gutterfold.pdf": ("gutterfold", 3, 3),
        "pond-alone-a4-gutterfold.pdf": ("gutterfold", 1, 1),
        "pond-all-a4-fronts.pdf": ("none", 3, 3),
        "pond-cards-a4-fronts.pdf": ("none", 2, 2),
        "pond-alone-a4-fronts.pdf": ("none", 1, 1),
        # The board has no back: no file of their own, and an empty page where all lie together.
        "pond-all-a4-backs.pdf": ("only", 3, 3),
        "pond-cards-a4-backs.pdf": ("only", 2, 2),
    }
    assert pages_of(folder / "pond-all-a4-backs.pdf")[2] == ""
    assert "teal" not in "".join(pages_of(folder / "pond-all-a4-backs.pdf"))
    assert "flip on the long edge" in pages_of(folder / "pond-cards-a4-backs.pdf")[0]
    assert "fold back along the dashed line" in pages_of(folder / "pond-cards-a4-gutterfold.pdf")[0]
    with pikepdf.open(folder / "pond-cards-a4-gutterfold.pdf") as pdf:
        assert pdf.Root.ViewerPreferences.Duplex == pikepdf.Name.Simplex


def test_cut_lines_need_not_be_printed(workspace: Workspace) -> None:
    run(workspace, "build pond --paper a4 --piece cards --cut lines --cut-print no --gaps always")
    with pikepdf.open(workspace.root / "output" / "pond" / "pond-cards-a4.pdf") as pdf:
        (layer,) = pdf.Root.OCProperties.OCGs
        assert (str(layer.Name), layer.Usage.Print.PrintState) == ("Cut lines", pikepdf.Name.OFF)


def test_nothing_is_printed_where_nothing_has_a_back(workspace: Workspace) -> None:
    done = run(workspace, "build pond --paper a4 --piece alone --backs only", status=cli.CONTENT_ERROR)
    assert "nothing printed: 1 error" in done.output
    assert "error[nothing-to-print]: nothing that would be printed has a back" in done.output


def test_unlike_cards_have_room_in_every_file_and_who_wants_none_is_told(make_workspace: MakeWorkspace) -> None:
    """Nine cards of two grounds would fill a sheet, and with two aids of a third piece the sheets of all of them."""
    deck = "title: {0}\nsize: poker\nfront: card\nfields: {{fill: colour}}\ncards:\n{1}"
    cards = '  - {{id: {}, copies: {}, fill: "{}"}}\n'
    ducks = cards.format("teal", 4, "#aa2222") + cards.format("coot", 5, "#2233aa")
    files = {
        **POND,
        "content/pond/setup.yaml": "setup: []\n",
        "content/pond/decks/cards.yaml": deck.format("Cards", ducks),
        "content/pond/boards/alone.yaml": deck.format("Alone", cards.format("help", 9, "#22aa33")),
        "content/pond/layouts/card.xml": '<face><ground fill="{{ card.fill }}"/></face>\n',
    }
    workspace = make_workspace(files)
    by_default = run(workspace, "build pond --paper a4").output
    assert "touching-edges" not in by_default
    assert sheets_of(workspace) == {"pond-cards-a4.pdf": 2, "pond-alone-a4.pdf": 1, "pond-all-a4.pdf": 3}
    never = run(workspace, "build pond --paper a4 --gaps never").output
    assert (
        "warning[touching-edges]: the fronts of cards 'teal' and 'coot' of deck 'cards' touch in pond-cards-a4.pdf, "
        "pond-all-a4.pdf, and their colours differ there"
    ) in never
    assert "'help'" not in never
    assert sheets_of(workspace) == {"pond-cards-a4.pdf": 1, "pond-alone-a4.pdf": 1, "pond-all-a4.pdf": 2}
    assert "touching-edges" not in run(workspace, "check pond").output


def sheets_of(workspace: Workspace) -> dict[str, int]:
    manifest = json.loads((workspace.root / "output" / "pond" / "manifest.json").read_text())
    return {entry["name"]: entry["sheets"] for entry in manifest["files"]}
