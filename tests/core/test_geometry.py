"""The plain geometry gives the answers that were worked out by hand; papers by name and size; sums of lengths."""

from __future__ import annotations

from types import FunctionType

import pytest

from duckpress.core import geometry, paths
from duckpress.core.coordinates import Coordinates
from duckpress.core.geometry import Matrix, Rect, Size, added
from duckpress.core.sizes import PAPERS, paper_named, paper_of
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


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("a4", (210, 297)), ("photo-4x6", (101.6, 152.4)), ("320x450mm", (320, 450)), ("450x320mm", (320, 450)),
        ("19x13in", (330.2, 482.6)), ("30.5x45cm", (305, 450)),
    ],
)  # fmt: skip
def test_papers_stand_upright(name: str, size: tuple[float, float]) -> None:
    paper = paper_of(name)
    assert paper.name == name
    assert paper.size == pytest.approx(size)


def test_what_is_no_paper_and_that_all_others_are_upright() -> None:
    names = ("", "a44", "320x450", "320x450px", "10x10mm", "9000x9000mm", "-3x4in", "4x6x8in", "٤x6in")
    assert [name for name in names if paper_named(name) is not None] == []
    assert all(paper.size == Size(*sorted(paper.size)) for paper in PAPERS.values())


def test_numbers_are_added_one_after_the_other_and_a_sum_of_nothing_is_whole() -> None:
    assert added([0.1] * 10) == 0.9999999999999999  # `sum` gives 1.0 since Python 3.12
    assert added(iter([1e16, 1.0, -1e16])) == 0.0
    assert added([2, 3], 4) == 9
    assert repr(added([])) == "0"


def test_a_sum_of_floats_in_the_program_fails_its_tests() -> None:
    in_the_program = FunctionType((lambda *numbers: sum(numbers)).__code__, vars(geometry))
    with pytest.raises(AssertionError, match="differs between Pythons"):
        in_the_program(0.5, 0.5)
    assert in_the_program(1, 2) == 3
