"""Words too faint on their ground, by the hashes of the frames they stand on: what earlier builds found is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from duckpress.fonts import FontLibrary
from duckpress.layout import KnownFaces
from duckpress.legibility import Faint
from duckpress.store.cache import Cache, program_identity

if TYPE_CHECKING:
    from duckpress.render import Renderer

_MOST_KEPT = 4  # times as many frames as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000


class FaintWords(dict[str, Sequence[Faint]]):
    """The faint words of frames by their hashes, found now or in earlier runs; `used` were asked for."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__()
        self.used: dict[str, None] = {}
        if data:
            self.take(data)
        self._kept = frozenset(self)

    def __getitem__(self, key: str) -> Sequence[Faint]:
        self.used[key] = None
        return super().__getitem__(key)

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes, what this run used last; empty where nothing is new."""
        if self.used.keys() <= self._kept:
            return b""
        old = [key for key in self if key not in self.used]
        most = max(_MOST_KEPT * len(self.used), _LEAST_KEPT) - len(self.used)
        found = {key: super(FaintWords, self).__getitem__(key) for key in (*old[-most:], *self.used)}
        self._kept = frozenset(found)
        return json.dumps(found).encode()

    def take(self, made: bytes) -> None:
        """Add what `news` returned in an earlier run; anything else counts for nothing."""
        try:
            self.update({str(key): [_read(one) for one in found] for key, found in json.loads(made).items()})
        except (ValueError, TypeError, AttributeError, RecursionError):
            return


def _read(found: list[Any]) -> Faint:
    text, fill, colour, ground, least = found
    for one in (fill, colour, ground):
        if len(one) != 7 or one[0] != "#":
            raise ValueError(one)
        int(one[1:], 16)
    return Faint(str(text), fill, colour, ground, float(least))


class FrameStore:
    """Opens the known faces of a piece, and stores them again; `laid_out` counts the faces that had to be made."""

    def __init__(self, cache: Cache, identity: str = "") -> None:
        self.laid_out = 0
        self._cache = cache
        self.identity = identity or program_identity()
        self._open: dict[str, KnownFaces] = {}
        self._renderer: Renderer | None = None
        self._faint: dict[str, FaintWords] = {}

    def faint(self, game: str) -> FaintWords:
        """Return the faint words of a game's frames, as far as they were looked at before."""
        if game not in self._faint:
            self._faint[game] = FaintWords(self._cache.read(self._faint_name(game)))
        self._faint[game].used.clear()
        return self._faint[game]

    def store_faint(self, game: str) -> None:
        """Write the faint words of a game's frames, where a frame came in that was not looked at before."""
        news = self._faint[game].news()
        if news:
            self._cache.write(self._faint_name(game), news)
        else:
            self._cache.touch(self._faint_name(game))

    def _faint_name(self, game: str) -> str:
        return "faint-" + hashlib.sha256(f"{self.identity}\0{game}".encode()).hexdigest()[:32]

    def known(self, game: str, piece: str, language: str, ink: str) -> KnownFaces:
        """Return the known faces of a piece; those of a store that lives on are kept at hand."""
        name = _name(game, piece, language, ink)
        if name not in self._open:
            self._open[name] = KnownFaces(f"{self.identity} {language} {ink}", self._cache.read(name))
        self._open[name].begin()
        return self._open[name]

    def renderer(self, fonts: FontLibrary) -> Renderer:
        """Return the renderer that has drawn the faces of earlier builds in this process: they go by their hashes."""
        from duckpress.render import Renderer  # a check, which draws nothing, begins sooner without it

        if self._renderer is None:
            self._renderer = Renderer(fonts)
        self._renderer.begin(fonts)
        return self._renderer

    def store(self, game: str, piece: str, language: str, ink: str, *, is_sound: bool) -> None:
        """Write the faces of a piece, where any of them is new. With an error in the piece, forget what was laid out.

        An error that many faces share is told once, with the first of them; the others must not pass for clean ones.
        """
        name = _name(game, piece, language, ink)
        known = self._open[name]
        self.laid_out += known.laid_out
        known.laid_out = 0
        if not is_sound:
            del self._open[name]
        elif known.is_changed:
            known.is_changed = False
            self._cache.write(name, known.written())
        else:
            self._cache.touch(name)


def _name(game: str, piece: str, language: str, ink: str) -> str:
    return "faces-" + hashlib.sha256("\0".join((game, piece, language, ink)).encode()).hexdigest()[:32]
