"""Printed at 300 dpi, turned over, cut at the marks: every card has its own face and its own back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from cutting import ALIKE, cut_sheets, difference, is_blank, most_like
from msgspec.structs import replace
from shop import faces, make_shop, print_shop

from duckpress.core.backs import Backs
from duckpress.core.sizes import FORMATS
from duckpress.press.request import Request

COPIES = {"ada": 3, "bo": 1, "cy": 7}


@pytest.mark.sweep(10)
@pytest.mark.parametrize(
    ("size", "paper", "turn", "backs"),
    [
        ("poker", "a4", "long", "each"),
        ("poker", "a4", "short", "each"),
        ("poker", "letter", "long", "each"),
        ("poker", "letter", "short", "shared"),
        ("poker-landscape", "a4", "long", "each"),
        ("poker-landscape", "letter", "short", "each"),
        ("bridge", "a4", "long", "none"),
        ("tarot", "letter", "short", "each"),
        ("mini-euro", "a4", "short", "each"),
        ("square-70", "a4", "long", "each"),
    ],
)
def test_cards_come_out_right(size: str, paper: str, turn: str, backs: str, tmp_path: Path) -> None:
    printed_and_compared(size, paper, backs, Request(turn=turn), tmp_path)


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    ("size", "paper", "backs", "request_"),
    [
        ("poker", "a4", "each", Request()),  # two columns beside the fold
        ("poker", "letter", "mixed", Request(cut="lines")),  # a level fold
        ("poker-landscape", "letter", "each", Request()),
        ("tarot", "a4", "mixed", Request()),  # one column
        ("square-70", "a4", "shared", Request(cut="lines", gaps="always")),
    ],
)
def test_folded_cards_come_out_right(size: str, paper: str, backs: str, request_: Request, tmp_path: Path) -> None:
    pdf = printed_and_compared(size, paper, backs, replace(request_, backs=Backs.GUTTERFOLD), tmp_path)
    assert pdf.name == f"shop-cards-{paper}-gutterfold.pdf"


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("size", "turn", "cut"), [("poker", "long", "lines"), ("mini-euro", "short", "marks")])
def test_cards_with_room_between_them_come_out_right(size: str, turn: str, cut: str, tmp_path: Path) -> None:
    printed_and_compared(size, "a4", "mixed", Request(turn=turn, cut=cut, gaps="always"), tmp_path)


def printed_and_compared(size: str, paper: str, backs: str, request: Request, folder: Path) -> Path:
    """Print the shop's cards, cut them out and compare each with its face and its back; gives the file."""
    workspace = make_shop(folder, size, COPIES, backs=backs)
    (pdf,) = print_shop(workspace, replace(request, papers=(paper,)), folder / "out")
    wanted = faces(workspace)
    fronts = {name: face for name, (face, _, _) in wanted.items()}
    found: Counter[str] = Counter()
    for one in cut_sheets(pdf, *FORMATS[size].trim):
        name, differs = most_like(one.face, fronts)
        back = wanted[name][1]
        assert differs < ALIKE, f"{name}: its face is off"
        assert (one.back is None or is_blank(one.back)) is (back is None)
        if one.back is not None and back is not None:
            assert difference(one.back, back) < ALIKE, f"{name}: its back is off"
        found[name] += 1
    assert found == {name: copies for name, (_, _, copies) in wanted.items()}
    return pdf
