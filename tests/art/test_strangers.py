"""Drawings that nobody here made, of installed packages of icons and clip art: nearly all print, most as outlines."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from gallery import REFUSED, VECTOR, drawings_in, fates

PACKAGES = map(Path, ("/usr/share/openclipart", "/usr/share/inkscape", "/usr/share/icons"))
INSTALLED = [folder for folder in PACKAGES if folder.is_dir() and len(drawings_in(folder, 300)) >= 100]


@pytest.mark.soak
@pytest.mark.skipif(not INSTALLED, reason="no package with 100 icons or more is installed, as tango-icon-theme is one")
@pytest.mark.parametrize("folder", INSTALLED, ids=lambda folder: folder.name)
def test_nearly_all_of_them_print_and_most_as_outlines(folder: Path) -> None:
    drawings = drawings_in(folder, 300)
    found = fates(drawings, [sys.executable, "-m", "duckpress"])
    counts = Counter(fate for fate, _ in found)
    assert counts[REFUSED] <= 0.02 * len(drawings), found
    assert counts[VECTOR] >= 0.85 * len(drawings), found
    assert all(why for fate, why in found if fate != VECTOR)


@pytest.mark.soak
def test_the_fates_of_drawings_are_told(tmp_path: Path) -> None:
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
    insides = ('<rect width="9" height="9"/>', '<rect width="9" height="9" style="filter:blur(1px)"/>', "<rect>")
    for number, inside in enumerate(insides):
        (tmp_path / f"{number}.svg").write_text(box.format(inside), encoding="utf-8")
    drawings = drawings_in(tmp_path, 9)
    (vector, picture, refused) = fates(drawings, [sys.executable, "-m", "duckpress"])
    assert vector == (VECTOR, "")
    assert picture[0] == "picture"
    assert "filter: blur(1px)" in picture[1]
    assert refused[0] == REFUSED
