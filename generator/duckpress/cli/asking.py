"""What all commands ask alike: options, the workspace, the games named, and the status to leave with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import completion
from duckpress.cli.ending import CONTENT_ERROR
from duckpress.core import sizes
from duckpress.core.backs import FINISHES, INKS
from duckpress.core.problems import MachineError, Problem, did_you_mean, has_errors

if TYPE_CHECKING:
    from duckpress.files.memo import Memo
    from duckpress.files.workspace import Workspace
    from duckpress.model import Game
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.reading import Loaded


def names(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in a list with commas between them, each once."""
    if isinstance(value, tuple):
        return value
    listed = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    if not listed:
        raise click.BadParameter("name at least one")
    return listed


def ink_names(value: str) -> tuple[str, ...]:
    """Return the inks in a list with commas between them."""
    for name in names(value):
        if name not in INKS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(INKS)}")
    return names(value)


def papers(value: str) -> tuple[str, ...]:
    """Return the papers in a list with commas between them: names, or sizes such as `320x450mm`."""
    for name in names(value):
        if sizes.paper_named(name) is None:
            known = ", ".join(sizes.PAPERS)
            raise click.BadParameter(f"{name!r} is none of {known}, and no size such as 320x450mm or 13x19in")
    return names(value)


def sleeve(value: str) -> sizes.Sleeve:
    """Return the sleeve of a name, or of an inside such as `66x91`."""
    chosen = sizes.sleeve_named(value)
    if chosen is None:
        raise click.BadParameter(f"{value!r} is none of {', '.join(sizes.SLEEVES)}, and no inside such as 66x91 (mm)")
    return chosen


EVERY_LANGUAGE = "all"
MAX_SEED_LENGTH = 40  # it has to fit on the host's pages


def seed(value: str) -> str:
    """Return a seed as it was written: any text or number that can be printed and typed again."""
    if not value.strip() or len(value) > MAX_SEED_LENGTH or not value.isprintable():
        raise click.BadParameter(f"a seed is a text or a number of 1 to {MAX_SEED_LENGTH} letters on one line")
    return value


_BEGIN = "`duckpress new my-game` begins one"


class _GameName(click.types.StringParamType):
    """The name of a game; where it is missing, the message says which there are."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        known = completion.games(ctx or click.get_current_context())
        bundled = "" if workspace_of(ctx or click.get_current_context()).has_own_games else f"; {_BEGIN}"
        return f"It may be: {', '.join(known)}{bundled}." if known else f"{_BEGIN}."


FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
_COMPLETE_GAME = completion.one_of(completion.games)
GAMES = click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=_COMPLETE_GAME)
GAME = click.argument("game", type=_GameName(), shell_complete=_COMPLETE_GAME)
_COMPLETE_PAPERS = completion.some_of(completion.papers)
PAPERS = click.option(
    "--paper",
    type=papers,
    default="a4,letter",
    show_default=True,
    help="Papers to print on.",
    shell_complete=_COMPLETE_PAPERS,
)
ONE_PAPER = click.option(
    "--paper", type=papers, default="a4", show_default=True, help="Papers to print on.", shell_complete=_COMPLETE_PAPERS
)
TURN = click.option(
    "--turn", type=click.Choice(["long", "short"]), default="long", show_default=True, help="Edge to flip."
)
FINISH = click.option("--finish", type=click.Choice(FINISHES), help="Faces without codes, or with; else as the game.")
PIECES = click.option(
    "--piece",
    "pieces",
    type=names,
    default=(),
    help="Only these pieces.",
    shell_complete=completion.some_of(completion.pieces),
)
SINCE = click.option(
    "--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it."
)
OUT = click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/."
)


def language_option(what: str) -> Callable[[Any], Any]:
    """Return `--lang`, of which the help says what is in that language."""
    words = f"{what}; without it the game's first."
    return click.option("--lang", help=words, shell_complete=completion.one_of(completion.languages))


def settings_folder() -> Path:
    """Return the folder with the person's settings (printers, the key of the cache), as the system has it."""
    return Path(click.get_app_dir("duckpress"))


def workspace_of(ctx: click.Context) -> Workspace:
    """Return the workspace asked for, or the one around the current folder."""
    from duckpress.files.workspace import open_workspace

    try:
        start = (ctx.obj or Path.cwd()).resolve()
    except FileNotFoundError:
        raise MachineError("the folder that this was started in is gone: go into another one") from None
    return open_workspace(start)


def named_games(workspace: Workspace, names: Sequence[str]) -> Sequence[str]:
    """Return the games named, or all of the folder; leaves with status 2 for a name that no game has.

    The bundled games, which stand in for a folder without any, are taken by their names alone.
    """
    known = workspace.games()
    for name in names:
        if name not in known:
            raise click.UsageError(f"there is no game {name!r} in content/; {did_you_mean(name, known)}")
    if not known:
        raise click.UsageError(f"there is no game in content/: a game is a folder with a game.yaml. {_BEGIN}")
    if not names and not workspace.has_own_games:
        bundled = f"those that come along are taken by name: {', '.join(known)} (`duckpress build {known[0]}`)"
        raise click.UsageError(f"there is no game in this folder. {_BEGIN}; {bundled}")
    return list(dict.fromkeys(names)) or known


_HAVING: Mapping[str, tuple[str, Callable[[Game], Iterable[str]]]] = {
    "players": ("player count", lambda game: map(str, game.players)),
    "language": ("language", lambda game: (language.code for language in game.languages)),
}
"""What an option may ask of games: its word, and what of it a game has."""


def chosen_games(
    workspace: Workspace,
    names: Sequence[str],
    *,
    pieces: Sequence[str] = (),
    lays_out: bool = False,
    next_module: str = "",
    **having: str | int | None,
) -> list[Loaded]:
    """Return the games named that have what the options ask for; leaves with status 2 where none of them has it.

    `having` are values of `players`, `variant` and `language`. Whoever `lays_out` games gets them with the faces of
    earlier runs. `next_module` has what is done with the games: it is imported while other processes read them.
    """
    from duckpress.press.reading import load_all

    chosen = load_all(workspace, named_games(workspace, names), next_module)
    if lays_out:
        frames = earlier_frames(workspace)
        chosen = [replace(loaded, frames=frames) for loaded in chosen]
    variant = having.pop("variant", None)
    for option, wanted in having.items():
        if wanted is not None:
            word, known_to = _HAVING[option]
            chosen = _having(chosen, known_to, str(wanted), word)
    if variant is not None:
        chosen = _playing(chosen, str(variant), having.get("players"))
    for piece in pieces:
        _having(chosen, lambda game: (own.id for own in game.pieces), piece, "piece")
    if pieces:
        chosen = [one for one in chosen if one.game is None or {piece.id for piece in one.game.pieces} & set(pieces)]
    return chosen


def earlier_frames(workspace: Workspace) -> BuildCache:
    """Return the faces that earlier runs left."""
    from duckpress.press.build_cache import BuildCache

    return BuildCache(own_memo(workspace))


def own_memo(workspace: Workspace, *, is_wanted: bool = True) -> Memo:
    """Return what earlier runs left in the cache of a workspace; nothing where it is not wanted, or there is none."""
    from duckpress.files.memo import Memo
    from duckpress.store.cache import cache_of, program_identity

    cache = cache_of(workspace, settings_folder()) if is_wanted else None
    return Memo() if cache is None or cache.is_off else Memo(cache, program_identity())


def _having(chosen: list[Loaded], names: Callable[[Game], Iterable[str]], wanted: str, word: str) -> list[Loaded]:
    """Return the games that know a name (and those too broken to tell); leaves with status 2 where none does."""
    known = {one.game_id: set(names(one.game)) for one in chosen if one.game is not None}
    having = [one for one in chosen if one.game is None or wanted in known[one.game_id]]
    if known and not any(wanted in found for found in known.values()):
        games = " and ".join(known)
        raise click.UsageError(f"{games}: no {word} {wanted!r}; {did_you_mean(wanted, set().union(*known.values()))}")
    return having


def _playing(chosen: list[Loaded], variant: str, players: object) -> list[Loaded]:
    """Return the games that have a variant and modules; leaves with status 2, and says why, where none has."""
    from duckpress.check import NoSuchSetup, way_to_play

    having, wrong = [], []
    for one in chosen:
        try:
            if one.game is not None:
                way_to_play(one.game.setup, variant, players if isinstance(players, int) else None)
            having.append(one)
        except NoSuchSetup as none:
            wrong.append(f"{one.game_id}: {none.what}; {none.fix}")
    if wrong and all(one.game is None for one in having):
        raise click.UsageError("\n".join(wrong))
    return having


def the_way(loaded: Loaded, variant: str | None) -> str | None:
    """Return the name of a variant and modules that `chosen_games` knows; None for the game without any."""
    from duckpress.check import way_to_play

    return way_to_play(loaded.game.setup, variant) if loaded.game is not None else None


def output_folder(workspace: Workspace, out: Path | None) -> Path:
    """Return the folder for outputs: the one asked for or the workspace's; leaves with status 3 if that leads out."""
    from duckpress.store.output_places import outputs_of

    return outputs_of(workspace.root, out)


def leave(problems: Sequence[Problem]) -> None:
    """Leave with status 1 where an error in content stands."""
    if has_errors(problems):
        sys.exit(CONTENT_ERROR)
