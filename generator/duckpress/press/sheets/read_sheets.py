"""Pages that are read -> sheets, and what must lie on them."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.frame import Item
from duckpress.core.sizes import Format, Paper
from duckpress.impose import PageOf, Sheet, Turn, impose_booklet, impose_pages, page_leaves
from duckpress.layout import Face, LaidOut
from duckpress.press.faces.rulebooks import BOOKLET
from duckpress.store import CardFacts


def page_faces(one: LaidOut, paper: Paper, *, is_double_sided: bool) -> list[Face]:
    """Return the pages of a piece that is read as faces: what is printed in front, and what behind it."""
    frames = one.pages.get(paper.name, ())
    is_folded = one.piece.book == BOOKLET
    faces: list[Face] = []
    for front, back in page_leaves(len(frames), is_folded=is_folded, is_double_sided=is_double_sided):
        behind = frames[back] if back is not None else None
        format_ = Format(one.piece.book, frames[front].trim, 0.0, 0.0, 0.0)
        faces.append(Face(one.piece.id, f"{paper.name}-page-{front + 1}", 1, frames[front], behind, format_))
    return faces


def page_cards(one: LaidOut, language: str, ink: str) -> list[CardFacts]:
    """Return the pages of a piece that is read as the manifest lists them."""
    return [
        CardFacts(one.piece.id, f"page-{number}", frame.hash, None, 1, one.piece.id, language, ink, paper)
        for paper, frames in one.pages.items()
        for number, frame in enumerate(frames, 1)
    ]


def impose_rules(
    one: LaidOut, paper: Paper, turn: Turn, note: Sequence[Item], *, is_double_sided: bool
) -> tuple[Sheet, ...]:
    """Return the sheets of pages on a paper; `note` stands at the top of each, for a word such as DRAFT."""
    pages = [PageOf(frame.hash, frame.trim) for frame in one.pages.get(paper.name, ())]
    impose = impose_booklet if one.piece.book == BOOKLET else impose_pages
    return impose(pages, paper, turn, note, is_double_sided=is_double_sided)
