"""Sheets as `impose` plans them, and as the proof of a plan wants them: neither knows of the other, both must agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_deck import CARDS, COPIES, FORMATS_OF, face, typeset
from duckpress.core.frame import Frame
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Gaps, Leaf, SheetLabel, Turn, fit_grid, impose_piece
from duckpress.impose.job import AS_EVER, Manner
from duckpress.impose.rims import Rims
from duckpress.impose.sheets import Cut
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from duckpress.proof.plan_proof import check_plan
from profiles import examples

LAYERS = {"L-cut": "Cut lines", "L-fold": "Fold line"}
Card = tuple[Format, int, Frame, Frame | None]
"""The size of a card, how many copies there are of its front, and what is behind them."""


def frames_of(cards: Sequence[Card]) -> dict[str, Frame]:
    return {frame.hash: frame for _, _, front, back in cards for frame in (front, back) if frame is not None}


def planned(
    cards: Sequence[Card], paper: Paper, backs: Backs, turn: Turn, manner: Manner = AS_EVER, shape: str = ""
) -> Expected:
    """Return what the file of a deck must hold, with the plan of its sheets."""
    leaves = [
        Leaf(size, copies, front.hash, None if back is None else back.hash) for size, copies, front, back in cards
    ]
    sheets = impose_piece(leaves, paper, backs, turn, SheetLabel("The Game", "Cards", "1.0"), typeset, manner)
    duplex = turn.value if any(sheet.back is not None for sheet in sheets) else None
    faces = []
    for at, (_, copies, front, back) in enumerate(cards):
        if backs is not Backs.ONLY:
            behind = None if backs is Backs.NONE else back
            faces.append(ExpectedFace("deck", f"card-{at}", copies, front, behind, shape=shape))
        elif back is not None:
            faces.append(ExpectedFace("deck", f"card-{at}", copies, back, None))
    pages = [ExpectedPage(side, one.paper) for one in sheets for side in (one.front, one.back) if side is not None]
    return Expected(
        tuple(faces), paper.size, paper.margin_mm, duplex, "The Game: Cards", "en", {},
        fold_turn=turn.value if backs is Backs.GUTTERFOLD else None, cut=manner.cut.value, layers=LAYERS,
        pages=tuple(pages),
    )  # fmt: skip


@pytest.mark.sweep(6)
@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("turn", list(Turn))
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    "name", ["poker", "poker-landscape", "mini-euro", "tarot", "round-1in", "hex-2in", "page", "jumbo"]
)
def test_every_plan_is_proven(name: str, paper: str, turn: Turn, backs: Backs) -> None:
    size = FORMATS[name]
    behind = [face(size, "one", "#224466"), face(size, "other", "#664422")]
    cards = [(size, n, face(size, f"card {at}", "#f4ead2"), behind[at % 2]) for at, n in enumerate(COPIES)]
    shape = "round" if size.is_round else "hexagonal" if size.is_hex else ""
    expected = planned(cards, PAPERS[paper], backs, turn, shape=shape)
    assert (expected.duplex is not None) is (backs is Backs.DUPLEX)
    assert list(check_plan(expected)) == []


@examples(15)
@given(
    FORMATS_OF,
    CARDS,
    st.sampled_from(["each", "shared", "mixed", "none"]),
    st.sampled_from([PAPERS[name] for name in ("a4", "letter", "a3", "legal", "a5")]),
    st.sampled_from(list(Turn)),
    st.sampled_from(list(Backs)),
    st.sampled_from(list(Gaps)),
    st.sampled_from([Cut.MARKS, Cut.LINES]),
)
def test_any_deck_is_proven(
    formats: list[Format],
    copies: list[tuple[int, int, bool]],
    kind: str,
    paper: Paper,
    turn: Turn,
    backs: Backs,
    gaps: Gaps,
    cut: Cut,
) -> None:
    """Decks of any sizes and counts, with backs of any kind, on any paper."""
    cards: list[Card] = []
    for at, (which, count, is_backed) in enumerate(copies):
        size = formats[which % len(formats)]
        if fit_grid(size, paper) is not None:
            names = {"each": f"back {at}", "shared": "back", "mixed": f"back {at % 2}" if is_backed else "", "none": ""}
            back = face(size, names[kind], "#224466") if names[kind] else None
            cards.append((size, count, face(size, f"card {at}", "#f4ead2"), back))
    manner = Manner(cut, gaps, Rims(frames_of(cards), {}))
    expected = planned(cards, paper, backs, turn, manner)
    assert list(check_plan(expected)) == []
    if backs is Backs.ONLY:
        _together_they_are_duplex(cards, paper, turn, manner)


def _together_they_are_duplex(cards: Sequence[Card], paper: Paper, turn: Turn, manner: Manner) -> None:
    """Fronts printed first and backs on the same paper afterwards: the pages, one for one, are a duplex file."""
    of_fronts, of_backs = (planned(cards, paper, which, turn, manner) for which in (Backs.NONE, Backs.ONLY))
    pages = [page for pair in zip(of_fronts.pages, of_backs.pages, strict=True) for page in pair]
    both = planned(cards, paper, Backs.DUPLEX, turn, manner)._replace(duplex=turn.value, pages=tuple(pages))
    assert list(check_plan(both)) == []
