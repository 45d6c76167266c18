"""The cache of a game's faces from earlier builds: their frames, and their faint words."""

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
    """The facts about a file in an output folder: the hash of its bytes, its size, and the key of its inputs."""

    sha256: str
    bytes: int
    key: str = ""


class BuildCache:
    """Opens the cached faces of a piece, and stores them again; `laid_out` counts newly made faces."""

    def __init__(self, memo: Memo) -> None:
        self.laid_out = 0
        self.memo = memo
        self._open: dict[tuple[str, ...], KnownFaces] = {}
        self._shared = memo

    def apart(self, shelf: str) -> BuildCache:
        """Return a store in the same cache with entries of its own, for other files of the same games."""
        other = BuildCache(self.memo.apart(shelf))
        other._shared = self._shared
        return other

    def looks(self, game: str) -> Pack:
        """Return the looks of a game's drawings, which all its files share."""
        return self._shared.pack("looks", game)

    def codes(self, game: str) -> Pack:
        """Return a game's compiled templates; only this process may write there."""
        return self._shared.pack("codes", game)

    def store_shared(self, game: str) -> None:
        """Write the new looks and compiled templates of a game, if there are any."""
        self._shared.save("looks", game)
        self._shared.save("codes", game)

    def picture(self, key: str) -> bytes:
        """Return the pixels of a drawing from an earlier build; empty if there are none."""
        return self.memo.read("picture", self.memo.identity, key)

    def keep_picture(self, key: str, png: bytes) -> None:
        """Store the pixels of a drawing for later builds."""
        self.memo.write(("picture", self.memo.identity, key), lambda: png)

    def made(self, folder: str) -> dict[str, MadeFile]:
        """Return the facts about the files that earlier runs made in a folder, by name."""
        with suppress(msgspec.MsgspecError):
            body = self.memo.read("made", self.memo.identity, folder)
            return msgspec.json.decode(body, type=dict[str, MadeFile])
        return {}

    def store_made(self, folder: str, made: Mapping[str, MadeFile]) -> None:
        """Store the facts about the files in a folder, by name."""
        self.memo.write(("made", self.memo.identity, folder), lambda: msgspec.json.encode(made))

    def known(self, game: str, piece: str, language: str, ink: str) -> KnownFaces:
        """Return the cached faces of a piece."""
        slot = "faces", game, piece, language, ink
        self._open[slot] = known = KnownFaces(self.memo.pack(*slot))
        return known

    def renderer(self, game: str, fonts: FontLibrary) -> Renderer:
        """Return a renderer with the drawings of earlier builds of a game."""
        from duckpress.render import Renderer  # a check, which draws nothing, begins sooner without it

        return Renderer(fonts, self.memo.pack("inks", game))

    def proven(self, game: str) -> Pack:
        """Return the proven parts of a game's pages."""
        return self.memo.pack("proven", game)

    def store_printed(self, game: str) -> None:
        """Write the new drawings and proofs of a game, if there are any."""
        self.memo.save("inks", game)
        self.memo.save("proven", game)

    def store(self, game: str, piece: str, language: str, ink: str, *, is_sound: bool) -> None:
        """Write the new faces of a piece, if there are any. With an error in the piece, drop them.

        An error that many faces share is told once, with the first of them; the others must not pass for clean ones.
        """
        slot = "faces", game, piece, language, ink
        known = self._open.pop(slot)
        self.laid_out += known.laid_out
        if is_sound:
            self.memo.save(*slot)
        else:
            self.memo.drop(*slot)
