"""Shared by the tests of the text room: a typesetter with the bundled fonts, and set text read back as lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import Rect
from duckpress.files.workspace import Workspace
from duckpress.text import IconGlyph, TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary

LIBRARY = FontLibrary(Workspace(Path(__file__).parents[2]))
BODY = TextStyle("Alegreya Sans", size_pt=9.0, min_pt=6.0, leading=1.2)
ICONS = {
    "shot": IconGlyph("shot-key", Rect(0.0, 0.0, 10.0, 10.0)),
    "wide": IconGlyph("wide-key", Rect(5.0, 5.0, 30.0, 10.0)),
}
WIDE = Rect(0.0, 0.0, 500.0, 500.0)


def typesetter(language: str = "en") -> Typesetter:
    """Return a typesetter that knows the icons `shot` (square) and `wide` (three by one)."""
    return Typesetter(LIBRARY, lambda name, _colour: ICONS.get(name), language)


EN = typesetter()


def lines_of(items: Sequence[Item]) -> list[str]:
    """Return what the items say, line by line, with `@` for an icon."""
    found: dict[float, list[tuple[float, str]]] = {}
    for item in items:
        if isinstance(item, Text):
            found.setdefault(item.y_mm, []).append((item.x_mm, item.text))
        elif isinstance(item, PlacedDrawing):
            # An icon stands on a text's baseline, or on a line of its own a little above where it ends.
            bottom_mm = item.matrix.f + 10 * item.matrix.d
            near = [y for y in found if abs(y - bottom_mm) < 1.0]
            found.setdefault(near[0] if near else bottom_mm, []).append((item.matrix.e, "@"))
    return ["".join(text for _, text in sorted(found[y])) for y in sorted(found)]


def set_lines(source: str, width_mm: float, style: TextStyle = BODY, setter: Typesetter = EN) -> list[str]:
    """Return the lines of a text in a column of endless height."""
    return lines_of(setter.fit(source, style, Rect(0.0, 0.0, width_mm, 900.0)).items)


def texts(items: Sequence[Item]) -> list[Text]:
    return [item for item in items if isinstance(item, Text)]


def font_of(item: Text) -> str:
    """Return the PostScript name of an item's font."""
    return item.font.rpartition("-")[0]
