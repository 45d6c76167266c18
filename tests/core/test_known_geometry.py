"""The plain geometry gives the answers that were worked out by hand, and a fault in it would be seen."""

from __future__ import annotations

import pytest

from duckpress.core import paths
from duckpress.core.coordinates import Coordinates
from duckpress.core.geometry import Matrix, Rect
from duckpress.text.fonts import library
from oracle.known_geometry import wrong_answers

FAULTS: dict[str, tuple[object, str, object, list[str]]] = {
    "a matrix": (Matrix, "apply", lambda self, x, y: (self.a * x + self.c * y - self.e, self.f), []),
    "a box": (Rect, "holds", lambda self, other, tolerance_mm=0: True, ["a box in a box"]),
    "a circle": (
        paths, "KAPPA", 0.45, ["a circle", "a rectangle with round corners", "a flat rectangle with round corners"]
    ),
    "no answer": (Matrix, "inverse", lambda self: 1 / 0, ["a matrix undone"]),
    "a weight": (library, "WEIGHTS", {**library.WEIGHTS, "bold": 300}, ["the styles of fonts", "the nearest weights"]),
    "a space": (Coordinates, "row", lambda self, index: str(index), ["the names of spaces"]),
}  # fmt: skip


def test_every_answer_is_the_known_one() -> None:
    assert list(wrong_answers()) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    holder, name, otherwise, wrong = FAULTS[fault]
    monkeypatch.setattr(holder, name, otherwise)
    answers = list(wrong_answers())
    if wrong:
        assert [what.partition(" came")[0] for what in answers] == wrong
    else:
        assert "a point under a matrix came out as (-5.0, 7.0), not (5, 14)" in answers
