"""Files for a printer that prints too short or too long: corrected, kept apart, within the edges that it reaches."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from shop import make_shop, print_shop

from duckpress.core.printer_profile import Margins, Printer
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

COPIES = {"ada": 2, "bo": 1, "cy": 5}
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
