"""What a finished PDF must hold, said without any plan of how it was laid on sheets; and how a difference is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import NamedTuple

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame
from duckpress.core.geometry import Size
from duckpress.core.printer_profile import Printer
from duckpress.core.problems import Problem, Source, fault
from duckpress.impose import Side
from duckpress.text.fonts import FontFile

TOLERANCE_MM = 0.05

__all__ = ["TOLERANCE_MM", "fault", "proof_stopped"]


def proof_stopped(error: Exception, source: Source) -> Problem:
    """Return a `proof-stopped` for an error in the proof itself: nothing is known of the file then."""
    last = extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return fault("proof-stopped", f"the proof broke down at {where}: {type(error).__name__}: {error}", source)


class ExpectedFace(NamedTuple):
    """A card as often as it must be there; `back` is None where nothing is printed behind it."""

    deck: str
    card: str
    copies: int
    front: Frame
    back: Frame | None
    overlap_mm: float | None = None  # how much neighbouring tiles must share; None for what must be in one piece

    is_cut: bool = True  # a page that is read is not
    shape: str = ""  # what straight cuts alone do not give: `round`, `hexagonal`
    name: str = ""  # what the margins of its sheets call it, where it does not say itself which card it is

    def __str__(self) -> str:
        return f"card {self.card!r} of deck {self.deck!r}"


class ExpectedPage(NamedTuple):
    """A page of the file: the side that was planned for it, and the size of the paper as the sheet lies."""

    side: Side
    paper: Size


class FrameOfCard(NamedTuple):
    """A frame, the card that it belongs to, and which side of it."""

    frame: Frame
    card: ExpectedFace
    side: str

    def __str__(self) -> str:
        return f"the {self.side} of {self.card}"


class Expected(NamedTuple):
    """What one PDF must hold. `paper` may lie either way; `duplex` is the edge it is turned on, None for one side.

    With `duplex` None no back may be in the document, whatever the faces say. The printer cannot reach the outer
    `margin_mm` of the paper: nothing may lie there. `pictures` and `drawings` are what the faces call, by key.
    Pages are corrected for a `printer`, where there is one: sizes and places are those on paper, not those in the file.
    With a `fold_turn` sheets that show a fold line are folded along it; of those that show none, what has a back on the
    next page is glued to it, turned about that edge. `cut` is what shows the cuts (`marks`, `lines`, `none`), `layers`
    the titles of layers by their names on pages; `prints_layers` says whether they are printed.
    With `is_grey` it is printed in greys alone.
    `pages` are those of the file in their order, as they were planned; `font_file` returns the font file (and its
    instance) that a text names: without it, fonts are not looked at.
    `backs_turn` is the edge that the sheets of a document of backs alone are turned on, None where fronts are in it.
    """

    faces: tuple[ExpectedFace, ...]
    paper: Size
    margin_mm: float
    duplex: str | None
    title: str
    language: str
    pictures: Mapping[str, PictureData]
    drawings: Mapping[str, Drawing] = MappingProxyType({})
    printer: Printer | None = None
    backs_turn: str | None = None
    fold_turn: str | None = None
    cut: str = "none"
    layers: Mapping[str, str] = MappingProxyType({})
    prints_layers: bool = True
    is_grey: bool = False
    pages: tuple[ExpectedPage, ...] = ()
    font_file: Callable[[str], FontFile | None] | None = None


def frames_of(expected: Expected) -> dict[str, FrameOfCard]:
    """Return all frames by their hashes, with the cards behind them."""
    frames: dict[str, FrameOfCard] = {}
    for face in expected.faces:
        frames.setdefault(face.front.hash, FrameOfCard(face.front, face, "front"))
        if face.back is not None:
            frames.setdefault(face.back.hash, FrameOfCard(face.back, face, "back"))
    return frames
