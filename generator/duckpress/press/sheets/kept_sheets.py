"""Sheets of earlier builds, kept by all that decides them: of faces what shows at their edges, but none of their words.

So where a word changes, no piece is imposed again. The proof holds all of them against the cards, like new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from typing import NamedTuple

import msgspec

from duckpress.core.frame import digest_of, read_items, written_items
from duckpress.core.geometry import Size
from duckpress.core.sizes import Paper
from duckpress.files.memo import Memo, form_of, key_of
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Refused, Workspace
from duckpress.impose import Gang, GangedSheets
from duckpress.impose.rims import Rims
from duckpress.impose.sheets import Code, Layer, Placement, Sheet, Side
from duckpress.layout import Face, LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.text.fonts import FontLibrary


class _Kept(NamedTuple):
    """The font files that margins are set in, and the sheets of pieces by their keys."""

    fonts: tuple[str, ...]
    gangs: dict[str, bytes]


_KeptSide = tuple[list[Placement], list[tuple[str, int]], Code | None]
"""A side without the hashes of its frames; of its items the layer, if any, and their number among the parts."""

_KeptSheet = tuple[Size, _KeptSide, _KeptSide | None, int, int]


class _KeptGang(NamedTuple):
    """Sheets, with the titles of their bundles; `rims` is what was seen of each side of the faces, if anything."""

    rims: list[bytes]
    parts: list[bytes]
    bundles: list[tuple[str, list[_KeptSheet]]]
    sheets_alone: int


_FORM = form_of(_Kept)
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_KeptGang).decode


class KeptSheets:
    """The sheets of a game as one request has them printed; `rims` are what shows at the edges of its faces."""

    def __init__(self, workspace: Workspace, job: PrintJob, memo: Memo) -> None:
        game = job.game
        self.rims = memo.pack("rims", game.id)
        self._workspace, self._fonts, self._memo, self._game = workspace, job.fonts, memo, game.id
        self._slot = "sheets", game.id, repr(job.request)
        pieces = [piece.id for piece in game.pieces]
        self._key = key_of(game.id, game.version, game.title, game.finish, game.speech, pieces)
        kept = memo.recall(self._slot, self._key, workspace, _FORM) or _Kept((), {})
        self._of_faces = {*self._fonts.paths} - {*kept.fonts}  # other faces may need others
        self._fonts.load_paths(kept.fonts)
        self._known, self._used = kept.gangs, dict[str, bytes]()

    def gang(self, rims: Rims, name: str, paper: Paper, pieces: Sequence[LaidOut], make: Callable[[], Gang]) -> Gang:
        """Return the sheets of pieces on a paper, from `make` if they are not known."""
        faces = [(one.piece.title, *_facts(face)) for one in pieces for face in one.faces]
        key = digest_of(name, paper, faces)
        sides = [side for one in pieces for face in one.faces for side in (face.front, face.back)]
        frames = ["" if side is None else side.hash for side in sides]
        if (body := self._known.get(key) or self._used.get(key)) is not None:
            with suppress(ValueError, LookupError):
                kept = _decode(body)
                if all(not rim or rims.seen(frame) == rim for frame, rim in zip(frames, kept.rims, strict=True)):
                    gang = _read(kept, frames)
                    self._used[key] = body
                    return gang
        rims.asked.clear()
        gang = make()
        with suppress(ValueError, OverflowError):  # half a letter
            seen = [rims.seen(frame) if frame in rims.asked else b"" for frame in frames]
            self._used[key] = _encode(_written(gang, seen))
        return gang

    def branch(self) -> KeptSheets:
        """Return the same with what is known now, for other copies of the game."""
        other = copy(self)
        other.rims, other._known, other._used = self.rims.branch(), {**self._known, **self._used}, {}
        return other

    def save(self) -> None:
        """Store the sheets of this run, if there are new ones."""
        self._memo.save("rims", self._game)
        if self._used == self._known:
            return
        recording = RecordingWorkspace(self._workspace)
        _ = FontLibrary(recording).families
        for path in self._fonts.paths:
            with suppress(Refused):
                recording.read(path, "font-file")
        fonts = tuple(path for path in self._fonts.paths if path not in self._of_faces)
        self._memo.keep(self._slot, self._key, recording.answers, _Kept(fonts, self._used), _FORM)


def _facts(face: Face) -> tuple[object, ...]:
    """Return all of a face that decides its place, the marks around it and its name in the margins, but its edges."""
    trims = face.front.trim, None if face.back is None else face.back.trim
    return face.format, face.copies, trims, face.overlap_mm, face.is_named, face.code, face.changed


def _written(gang: Gang, rims: list[bytes]) -> _KeptGang:
    parts: dict[bytes, int] = {}

    def side(one: Side) -> _KeptSide:
        items = []
        for item in one.items:
            name, inner = (item.name, item.items) if isinstance(item, Layer) else ("", (item,))
            items.append((name, parts.setdefault(written_items(inner), len(parts))))
        return [placed._replace(frame="") for placed in one.placements], items, one.code

    def sheet(one: Sheet) -> _KeptSheet:
        return one.paper, side(one.front), None if one.back is None else side(one.back), one.number, one.total

    bundles = [(bundle.title, [*map(sheet, bundle.sheets)]) for bundle in gang.bundles]
    return _KeptGang(rims, [*parts], bundles, gang.sheets_alone)


def _read(kept: _KeptGang, frames: Sequence[str]) -> Gang:
    """Return kept sheets, with these frames of the faces: the front and the back of each."""
    parts = [*map(read_items, kept.parts)]

    def side(placements: list[Placement], items: list[tuple[str, int]], code: Code | None) -> Side:
        placed = [one._replace(frame=frames[2 * one.face + one.is_back]) for one in placements]
        shown = [Layer(name, parts[part]) if name else parts[part][0] for name, part in items]
        return Side(tuple(placed), tuple(shown), code=code)

    def sheet(one: _KeptSheet) -> Sheet:
        paper, front, back, number, total = one
        return Sheet(paper, side(*front), None if back is None else side(*back), number, total)

    bundles = [GangedSheets(title, tuple(map(sheet, sheets))) for title, sheets in kept.bundles]
    return Gang(tuple(bundles), kept.sheets_alone)
