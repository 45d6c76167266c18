"""Pieces that share sheets: which may, and the one file they become."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.sizes import Paper
from duckpress.impose import Gang, Sheet, fit_grid
from duckpress.layout import LaidOut


def may_share(one: LaidOut, paper: Paper) -> bool:
    """Return whether a piece may share sheets: not what stands for another, is read, or is tiled on this paper."""
    is_tiled = any(face.overlap_mm is not None and fit_grid(face.format, paper) is None for face in one.faces)
    return one.piece.instead_of is None and not one.piece.book and bool(one.faces) and not is_tiled


def bundled(pieces: Sequence[LaidOut], gang: Gang, name: str) -> list[tuple[LaidOut, tuple[Sheet, ...]]]:
    """Return the sheets of pieces that share them as pieces of their own, each named for what lies on its sheets.

    Any sheet may need any face, so all have all of them; the first is the one that says how many there must be.
    """
    drawings = {key: drawing for one in pieces for key, drawing in one.drawings.items()}
    pictures = {key: picture for one in pieces for key, picture in one.pictures.items()}
    faces = tuple(face for one in pieces for face in one.faces)
    found = []
    for number, bundle in enumerate(gang.bundles, 1):
        piece = pieces[0].piece._replace(id=f"{name}-{number}", title=bundle.title)
        shown = faces if number == 1 else tuple(face._replace(copies=0) for face in faces)
        one = pieces[0]._replace(piece=piece, faces=shown, drawings=drawings, pictures=pictures)
        found.append((one, bundle.sheets))
    return found
