"""Checks that still stand: a game of which no file has changed is not checked and typeset again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.problems import Problem, has_errors, sorted_problems
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.press.standing_notes import StandingNotes
from duckpress.store.cache import Cache, program_identity

if TYPE_CHECKING:
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Step


class Findings(Struct, frozen=True):
    """What a check found out of a game: its problems, the texts that had to shrink, and how many languages it has."""

    game_id: str
    problems: tuple[Problem, ...]
    shrunk: list[dict[str, Any]]
    languages: int


class Checks:
    """The checks of one question: at a player count or all, in one way to play or all, in these inks."""

    def __init__(
        self, workspace: Workspace, players: int | None, variant: str | None, inks: Sequence[str], cache: Cache
    ) -> None:
        self._workspace = workspace
        self._asked = (players, variant, inks)
        identity = "" if cache.is_off else program_identity()
        self._notes = StandingNotes(workspace, cache, identity, "check", repr(self._asked))

    def standing(self, games: Sequence[str]) -> list[Findings]:
        """Return the findings about all games where those of every one still stand, else nothing."""
        standing = [found for game_id in games if (found := self._notes.read(game_id, Findings)) is not None]
        return standing if len(standing) == len(games) else []

    def check(self, loaded: Loaded) -> Findings:
        """Check a game, unless that still stands; where there is no error, a note of it is left."""
        from duckpress.press.checking import check

        if self._notes.is_off or (found := self._notes.read(loaded.game_id, Findings)) is None:
            recording = RecordingWorkspace(self._workspace)
            recording.add(loaded.answers)
            players, variant, inks = self._asked
            checked = check(recording, loaded, players=players, variant=variant, inks=inks)
            languages = len(checked.game.languages) if checked.game is not None else 0
            found = Findings(checked.game_id, checked.problems, checked.shrunk, languages)
            # With an error not all is looked at; and whoever has one changes a file next.
            if not has_errors(found.problems):
                self._notes.write(loaded.game_id, recording.answers, found)
        return found


def with_unnoticed(loaded: Loaded, found: Findings, step: Step) -> Findings:
    """Return findings with what no check of the setup would notice; as they are, where there are errors."""
    if loaded.game is None or has_errors(found.problems):
        return found
    from duckpress.check.mutation_check import unnoticed_changes

    return replace(found, problems=tuple(sorted_problems((*found.problems, *unnoticed_changes(loaded.game, step)))))
