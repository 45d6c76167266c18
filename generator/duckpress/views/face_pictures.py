"""The faces of a game as pictures: laid out as for print, rendered by way of a PDF with one page for each face.

Everything that shows cards on a screen (PNG files, sheets for a virtual table, the preview) goes through here, so that
it shows exactly what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from duckpress.check import check_game
from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.problems import Problem, has_errors
from duckpress.core.units import MM_PER_INCH
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.layout import Face, LaidOut
from duckpress.model import Card
from duckpress.press.reading import Checked, Loaded, named, spoken
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.render import Booklet, DocumentInfo, Renderer

if TYPE_CHECKING:
    from PIL.Image import Image


MAX_SIDE_PX = 12_000  # a picture of that side takes 400 MB while it is made; twice as much is beyond many machines
_PAGES_AT_ONCE = 24
_MOST_UNPACKED = 32_000_000  # bytes of pixels, of all pictures in a document that is made into pixels


class FaceTooLarge(Exception):
    """A face that would have too many pixels: the words say which, and how many dots per inch it could have."""


class ShownGame(NamedTuple):
    """A game laid out in one language, and the fonts that its faces are set in."""

    checked: Checked
    fonts: FontLibrary


def lay_out_game(
    workspace: Workspace,
    loaded: Loaded,
    *,
    language: str | None = None,
    ink: str = "color",
    pieces: Sequence[str] = (),
    papers: Sequence[str] = ("a4",),
    is_draft: bool = False,
) -> ShownGame:
    """Lay out the pieces named (all without a name) that need no deal; none where an error stands.

    A draft has every face that can be drawn, whatever is wrong with it or with others. Without names, pieces that
    stand for another one are left out by those who show cards, not here.
    """
    fonts = FontLibrary(workspace)
    if loaded.game is None or (loaded.has_errors and not is_draft):
        return ShownGame(Checked(loaded.game_id, loaded.game, loaded.problems), fonts)
    game, found = spoken(workspace, loaded.game, language)
    # What the setup says of cards that could not be read is no news.
    problems = [*loaded.problems, *(() if loaded.has_errors else check_game(loaded.game)), *found]
    laid_out: list[LaidOut] = []
    if is_draft or not has_errors(problems):
        wanted = [piece for piece in game.chosen_pieces(pieces) if game.dealt_to(piece) is None]
        laid_out, found = typeset(
            TypesetTask(workspace, game, fonts, wanted, language=language, ink=ink, papers=papers, frames=loaded.frames)
        )
        problems += found
    if has_errors(problems) and not is_draft:
        laid_out = []
    return ShownGame(Checked(game.id, game, named(game.id, problems), tuple(laid_out)), fonts)


def findings_of(problems: Iterable[Problem], card: Card) -> list[Problem]:
    """Return what is wrong with one card: its own values, and its face."""
    places = {card.source, *card.sources.values()}
    return [problem for problem in problems if problem.source in places or problem.what.startswith(card.subject)]


def pixels_of(frame: Frame, dpi: float, *, has_bleed: bool) -> tuple[int, int]:
    """Return how many pixels a face has across and down, its bleed included or not."""
    box = frame.bleed_box if has_bleed else None
    width_mm, height_mm = (box.width_mm, box.height_mm) if box is not None else frame.trim
    return max(1, round(width_mm / MM_PER_INCH * dpi)), max(1, round(height_mm / MM_PER_INCH * dpi))


def refuse_large(faces: Sequence[Face], dpi: float, *, has_bleed: bool) -> None:
    """Raise `FaceTooLarge` where a face would have more than `MAX_SIDE_PX` pixels across or down."""
    for face in faces:
        side = max(pixels_of(face.front, dpi, has_bleed=has_bleed))
        if side > MAX_SIDE_PX:
            most = math.floor(dpi * MAX_SIDE_PX / side)
            raise FaceTooLarge(f"{face.deck} {face.card} would be {side} pixels wide or high: use at most {most} dpi")


def paint_frames(
    one: LaidOut, frames: Sequence[Frame], fonts: FontLibrary, dpi: float, *, has_bleed: bool
) -> Iterator[Image]:
    """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
    yield from FacePainter(fonts).paint(one, frames, dpi, has_bleed=has_bleed)


class FacePainter:
    """Paints frames of several pieces; what faces of a piece share is drawn once."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._renderers: dict[str, Renderer] = {}

    def paint(self, one: LaidOut, frames: Sequence[Frame], dpi: float, *, has_bleed: bool) -> Iterator[Image]:
        """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
        renderer = self._renderers.get(one.piece.id)
        if renderer is None:
            renderer = self._renderers[one.piece.id] = Renderer(self._fonts)
            renderer.unpack(_small_pictures(one))
        for start in range(0, len(frames), _PAGES_AT_ONCE):
            yield from _painted(one, frames[start : start + _PAGES_AT_ONCE], renderer, dpi, has_bleed=has_bleed)


def _small_pictures(one: LaidOut) -> list[str]:
    """Return the keys of pictures, the smallest first, whose pixels come to no more than a document may hold."""
    left, keys = _MOST_UNPACKED, []
    for size, key in sorted((4 * data.width_px * data.height_px, key) for key, data in one.pictures.items()):
        left -= size
        if left < 0:
            break
        keys.append(key)
    return keys


def _painted(
    one: LaidOut, frames: Sequence[Frame], renderer: Renderer, dpi: float, *, has_bleed: bool
) -> Iterator[Image]:
    import pypdfium2

    sheets = []
    sizes = []
    for number, frame in enumerate(frames, 1):
        size = pixels_of(frame, dpi, has_bleed=has_bleed)
        # The page is as large as its pixels and the face in its middle: not a row of pixels is half empty.
        paper = Size(*(side_px * MM_PER_INCH / dpi for side_px in size))
        left_mm, top_mm = (paper.width_mm - frame.trim.width_mm) / 2, (paper.height_mm - frame.trim.height_mm) / 2
        bleed_mm = frame.bleed_mm
        edges = Edges(bleed_mm, bleed_mm, bleed_mm, bleed_mm)
        placement = Placement(number - 1, False, left_mm, top_mm, 0, frame.hash, edges)
        sheets.append(Sheet(paper, Side((placement,), ()), None, number, len(frames)))
        sizes.append(size)
    booklet = Booklet("", tuple(sheets), {frame.hash: frame for frame in frames}, one.drawings, one.pictures)
    document = pypdfium2.PdfDocument(renderer.render([booklet], DocumentInfo(title="")))
    try:
        for page, (width_px, height_px) in zip(document, sizes, strict=True):
            # A hair less than the scale: sides are rounded up to whole pixels, and must not gain one by an error.
            bitmap = page.render(scale=dpi / 72 * (1 - 1e-6), prefer_bgrx=True, rev_byteorder=True)  # as Pillow has it
            picture = bitmap.to_pil().convert("RGB")
            yield picture if picture.size == (width_px, height_px) else picture.resize((width_px, height_px))
            page.close()
    finally:
        document.close()
