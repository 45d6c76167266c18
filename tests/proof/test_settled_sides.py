"""Sides that were proven before, and of which the same is asked, are not looked at again; others are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_imposed_sheets import document, expected_of, face

from duckpress.core.problems import Problem, Source
from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.impose import Backs, Cut, Leaf, Turn
from duckpress.impose.job import Manner
from duckpress.proof import Expected, ExpectedSheets, Proven, prove_pdf
from duckpress.proof.sheets import card_order, sheet_checks

A4, POKER = PAPERS["a4"], FORMATS["poker"]
FRONTS = [face(POKER, f"Card {number}", "#ddeeff") for number in range(12)]
PDF, _ = document(
    [Leaf(POKER, 1, front.hash) for front in FRONTS], FRONTS, A4, Backs.DUPLEX, Turn.LONG, Manner(Cut.MARKS)
)
EXPECTED = expected_of([(1, front, None) for front in FRONTS], A4, Backs.DUPLEX, Turn.LONG, None, Cut.MARKS)


def found(expected: Expected, proven: Proven | None = None, pdf: bytes = PDF) -> list[Problem]:
    return prove_pdf(pdf, expected, Source("cards.pdf"), 1, proven)


def settled() -> Proven:
    """Return what is known once a file was proven, and proven again with its pages known."""
    news = b""
    for _ in range(2):
        proven = Proven(news)
        assert found(EXPECTED, proven) == []
        news = proven.news() or news
        proven.begin()
        assert found(EXPECTED, proven) == []
    return proven


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each look at a side."""
    looks: list[str] = []

    def noting(name: str, check: Callable[..., object]) -> Callable[..., object]:
        return lambda *args, **more: looks.append(name) or check(*args, **more)

    for module, name in ((sheet_checks, "check_footer"), (sheet_checks, "_cut_faults"), (card_order, "is_in_grid")):
        monkeypatch.setattr(module, name, noting(name, getattr(module, name)))
    return looks


def test_a_settled_side_is_not_looked_at_again(looked_at: list[str]) -> None:
    proven = settled()
    assert looked_at
    looked_at.clear()
    proven.begin()
    assert found(EXPECTED, proven) == []
    assert looked_at == []


CHANGES: dict[str, Callable[[ExpectedSheets], ExpectedSheets]] = {
    "version": lambda sheets: sheets._replace(version="1.1"),
    "game": lambda sheets: sheets._replace(game="Another Game"),
    "printer": lambda sheets: sheets._replace(printer="Canon"),
    "words": lambda sheets: sheets._replace(say=lambda *_: "Blatt"),
    "letters": lambda sheets: sheets._replace(drawn=lambda text: text.replace("G", "")),
    "margins": lambda sheets: sheets._replace(paper=sheets.paper._replace(margin_mm=12.0)),
    "gaps": lambda sheets: sheets._replace(gaps="always"),
    "shapes": lambda sheets: sheets._replace(
        pieces=(sheets.pieces[0]._replace(faces=tuple(one._replace(shape="round") for one in sheets.pieces[0].faces)),)
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_else_is_asked_of_it_is_looked_at(name: str) -> None:
    assert EXPECTED.sheets is not None
    expected = EXPECTED._replace(sheets=CHANGES[name](EXPECTED.sheets))
    problems = found(expected)
    assert problems
    assert found(expected, settled()) == problems
