"""The sheets that pieces came to last, in a program that goes on: where only faces differ, the same sheets hold them.

How a piece is laid on sheets follows from the sizes and copies of its faces, from what its margins say, and from
whether its faces look alike at their edges: all of it has to be as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from duckpress.core.frame import Drawing, Frame
from duckpress.fonts import FontLibrary
from duckpress.impose import Sheet, Side
from duckpress.impose.rims import Rims, rim_colour
from duckpress.layout import Face, LaidOut

_FEW = 8
Name = Callable[[Face], str]


class _Kept(NamedTuple):
    """The sheets of a piece, and what they were made of."""

    how: str
    fonts: object
    one: LaidOut
    sheets: tuple[Sheet, ...]


class KeptSheets:
    """The sheets of the pieces of one game, by papers."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept] = {}

    def find(self, one: LaidOut, paper: str, how: str, fonts: FontLibrary, name: Name) -> tuple[Sheet, ...] | None:
        """Return the sheets of a piece; `how` says all that they depend on besides its faces, their fonts, the paper.

        `name` returns what margins call a card.
        """
        kept = self._kept.get((one.piece.id, paper))
        if kept is None or kept.how != how or kept.fonts is not fonts.typefaces_by_key:
            return None
        changed = _changed(kept.one, one, name)
        if changed is None:
            return None
        return tuple(_sheet_with(sheet, changed) for sheet in kept.sheets) if changed else kept.sheets

    def keep(self, one: LaidOut, paper: str, how: str, fonts: FontLibrary, sheets: tuple[Sheet, ...]) -> None:
        """Keep the sheets of a piece."""
        self._kept[one.piece.id, paper] = _Kept(how, fonts.typefaces_by_key, one, sheets)


def _changed(before: LaidOut, now: LaidOut, name: Name) -> dict[int, Face] | None:
    """Return the faces that differ, by their numbers; None where they need not lie as the faces before them did."""
    if len(before.faces) != len(now.faces):
        return None
    changed: dict[int, Face] = {}
    for number, (old, new) in enumerate(zip(before.faces, now.faces, strict=True)):
        if old is new:
            continue
        if _lies(old, name) != _lies(new, name):
            return None
        if (old.front.hash, old.back and old.back.hash) != (new.front.hash, new.back and new.back.hash):
            if not _have_rims_alike(old, before.drawings, new, now.drawings):
                return None
            changed[number] = new
            if len(changed) > max(_FEW, len(now.faces) // _FEW):
                return None  # sooner laid on sheets again than compared
    return changed


def _lies(face: Face, name: Name) -> tuple[object, ...]:
    """Return what decides how a face lies on its sheet, and what the margins call it."""
    sides = [None if side is None else (side.trim, side.bleed_mm) for side in (face.front, face.back)]
    return face.deck, face.format, face.copies, face.overlap_mm, sides, name(face)


def _have_rims_alike(
    old: Face, old_drawings: Mapping[str, Drawing], new: Face, new_drawings: Mapping[str, Drawing]
) -> bool:
    return all(
        before is None or after is None or _rim(before, old_drawings) == _rim(after, new_drawings)
        for before, after in ((old.front, new.front), (old.back, new.back))
    )


def _rim(frame: Frame, drawings: Mapping[str, Drawing]) -> list[object]:
    """Return all that is asked of a frame's edges."""
    rims = Rims({"": frame}, drawings)
    return [rim_colour(frame, drawings), *(rims.edge("", side) for side in range(4))]


def _sheet_with(sheet: Sheet, changed: Mapping[int, Face]) -> Sheet:
    """Return a sheet with faces changed; the very same one where it has none of them."""
    front, back = _side_with(sheet.front, changed), sheet.back and _side_with(sheet.back, changed)
    return sheet if front is sheet.front and back is sheet.back else sheet._replace(front=front, back=back)


def _side_with(side: Side, changed: Mapping[int, Face]) -> Side:
    if changed.keys().isdisjoint([placement.face for placement in side.placements]):
        return side
    placements = []
    for placement in side.placements:
        face = changed.get(placement.face)
        frame = face and (face.back if placement.is_back else face.front)
        placements.append(placement if frame is None else placement._replace(frame=frame.hash))
    return side._replace(placements=tuple(placements))
