"""Games read by other processes, while this one imports the module of the next stage: that takes as long."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from duckpress.content.game.loading import load_game
from duckpress.content.yaml.yaml_file import parser_of_yaml
from duckpress.core.problems import Problem
from duckpress.files.recording import Answers, RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.pool.parallel import started_parts


class ReadGame(NamedTuple):
    """What `load_game` returns of a game, and all that reading it asked of the workspace."""

    game: Game | None
    problems: list[Problem]
    answers: Answers


def read_games(workspace: Workspace, games: Sequence[str], jobs: int, next_module: str = "") -> list[ReadGame]:
    """Return the games of these ids, read by up to `jobs` processes. Raises what `load_game` raises."""

    def read(number: int) -> ReadGame:
        recording = RecordingWorkspace(workspace)
        return ReadGame(*load_game(recording, games[number]), recording.answers)

    parser_of_yaml()  # which is imported now, once for all processes
    with started_parts(read, len(games), jobs) as parts:
        if next_module:
            import_module(next_module)
        return parts.results()
