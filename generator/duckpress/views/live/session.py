"""A game's live page, updated while its files are edited: read, checked and laid out again as in `watch`.

What can be drawn is shown, whatever is wrong with the rest. Where files are too broken for that (a deck that cannot be
read, a game that is gone), the last good pictures stay, and the page says that they are old. Pictures are made when a
browser asks for them, and ahead, in the order of the cards, while nobody asks and nothing changes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qsl

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import NoSuchSetup
from duckpress.core.backs import INKS
from duckpress.core.printer_profile import Printer
from duckpress.core.problems import MachineError, Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import Loaded
from duckpress.press.watching import LOOK_S, Watcher
from duckpress.store.file_writing import machine_error
from duckpress.views.export_files import ExportRequest
from duckpress.views.live.web_process import PageProcess, Stocked
from duckpress.views.page.card_rows import finding_rows
from duckpress.views.page.game_page import FIRST, GamePage, PageVersions, page_from
from duckpress.views.pictures import FacePainter, PaintedFile
from duckpress.views.shown_game import GamePieces, ShownGame

_HERE = Path(__file__).resolve().parent
_AT_ONCE = 12  # pictures made between two looks at the files
_MOST_AHEAD = 1_000  # pictures made before anybody asks
_MOST_RETIRED = 200  # pictures of earlier versions that may still be asked for, besides those of the first
_LARGE = 200  # cards: of fewer, all are laid out before the first ones would be seen
_FIRST_CARDS = 18  # about what is seen without scrolling
_MOST_ASKED = 20  # answers that a server keeps of what readers chose
INDEX, SCRIPT = "index.html", "live.js"
_DATA, _PICTURES, _ASK = "data/", "pictures/", "ask/"


class _Script(Struct, frozen=True):
    """A script that hands data to the page, with the version of the data."""

    version: str
    data: bytes

    @classmethod
    def of(cls, page: GamePage, name: str) -> _Script | None:
        """Return the script of a page's data; None if there is no such data, or if they cannot be made."""
        try:
            data = page.script(name)
        except (KeyError, MachineError):
            return None
        version = _digest(data)
        return cls(version, data + b'(duckpress.made ??= {})["%s"] = "%s";\n' % (name.encode(), version.encode()))


class Refreshed(Struct, frozen=True):
    """A game laid out again: the new files to serve, and the problems for the terminal."""

    stocked: Stocked
    problems: tuple[Problem, ...]
    is_stale: bool


class LiveSession:
    """The page of one game; `refresh` reads its files, `make` makes files on a browser's request.

    Of a large game `begin` is given the page with its first cards, while all others are laid out.
    """

    def __init__(
        self, workspace: Workspace, game_id: str, request: ExportRequest, frames: BuildCache, versions: PageVersions,
        printers: Mapping[str, Printer], begin: Callable[[Stocked], object],
    ) -> None:  # fmt: skip
        self._game_id = game_id
        self._request = replace(request, every_language=True, other_inks=INKS)  # each is made when it is asked for
        self._versions = versions
        self._printers = printers
        self._begin = begin
        self._watcher = Watcher(workspace, (game_id,), self._lay_out, frames)
        self._painter: FacePainter | None = None
        self._given: set[str] = set()
        self._page: GamePage | None = None
        self._scripts: dict[str, _Script] = {}
        self._first: Mapping[str, PaintedFile] = {}
        self._retired: dict[str, PaintedFile] = {}
        self._ahead: Iterator[str] = iter(())
        self._asked: deque[str] = deque()

    def is_changed(self) -> bool:
        """Return whether a file has changed since the last layout; waits until no file changes any more."""
        if not self._watcher.changed():
            return False
        self._watcher.settle(time.sleep)
        return True

    def is_late(self) -> bool:
        """Return whether a file changed after it was read, during the layout."""
        return self._watcher.is_stale(self._game_id)

    def rest(self) -> None:
        self._watcher.rest()

    def refresh(self) -> Refreshed:
        """Lay the game out again, and return the new files."""
        try:
            drawn = self._watcher.make(self._game_id)
            problems = drawn.shown.checked.problems
        except (MachineError, OSError) as error:
            what = str(error if isinstance(error, MachineError) else machine_error("read", self._game_id, error))
            drawn, problems = None, (Problem("unreadable-file", Source(f"content/{self._game_id}"), what, ""),)
        before = self._page
        if drawn is not None and self._is_good(drawn.shown):
            page = self._take(drawn)
            return self._stocked(page, problems, is_stale=False)
        if before is not None:
            places = before.places
            before.data["findings"] = lambda: finding_rows(problems, places, is_stale=True)
            return self._stocked(before, problems, is_stale=True)
        rows = [{"at": str(one.source), "what": one.what, "fix": one.fix} for one in problems]
        index = page_from(_HERE / "broken.html", game=self._game_id, problems=rows).encode("utf-8", "backslashreplace")
        files: dict[str, bytes | None] = {INDEX: index, SCRIPT: (_HERE / SCRIPT).read_bytes()}
        return Refreshed(Stocked(files, news=_news(index, {}, is_broken=True)), problems, is_stale=True)

    def make(self, name: str) -> bytes | None:
        """Return a file for a browser; None for an unknown name."""
        page = self._page
        if page is None:
            return None
        if name.startswith(_PICTURES):
            file = page.pictures.get(name) or self._first.get(name) or self._retired.get(name)
            return None if file is None else self._picture(name, file)
        if name.startswith(_DATA) and name.endswith(".js"):
            data = name.removeprefix(_DATA).removesuffix(".js")
            script = _Script.of(page, data)
            if script is not None:
                self._scripts[data] = script
                return script.data
        if name.startswith(_ASK):
            self._asked.append(name)
            kind, _, options = name.removeprefix(_ASK).partition(".json?")
            try:
                answer = json.dumps(page.ask(kind, dict(parse_qsl(options, keep_blank_values=True)))).encode()
            except (KeyError, ValueError, NoSuchSetup, MachineError):  # no such choice, or it takes too much
                answer = b"null"
            self._watcher.look_further(self._game_id)
            return answer
        return None

    def spent(self) -> list[str]:
        """Return the names of answers that may be dropped."""
        return [self._asked.popleft() for _ in range(len(self._asked) - _MOST_ASKED)]

    def make_ahead(self) -> dict[str, bytes | None]:
        """Return a picture before any request for it, by its name; empty if all are made."""
        name = next((name for name in self._ahead if name not in self._given), None)
        return {} if name is None or self._page is None else {name: self._picture(name, self._page.pictures[name])}

    def _picture(self, name: str, file: PaintedFile) -> bytes:
        assert self._painter is not None
        self._given.add(name)
        return file.made(self._painter)

    def _lay_out(self, recording: Workspace, loaded: Loaded) -> GamePieces:
        request, game = self._request, loaded.game
        if game is not None and request.language not in (None, *(one.code for one in game.languages)):
            request = replace(request, language=None)
        if self._page is None and game is not None and sum(len(one.cards) for one in game.decks.values()) > _LARGE:
            first = GamePieces(recording, loaded, request, most=_FIRST_CARDS)
            if self._is_good(first.shown):
                page = self._take(first)
                self._begin(self._stocked(page, (), is_stale=False).stocked)
                for name, file in page.pictures.items():
                    self._begin(Stocked({name: self._picture(name, file)}))
        return GamePieces(recording, loaded, request)

    def _is_good(self, shown: ShownGame) -> bool:
        """Return whether a game can be shown: every deck shown before that still exists has cards."""
        if shown.checked.game is None or not shown.checked.pieces:
            return False
        if self._page is None or self._page.drawn.is_begun or not shown.checked.has_errors:
            return True
        now = {face.deck for one in shown.checked.pieces for face in one.faces}
        return {face.deck for one in self._page.shown.checked.pieces for face in one.faces} <= now

    def _take(self, drawn: GamePieces) -> GamePage:
        page = GamePage(drawn, is_live=True, versions=self._versions, printers=self._printers)
        if self._page is None or self._page.drawn.is_begun:
            self._first = dict(page.pictures)
        else:
            self._retired |= {name: one for name, one in self._page.pictures.items() if name not in page.pictures}
            for name in list(self._retired)[:-_MOST_RETIRED]:
                del self._retired[name]
        self._page = page
        self._painter = FacePainter(page.shown.fonts)
        self._ahead = iter(list(page.pictures)[:_MOST_AHEAD])
        return page

    def _stocked(self, page: GamePage, problems: tuple[Problem, ...], *, is_stale: bool) -> Refreshed:
        """Return what is new of a page: its own files, and changed data of `FIRST` and of earlier requests."""
        scripts_now = {name: _Script.of(page, name) for name in dict.fromkeys((*FIRST, *self._scripts))}
        scripts = {name: one for name, one in scripts_now.items() if one is not None}
        new = {f"{_DATA}{name}.js": one.data for name, one in scripts.items() if self._scripts.get(name) != one}
        gone = [*(f"{_DATA}{name}.js" for name in self._scripts if name not in scripts), *self._asked]
        self._asked.clear()
        self._scripts = scripts
        shell: dict[str, bytes | None] = {**page.files, SCRIPT: (_HERE / SCRIPT).read_bytes()}
        index = page.files[INDEX]
        news = _news(index, {name: one.version for name, one in scripts.items()}, is_broken=False)
        return Refreshed(Stocked({**shell, **new}, gone, news), problems, is_stale)


def serve(session: LiveSession, process: PageProcess, tell: Callable[[Refreshed], object]) -> None:
    """Keep a page up to date and serve it, without end; call `tell` after each layout."""
    refreshed = session.refresh()
    tell(refreshed)
    stocked, is_checked, has_rested = refreshed.stocked, False, False
    while True:
        names = process.exchange(stocked)
        files = {name: session.make(name) for name in names[:_AT_ONCE]}
        if session.is_changed() or (not is_checked and session.is_late()):
            refreshed = session.refresh()
            tell(refreshed)
            files |= {name: session.make(name) for name in files if name.startswith(_ASK)}  # of the page as it is now
            stocked = Stocked({**files, **refreshed.stocked.files}, refreshed.stocked.gone, refreshed.stocked.news)
            is_checked = has_rested = False
            continue
        is_checked = not any(name.startswith(_ASK) for name in names)  # an answer may have read files, too
        if not names:
            files = session.make_ahead()
        is_busy = bool(names or files)
        if not is_busy and not has_rested:
            session.rest()
            has_rested = True
        stocked = Stocked(files, session.spent(), wait_s=0.0 if is_busy else LOOK_S)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _news(index: bytes, versions: Mapping[str, str], *, is_broken: bool) -> bytes:
    return json.dumps({"page": _digest(index), "made": versions, "broken": is_broken}).encode()
