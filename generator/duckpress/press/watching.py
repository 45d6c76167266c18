"""Games built again as their files are saved: looks at the files that a build read, and at the folders it looked into.

Files are looked at every few hundredths of a second: a few hundred of them take a millisecond or two, it works on every
system and every file system, and no library is needed for it. What a game is made of is known exactly, so a change
touches the games that read the file and no other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from duckpress.content.yaml.known_items import KnownItems
from duckpress.files.recording import RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.press.frame_store import FrameStore
from duckpress.press.pipeline import build
from duckpress.press.reading import Checked, load
from duckpress.press.request import Built, Request

LOOK_S = 0.04  # between two looks at the files
SETTLE_S = 0.01  # for which files have to keep still before a build: programs save in several steps
BUSY_S = 0.5  # to wait while another run writes a game's files, before trying again

Look = dict[str, tuple[int, int, int] | None]
"""What can be seen of files without reading them: path -> change time, size, identity; None where there is none."""


class Watcher:
    """Games that are kept built; faces once laid out stay at hand from build to build."""

    def __init__(
        self, workspace: Workspace, games: Sequence[str], request: Request, out: Path, frames: FrameStore
    ) -> None:
        self._workspace = workspace
        self._named = tuple(games)
        self._request = request
        self._out = out
        self._frames = frames
        self._recordings: dict[str, RecordingWorkspace] = {}
        self._cards: dict[str, KnownItems] = {}
        self._looks: dict[str, Look] = {}

    def games(self) -> Sequence[str]:
        """Return the games to watch: those named, or all that there are now."""
        return self._named or self._workspace.games()

    def build(self, game_id: str) -> Built:
        """Build a game and remember what it was made of."""
        recording = self._recordings[game_id] = RecordingWorkspace(self._workspace)
        try:
            known = self._cards.setdefault(game_id, KnownItems())
            loaded = replace(load(recording, game_id, known), frames=self._frames)
            game = loaded.game
            language = self._request.language
            if game is not None and language is not None and language not in (one.code for one in game.languages):
                return Built(Checked(game_id, game, loaded.problems), self._out / game_id)
            return build(recording, loaded, self._request, self._out)
        finally:
            self._looks[game_id] = self._look(game_id)

    def is_stale(self, game_id: str) -> bool:
        """Return whether a file changed while its game was built, after it had been read."""
        return not is_unchanged(self._workspace, self._recordings[game_id].answers)

    def changed(self) -> list[str]:
        """Return the games of which a file has changed since they were built, or that were never built."""
        return [game_id for game_id in self.games() if self._looks.get(game_id) != self._look(game_id)]

    def looks(self) -> dict[str, Look]:
        """Return what can be seen of all files now: it stays the same while nobody writes."""
        return {game_id: self._look(game_id) for game_id in self.games()}

    def _look(self, game_id: str) -> Look:
        recording = self._recordings.get(game_id)
        if recording is None:
            return {}
        paths = {json.loads(question)[1] for question in recording.answers}
        look: Look = {}
        for root in self._workspace.roots:
            for path in paths:
                place = f"{root}/{path}"
                try:
                    about = Path(place).stat()
                except (OSError, ValueError):
                    look[place] = None
                else:
                    look[place] = (about.st_mtime_ns, about.st_size, about.st_ino)
        return look
