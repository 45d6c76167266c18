"""What earlier builds found out of the faces of a game: their frames, and the words on them that are hard to read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from duckpress.files.memo import Memo, Pack
from duckpress.layout import KnownFaces
from duckpress.text.fonts import FontLibrary

if TYPE_CHECKING:
    from duckpress.render import Renderer


class MadeFile(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a file that was made: the hash of its bytes, how many they are, and what it was made of."""

    sha256: str
    bytes: int
    key: str = ""


class BuildCache:
    """Opens the known faces of a piece, and stores them again; `laid_out` counts the faces that had to be made."""

    def __init__(self, memo: Memo) -> None:
        self.laid_out = 0
        self.memo = memo
        self._open: dict[tuple[str, ...], KnownFaces] = {}

    def apart(self, shelf: str) -> BuildCache:
        """Return a store in the same cache for other files of the same games: neither takes from the other."""
        return BuildCache(self.memo.apart(shelf))

    def picture(self, key: str) -> bytes:
        """Return the pixels of a drawing as an earlier build drew them; empty where none did."""
        return self.memo.read("picture", self.memo.identity, key)

    def keep_picture(self, key: str, png: bytes) -> None:
        """Keep the pixels of a drawing for later builds."""
        self.memo.write(("picture", self.memo.identity, key), lambda: png)

    def made(self, folder: str) -> dict[str, MadeFile]:
        """Return what earlier runs made in a folder, by the names of files."""
        with suppress(msgspec.MsgspecError):
            body = self.memo.read("made", self.memo.identity, folder)
            return msgspec.json.decode(body, type=dict[str, MadeFile])
        return {}

    def store_made(self, folder: str, made: Mapping[str, MadeFile]) -> None:
        """Note what lies in a folder now, by the names of files."""
        self.memo.write(("made", self.memo.identity, folder), lambda: msgspec.json.encode(made))

    def known(self, game: str, piece: str, language: str, ink: str) -> KnownFaces:
        """Return the known faces of a piece."""
        slot = "faces", game, piece, language, ink
        self._open[slot] = known = KnownFaces(self.memo.pack(*slot))
        return known

    def renderer(self, game: str, fonts: FontLibrary) -> Renderer:
        """Return a renderer that has what earlier builds of a game have drawn."""
        from duckpress.render import Renderer  # a check, which draws nothing, begins sooner without it

        return Renderer(fonts, self.memo.pack("inks", game))

    def proven(self, game: str) -> Pack:
        """Return what was proven of a game's pages before."""
        return self.memo.pack("proven", game)

    def store_printed(self, game: str) -> None:
        """Write what was drawn and proven of a game, where any of it is new."""
        self.memo.save("inks", game)
        self.memo.save("proven", game)

    def store(self, game: str, piece: str, language: str, ink: str, *, is_sound: bool) -> None:
        """Write the faces of a piece, where any of them is new. With an error in the piece, forget what was laid out.

        An error that many faces share is told once, with the first of them; the others must not pass for clean ones.
        """
        slot = "faces", game, piece, language, ink
        known = self._open.pop(slot)
        self.laid_out += known.laid_out
        if is_sound:
            self.memo.save(*slot)
        else:
            self.memo.drop(*slot)
