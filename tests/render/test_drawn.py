"""A document drawn by several processes is the same, byte for byte; so is one of which a child's part is lost."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

from duckpress.core.frame import Frame, Group, Item, Outline, Paint
from duckpress.core.geometry import Rect
from duckpress.impose import Layer
from duckpress.pool.process_pool import can_fork
from duckpress.render import Booklet, DocumentInfo, Renderer, shelf
from duckpress.render.pen import Ink, Pen
from forking import child_starts
from handmade import FONTS, booklet, card, placed, sheet, words
from path_texts import path_of

pytestmark = [pytest.mark.forks, pytest.mark.skipif(not can_fork(), reason="this process may not fork")]

MIST = Group((Outline(path_of("5 40 20 10 re"), Paint("#00aa00")),), opacity=0.5)
CARDS = [card(words(f"Card {number}"), MIST) for number in range(6)]
CUTS = Layer("cut", (Outline(path_of("10 10 m 10 15 l"), Paint(stroke="#000000", stroke_mm=0.2)),))
SHEETS = [
    sheet([placed(0, one, 20, 20), placed(1, CARDS[0], 70, 20)], None, CUTS, words(f"sheet {number}", 20, 280, 2.2))
    for number, one in enumerate(CARDS)
]
BOOKLETS: list[Booklet] = [booklet(SHEETS, CARDS), booklet(SHEETS[::-1], CARDS)]
INFO = DocumentInfo("Woods", duplex="long")
PARTS = 3  # of faces


def rendered(children: int, jobs: int = 2) -> bytes:
    """Return the document of which children drew so many parts before this process drew any."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_FACES_A_PART", "_LEAST_PARTS"):
            patch.setattr(shelf, name, 2)
        if children:
            patch.setattr(shelf, "started_parts", child_starts(children))
        return Renderer(FONTS).render(BOOKLETS, INFO, jobs)


@pytest.mark.parametrize("children", [0, 1, PARTS])
def test_the_bytes_are_the_same_whoever_draws(children: int) -> None:
    assert rendered(children) == Renderer(FONTS).render(BOOKLETS, INFO)


@pytest.mark.parametrize("least", [1, 3])
def test_faces_drawn_ahead_are_those_of_the_document(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FACES_A_PART", "_LEAST_PARTS"):
        monkeypatch.setattr(shelf, name, least)
    whole = Renderer(FONTS).render(BOOKLETS, INFO)
    renderer, more = Renderer(FONTS), card(words("on no sheet"))
    with renderer.drawing({one.hash: one for one in (*CARDS, more)}, 2):
        draw, others = shelf.drawing_faces, list[Frame]()
        monkeypatch.setattr(
            "duckpress.render.document.drawing_faces", lambda frames, jobs: draw(others.extend(frames) or frames, jobs)
        )
        assert renderer.render(BOOKLETS, INFO) == whole
        assert renderer.render(BOOKLETS, INFO) == whole
    assert others == []


def test_faces_that_nobody_awaits_are_forgotten() -> None:
    renderer = Renderer(FONTS)
    with renderer.drawing({one.hash: one for one in CARDS}, 2):
        pass
    assert renderer.render(BOOKLETS, INFO) == Renderer(FONTS).render(BOOKLETS, INFO)


def test_the_parts_of_a_child_that_died_are_drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Renderer(FONTS).render(BOOKLETS, INFO)
    here, ink, faces = os.getpid(), Pen.ink, []

    def die(pen: Pen, items: Iterable[Item], box: Rect) -> Ink:
        if os.getpid() != here:
            os._exit(0)
        faces.append(items)
        return ink(pen, items, box)

    monkeypatch.setattr(Pen, "ink", die)
    assert rendered(5) == whole
    assert len(faces) == 2 * len(CARDS)  # each has a group, which is a form of its own
