"""docs/printing.md: its pictures show the sheets of today, and what it says of room and folds is so."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PIL import Image

from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.impose import Gaps, fit_grid
from duckpress.impose.gutter import fit_half

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "printing.md").read_text(encoding="utf-8")
sys.path.insert(0, str(ROOT / "docs"))

from make_printing_pictures import PICTURES, SHOWN, STAMP, printed  # noqa: E402


def test_the_pictures_show_the_sheets_of_today(tmp_path: Path) -> None:
    for one, _, stamp in printed(tmp_path):
        with Image.open(PICTURES / f"{one.name}.png") as picture:
            assert picture.info[STAMP] == stamp, f"{one.name} is stale; run: python docs/make_printing_pictures.py"


def test_every_picture_is_on_the_page() -> None:
    on_page = set(re.findall(r"\(pictures/printing/([\w-]+)\.png\)", PAGE))
    assert on_page == {one.name for one in SHOWN} == {path.stem for path in PICTURES.glob("*.png")}


def test_the_table_of_what_lies_on_a_sheet() -> None:
    rows = re.findall(r"^\| `([\w.-]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert len(rows) >= 6
    for size, *written in rows:
        found = []
        for paper in (PAPERS["a4"], PAPERS["letter"]):
            for gaps in (Gaps.NEVER, Gaps.ALWAYS):
                grid = fit_grid(FORMATS[size], paper, None, gaps)
                found.append(grid.capacity if grid else 0)
            half = fit_half(FORMATS[size], paper)
            found.append(half.capacity if half else 0)
        assert found == list(map(int, written)), size
