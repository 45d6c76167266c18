"""The pictures of a game's page in docs/content.md show the page of today."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "content.md").read_text(encoding="utf-8")
sys.path.insert(0, str(ROOT / "docs"))

from make_page_pictures import PICTURES, STAMP, VIEWS, stamp_of  # noqa: E402


@pytest.mark.soak
def test_the_pictures_show_the_page_of_today() -> None:
    stamp = stamp_of(ROOT)
    for view in VIEWS:
        with Image.open(PICTURES / f"page-{view.name}.png") as picture:
            assert picture.info[STAMP] == stamp, "stale; run: python docs/make_page_pictures.py (it needs Chromium)"


def test_every_picture_is_on_the_page() -> None:
    on_page = set(re.findall(r"\(pictures/page/([\w-]+)\.png\)", PAGE))
    assert on_page == {f"page-{view.name}" for view in VIEWS} == {path.stem for path in PICTURES.glob("*.png")}
