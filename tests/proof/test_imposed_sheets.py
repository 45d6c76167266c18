"""Sheets as `impose` plans them, held against the deck: plan and proof know nothing of each other and must agree."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from any_deck import CARDS, COPIES, FORMATS_OF, face, typeset
from duckpress.core.frame import Frame
from duckpress.core.sizes import FORMATS, PAPERS, Format, Paper
from duckpress.impose import Backs, Cut, Gaps, Leaf, SheetLabel, Turn, fit_grid, impose_piece
from duckpress.impose.job import AS_EVER, Manner
from duckpress.impose.rims import Rims
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from duckpress.proof.plan_proof import check_plan
from profiles import examples

Card = tuple[int, Frame, Frame | None]
"""How many copies there are of a front, and what is behind them."""


def expected_of(
    cards: Sequence[Card], formats: Sequence[Format], paper: Paper, backs: Backs, turn: Turn, manner: Manner = AS_EVER
) -> Expected:
    """Return what the file of a deck must hold, with its sheets as they are planned."""
    leaves = [
        Leaf(size, copies, front.hash, None if back is None else back.hash)
        for size, (copies, front, back) in zip(formats, cards, strict=True)
    ]
    sheets = impose_piece(leaves, paper, backs, turn, SheetLabel("The Game", "Cards", "1.0"), typeset, manner)
    duplex = turn.value if any(sheet.back is not None for sheet in sheets) else None
    faces = []
    for at, (copies, front, back) in enumerate(cards):
        if backs is not Backs.ONLY:
            faces.append(ExpectedFace("deck", f"card-{at}", copies, front, None if backs is Backs.NONE else back))
        elif back is not None:
            faces.append(ExpectedFace("deck", f"card-{at}", copies, back, None))
    pages = [ExpectedPage(side, one.paper) for one in sheets for side in (one.front, one.back) if side is not None]
    fold_turn = turn.value if backs is Backs.GUTTERFOLD else None
    return Expected(
        tuple(faces), paper.size, paper.margin_mm, duplex, "Cards", "en", {},
        fold_turn=fold_turn, cut=manner.cut.value, pages=tuple(pages),
    )  # fmt: skip


@pytest.mark.sweep(3)
@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("turn", list(Turn))
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    "name", ["poker", "poker-landscape", "mini-euro", "tarot", "round-1in", "hex-2in", "page", "jumbo"]
)
def test_every_plan_is_proven(name: str, paper: str, turn: Turn, backs: Backs) -> None:
    format_, sheet = FORMATS[name], PAPERS[paper]
    fronts = [face(format_, f"card {at}", "#f4ead2") for at in range(len(COPIES))]
    behind = [face(format_, "one", "#224466"), face(format_, "other", "#664422")]
    cards = [(copies, front, behind[at % 2]) for at, (copies, front) in enumerate(zip(COPIES, fronts, strict=True))]
    expected = expected_of(cards, [format_] * len(cards), sheet, backs, turn)
    assert (expected.duplex is not None) is (backs is Backs.DUPLEX)
    assert list(check_plan(expected)) == []
    first, *others = expected.faces
    wrong = expected._replace(faces=(first._replace(copies=4), *others))
    assert [problem.code for problem in check_plan(wrong)] == ["proof-copies"]


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
    cards: list[tuple[int, int, bool]],
    kind: str,
    paper: Paper,
    turn: Turn,
    backs: Backs,
    gaps: Gaps,
    cut: Cut,
) -> None:
    """Decks of any sizes and counts, with backs of any kind, on any paper: plan and proof agree."""
    deck: list[Card] = []
    sizes = []
    for at, (which, copies, is_backed) in enumerate(cards):
        format_ = formats[which % len(formats)]
        if fit_grid(format_, paper) is None:
            continue
        front = face(format_, f"card {at}", "#f4ead2")
        names = {"each": f"back {at}", "shared": "back", "mixed": f"back {at % 2}" if is_backed else "", "none": ""}
        deck.append((copies, front, face(format_, names[kind], "#224466") if names[kind] else None))
        sizes.append(format_)
    frames = [frame for _, front, back in deck for frame in (front, back) if frame is not None]
    manner = Manner(cut, gaps, Rims({frame.hash: frame for frame in frames}, {}))
    expected = expected_of(deck, sizes, paper, backs, turn, manner)
    assert list(check_plan(expected)) == []
    if backs is Backs.ONLY:
        # Fronts printed first and backs on the same paper afterwards: the pages, one for one, are a duplex file.
        fronts = expected_of(deck, sizes, paper, Backs.NONE, turn, manner)
        pages = [page for pair in zip(fronts.pages, expected.pages, strict=True) for page in pair]
        faces = expected_of(deck, sizes, paper, Backs.DUPLEX, turn, manner).faces
        both = expected._replace(faces=faces, duplex=turn.value, pages=tuple(pages))
        assert list(check_plan(both)) == []
