"""The ink estimate: flat pages by arithmetic, a real file beside Ghostscript's own estimate."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from duckpress.views.statistics import Coverage, ink_coverage


def page_of(*rects: tuple[str, float]) -> bytes:
    """Return a PDF of one page, 200 by 100 points; each rectangle is a colour and the part of the width it fills."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(200, 100), invariant=1)
    left = 0.0
    for colour, part in rects:
        canvas.setFillColor(colour)
        canvas.rect(left, 0, 200 * part, 100, stroke=0, fill=1)
        left += 200 * part
    canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.mark.parametrize(
    ("rects", "expected"),
    [
        ((), Coverage()),
        ((("#000000", 0.5),), Coverage(black=0.5)),
        ((("#00ffff", 0.25), ("#ff00ff", 0.25), ("#ffff00", 0.25)), Coverage(0.25, 0.25, 0.25, 0.0)),
        ((("#ff0000", 1.0),), Coverage(0.0, 1.0, 1.0, 0.0)),
        ((("#808080", 1.0),), Coverage(black=0.498)),
    ],
)
def test_flat_pages(rects: tuple[tuple[str, float], ...], expected: Coverage) -> None:
    (page,) = ink_coverage(page_of(*rects))
    assert tuple(page) == pytest.approx(tuple(expected), abs=0.012)
