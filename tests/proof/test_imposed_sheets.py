"""Sheets as `impose` plans them, rendered and proven: plan and proof know nothing of each other and must agree."""

from __future__ import annotations

import pytest
from handmade import FONTS, SERIF, words

from duckpress.frame import Frame, Item, Outline, Paint
from duckpress.impose import Backs, Leaf, SheetLabel, Turn, impose_piece
from duckpress.problems import Source
from duckpress.proof import Expected, ExpectedFace, prove_pdf
from duckpress.render import Booklet, DocumentInfo, render_pdf
from duckpress.sizes import FORMATS, PAPERS, Format
from duckpress.units import mm_from_pt

COPIES = (3, 1, 7, 2)


def typeset(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
    """Give one line of text for the footer."""
    run = words(text, 0.0, 0.0, mm_from_pt(size_pt), SERIF)
    return (run,), run.width_mm


def face(format_: Format, text: str, fill: str) -> Frame:
    """Give a frame of a format with a ground and a word."""
    x, y, width, height = Frame(format_.trim, format_.bleed_mm, ()).bleed_box
    ground = Outline(f"{x:g} {y:g} {width:g} {height:g} re", Paint(fill=fill))
    return Frame(format_.trim, format_.bleed_mm, (ground, words(text, 4, 8, 2.5)))


@pytest.mark.parametrize("backs", list(Backs))
@pytest.mark.parametrize("turn", list(Turn))
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", ["poker", "poker-landscape", "mini-euro", "tarot", "round-1in", "page", "jumbo"])
def test_every_plan_is_proven(name: str, paper: str, turn: Turn, backs: Backs) -> None:
    format_ = FORMATS[name]
    fronts = [face(format_, f"card {at}", "#f4ead2") for at in range(len(COPIES))]
    behind = [face(format_, "one", "#224466"), face(format_, "other", "#664422")]
    chosen = [behind[at % 2] for at in range(len(COPIES))]
    leaves = [Leaf(format_, n, front.hash, back.hash) for n, front, back in zip(COPIES, fronts, chosen, strict=True)]
    label = SheetLabel("The Game", "Cards", "1.0")
    sheets = impose_piece(leaves, PAPERS[paper], backs, turn, label, typeset)
    duplex = turn.value if backs is Backs.DUPLEX else None
    frames = {frame.hash: frame for frame in (*fronts, *behind)}
    info = DocumentInfo("The Game: Cards", language="en", duplex=duplex)
    pdf = render_pdf([Booklet("Cards", sheets, frames, {}, {})], FONTS, info)
    faces = tuple(
        ExpectedFace("deck", f"card-{at}", COPIES[at], fronts[at], chosen[at] if duplex else None)
        for at in range(len(COPIES))
    )
    expected = Expected(faces, PAPERS[paper].size, PAPERS[paper].margin_mm, duplex, "The Game: Cards", "en", {})
    assert prove_pdf(pdf, expected, Source("game.yaml")) == []
    wrong = expected._replace(faces=(faces[0]._replace(copies=4), *faces[1:]))
    assert [problem.code for problem in prove_pdf(pdf, wrong, Source("game.yaml"))] == ["proof-copies"]
