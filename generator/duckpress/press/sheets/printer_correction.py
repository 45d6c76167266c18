"""Sheets as they must stand in the file, so that a printer that does not print true puts them where they belong."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.core.geometry import IDENTITY, Size
from duckpress.core.printer_profile import Printer, stood_up
from duckpress.impose import Backs, Sheet, Turn
from duckpress.impose.duplex import turns_left_right


def corrected(sheets: Iterable[Sheet], printer: Printer, turn: Turn, backs: Backs) -> tuple[Sheet, ...]:
    """Return sheets corrected for a printer; the only side of `Backs.ONLY` is a back.

    A printer is measured with its paper upright. A page on its side would be turned by whatever prints it, either way,
    and nobody could tell in which direction its back drifts: so such pages are stood up here, both sides alike. Sheets
    that are folded have no backs that could drift, and stay as they lie.
    """
    found = []
    for sheet in sheets:
        lying = sheet.paper
        size = lying if backs is Backs.GUTTERFOLD else Size(min(lying), max(lying))
        stand = IDENTITY if lying == size else stood_up(lying)
        flips = turns_left_right(size, turn)
        front, back = (
            printer.correction(size, is_back=is_back, turns_left_right=flips).after(stand) for is_back in (False, True)
        )
        found.append(
            sheet._replace(
                paper=size,
                front=sheet.front._replace(map=back if backs is Backs.ONLY else front),
                back=None if sheet.back is None else sheet.back._replace(map=back),
            )
        )
    return tuple(found)
