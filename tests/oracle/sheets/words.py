"""What footers must say, of sheets and of tiles, and what codes say: known without any plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple
from unicodedata import category, normalize

import zxingcpp
from PIL import Image

from duckpress.core.geometry import Point, Rect
from duckpress.core.language import program
from oracle.reading.marks import SheetCode
from oracle.reading.placing import shown_part
from oracle.sheets.expected import ExpectedPiece, ExpectedSheets, SheetSide

_JOINING = {
    (False, False): program.JOIN_FIRST,
    (True, False): program.JOIN_LEFT,
    (False, True): program.JOIN_UPPER,
    (True, True): program.JOIN_BOTH,
}
_PLAIN = str.maketrans({"“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "\u00ad": "-", "\u0131": "i", "\u0237": "j"})


def squeezed(text: str) -> str:
    """Return a text without its spaces and marks, its quotes and apostrophes of one kind."""
    plain = "".join(text.split()).translate(_PLAIN)
    if plain.isascii():
        return plain
    return "".join(letter for letter in normalize("NFKD", plain) if category(letter)[0] != "M")


def footer_faults(
    side: SheetSide, total: int, tile: TilePlace | None, sheets: ExpectedSheets, *, has_backs: bool
) -> Iterator[str]:
    """Yield what the footer of a side does not say: whose sheet it is, which one and which side, and which tile."""
    say, is_folded = sheets.say, bool(side.layout.folds)
    parts = [program.FOLD_THEN_CUT if is_folded else program.BACK if side.is_back else program.FRONT]
    if has_backs and sheets.backs in ("duplex", "only"):
        parts.append(program.FLIP_LONG if sheets.turn == "long" else program.FLIP_SHORT)
    tail = "".join(f"· {say(part)}" for part in (*parts, program.PRINT_FULL_SIZE))
    ends = [say(program.SHEET, {"number": side.number, "total": total}) + tail]
    ends += tile.words(sheets) if tile is not None else []
    runs = list(map(squeezed, side.layout.around.runs))
    said, run_ends = "".join(runs), {*accumulate(map(len, runs))}

    def is_said(words: str) -> bool:
        """Return whether words stand there up to the end of a text."""
        found = (at for at in range(len(said)) if said.startswith(words, at))
        return any(at + len(words) in run_ends for at in found)

    rest = [say(program.VERSION, {"version": sheets.version})] if sheets.version else []
    rest += [say(program.CORRECTED, {"name": sheets.printer})] if sheets.printer else []
    heads = _heads(sheets.game, side.title, tuple(rest), sheets.drawn)
    if not any(map(is_said, heads)):
        yield f"the footer says {said!r}, not {heads[0]!r}"
    for wanted in (squeezed(sheets.drawn(end)) for end in ends):
        if not is_said(wanted):
            yield f"the footer says {said!r}, not {wanted!r}"


@lru_cache(maxsize=64)
def _heads(game: str, piece: str, rest: Sequence[str], drawn: Callable[[str], str]) -> list[str]:
    """Return how a footer may begin: with whole titles, or with what is left of them where they are too long."""
    heads = []
    for longest in range(max(len(game), len(piece), 4), 3, -1):
        after = "·".join(part for part in (_cut(piece, longest), *rest) if part)
        heads.append(squeezed(drawn(_cut(game, longest) + (f"·{after}" if after else ""))))
    return heads


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


class TilePlace(NamedTuple):
    """A tile: what of the board it shows, and the parts that all columns and all rows show, from start to end."""

    part: Rect
    columns: tuple[Point, ...]
    rows: tuple[Point, ...]

    def words(self, sheets: ExpectedSheets) -> list[str]:
        """Return what its footer must say of it."""
        column = self.columns.index((self.part.x_mm, self.part.right_mm))
        row = self.rows.index((self.part.y_mm, self.part.bottom_mm))
        number, total = row * len(self.columns) + column + 1, len(self.columns) * len(self.rows)
        where = sheets.say(program.TILE_PLACE, {"row": row + 1, "column": column + 1})
        join = sheets.say(_JOINING[column > 0, row > 0])
        return [f"{sheets.say(program.TILE, {'number': number, 'total': total})}· {where} · {join}"]


def tile_places(sides: Sequence[SheetSide]) -> list[TilePlace | None]:
    """Return for each side which tile it shows, or lies behind, where left is right; None where there is none."""
    parts: list[tuple[str, Rect] | None] = []
    for side in sides:
        seat = side.layout.faces[0].seat if len(side.layout.faces) == 1 else None
        part = shown_part(seat.matrix, seat.shown, seat.trim) if seat is not None else None
        if part is not None and seat is not None:
            x_mm = seat.trim.width_mm - part.right_mm if side.is_back else part.x_mm
            rounded = Rect(*(round(number, 2) for number in (x_mm, *part[1:])))
            parts.append((side.layout.faces[0].frame, rounded))
        else:
            parts.append(parts[-1] if side.is_back and not side.layout.faces and parts else None)
    boards: dict[str, list[Rect]] = {}
    for frame, part in filter(None, parts):
        boards.setdefault(frame, []).append(part)
    columns = {key: tuple(sorted({(part.x_mm, part.right_mm) for part in some})) for key, some in boards.items()}
    rows = {key: tuple(sorted({(part.y_mm, part.bottom_mm) for part in some})) for key, some in boards.items()}
    return [None if one is None else TilePlace(one[1], columns[one[0]], rows[one[0]]) for one in parts]


_OTHERS = re.compile(r"[^A-Z0-9 $%*+.:-]")  # what a code of capitals and figures cannot hold


@lru_cache(maxsize=2048)
def read_code(code: SheetCode) -> str:
    """Return what a code says; nothing where no reader finds one in it."""
    bits = "".join(f"{int.from_bytes(row, 'big'):0{8 * len(row)}b}"[: code.across] for row in code.rows)
    dark = bytes(0 if bit == "1" else 255 for bit in bits)
    picture = Image.new("L", (code.across + 32, len(code.rows) + 32), 255)
    picture.paste(Image.frombytes("L", (code.across, len(code.rows)), dark), (16, 16))
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode, is_pure=True)
    return found[0].text if len(found) == 1 else ""


def is_code_of(said: str, piece: ExpectedPiece, number: int, sheets: ExpectedSheets) -> bool:
    """Return whether a code says game, version, piece and sheet: perhaps the game cut short."""
    game, version, *names = (_OTHERS.sub("-", part.upper()) for part in (sheets.id, sheets.version, piece.code))
    parts = said.split("/")
    if len(parts) != 4 or parts[1] != version or parts[2] not in (*names, str(sheets.numbers.get(piece.code, 0))):
        return False
    is_game = parts[0] == game or (parts[0].endswith("*") and len(parts[0]) > 1 and game.startswith(parts[0][:-1]))
    return is_game and parts[3] in (f"{number}", f"0{number}")
