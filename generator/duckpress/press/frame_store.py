"""What earlier builds found out of the faces of a game: their frames, and the words on them that are hard to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from duckpress.files.memo import Memo
from duckpress.fonts import FontLibrary
from duckpress.layout import KnownFaces
from duckpress.layout.legibility import Faint

if TYPE_CHECKING:
    from duckpress.proof import Proven
    from duckpress.render import Renderer

_MOST_KEPT = 4  # times as many frames as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000
T = TypeVar("T")


class OfFrames(dict[str, T]):
    """What was found out of frames, by their hashes, now or in earlier runs; `used` were asked for."""

    name = ""  # of the entry in the cache
    kind: Any = dict[str, str]

    def __init__(self, data: bytes = b"") -> None:
        """Take what `news` returned in an earlier run; anything else counts for nothing."""
        super().__init__()
        self.used: dict[str, None] = {}
        with suppress(msgspec.MsgspecError):
            self.update(msgspec.json.decode(data, type=self.kind))
        self._kept = frozenset(self)

    def __getitem__(self, key: str) -> T:
        self.used[key] = None
        return super().__getitem__(key)

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes, what this run used last; empty where nothing is new."""
        if self.used.keys() <= self._kept:
            return b""
        old = [key for key in self if key not in self.used]
        most = max(_MOST_KEPT * len(self.used), _LEAST_KEPT) - len(self.used)
        kept = {key: super(OfFrames, self).__getitem__(key) for key in (*old[-most:], *self.used)}
        self._kept = frozenset(kept)
        return msgspec.json.encode(kept)


class FaintWords(OfFrames[Sequence[Faint]]):
    """The faint words of frames."""

    name = "faint"
    kind = dict[str, list[Faint]]


class SaidWords(OfFrames[str]):
    """What frames say, as hashes (`words_said`)."""

    name = "said"

    def get(self, key: str, default: Any = None) -> Any:
        """Return it as `[]` does, which notes that it was asked for."""
        if key not in self:
            return default
        self.used[key] = None
        return dict.__getitem__(self, key)


Found = TypeVar("Found", bound=OfFrames[Any])


class MadeFile(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a file that was made: the hash of its bytes, how many they are, and what it was made of."""

    sha256: str
    bytes: int
    key: str = ""


class FrameStore:
    """Opens the known faces of a piece, and stores them again; `laid_out` counts the faces that had to be made."""

    def __init__(self, memo: Memo) -> None:
        self.laid_out = 0
        self.memo = memo
        self._open: dict[tuple[str, ...], KnownFaces] = {}
        self._renderers: dict[str, Renderer] = {}
        self._found: dict[tuple[str, str], OfFrames[Any]] = {}  # by their kinds and games
        self._proven: dict[str, Proven] = {}

    def apart(self, shelf: str) -> FrameStore:
        """Return a store in the same cache for other files of the same games: neither takes from the other."""
        return FrameStore(self.memo.apart(shelf))

    def found(self, kind: type[Found], game: str) -> Found:
        """Return what was found out of a game's frames before, of a kind."""
        known = self._found.get((kind.name, game))
        if not isinstance(known, kind):
            known = kind(self.memo.read(kind.name, self.memo.identity, game))
            self._found[kind.name, game] = known
        known.used.clear()
        return known

    def store_found(self, kind: type[OfFrames[Any]], game: str) -> None:
        """Write what was found out of a game's frames, where one came in that was not looked at before."""
        self.memo.write((kind.name, self.memo.identity, game), self._found[kind.name, game].news)

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
        """Return the known faces of a piece; those of a store that lives on are kept at hand."""
        slot = "faces", game, piece, language, ink
        if slot not in self._open:
            self._open[slot] = KnownFaces(f"{self.memo.identity} {language} {ink}", self.memo.read(*slot))
        self._open[slot].begin()
        return self._open[slot]

    def renderer(self, game: str, fonts: FontLibrary) -> Renderer:
        """Return the renderer that has drawn a game's faces of earlier builds, by their hashes, in this process."""
        from duckpress.render import Renderer  # a check, which draws nothing, begins sooner without it

        if game not in self._renderers:
            self._renderers[game] = Renderer(fonts)
        self._renderers[game].begin(fonts)
        return self._renderers[game]

    def proven(self, game: str) -> Proven:
        """Return what was proven of a game's pages before."""
        from duckpress.proof import Proven

        if game not in self._proven:
            self._proven[game] = Proven(self.memo.read("proven", self.memo.identity, game))
        self._proven[game].begin()
        return self._proven[game]

    def store_printed(self, game: str) -> None:
        """Write what was proven of a game's pages, where any of it is new."""
        self.memo.write(("proven", self.memo.identity, game), self._proven[game].news)

    def store(self, game: str, piece: str, language: str, ink: str, *, is_sound: bool) -> None:
        """Write the faces of a piece, where any of them is new. With an error in the piece, forget what was laid out.

        An error that many faces share is told once, with the first of them; the others must not pass for clean ones.
        """
        slot = "faces", game, piece, language, ink
        known = self._open[slot]
        self.laid_out += known.laid_out
        known.laid_out = 0
        if not is_sound:
            del self._open[slot]
            self.memo.drop(*slot)
            return
        self.memo.write(slot, known.news_of_faces)
