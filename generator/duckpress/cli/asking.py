"""What all commands ask alike: the workspace, the games named, the way of reporting, and the status to leave with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click
from msgspec.structs import replace

from duckpress.cli import settings
from duckpress.cli.ending import system_error_words, unless_it_takes_nothing
from duckpress.cli.statuses import CONTENT_ERROR, MACHINE_ERROR
from duckpress.cli.terminal import echo

if TYPE_CHECKING:
    from duckpress.core.sizes import Sleeve
    from duckpress.files.workspace import Workspace
    from duckpress.model import Game
    from duckpress.press.frame_store import FrameStore
    from duckpress.press.reading import Loaded

FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
CACHE = click.option("--cache/--no-cache", default=True, help="Use what earlier builds found out.")
GAMES = click.argument("games", nargs=-1, metavar="[GAME]...")


class Names(click.ParamType[tuple[str, ...]]):
    """A list of names with commas between them; where choices are given, each has to be one of them."""

    name = "names"

    def __init__(self, choices: Sequence[str] = ()) -> None:
        self.choices = tuple(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the names, each once."""
        if isinstance(value, tuple):
            return value
        names = tuple(dict.fromkeys(name.strip() for name in str(value).split(",") if name.strip()))
        for name in names:
            if self.choices and name not in self.choices:
                self.fail(f"{name!r} is not one of {', '.join(self.choices)}", param, ctx)
        return names or self.fail("name at least one", param, ctx)


class Papers(Names):
    """A list of papers with commas between them: names, or sizes such as `320x450mm`."""

    name = "papers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the names of the papers, each once."""
        from duckpress.core.sizes import PAPERS, paper_named

        names = super().convert(value, param, ctx)
        for name in names:
            if paper_named(name) is None:
                known = ", ".join(PAPERS)
                self.fail(f"{name!r} is none of {known}, and no size such as 320x450mm or 13x19in", param, ctx)
        return names


class Sleeves(click.ParamType["Sleeve"]):
    """A sleeve: its name, or its inside such as `66x91`."""

    name = "sleeve"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Sleeve:
        """Return the sleeve."""
        from duckpress.core.sizes import SLEEVES, sleeve_named

        sleeve = sleeve_named(str(value))
        if sleeve is None:
            self.fail(f"{value!r} is none of {', '.join(SLEEVES)}, and no inside such as 66x91 (mm)", param, ctx)
        return sleeve


def workspace_of(ctx: click.Context) -> Workspace:
    """Return the workspace asked for, or the one around the current folder."""
    from duckpress.files.workspace import open_workspace

    try:
        start = (ctx.obj or Path.cwd()).resolve()
    except FileNotFoundError:
        from duckpress.core.problems import MachineError

        raise MachineError("the folder that this was started in is gone: go into another one") from None
    return open_workspace(start)


def named_games(workspace: Workspace, names: Sequence[str]) -> Sequence[str]:
    """Return the games named, or all of them; leaves with status 2 for a name that no game has."""
    from duckpress.core.problems import did_you_mean

    known = workspace.games()
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no game {name!r} in content/; {did_you_mean(name, known)}")
    if not known:
        raise click.UsageError("there is no game in content/: a game is a folder with a game.yaml.")
    return list(dict.fromkeys(names)) or known


def chosen_games(
    workspace: Workspace,
    names: Sequence[str],
    *,
    players: int | None = None,
    variant: str | None = None,
    pieces: Sequence[str] = (),
    language: str | None = None,
    lays_out: bool = False,
    next_module: str = "",
) -> list[Loaded]:
    """Return the games named that have what the options ask for; leaves with status 2 where none of them has it.

    Whoever `lays_out` games gets them with the faces of earlier runs. `next_module` has what is done with the games:
    it is imported while other processes read them.
    """
    from duckpress.press.reading import load_all, variants_of

    chosen = load_all(workspace, named_games(workspace, names), next_module)
    if lays_out:
        frames = earlier_frames(workspace)
        chosen = [replace(one, frames=frames) for one in chosen]
    if players is not None:
        chosen = _having(chosen, lambda game: map(str, game.players), str(players), "player count")
    if variant is not None:
        chosen = _having(chosen, lambda game: ("base", *variants_of(game)), variant, "variant")
    if language is not None:
        chosen = _having(chosen, lambda game: (spoken.code for spoken in game.languages), language, "language")
    for piece in pieces:
        _having(chosen, lambda game: (one.id for one in game.pieces), piece, "piece")
    if pieces:
        chosen = [one for one in chosen if one.game is None or {piece.id for piece in one.game.pieces} & set(pieces)]
    return chosen


def earlier_frames(workspace: Workspace) -> FrameStore | None:
    """Return the faces that earlier runs left; None where nothing is kept."""
    from duckpress.press.frame_store import FrameStore
    from duckpress.store.cache import cache_of

    cache = cache_of(workspace, settings.settings_folder())
    return None if cache.is_off else FrameStore(cache)


def _having(chosen: list[Loaded], names: Callable[[Game], Iterable[str]], wanted: str, word: str) -> list[Loaded]:
    """Return the games that know a name (and those too broken to tell); leaves with status 2 where none does."""
    from duckpress.core.problems import did_you_mean

    known = {one.game_id: set(names(one.game)) for one in chosen if one.game is not None}
    having = [one for one in chosen if one.game is None or wanted in known[one.game_id]]
    if known and not any(wanted in found for found in known.values()):
        games = " and ".join(known)
        raise click.UsageError(f"{games}: no {word} {wanted!r}; {did_you_mean(wanted, set().union(*known.values()))}")
    return having


def output_folder(workspace: Workspace, out: Path | None) -> Path:
    """Return the folder for outputs: the one asked for or the workspace's; leaves with status 3 if that leads out."""
    from duckpress.store.output_places import outputs_of

    with machine_failures():
        return outputs_of(workspace.root, out)


@contextmanager
def machine_failures() -> Iterator[None]:
    """Turn a failure of the machine (disk, permissions, memory) into one message and status 3."""
    from duckpress.core.problems import MachineError

    try:
        yield
    except MachineError as error:
        what = str(error)
    except BrokenPipeError:
        raise  # nobody reads what there is to say
    except OSError as error:
        what = system_error_words(error)
    except MemoryError:
        what = "there is not enough memory for this"
    else:
        return
    with unless_it_takes_nothing():
        echo(f"duckpress: {what}", err=True)
    sys.exit(MACHINE_ERROR)


class Result(Protocol):
    """What a step gave, with its problems."""

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        ...


def leave(checked: Sequence[Result]) -> None:
    """Leave with status 1 where an error in content stands."""
    if any(one.has_errors for one in checked):
        sys.exit(CONTENT_ERROR)
