"""Frames and sheets made by hand, so that a test can say what lies where without layout or impose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from duckpress.core.frame import Drawing, Frame, Item, Outline, Paint, Text
from duckpress.core.geometry import Rect, Size
from duckpress.impose import Edges, Layer, Placement, Sheet, Side
from duckpress.layout import PictureData
from duckpress.render import Booklet
from duckpress.text.fonts import Typeface
from path_texts import path_of

_FONTS = Path(__file__).resolve().parent.parent.parent / "fonts"
A4 = Size(210.0, 297.0)
CARD = Size(40.0, 60.0)
BLEED_MM = 2.0
BLACK = "#000000"
FULL = Edges(BLEED_MM, BLEED_MM, BLEED_MM, BLEED_MM)


class Shelf(dict[str, Typeface]):
    """Typefaces by key, found as `render` asks for them."""

    def load_key(self, key: str) -> Typeface | None:
        return self.get(key)


SERIF = Typeface((_FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf").read_bytes())
SYMBOLS = Typeface((_FONTS / "dejavu-sans" / "DejaVuSans.ttf").read_bytes())
FONTS = Shelf({SERIF.key: SERIF, SYMBOLS.key: SYMBOLS})


def words(
    text: str,
    x_mm: float = 5.0,
    y_mm: float = 10.0,
    size_mm: float = 4.0,
    face: Typeface = SERIF,
    fill: str = "#000000",
) -> Text:
    """Return a run of text."""
    run = face.shape(text)
    width_mm = run.width * size_mm / face.units_per_em
    return Text(x_mm, y_mm, size_mm, face.key, fill, f"<{run.glyphs}>", text, width_mm)


def box(x_mm: float, y_mm: float, width_mm: float, height_mm: float, fill: str) -> Outline:
    return Outline(path_of(f"{x_mm:g} {y_mm:g} {width_mm:g} {height_mm:g} re"), Paint(fill=fill))


ICON = Drawing(Rect(0.0, 0.0, 10.0, 10.0), (Outline(path_of("0 0 m 10 0 l 5 10 l h"), Paint(fill="#aa3311")),))


def card(*items: Item, ground: str = "#f4ead2", trim: Size = CARD) -> Frame:
    """Return a frame with a ground and some items."""
    whole = Rect(0.0, 0.0, *trim).grown(BLEED_MM)
    return Frame(trim, BLEED_MM, (box(*whole, fill=ground), *items))


def placed(face: int, frame: Frame, x_mm: float, y_mm: float, turn: int = 0, *, is_back: bool = False) -> Placement:
    """Return a placement that shows the whole bleed."""
    return Placement(face, is_back, x_mm, y_mm, turn, frame.hash, FULL)


def sheet(
    front: Sequence[Placement], back: Sequence[Placement] | None, *items: Item | Layer, paper: Size = A4
) -> Sheet:
    """Return a sheet with the same items on both sides."""
    return Sheet(paper, Side(tuple(front), items), None if back is None else Side(tuple(back), items), 1, 1)


def booklet(
    sheets: Sequence[Sheet],
    frames: Sequence[Frame],
    pictures: Mapping[str, PictureData] | None = None,
    title: str = "Cards",
    drawings: Sequence[Drawing] = (ICON,),
) -> Booklet:
    """Return a booklet of sheets with these frames."""
    by_hash = {frame.hash: frame for frame in frames}
    return Booklet(title, tuple(sheets), by_hash, {drawing.key: drawing for drawing in drawings}, pictures or {})
