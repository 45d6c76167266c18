"""The oracle of faces sees faults in laying out: it holds faces against what their filled templates ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.core.frame import Group, Item, PlacedDrawing, Text
from duckpress.core.geometry import Matrix
from duckpress.fonts.typeface import Typeface
from duckpress.layout.elements import compose, containers, images, shown_cards
from duckpress.layout.elements.layout_context import Desk
from duckpress.text.typesetter import Typesetter
from oracle.watching import watch
from workshop import MakeWorkspace, lay_out

WORDS = "The **heron** waits in the *shallow* water {star}, and whoever moves first gives it a fish."
TEXT = f'<text x="5" y="5" width="40" height="30" valign="middle">{WORDS}</text>'
TITLE = '<text x="5" y="5" width="50" height="9" style="title" align="center">Heron</text>'
ROW = '<row x="5" y="40" width="50" height="10" gap="2"><rect fill="ink"/><rect fill="ink" width="9"/></row>'
PIPS = '<pips count="9" icon="star" x="5" y="5" width="30" height="50"/>'
GROUP = '<g transform="translate(9 9)" opacity="0.5"><circle cx="9" cy="9" r="5" fill="ink" stroke="ink"/></g>'


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(monkeypatch.setattr)


Change = Callable[[tuple[Item, ...]], Sequence[Item]]


def moved(item: Item, x_mm: float = 0.0, y_mm: float = 0.0) -> Item:
    """Return an item of a text at another place."""
    if isinstance(item, Text):
        return replace(item, x_mm=item.x_mm + x_mm, y_mm=item.y_mm + y_mm)
    assert isinstance(item, PlacedDrawing)
    a, b, c, d, e, f = item.matrix
    return replace(item, matrix=Matrix(a, b, c, d, e + x_mm, f + y_mm))


def first_text(items: tuple[Item, ...], **changes: Any) -> tuple[Item, ...]:
    """Return items, the first text of them changed."""
    at = next(at for at, item in enumerate(items) if isinstance(item, Text))
    return (*items[:at], replace(items[at], **changes), *items[at + 1 :])


def icons_moved(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return items, their drawings half a millimetre to the right."""
    return tuple(moved(item, 0.5) if isinstance(item, PlacedDrawing) else item for item in items)


TEXT_FAULTS: dict[str, tuple[str, Change, str]] = {
    "the first letter": (TEXT, lambda its: first_text(its, text=its[0].text[1:]), "'heheronwa"),
    "a run": (TEXT, lambda its: its[:-1], "the words are"),
    "a run twice": (TEXT, lambda its: (*its, its[-1]), "the words are"),
    "their order": (TEXT, lambda its: (its[1], its[0], *its[2:]), "the words are"),
    "another icon": (TEXT, lambda its: tuple(i for i in its if not isinstance(i, PlacedDrawing)), "the words are"),
    "the place of an icon": (TEXT, icons_moved, "0.50 mm are free"),
    "all to the right": (TEXT, lambda its: [moved(item, 0.2) for item in its], "does not stand left"),
    "all too low": (TEXT, lambda its: [moved(item, 0, 0.2) for item in its], "0.20 mm too low"),
    "the last line": (TEXT, lambda its: [*its[:-1], moved(its[-1], 0, 0.2)], "of their distance apart"),
    "the colour": (TEXT, lambda its: first_text(its, fill="#ff0000"), "#ff0000"),
    "the size": (TEXT, lambda its: first_text(its, size_mm=9.0), "pt high"),
    "bold letters": (TEXT, lambda its: first_text(its, font=its[1].font), "emphasised"),
    "where it stands": (TITLE, lambda its: [moved(item, 1.0) for item in its], "does not stand center"),
    "its letters": (TITLE, lambda its: first_text(its, glyphs=its[0].glyphs[:-5] + ">"), "as its font asks"),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("what", TEXT_FAULTS)
def test_a_text_that_is_set_wrong_is_told_of(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    template, change, words = TEXT_FAULTS[what]
    assert lay_out(make_workspace, template).problems == []
    fit = Typesetter.fit

    def wrong(*args: Any, **named: Any) -> Any:
        fitted = fit(*args, **named)
        return replace(fitted, items=tuple(change(fitted.items)))

    monkeypatch.setattr(Typesetter, "fit", wrong)
    problem = lay_out(make_workspace, template).problem
    assert problem.code == "proof-frame"
    assert words in problem.what
    assert problem.what.startswith("card 'first'")
    assert "a fault in duckpress" in problem.fix


def _other(of: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *args, **named: change(of(*args, **named))


BOX = Desk.box
BACK = "<face><ground/></face>"
FAULTS: dict[str, tuple[str, tuple[object, str, Any], str]] = {
    "an element is left out": (
        TITLE + ROW,
        (compose.FaceComposer, "_children", lambda self, node, cell, _: self._element(node.children[0], cell, 1)),
        "1 of the 2 elements",
    ),
    "boxes lie elsewhere": (
        ROW, (Desk, "box", lambda self, attrib, cell: BOX(self, attrib, cell).moved(1, 0)), "the cell of <rect>",
    ),
    "cells are exchanged": (
        ROW, (containers.CELLS, "row", _other(containers.line_cells, lambda cells: cells[::-1])), "the cell of <rect>",
    ),
    "a pip too many": (PIPS, (images, "pip_places", _other(images.pip_places, lambda at: [*at, at[0]])), "10 icons"),
    "pips to one side": (
        PIPS,
        (images, "pip_places", _other(images.pip_places, lambda at: [(x / 2, y) for x, y in at])),
        "as on playing cards",
    ),
    "a group is opaque": (
        GROUP, (compose, "Group", lambda items, matrix, clip, opacity: Group(items, matrix, clip)), "faint",
    ),
    "a card has no edge": (
        '<card of="cards" side="back" width="9"/>',
        (compose.LEAVES, "card", _other(shown_cards.card, lambda items: items[:1])),
        "<card> shows PlacedDrawing",
    ),
    "paints are lost": (GROUP, (compose.LEAVES, "circle", lambda *_: ()), "<circle> shows nothing"),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_an_element_that_is_made_wrong_is_told_of(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    template, (where, name, change), words = FAULTS[what]
    assert lay_out(make_workspace, template, back=BACK).problems == []
    if isinstance(where, dict):
        monkeypatch.setitem(where, name, change)
    else:
        monkeypatch.setattr(where, name, change)
    problem = lay_out(make_workspace, template, back=BACK).problem
    assert problem.code == "proof-frame"
    assert words in problem.what


def test_letters_that_are_spaced_out_are_told_of(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = Typeface.shape

    def wider(self: Typeface, *args: Any, **named: Any) -> Any:
        run = shape(self, *args, **named)
        return run._replace(glyphs=run.glyphs.replace(">", ">-40<", 1), width=run.width + 0.04 * self.units_per_em)

    monkeypatch.setattr(Typeface, "shape", wider)
    assert lay_out(make_workspace, TITLE).problem.code == "proof-frame"
