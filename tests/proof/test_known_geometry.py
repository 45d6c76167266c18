"""A fault in the geometry that both sides of the proof share is told before anything is measured by it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from duckpress.core import geometry, paths, sizes
from duckpress.core.coordinates import Coordinates
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Source
from duckpress.core.sizes import Paper
from duckpress.fonts import font_families
from duckpress.proof import Expected, known_geometry, prove


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    known_geometry.check_geometry.cache_clear()
    yield
    known_geometry.check_geometry.cache_clear()


def told() -> list[str]:
    problems = prove.prove_pdf(b"", Expected((), Size(210, 297), 5, None, "", "en", {}), Source("woods.pdf"))
    return [problem.what for problem in problems if problem.code == "proof-geometry"]


def test_right_geometry_is_not_told_of() -> None:
    assert known_geometry.check_geometry() == ()
    assert told() == []


def test_a_matrix_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Matrix, "apply", lambda self, x, y: (self.a * x + self.c * y - self.e, self.f))
    what = "the program's own arithmetic is wrong: a point under a matrix came out as (-5.0, 7.0), not (5, 14)"
    assert what in told()


def test_a_box_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rect, "holds", lambda self, other, tolerance_mm=0: True)
    assert len(told()) == 1


def test_a_circle_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "KAPPA", 0.45)
    assert [what.partition(": ")[2].partition(" came")[0] for what in told()] == [
        "a circle",
        "a rectangle with round corners",
        "a flat rectangle with round corners",
    ]


def test_an_answer_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry.Matrix, "inverse", lambda self: 1 / 0)
    assert any("a matrix undone came out as" in what for what in told())


def test_a_paper_that_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sizes.PAPERS, "a4", Paper("a4", Size(210, 290)))
    assert any("papers came out as" in what for what in told())


def test_a_font_of_another_weight_or_slant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(font_families.WEIGHTS, "bold", 300)
    assert [what.partition(": ")[2].partition(" came")[0] for what in told()] == [
        "the styles of fonts",
        "the nearest weights",
    ]


def test_a_space_of_a_board_with_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coordinates, "row", lambda self, index: str(index))
    assert [what.partition(": ")[2].partition(" came")[0] for what in told()] == ["the names of spaces"]


def test_a_card_of_another_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sizes.FORMATS, "mini", sizes.FORMATS["mini"]._replace(trim=Size(44.45, 53.5)))
    assert [what.partition(": ")[2].partition(" came")[0] for what in told()] == ["card sizes"]
