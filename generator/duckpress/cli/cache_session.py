"""What earlier builds left for the one at hand: whole builds that still stand, and faces that are still the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duckpress.cli import settings
from duckpress.cli.report import build_data

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace
    from duckpress.press.build_cache import Standing
    from duckpress.press.frame_store import FrameStore
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Built, Request, Step


class Earlier:
    """Earlier builds of a workspace with the same request; without a cache there are none."""

    def __init__(self, workspace: Workspace, request: Request, folder: Path, *, has_cache: bool) -> None:
        from duckpress.press.build_cache import Builds
        from duckpress.store.cache import Cache, cache_of, program_identity

        self._workspace = workspace
        self._folder = folder
        self._cache = cache_of(workspace, settings.settings_folder()) if has_cache else Cache(None, None)
        self._identity = "" if self._cache.is_off else program_identity()
        self._builds = Builds(workspace, request, folder, self._cache, self._identity)
        self._frames: FrameStore | None = None

    def all_standing(self, games: Sequence[str]) -> list[Standing]:
        """Return the builds of all games where every one of them stands, else nothing.

        What a killed run left beside them is put right first: who finds them standing does not hold them.
        """
        if any(self._folder.glob(".duckpress-*.lock")):
            from duckpress.store import clear_up

            for game_id in games:
                clear_up(self._folder / game_id)
        found = [self._builds.standing(game_id) for game_id in games]
        standing = [one for one in found if one is not None]
        return standing if len(standing) == len(found) else []

    def build(self, loaded: Loaded, request: Request, folder: Path, step: Step) -> Built | Standing:
        """Build a game, unless its build still stands; leaves a note of it for later builds."""
        from duckpress.files.recording import RecordingWorkspace
        from duckpress.press.frame_store import FrameStore
        from duckpress.press.pipeline import build

        standing = self._builds.standing(loaded.game_id)
        if standing is not None:
            return standing
        if self._frames is None and not self._cache.is_off:
            self._frames = FrameStore(self._cache, self._identity)
        recording = RecordingWorkspace(self._workspace)
        recording.add(loaded.answers)
        built = build(recording, loaded, request, folder, step, self._frames)
        recording.add(built.answers)
        self._builds.note(built, recording.answers, *build_data(built))
        return built
