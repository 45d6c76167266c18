"""The plain geometry gives the answers that were worked out by hand, and a fault in it would be seen."""

from __future__ import annotations

import pytest

from duckpress.core import geometry, paths
from duckpress.core.coordinates import Coordinates
from duckpress.core.geometry import Matrix, Rect
from duckpress.text.fonts import library
from oracle.known_geometry import wrong_answers


def wrong() -> list[str]:
    return [what.partition(" came")[0] for what in wrong_answers()]


def test_every_answer_is_the_known_one() -> None:
    assert list(wrong_answers()) == []


def test_a_matrix_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Matrix, "apply", lambda self, x, y: (self.a * x + self.c * y - self.e, self.f))
    assert "a point under a matrix came out as (-5.0, 7.0), not (5, 14)" in wrong_answers()


def test_a_box_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rect, "holds", lambda self, other, tolerance_mm=0: True)
    assert wrong() == ["a box in a box"]


def test_a_circle_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "KAPPA", 0.45)
    assert wrong() == ["a circle", "a rectangle with round corners", "a flat rectangle with round corners"]


def test_an_answer_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry.Matrix, "inverse", lambda self: 1 / 0)
    assert wrong() == ["a matrix undone"]


def test_a_font_of_another_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(library.WEIGHTS, "bold", 300)
    assert wrong() == ["the styles of fonts", "the nearest weights"]


def test_a_space_of_a_board_with_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coordinates, "row", lambda self, index: str(index))
    assert wrong() == ["the names of spaces"]
