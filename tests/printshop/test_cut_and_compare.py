"""Printed at 300 dpi, turned over, cut at the marks: every card has its own face and its own back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from cutting import cut_sheets, difference
from shop import faces, make_shop, print_shop

from duckpress.build import Request
from duckpress.sizes import FORMATS

COPIES = {"ada": 3, "bo": 1, "cy": 7}


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
    workspace = make_shop(tmp_path, size, COPIES, backs=backs)
    (pdf,) = print_shop(workspace, Request(papers=(paper,), turn=turn), tmp_path / "out")
    wanted = faces(workspace)
    cut = cut_sheets(pdf, *FORMATS[size].trim)
    found: Counter[str] = Counter()
    for one in cut:
        name = min(wanted, key=lambda name: difference(one.face, wanted[name][0]))
        face, back, _ = wanted[name]
        assert difference(one.face, face) < 0.01, f"{name}: its face is off"
        assert (one.back is None) is (back is None)
        if one.back is not None and back is not None:
            assert difference(one.back, back) < 0.01, f"{name}: its back is off"
        found[name] += 1
    assert found == {name: copies for name, (_, _, copies) in wanted.items()}
