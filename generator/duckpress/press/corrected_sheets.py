"""Sheets as they are meant -> as a printer that does not print true has to be given them."""

from __future__ import annotations

from duckpress.core.backs import Backs
from duckpress.core.geometry import IDENTITY, Size
from duckpress.core.printer_profile import Printer, stood_up
from duckpress.impose import Sheet, Turn
from duckpress.impose.sheets import turns_left_right


def corrected(sheets: tuple[Sheet, ...], printer: Printer | None, turn: Turn, backs: Backs) -> tuple[Sheet, ...]:
    """Return sheets as a printer, if one is asked for, has to be given them; the only side of backs alone is one.

    A printer is measured with its paper upright. A page on its side would be turned by whatever prints it, either way,
    and nobody could tell in which direction its back drifts: so such pages are stood up here, both sides alike. Sheets
    that are folded have no backs that could drift, and stay as they lie.
    """
    if printer is None:
        return sheets
    upright = []
    for sheet in sheets:
        lying = sheet.paper
        size = lying if backs.is_folded else Size(min(lying), max(lying))
        stand = IDENTITY if lying == size else stood_up(lying)
        flips = turns_left_right(size, turn)
        front, back = (
            printer.correction(size, is_back=is_back, turns_left_right=flips).after(stand) for is_back in (False, True)
        )
        upright.append(
            sheet._replace(
                paper=size,
                front=sheet.front._replace(map=front if backs.has_fronts else back),
                back=None if sheet.back is None else sheet.back._replace(map=back),
            )
        )
    return tuple(upright)
