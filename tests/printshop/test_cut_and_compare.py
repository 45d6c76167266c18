"""Printed at 300 dpi, turned over, cut at the marks: every card has its own face and its own back."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest
from msgspec.structs import replace
from shop import compared, make_shop, print_shop

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
