"""What docs/architecture.md says of adding a card size, a paper and an element is all that it takes.

The program is copied, the lines are added where the page says, and the copy prints a card of the new size with the new
element on the new paper, and proves it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from kinds import DECK, DECK_FILE, FACE_FILE, FILES
from running import write_files

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ADDED = {
    "core/sizes.py": {
        "_FORMATS = (\n": '    Format("skat", Size(59.0, 91.0), 3.0),\n',
        "_PAPERS = (\n": '    Paper("b4", Size(250.0, 353.0)),\n',
    },
    "layout/elements/compose.py": {"_ELEMENTS = {\n": '    "star": f"cx cy r {_SHAPE}",\n'},
    "layout/elements/shapes.py": {
        "SHAPES: Mapping[str, Leaf] = {\n": '    "star": _shape(_star),\n',
        "def _shape(": (
            "def _star(context: LayoutContext, attributes: Attributes, cell: Rect) -> Path:\n"
            "    (x, y), r = _centre(context, attributes, cell), context.size(attributes, 'r', cell.width_mm / 2)\n"
            "    points = [(x, y - r), (x + r / 4, y - r / 4), (x + r, y), (x + r / 4, y + r / 4),\n"
            "              (x, y + r), (x - r / 4, y + r / 4), (x - r, y), (x - r / 4, y - r / 4)]\n"
            "    return paths.polyline(points, is_closed=True)\n\n\n"
        ),
    },
}


FACE = '<face><ground fill="#ddeeff"/><star cx="29.5" cy="40" r="20" fill="#aa0000"/></face>'


def test_the_page_names_every_place_that_is_touched() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith(("| an element of", "| a card size"))]
    assert len(rows) == 2
    named = " ".join(rows)
    for name, places in ADDED.items():
        assert name.rpartition("/")[2] in named
        for place in places:
            assert place.startswith("def ") or f"`{place.split()[0].strip(':')}`" in named


def test_a_size_a_paper_and_an_element_are_added_as_the_page_says(tmp_path: Path) -> None:
    folder = tmp_path / "generator"
    shutil.copytree(ROOT / "generator", folder, ignore=shutil.ignore_patterns("*.egg-info", "*.pyc.*"))
    for name in ("layouts", "fonts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name, places in ADDED.items():
        file = folder / "duckpress" / name
        text = file.read_text(encoding="utf-8")
        for place, lines in places.items():
            assert text.count(place) == 1, (name, place)
            text = text.replace(place, lines + place if place.startswith("def ") else place + lines)
        file.write_text(text, encoding="utf-8")
    write_files(tmp_path, {**FILES, DECK_FILE: DECK.replace("size: poker", "size: skat"), FACE_FILE: FACE})
    done = subprocess.run(
        [sys.executable, "-m", "duckpress", "build", "kinds", "--paper", "b4", "--format", "json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / "output" / "kinds"
    files = json.loads((folder / "manifest.json").read_bytes())["files"]
    assert not any("unproven" in file for file in files)
    with pikepdf.open(folder / "kinds-cards-b4.pdf") as pdf:
        box = [float(edge) / 72 * 25.4 for edge in pdf.pages[0].mediabox[2:]]
        assert sorted(box) == pytest.approx([250.0, 353.0], abs=0.01)
    picture = pypdfium2.PdfDocument(folder / "kinds-cards-b4.pdf")[0].render(scale=1).to_pil()
    red = {colour: count for count, colour in picture.convert("RGB").getcolors(1 << 24)}[170, 0, 0]
    star_mm2 = 20 * 20  # r², of a star with four points
    assert red == pytest.approx(12 * star_mm2 * (72 / 25.4) ** 2, rel=0.1)
