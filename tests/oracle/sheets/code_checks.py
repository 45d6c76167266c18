"""The codes of sheets, held against the sheets that they lie on: what each says, and that it covers nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import segno
import zxingcpp
from PIL import Image

from duckpress.core.problems import Problem
from duckpress.proof.expected import fault
from oracle.sheets.expected_sheets import ExpectedPiece, ExpectedSheets
from oracle.sheets.margin_notes import is_clear
from oracle.sheets.sheet_sides import SheetPages

PIXELS = 4
"""So many pixels across and down stand for a module of a code that is stamped as a mask of bits."""
_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")  # what a code of capitals and figures cannot hold


def check_codes(part: Sequence[SheetPages], sheets: ExpectedSheets) -> Iterator[Problem]:
    """Yield a `proof-code` for a code that says something else than what its sheet is, or that covers something."""
    for number, sheet in enumerate(part, 1):
        for page, side in enumerate(sheet.sides, sheet.page):
            codes = side.around.codes
            most = page == sheet.page and sheets.backs != "only"
            if len(codes) > most:
                yield fault("proof-code", f"page {page} has {len(codes)} codes")
            for code in codes:
                said, fault_ = _read(code.across, code.rows)
                if fault_ or not _is_of(said, sheet.piece, number, sheets):
                    said = fault_ or f"it says {said!r}"
                    what = f"the code on page {page} does not name sheet {number} of {sheet.piece.title!r}: {said}"
                    yield fault("proof-code", what)
                seats = () if sheet.piece.pages else side.seats
                is_on_text = not all(run.box.is_apart(code.box) for run in side.around.runs)
                if is_on_text or not is_clear(code.box, side.around.paths, seats):
                    yield fault("proof-code", f"the code on page {page} lies on something else")


@lru_cache(maxsize=2048)
def _read(across: int, rows: tuple[bytes, ...]) -> tuple[str, str]:
    """Return what a code says, and why nothing where it says nothing: any module that is wrong makes it wrong."""
    bits = [f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}"[:across] for row in rows]
    modules = [row[::PIXELS] for row in bits[::PIXELS]]
    if bits != ["".join(one * PIXELS for one in row) for row in modules for _ in range(PIXELS)]:
        return "", "it is no square of modules"
    side = across + 8 * PIXELS
    picture = Image.new("L", (side, side), 255)
    dark = bytes(0 if bit == "1" else 255 for row in bits for bit in row)
    picture.paste(Image.frombytes("L", (across, len(rows)), dark), (4 * PIXELS, 4 * PIXELS))
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode, is_pure=True)
    if len(found) != 1:
        return "", "no reader finds a code in it"
    said = found[0].text
    version, error = (len(modules) - 17) // 4, found[0].ec_level
    masks = (segno.make_qr(said, error, version, mask=mask, boost_error=False) for mask in range(8))
    if not any(["".join(map(str, row)) for row in one.matrix] == modules for one in masks):
        return "", f"a module of it is wrong, which says {said!r}"
    return said, ""


def _is_of(said: str, piece: ExpectedPiece, number: int, sheets: ExpectedSheets) -> bool:
    """Return whether a code says game, version, piece and sheet: perhaps the game cut short."""
    game, version, *names = (_OTHERS.sub("-", part.upper()) for part in (sheets.id, sheets.version, piece.code))
    parts = said.split("/")
    if len(parts) != 4 or parts[1] != version or parts[2] not in (*names, str(sheets.numbers.get(piece.code, 0))):
        return False
    is_game = parts[0] == game or (parts[0].endswith("*") and len(parts[0]) > 1 and game.startswith(parts[0][:-1]))
    return is_game and parts[3] in (f"{number}", f"0{number}")
