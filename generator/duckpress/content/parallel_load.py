"""Games read by other processes, while this one does something else: importing what comes next takes as long."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from duckpress.content.game.loading import load_game
from duckpress.content.yaml.nodes import parser_of_yaml
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.pool.parallel import in_parts

Read = tuple[Game | None, list[Problem]]
"""What `load_game` gives."""


def load_games(
    games: Sequence[tuple[Workspace, str]],
    jobs: int,
    meanwhile: Callable[[], object] = lambda: None,
    spare: Iterable[Callable[[], object]] = (),
) -> list[Read]:
    """Give the games of these ids, each as `load_game` does, read through their workspaces by up to `jobs` processes.

    `meanwhile` is done here first, and of `spare` what there is time for. Raises what `load_game` raises.
    """

    def read(number: int) -> tuple[Read, list[tuple[str, str]]]:
        door, game_id = games[number]
        before = door.answers_given
        return load_game(door, game_id), door.answers_since(before)

    parser_of_yaml()  # which is imported now, once for all processes
    found = in_parts(read, len(games), jobs, meanwhile, spare)
    for (door, _), (_, answers) in zip(games, found, strict=True):
        door.take_answers(answers)
    return [one for one, _ in found]
