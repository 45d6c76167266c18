"""What a build's backs, folds and cut lines ask of the rooms: of `impose`, of `render` and of `proof`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from duckpress.core.frame import Drawing, Frame
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Cut, Gaps, Sheet, Side
from duckpress.impose.job import Manner
from duckpress.impose.rims import Rims
from duckpress.language import Speech, program
from duckpress.layout import Face, LaidOut
from duckpress.press.request import Request
from duckpress.proof import ExpectedFace


def has_backs(one: LaidOut) -> bool:
    """Return whether any card of a piece has a back; the pages of one that is read are all fronts but in duplex."""
    return not one.piece.book and any(face.back is not None and face.copies > 0 for face in one.faces)


def printed_frames(pieces: Sequence[LaidOut], backs: str) -> dict[str, Frame]:
    """Return the sides of all cards that are printed, by their hashes; not the pages of what is read."""
    frames: dict[str, Frame] = {}
    for one in pieces if backs != "only" else ():
        frames |= {face.front.hash: face.front for face in one.faces if face.copies}
    for one in pieces if backs != "none" else ():
        frames |= {face.back.hash: face.back for face in one.faces if face.copies and face.back is not None}
    return frames


def manner_of(request: Request, frames: Mapping[str, Frame], drawings: Mapping[str, Drawing]) -> Manner:
    """Return how cards lie on sheets, beside the paper and the backs."""
    return Manner(Cut(request.cut), Gaps(request.gaps), Rims(frames, drawings))


def emptied(sheets: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """Return the sheets with nothing on them: what has no backs, among backs that are printed alone."""
    return tuple(sheet._replace(front=Side((), ()), back=None) for sheet in sheets)


def layer_titles(speech: Speech) -> dict[str, str]:
    """Return the titles of the layers in the language of the build."""
    return {CUT_LAYER: speech.program(program.CUT_LAYER), FOLD_LAYER: speech.program(program.FOLD_LAYER)}


def expected_face(face: Face, backs: str, *, is_read: bool) -> ExpectedFace | None:
    """Return a face as it must lie in the file; None where nothing of it is printed."""
    front, back = face.front, face.back
    if backs == "only":
        if is_read or back is None:
            return None
        front, back = back, None
    elif backs == "none" or (is_read and backs != "duplex"):
        back = None
    return ExpectedFace(face.deck, face.card, face.copies, front, back, face.overlap_mm, is_cut=not is_read)


def promises_of(request: Request, speech: Speech) -> dict[str, Any]:
    """Return what a file promises of folds, cuts and layers, as the fields of `Expected`."""
    return {
        "fold_turn": request.turn if request.backs == "gutterfold" else None,
        "cut": request.cut,
        "layers": {f"L-{name}": title for name, title in layer_titles(speech).items()},
        "prints_layers": request.prints_cuts,
    }
