"""Common parts of all commands: the workspace, the named games, progress, output, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec.structs import replace

from duckpress.cli import CONTENT_ERROR, options, terminal
from duckpress.cli.commands import COMMANDS, examples
from duckpress.cli.report import print_json
from duckpress.core.problems import MachineError, Problem, did_you_mean, has_errors
from duckpress.files.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from duckpress.files.memo import Memo
    from duckpress.model import Game
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.reading import Loaded


class Answer(NamedTuple):
    """A command's output: `data` as JSON, with the problems and `more` after them, or the text that `show` prints.

    An error among the problems is the status 1; where others decide it, these are `decisive`.
    """

    data: Mapping[str, object]
    problems: Sequence[Problem]
    show: Callable[[], object]
    more: Mapping[str, object] = {}
    decisive: Sequence[Problem] | None = None


def command(*lines: str, opens: bool = True) -> Callable[[Callable[..., Answer | None]], click.Command]:
    """Return a decorator that makes a function `<name>_command` a command: it takes the workspace (if it `opens` one)
    and its options, and returns an `Answer`; `lines` are examples for its help.
    """

    def decorate(run: Callable[..., Answer | None]) -> click.Command:
        @wraps(run)
        def tell(ctx: click.Context, /, form: str = "text", **given: Any) -> None:
            answer = run(workspace_of(ctx), **given) if opens else run(**given)
            if answer is None:
                return
            if form == "json":
                print_json(answer.data, answer.problems, **answer.more)
            else:
                answer.show()
            if has_errors(answer.problems if answer.decisive is None else answer.decisive):
                sys.exit(CONTENT_ERROR)

        name = run.__name__.removesuffix("_command").replace("_", "-")
        return click.command(name, help=COMMANDS[name][1], epilog=examples(*lines))(click.pass_context(tell))

    return decorate


def form() -> str:
    """Return the output format of the current command: `text`, or one for programs."""
    return str(click.get_current_context().params.get("form", "text"))


def steps_of(name: str) -> AbstractContextManager[Callable[[str], None]]:
    """Return `progress` with a name, silent if a program reads the output."""
    return terminal.progress(name, is_quiet=form() != "text")


def workspace_of(ctx: click.Context) -> Workspace:
    """Return the chosen workspace, or the one around the current folder."""
    try:
        start = (ctx.obj or Path.cwd()).resolve()
    except FileNotFoundError:
        raise MachineError("the folder that this was started in is gone: go into another one") from None
    return open_workspace(start)


def named_games(workspace: Workspace, names: Sequence[str]) -> Sequence[str]:
    """Return the named games, or all of the folder; exits with status 2 for an unknown name.

    The bundled games, which stand in for a folder without any, are taken by their names alone.
    """
    known = workspace.games()
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no game {name!r} in content/; {did_you_mean(name, known)}")
    if not known:
        raise click.UsageError(f"there is no game in content/: a game is a folder with a game.yaml. {options.BEGIN}")
    if not names and not workspace.has_own_games:
        bundled = f"those that come along are taken by name: {', '.join(known)} (`duckpress build {known[0]}`)"
        raise click.UsageError(f"there is no game in this folder. {options.BEGIN}; {bundled}")
    return list(dict.fromkeys(names)) or known


def chosen_games(
    workspace: Workspace,
    names: Sequence[str],
    *,
    pieces: Sequence[str] = (),
    lays_out: bool = False,
    next_module: str = "",
    **having: Any,
) -> list[Loaded]:
    """Return the named games that have what the options require; exits with status 2 if none has.

    `having` are values of `players`, `variant` and `language`, None for any. Whoever `lays_out` games gets them with
    the faces of earlier runs. `next_module` has what is done with the games: it is imported while other processes read
    them.
    """
    from duckpress.press.reading import load_all

    players, variant, language = (having.get(name) for name in ("players", "variant", "language"))
    chosen = load_all(workspace, named_games(workspace, names), next_module)
    if lays_out:
        frames = earlier_frames(workspace)
        chosen = [replace(loaded, frames=frames) for loaded in chosen]
    if players is not None:
        chosen = _games_with(chosen, lambda game: map(str, game.players), str(players), "player count")
    if language is not None:
        chosen = _games_with(chosen, lambda game: (one.code for one in game.languages), language, "language")
    if variant is not None:
        chosen = _games_with_variant(chosen, variant, players)
    for piece in pieces:
        _games_with(chosen, lambda game: (own.id for own in game.pieces), piece, "piece")
    if pieces:
        chosen = [one for one in chosen if one.game is None or {piece.id for piece in one.game.pieces} & set(pieces)]
    return chosen


def earlier_frames(workspace: Workspace) -> BuildCache:
    """Return the cached faces of earlier runs."""
    from duckpress.press.build_cache import BuildCache

    return BuildCache(own_memo(workspace))


def own_memo(workspace: Workspace, *, is_wanted: bool = True) -> Memo:
    """Return the memo of a workspace with its cache; an empty one if the cache is off or not wanted."""
    from duckpress.files.memo import Memo
    from duckpress.store.cache import cache_of, program_identity

    cache = cache_of(workspace, options.settings_folder()) if is_wanted else None
    return Memo() if cache is None or cache.is_off else Memo(cache, program_identity())


def _games_with(chosen: list[Loaded], names: Callable[[Game], Iterable[str]], wanted: str, word: str) -> list[Loaded]:
    """Return the games that know a name (and those too broken to tell); exits with status 2 if none does."""
    known = {one.game_id: set(names(one.game)) for one in chosen if one.game is not None}
    having = [one for one in chosen if one.game is None or wanted in known[one.game_id]]
    if known and not any(wanted in found for found in known.values()):
        games = " and ".join(known)
        raise click.UsageError(f"{games}: no {word} {wanted!r}; {did_you_mean(wanted, set().union(*known.values()))}")
    return having


def _games_with_variant(chosen: list[Loaded], variant: str, players: int | None) -> list[Loaded]:
    """Return the games that have a variant and modules; exits with status 2 and the reasons if none has."""
    from duckpress.check import NoSuchSetup, way_to_play

    games, wrong = [], []
    for one in chosen:
        try:
            if one.game is not None:
                way_to_play(one.game.setup, variant, players)
            games.append(one)
        except NoSuchSetup as none:
            wrong.append(f"{one.game_id}: {none.what}; {none.fix}")
    if wrong and all(one.game is None for one in games):
        raise click.UsageError("\n".join(wrong))
    return games


def the_way(loaded: Loaded, variant: str | None) -> str | None:
    """Return the full name of a variant and modules that `chosen_games` accepted; None for the game without any."""
    from duckpress.check import way_to_play

    return way_to_play(loaded.game.setup, variant) if loaded.game is not None else None


def the_players(loaded: Loaded, players: int | None) -> int:
    """Return the chosen player count, or the only possible one; exits with status 2 if there are several."""
    counts = loaded.game.players if loaded.game is not None else (1,)
    if players is None and len(counts) > 1:
        known = f"the game is for {', '.join(map(str, counts))}"
        raise click.UsageError(f"{loaded.game_id}: say for how many players, with --players; {known}")
    return players if players is not None else counts[0]


def output_folder(workspace: Workspace, out: Path | None) -> Path:
    """Return the folder for outputs: the chosen one or the workspace's; exits with status 3 if that leads out."""
    from duckpress.store.output_places import outputs_of

    return outputs_of(workspace.root, out)


def let_work(jobs: int | None) -> None:
    """Set the number of processes; by default one for each core."""
    if jobs is not None:
        from duckpress.pool.parallel import use_jobs

        use_jobs(jobs)


def is_given(name: str) -> bool:
    """Return whether an option is given on the command line."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
