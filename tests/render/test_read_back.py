"""Every face and drawing of the bundled games, read back out of the PDF, is its frame: every item, place and paint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pikepdf
import pytest
import uharfbuzz as hb

from duckpress.core.frame import Item
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.press.request import Built
from item_reader import items_in, shown

GAMES = ["blind-mans-draft", "canardage", "duck-blind", "duck-pens", "ducks-in-a-row"]


def wanted(built: Built) -> dict[str, list[Item]]:
    """Return the items of all faces, pages and drawings by the names of their forms."""
    frames = {}
    for piece in built.checked.pieces:
        for face in piece.faces:
            frames |= {f"/C-{side.hash}": side.items for side in (face.front, face.back) if side is not None}
        for pages in piece.pages.values():
            frames |= {f"/C-{page.hash}": page.items for page in pages}
        frames |= {f"/D-{key}": drawing.items for key, drawing in piece.drawings.items()}
    return {name: list(shown(items)) for name, items in frames.items()}


def forms(resources: pikepdf.Object) -> Iterator[tuple[str, pikepdf.Object]]:
    """Yield the forms that a page or a form calls, through those that they call."""
    for name, form in resources.get("/XObject", {}).items():
        if form.get("/Subtype") == "/Form":
            yield name, form
            yield from forms(form.get("/Resources", pikepdf.Dictionary()))


def printed(built: Built) -> pikepdf.Pdf:
    return pikepdf.open(next(built.folder.glob("*-all-a4.pdf")))


@pytest.mark.parametrize("game", GAMES)
def test_every_form_is_its_frame(game: str, whole: Callable[[str], Built]) -> None:
    built = whole(game)
    items, seen = wanted(built), set()
    with printed(built) as pdf:
        for page in pdf.pages:
            for name, form in forms(page.obj.Resources):
                if name in items and name not in seen:
                    seen.add(name)
                    assert items_in(form) == items[name], name
    assert len(seen) > 10


def outline(font: hb.Font, glyph: int) -> list[tuple[float, ...]]:
    strokes: list[tuple[float, ...]] = []
    font.draw_glyph(glyph, drawing(), strokes)
    return strokes


@cache
def drawing() -> hb.DrawFuncs:
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, strokes: strokes.append((x, y)))
    functions.set_line_to_func(lambda x, y, strokes: strokes.append((1, x, y)))
    functions.set_quadratic_to_func(lambda x1, y1, x, y, strokes: strokes.append((2, x1, y1, x, y)))
    functions.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, strokes: strokes.append((3, x1, y1, x2, y2, x, y)))
    functions.set_close_path_func(lambda strokes: strokes.append(()))
    return functions


@pytest.mark.parametrize("game", GAMES)
def test_every_glyph_is_drawn_as_in_its_font_file(game: str, whole: Callable[[str], Built], project: Workspace) -> None:
    library, seen = FontLibrary(project), set()
    with printed(whole(game)) as pdf:
        resources = [page.obj.Resources for page in pdf.pages]
        resources += [form.get("/Resources", {}) for each in list(resources) for _, form in forms(each)]
        fonts = {name: font for each in resources for name, font in each.get("/Font", {}).items()}
        for name, font in fonts.items():
            typeface, inner = library.load_key(str(name).removeprefix("/F-")), font.DescendantFonts[0]
            assert typeface is not None, name
            sound, embedded = (
                hb.Font(hb.Face(data)) for data in (typeface.data, inner.FontDescriptor.FontFile2.read_bytes())
            )
            for first, widths in zip(list(inner.W)[::2], list(inner.W)[1::2], strict=True):
                for glyph, width in enumerate(widths, int(first)):
                    assert outline(embedded, glyph) == outline(sound, glyph), (name, glyph)
                    expected = sound.get_glyph_h_advance(glyph) * 1000 / typeface.units_per_em
                    assert abs(float(width) - expected) < 0.001, (name, glyph)
                    seen.add((name, glyph))
    assert len(seen) > 50
