"""The commands and their options, as click reads them; what they do is in `build`, how it is told in `report`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress import __version__
from duckpress.cli import CONTENT_ERROR, MACHINE_ERROR, report
from duckpress.sizes import PAPERS

if TYPE_CHECKING:
    from duckpress.build import Checked, Loaded
    from duckpress.model import Game
    from duckpress.workspace import Workspace

_FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
_GAMES = click.argument("games", nargs=-1, metavar="[GAME]...")


class _Names(click.ParamType[tuple[str, ...]]):
    """A list of names with commas between them; where choices are given, each has to be one of them."""

    name = "names"

    def __init__(self, choices: Sequence[str] = ()) -> None:
        self.choices = tuple(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(dict.fromkeys(name.strip() for name in str(value).split(",") if name.strip()))
        for name in names:
            if self.choices and name not in self.choices:
                self.fail(f"{name!r} is not one of {', '.join(self.choices)}", param, ctx)
        return names or self.fail("name at least one", param, ctx)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="duckpress", message="%(prog)s %(version)s")
@click.option(
    "--workspace",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The workspace; without it the nearest parent folder with a content/.",
)
@click.pass_context
def main(ctx: click.Context, folder: Path | None) -> None:
    """Games kept as plain text, checked against their own rules and printed as print-and-play PDFs."""
    ctx.obj = folder


@main.command("list")
@_FORMAT
@click.pass_context
def list_command(ctx: click.Context, form: str) -> None:
    """Show the games of the workspace and what they are printed as."""
    from duckpress.build import load

    workspace = _workspace(ctx)
    with _machine_failures():
        loaded = [load(workspace, game_id) for game_id in _named(workspace, ())]
    report.show_list(loaded, form)
    _leave(loaded)


@main.command()
@_GAMES
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="Only this variant; `base` is the game without any.")
@_FORMAT
@click.pass_context
def check(ctx: click.Context, games: tuple[str, ...], players: int | None, variant: str | None, form: str) -> None:
    """Check that content is sound and that the components suffice at every player count."""
    from duckpress.build import check as check_game

    workspace = _workspace(ctx)
    with _machine_failures():
        chosen = _chosen(workspace, games, players=players, variant=variant)
        checked = [check_game(workspace, loaded, players=players, variant=variant) for loaded in chosen]
    report.show_check(checked, form)
    _leave(checked)


@main.command()
@click.argument("game")
@_FORMAT
@click.pass_context
def table(ctx: click.Context, game: str, form: str) -> None:
    """Show the setup table of a game and of its variants."""
    from duckpress.build import tables

    workspace = _workspace(ctx)
    with _machine_failures():
        (loaded,) = _chosen(workspace, (game,))
        checked, found = tables(loaded)
    report.show_tables(checked, found, form)
    _leave([checked])


@main.command()
@_GAMES
@click.option("--paper", type=_Names(tuple(PAPERS)), default="a4,letter", show_default=True, help="Papers to print on.")
@click.option("--backs", type=click.Choice(["duplex", "none"]), default="duplex", show_default=True, help="Backs.")
@click.option("--turn", type=click.Choice(["long", "short"]), default="long", show_default=True, help="Edge to flip.")
@click.option("--ink", type=click.Choice(["color"]), default="color", show_default=True, help="How much ink.")
@click.option("--lang", help="The language to print; without it the game's first.")
@click.option("--players", type=click.IntRange(1, 100), help="Print what this player count needs.")
@click.option("--piece", "pieces", type=_Names(), default=(), help="Only these pieces.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/.")
@click.option("--force", is_flag=True, help="Print in spite of errors, with DRAFT on every page.")
@_FORMAT
@click.pass_context
def build(ctx: click.Context, /, games: tuple[str, ...], form: str, out: Path | None, **options: Any) -> None:
    """Check games, typeset their pieces and write print-ready PDFs."""
    from duckpress.build import Request
    from duckpress.build import build as build_game

    workspace = _workspace(ctx)
    request = Request(
        papers=options["paper"],
        backs=options["backs"],
        turn=options["turn"],
        ink=options["ink"],
        language=options["lang"],
        players=options["players"],
        pieces=options["pieces"],
        is_forced=options["force"],
    )
    folder = out if out is not None else workspace.root / "output"
    built = []
    with _machine_failures():
        chosen = _chosen(workspace, games, players=request.players, pieces=request.pieces, language=request.language)
        for loaded in chosen:
            with report.progress(loaded.game_id, is_quiet=form == "json") as step:
                built.append(build_game(workspace, loaded, request, folder, step))
    report.show_build(built, form)
    _leave([one.checked for one in built])


def _workspace(ctx: click.Context) -> Workspace:
    """Give the workspace asked for, or the one around the current folder."""
    from duckpress.workspace import open_workspace

    return open_workspace((ctx.obj or Path.cwd()).resolve())


def _named(workspace: Workspace, names: Sequence[str]) -> Sequence[str]:
    """Give the games named, or all of them; leaves with status 2 for a name that no game has."""
    from duckpress.problems import did_you_mean

    known = workspace.games()
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no game {name!r} in content/; {did_you_mean(name, known)}")
    if not known:
        raise click.UsageError("there is no game in content/: a game is a folder with a game.yaml.")
    return list(dict.fromkeys(names)) or known


def _chosen(
    workspace: Workspace,
    names: Sequence[str],
    *,
    players: int | None = None,
    variant: str | None = None,
    pieces: Sequence[str] = (),
    language: str | None = None,
) -> list[Loaded]:
    """Give the games named that have what the options ask for; leaves with status 2 where none of them has it."""
    from duckpress.build import load, variants_of

    chosen = [load(workspace, name) for name in _named(workspace, names)]
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


def _having(chosen: list[Loaded], names: Callable[[Game], Iterable[str]], wanted: str, word: str) -> list[Loaded]:
    """Give the games that know a name (and those too broken to tell); leaves with status 2 where none does."""
    from duckpress.problems import did_you_mean

    known = {one.game_id: set(names(one.game)) for one in chosen if one.game is not None}
    having = [one for one in chosen if one.game is None or wanted in known[one.game_id]]
    if known and not any(wanted in found for found in known.values()):
        games = " and ".join(known)
        raise click.UsageError(f"{games}: no {word} {wanted!r}; {did_you_mean(wanted, set().union(*known.values()))}")
    return having


@contextmanager
def _machine_failures() -> Iterator[None]:
    """Turn a failure of the machine (disk, permissions, memory) into one message and status 3."""
    from duckpress.problems import MachineError

    try:
        yield
    except MachineError as error:
        what = str(error)
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        what = f"{(error.strerror or str(error)).lower()}{place}"
    except MemoryError:
        what = "there is not enough memory for this"
    else:
        return
    click.echo(f"duckpress: {what}", err=True)
    sys.exit(MACHINE_ERROR)


def _leave(checked: Sequence[Checked | Loaded]) -> None:
    """Leave with status 1 where an error in content stands."""
    if any(one.has_errors for one in checked):
        sys.exit(CONTENT_ERROR)
