"""Printed at 300 dpi, turned over and cut, every card has its own face and back; files for a printer are corrected."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace
from shop import compared, make_shop, print_shop

from duckpress.core.printer_profile import Margins, Printer
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from running import run, run_json

COPIES = {"ada": 2, "bo": 1, "cy": 5}


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("size", "paper", "turn", "backs"),
    [
        ("poker", "a4", "long", "each"),
        ("poker", "letter", "short", "shared"),
        ("poker-landscape", "letter", "short", "each"),
        ("bridge", "a4", "long", "none"),
    ],
)
def test_cards_come_out_right(size: str, paper: str, turn: str, backs: str, tmp_path: Path) -> None:
    printed_and_compared(size, paper, backs, Request(turn=turn), tmp_path)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("size", "turn", "cut"), [("poker", "long", "lines"), ("mini-euro", "short", "marks")])
def test_cards_with_room_between_them_come_out_right(size: str, turn: str, cut: str, tmp_path: Path) -> None:
    printed_and_compared(size, "a4", "mixed", Request(turn=turn, cut=cut, gaps="always"), tmp_path)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("paper", "turn"), [("a4", "long"), ("letter", "short")])
def test_new_cards_of_an_update_come_out_right(paper: str, turn: str, tmp_path: Path) -> None:
    """Just those put in, each with its own back."""
    workspace = make_shop(tmp_path, "poker", COPIES)
    run(workspace, "release", "shop", status=0)
    for name, *changes in (
        ("decks/card", ("copies: 2, number: 0", "copies: 2, number: 4"), ("id: cy, copies: 5", "id: cy, copies: 7")),
        ("game", ("1.0", "1.1")),
    ):
        path = tmp_path / "content" / "shop" / f"{name}.yaml"
        path.write_text(reduce(lambda text, change: text.replace(*change), changes, path.read_text()))
    data = run_json(workspace, "update", "shop", "--paper", paper, "--turn", turn, "--backs", "duplex")
    assert set(data) == {"game", "folder", "files", "sheets", "take_out", "put_in", "changes", "problems"}
    assert [(one["card"], one["copies"]) for one in data["take_out"]] == [("ada", 2)]
    found = compared(workspace, Path(data["folder"]) / f"shop-update-{paper}.pdf", "poker")
    assert found == {one["card"]: one["copies"] for one in data["put_in"]} == {"ada": 2, "cy": 2}


def printed_and_compared(size: str, paper: str, backs: str, request: Request, folder: Path) -> None:
    """Print the shop's cards, cut them out and compare them."""
    workspace = make_shop(folder, size, COPIES, backs=backs)
    (pdf,) = print_shop(workspace, replace(request, papers=(paper,)), folder / "out")
    assert compared(workspace, pdf, size) == COPIES


PRINTER = Printer("den", 1.4, -0.9, 0.985, 1.006, Margins(3.0, 4.0, 9.0, 4.0))


def test_corrected_files_are_kept_apart_and_say_so(tmp_path: Path) -> None:
    workspace = make_shop(tmp_path, "square-70", {"ada": 1})
    (plain,) = print_shop(workspace, Request(papers=("a4",)), tmp_path / "out")
    before = plain.read_bytes()
    (pdf,) = print_shop(workspace, Request(papers=("a4",), printer=PRINTER), tmp_path / "out")
    assert pdf == tmp_path / "out" / "shop" / "printer-den" / "shop-cards-a4-printer-den.pdf"
    assert plain.read_bytes() == before
    words = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()
    assert "corrected for printer den" in words
    with pikepdf.open(pdf) as document:
        left, bottom, right, top = (float(edge) * 25.4 / 72 for edge in document.pages[0].TrimBox)
    # Larger across, where the printer prints too short.
    assert (right - left, top - bottom) == pytest.approx((70 / 0.985, 70 / 1.006), abs=0.01)


def test_cards_without_room_inside_the_margins_are_refused_with_the_figures(tmp_path: Path) -> None:
    workspace = make_shop(tmp_path, "jumbo", COPIES)
    wide = Printer("wide", margins=Margins(35.0, 40.0, 35.0, 40.0))
    built = build(workspace, load(workspace, "shop"), Request(papers=("photo-5x7",), printer=wide), tmp_path / "out")
    (problem,) = built.checked.problems
    assert problem.code == "does-not-fit"
    assert "does not fit 'photo-5x7': with crop marks it needs 91.5 x 142.3 mm" in problem.what
    assert "of 47 x 107.8 mm inside margins of 40 mm at the sides and 35 mm at top and bottom" in problem.what
    assert "print on a4 or letter or a3 or legal or tabloid" in problem.fix
    assert not (tmp_path / "out").exists()


def test_a_margin_at_one_edge_does_not_cost_room_at_the_others(tmp_path: Path) -> None:
    workspace = make_shop(tmp_path, "poker", {"ada": 9})
    for edges, sheets in ((Margins(3.0, 3.0, 12.7, 3.0), 1), (Margins(12.7, 12.7, 12.7, 12.7), 2)):
        request = Request(papers=("a4",), printer=Printer("inkjet", margins=edges))
        built = build(workspace, load(workspace, "shop"), request, tmp_path / "out")
        assert not built.checked.has_errors
        assert built.pieces[0].sheets == {"a4": sheets}
        width, height = pypdfium2.PdfDocument(built.folder / "shop-cards-a4-printer-inkjet.pdf")[0].get_size()
        assert width < height, "it stands upright, as it goes through the printer"
