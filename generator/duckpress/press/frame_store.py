"""What earlier builds found out of the faces of a game: their frames, and the words on them that are hard to read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from duckpress.check.known_rules import KnownRules
from duckpress.core.kept import KeptLists
from duckpress.core.problems import MachineError
from duckpress.files.memo import Memo
from duckpress.files.recording import Answers
from duckpress.fonts import FontLibrary
from duckpress.fonts.kept_fonts import KeptFonts
from duckpress.layout import Batch, KeptWorker, KnownFaces
from duckpress.layout.legibility import Faint
from duckpress.model import Game
from duckpress.pool import jobs
from duckpress.pool.process_pool import can_fork
from duckpress.store.cache import Cache, program_identity

if TYPE_CHECKING:
    from duckpress.press.kept_sheets import KeptSheets
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
    """Opens the known faces of a piece, and stores them again; `laid_out` counts the faces that had to be made.

    One that `is_patient`, in a program that goes on, writes nothing into the cache before it is told to (`write_due`).
    """

    def __init__(self, cache: Cache, identity: str = "", shelf: tuple[str, ...] = ()) -> None:
        self.laid_out = 0
        self._shelf = shelf
        self._cache = cache
        self._due: dict[str, Callable[[], bytes]] = {}  # what is to be written, by the names of entries
        self.identity = identity or program_identity()
        self.memo = Memo(cache, self.identity, shelf)
        self._open: dict[str, KnownFaces] = {}
        self._renderers: dict[str, Renderer] = {}
        self._found: dict[tuple[str, str], OfFrames[Any]] = {}  # by their kinds and games
        self._proven: dict[str, Proven] = {}
        self._sheets: dict[str, KeptSheets] = {}
        self._rules: dict[tuple[str, str], KnownRules] = {}
        self.kept = KeptLists()  # in this process
        self.fonts = KeptFonts()
        self.fonts_in_languages: dict[tuple[str, str], KeptFonts] = {}  # by games and languages
        self.in_languages: dict[tuple[str, str], tuple[object, Answers, object]] = {}  # by games and languages
        self.batches: dict[str, Batch] = {}  # what was laid out last of each game, in this process
        self._worker: tuple[str, KeptWorker] | None = None

    @property
    def is_patient(self) -> bool:
        """Whether nothing is written before it is told to."""
        return self.memo.is_patient

    def apart(self, shelf: str) -> FrameStore:
        """Return a store in the same cache for other files of the same games: neither takes from the other."""
        return FrameStore(self._cache, self.identity, (*self._shelf, shelf))

    def _name(self, kind: str, *parts: str) -> str:
        return _entry_name(kind, *self._shelf, *parts)

    def keep_worker(self, game: str) -> None:
        """Let a worker begin, or go on, for the next run of a game: where the one there is cannot serve it."""
        batch = self.batches.get(game)
        if batch is None or (self._worker is not None and self._worker[0] == game and self._worker[1].serves(batch)):
            return
        self.end_worker()
        if can_fork() or not jobs():
            with suppress(MachineError):
                self._worker = game, KeptWorker(batch)

    def worker(self, game: str) -> KeptWorker | None:
        """Return the worker that was kept for a game."""
        return self._worker[1] if self._worker is not None and self._worker[0] == game else None

    def end_worker(self) -> None:
        """End the worker that was kept."""
        if self._worker is not None:
            self._worker[1].end()
        self._worker = None

    def found(self, kind: type[Found], game: str) -> Found:
        """Return what was found out of a game's frames before, of a kind."""
        known = self._found.get((kind.name, game))
        if not isinstance(known, kind):
            known = kind(self._cache.read(self._name(kind.name, self.identity, game)))
            self._found[kind.name, game] = known
        known.used.clear()
        return known

    def store_found(self, kind: type[OfFrames[Any]], game: str) -> None:
        """Write what was found out of a game's frames, where one came in that was not looked at before."""
        self._write(self._name(kind.name, self.identity, game), self._found[kind.name, game].news)

    def picture(self, key: str) -> bytes:
        """Return the pixels of a drawing as an earlier build drew them; empty where none did."""
        return self._used(self._name("picture", self.identity, key))

    def keep_picture(self, key: str, png: bytes) -> None:
        """Keep the pixels of a drawing for later builds."""
        self._cache.write(self._name("picture", self.identity, key), png)

    def made(self, folder: str) -> dict[str, MadeFile]:
        """Return what earlier runs made in a folder, by the names of files."""
        with suppress(msgspec.MsgspecError):
            body = self._cache.read(self._name("made", self.identity, folder))
            return msgspec.json.decode(body, type=dict[str, MadeFile])
        return {}

    def store_made(self, folder: str, made: Mapping[str, MadeFile]) -> None:
        """Note what lies in a folder now, by the names of files."""
        self._write(self._name("made", self.identity, folder), lambda: msgspec.json.encode(made))

    def _used(self, name: str) -> bytes:
        self._cache.touch(name)
        return self._cache.read(name)

    def _write(self, name: str, news: Callable[[], bytes]) -> None:
        """Write an entry now, or as soon as nobody waits; where there is no news, it is marked as used."""
        self._due[name] = news
        if not self.is_patient:
            self.write_due()

    def write_due(self) -> None:
        """Write what is still to be written into the cache."""
        self.memo.write_due()
        due, self._due = self._due, {}
        for name, news in due.items():
            if body := news():
                self._cache.write(name, body)
            else:
                self._cache.touch(name)

    def known(self, game: str, piece: str, language: str, ink: str) -> KnownFaces:
        """Return the known faces of a piece; those of a store that lives on are kept at hand."""
        parts = game, piece, language, ink
        name = self._name("faces", *parts)
        if name not in self._open:
            setting = f"{self.identity} {language} {ink}"
            self._open[name] = KnownFaces(
                setting, self._cache.read(name), lambda part: self._used(self._name(part, *parts))
            )
        self._open[name].begin()
        return self._open[name]

    def renderer(self, game: str, fonts: FontLibrary) -> Renderer:
        """Return the renderer that has drawn a game's faces of earlier builds, by their hashes, in this process."""
        from duckpress.render import Renderer  # a check, which draws nothing, begins sooner without it

        if game not in self._renderers:
            self._renderers[game] = Renderer(fonts)
        self._renderers[game].begin(fonts)
        return self._renderers[game]

    def rules(self, game: Game) -> KnownRules:
        """Return what was worked out last, in this process, of a game's rules in its language."""
        return self._rules.setdefault((game.id, game.language), KnownRules())

    def sheets(self, game: str) -> KeptSheets:
        """Return the sheets that a game's pieces came to last, in this process."""
        from duckpress.press.kept_sheets import KeptSheets

        return self._sheets.setdefault(game, KeptSheets())

    def proven(self, game: str) -> Proven:
        """Return what was proven of a game's pages before."""
        from duckpress.proof import Proven

        if game not in self._proven:
            self._proven[game] = Proven(self._cache.read(self._name("proven", self.identity, game)))
        self._proven[game].begin()
        return self._proven[game]

    def store_printed(self, game: str) -> None:
        """Write what was proven of a game's pages, where any of it is new."""
        self._write(self._name("proven", self.identity, game), self._proven[game].news)

    def store(self, game: str, piece: str, language: str, ink: str, *, is_sound: bool) -> None:
        """Write the faces of a piece, where any of them is new. With an error in the piece, forget what was laid out.

        An error that many faces share is told once, with the first of them; the others must not pass for clean ones.
        """
        name = self._name("faces", game, piece, language, ink)
        known = self._open[name]
        self.laid_out += known.laid_out
        known.laid_out = 0
        if not is_sound:
            del self._open[name]
            self._due.pop(name, None)
            return
        self._write(name, known.news_of_faces)
        for part in sorted(known.new_parts):
            self._write(self._name(part, game, piece, language, ink), partial(known.news_of_part, part))


def _entry_name(kind: str, *parts: str) -> str:
    return f"{kind}-" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
