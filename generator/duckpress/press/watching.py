"""Games made again when their files are saved: watches the files that they depend on, and searched folders.

Files are looked at every few hundredths of a second: a few hundred of them take a millisecond or two, it works on every
system and every file system, and no library is needed for it. What a game is made of is known exactly, so a change
touches the games that read the file and no other.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Generic, TypeVar

from msgspec.structs import replace

from duckpress.files.recording import READING, Answers, RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import Checked, Loaded, load
from duckpress.press.request import Built, Request, Step, silent

LOOK_S = 0.04  # between two looks at the files
SETTLE_S = 0.01  # for which files have to keep still before they are read: programs save in several steps

Look = dict[str, tuple[int, int, int] | None]
"""What can be seen of files without reading them: path -> change time, size, identity; None where there is none."""


T = TypeVar("T")

Make = Callable[[Workspace, Loaded], T]
"""Makes something of a game as its files say it; what it asks of the workspace is what it was made of."""


class Watcher(Generic[T]):
    """Games that are kept up to date; laid-out faces stay cached from one time to the next."""

    def __init__(self, workspace: Workspace, games: Sequence[str], make: Make[T], frames: BuildCache) -> None:
        self._workspace = workspace
        self._named = tuple(games)
        self._make = make
        self._frames = frames
        frames.memo.is_patient = True
        self._recordings: dict[str, RecordingWorkspace] = {}
        self._looks: dict[str, Look] = {}
        self._first_looks: dict[str, Look] = {}  # before something was made, the others after it

    def games(self) -> Sequence[str]:
        """Return the games to watch: the named ones, or all current ones."""
        return self._named or self._workspace.games()

    def make(self, game_id: str) -> T:
        """Make a game's result, and remember its dependencies."""
        recording = RecordingWorkspace(self._workspace, self._trusted(game_id))
        self._recordings.pop(game_id, None)
        self._recordings[game_id] = recording  # the last of them now
        try:
            return self._make(recording, replace(load(recording, game_id), frames=self._frames))
        finally:
            self._looks[game_id] = self._look(game_id)

    def rest(self) -> None:
        """Do background work: write pending cache entries."""
        self._frames.memo.write_due()
        gc.collect()

    def look_further(self, game_id: str) -> None:
        """Also watch the files of a game that were read after its result was made."""
        self._looks[game_id] = {**self._look(game_id), **self._looks.get(game_id, {})}

    def _trusted(self, game_id: str) -> Answers:
        """Return the last answers about files that look unchanged since that run began.

        Files keep still before they are read (`settle`): one that is written afterwards looks different.
        """
        recording, before = self._recordings.get(game_id), self._first_looks.get(game_id, {})
        now = self._first_looks[game_id] = self._look(game_id)
        same = {place for place, seen in now.items() if place in before and before[place] == seen}
        trusted = {}
        for question, answer in recording.answers.items() if recording is not None else ():
            kind, path, *_ = json.loads(question)
            if kind in READING and same.issuperset(f"{root}/{path}" for root in self._workspace.roots):
                trusted[question] = answer
        return trusted

    def is_stale(self, game_id: str) -> bool:
        """Return whether a file changed after it was read, while its game was being made."""
        return not is_unchanged(self._workspace, self._recordings[game_id].answers)

    def changed(self) -> list[str]:
        """Return the games with a changed file, and those that were never made."""
        return [game_id for game_id in self.games() if self._looks.get(game_id) != self._look(game_id)]

    def settle(self, sleep: Callable[[float], object]) -> None:
        """Wait until no file changes any more."""
        before, looks = None, [*map(self._look, self.games())]
        while before != looks:
            sleep(SETTLE_S)
            before, looks = looks, [*map(self._look, self.games())]

    def _look(self, game_id: str) -> Look:
        recording = self._recordings.get(game_id)
        paths = {json.loads(question)[1] for question in recording.answers} if recording is not None else ()
        look: Look = {}
        for place in (f"{root}/{path}" for root in self._workspace.roots for path in paths):
            try:
                about = Path(place).stat()
                look[place] = (about.st_mtime_ns, about.st_size, about.st_ino)
            except (OSError, ValueError):
                look[place] = None
        return look


def builds(
    workspace: Workspace,
    games: Sequence[str],
    request: Request,
    out: Path,
    frames: BuildCache,
    progress: Callable[[str], AbstractContextManager[Step]] = lambda _game: nullcontext(silent),
) -> Watcher[Built]:
    """Return a watcher that builds games into `out`; a game without the requested language is only read.

    `progress` is given a game that is to be built, and shows its steps.
    """
    from duckpress.press.pipeline import build  # who prints nothing begins sooner without it

    def make(recording: Workspace, loaded: Loaded) -> Built:
        game, language = loaded.game, request.language
        if game is not None and language is not None and language not in (one.code for one in game.languages):
            return Built(Checked(game.id, game, loaded.problems), out / game.id)
        with progress(loaded.game_id) as step:
            return build(recording, loaded, request, out, step)

    return Watcher(workspace, games, make, frames)
