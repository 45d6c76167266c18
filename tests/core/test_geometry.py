"""The plain geometry gives the answers that were worked out by hand; papers by name and size; sums of lengths."""

from __future__ import annotations

from types import FunctionType

import pytest

from duckpress.core import geometry
from duckpress.core.geometry import Matrix, Size, added
from duckpress.core.sizes import PAPERS, paper_named, paper_of
from duckpress.text.fonts import library
from oracle.known_geometry import wrong_answers


def test_every_answer_is_the_known_one() -> None:
    assert list(wrong_answers()) == []


def test_a_wrong_answer_and_none_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Matrix, "inverse", lambda self: 1 / 0)
    monkeypatch.setattr(library, "WEIGHTS", {**library.WEIGHTS, "bold": 300})
    wrong = [what.partition(" came")[0] for what in wrong_answers()]
    assert wrong == ["a matrix undone", "the styles of fonts", "the nearest weights"]


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
