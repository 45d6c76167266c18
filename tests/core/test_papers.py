"""Papers by name and by size."""

from __future__ import annotations

import pytest

from duckpress.core.geometry import Size
from duckpress.core.sizes import PAPERS, paper_named, paper_of


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


@pytest.mark.parametrize(
    "name", ["", "a44", "320x450", "320x450px", "10x10mm", "9000x9000mm", "-3x4in", "4x6x8in", "٤x6in"]
)
def test_what_is_no_paper(name: str) -> None:
    assert paper_named(name) is None


def test_all_named_papers_are_upright() -> None:
    assert all(paper.size == Size(*sorted(paper.size)) for paper in PAPERS.values())
