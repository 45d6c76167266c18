"""`duckpress check`, `build` and `watch`: whatever has changed is checked, or printed; and the reports of both."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict, replace

from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command, named_games, own_memo
from duckpress.cli.closing import closing_lines
from duckpress.cli.options import (
    COMPLETE_INKS,
    EVERY_LANGUAGE,
    FORMAT,
    GAMES,
    JOBS,
    NOTES,
    OUT,
    PIECES,
    choice_option,
    ink_names,
    language_option,
    paper_option,
    printed_so,
    request_of,
    seed,
)
from duckpress.cli.terminal import echo, progress, style
from duckpress.core.backs import INKS
from duckpress.core.interrupts import finish_at_interrupt
from duckpress.core.problems import MachineError, Problem
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.press.request import Built, Request
from duckpress.press.result_cache import Builds, Checks, EarlierBuild, Findings, with_unnoticed
from duckpress.store import clear_up

if TYPE_CHECKING:
    from duckpress.files.memo import Memo
    from duckpress.press.reading import Checked, Loaded
    from duckpress.press.watching import Watcher


@command("duckpress check", "duckpress check my-game --players 4", "duckpress check my-game --doubt")
@GAMES
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="Only this variant; `base` is the game without any.")
@click.option(
    "--ink",
    "inks",
    type=ink_names,
    metavar="NAMES",
    default="color",
    show_default=True,
    help="Inks to check it in.",
    shell_complete=COMPLETE_INKS,
)
@click.option("--cache/--no-cache", default=True, help="Use what earlier checks found out.")
@click.option("--doubt", is_flag=True, help="List each number that could be one more or less unnoticed.")
@NOTES
@FORMAT
def check_command(
    workspace: Workspace, games: tuple[str, ...], players: int | None, variant: str | None, inks: tuple[str, ...],
    *, cache: bool, doubt: bool, **_shown: bool,
) -> Answer:  # fmt: skip
    checks = Checks(workspace, players, variant, inks, own_memo(workspace, is_wanted=cache))
    checked = [] if doubt else checks.up_to_date(named_games(workspace, games))
    if not checked:
        # A game that is named is checked at any player count: what it lacks there is what was asked.
        count = None if games else players
        then = "duckpress.press.checking"
        chosen = chosen_games(workspace, games, players=count, variant=variant, lays_out=cache, next_module=then)
        checked = [checks.check(loaded) for loaded in chosen]
        for at, loaded in enumerate(chosen) if doubt else ():
            with asking.steps_of(loaded.game_id) as step:
                checked[at] = with_unnoticed(loaded, checked[at], step)

    def show() -> None:
        for one in checked:
            _print_shrunk(one)
            report.print_problems(one.problems)
            echo(f"{style(one.game_id, bold=True)}: {report.tally(one.problems, one.covered)}")

    shrunk = {"shrunk": [entry for one in checked for entry in one.shrunk]}
    return Answer({}, [problem for one in checked for problem in one.problems], show, shrunk)


def _print_shrunk(checked: Findings) -> None:
    """Print a line for each style of a deck with shrunk texts: the smallest size and the cards."""
    groups: dict[tuple[str, str, float, str], dict[str, float]] = {}
    for entry in checked.shrunk:
        cards = groups.setdefault((entry["deck"], entry["style"], entry["from_pt"], entry["language"]), {})
        card = entry["card"] or "the back"
        cards[card] = min(entry["to_pt"], cards.get(card, entry["to_pt"]))
    for (deck, name, from_pt, language), cards in groups.items():
        names = report.first_of(cards, 6)
        where = deck if checked.languages < 2 else f"{deck} ({language})"
        sizes = f"{min(cards.values()):g} instead of {from_pt:g} pt"
        echo(f"{checked.game_id}: {where}: {name} text set at {sizes}: {names}")


@command(
    "duckpress build my-game",
    "duckpress build duck-blind --piece bonus --paper letter --turn short",
    "duckpress build my-game --ink low --cover --gang",
)
@GAMES
@paper_option("a4,letter")
@printed_so
@click.option("--gang", "is_ganged", is_flag=True, help="Pieces share sheets, to save paper.")
@click.option("--cover/--no-cover", "has_cover", default=None, help="Begin with a cover sheet.")
@language_option("The language to print, or `all`")
@click.option("--seed", type=seed, help="Deal the cards and print the packet of the deal too.")
@OUT
@click.option(
    "--force", "is_forced", is_flag=True, help="Print in spite of errors, with DRAFT or UNPROVEN in the margins."
)
@click.option("--cache/--no-cache", default=True, help="Use what earlier builds found out.")
@NOTES
@JOBS
@FORMAT
def build_command(workspace: Workspace, games: tuple[str, ...], out: Path | None, **options: Any) -> Answer:
    asking.let_work(options["jobs"])
    request = request_of(options)
    is_every = request.language == EVERY_LANGUAGE
    if is_every and request.seed is not None:
        raise click.UsageError("--lang all prints no packet: deal a --seed in one language")
    request = replace(request, language=None) if is_every else request
    folder, memo = asking.output_folder(workspace, out), own_memo(workspace, is_wanted=options["cache"])
    built: Sequence[Built | EarlierBuild] = []
    if not is_every:
        built = _all_up_to_date(Builds(workspace, request, folder, memo), folder, named_games(workspace, games))
    if not built:
        chosen = chosen_games(
            workspace,
            games,
            players=request.players,
            variant=options["variant"],
            language=request.language,
            pieces=request.pieces,
            next_module="duckpress.press.pipeline",
        )
        request, chosen = _with_packet(request, chosen)
        built = [
            one for loaded in chosen for one in _built(workspace, loaded, request, folder, memo, is_every=is_every)
        ]
    problems = [problem for one in built for problem in _checked(one).problems]
    data = [one.data if isinstance(one, EarlierBuild) else _built_data(one) for one in built]
    shrunk = {"shrunk": [entry for one in built for entry in _checked(one).shrunk]}
    return Answer({"games": data}, problems, partial(_show_builds, built), shrunk)


def _all_up_to_date(builds: Builds, folder: Path, games: Sequence[str]) -> list[EarlierBuild]:
    """Return the builds of all games if every one of them is up to date, else an empty list.

    What a killed run left beside them is put right first: who finds them standing does not hold them.
    """
    if any(folder.glob(".duckpress-*.lock")):
        for game_id in games:
            clear_up(folder / game_id)
    standing = [build for game_id in games if (build := builds.up_to_date(game_id)) is not None]
    return standing if len(standing) == len(games) else []


def _with_packet(request: Request, chosen: list[Loaded]) -> tuple[Request, list[Loaded]]:
    """Return a request with its player count, and the games that have a packet if a seed is given.

    Leaves with status 2 where the options cannot be meant: a seed without a packet, a packet without a seed.
    """
    from duckpress.press.packet import has_packet

    if request.seed is None:
        if request.variant is not None:
            raise click.UsageError("--variant says what is dealt: give a --seed as well")
        for one in chosen:
            asked = [piece for piece in one.game.pieces if piece.id in request.pieces] if one.game is not None else []
            if asked and all(one.game and one.game.dealt_to(piece) for piece in asked):
                raise click.UsageError(f"{asked[0].id!r} of {one.game_id} is filled by a deal: give a --seed")
        return request, chosen
    with_packet = [one for one in chosen if one.game is None or has_packet(one.game)]
    if not with_packet:
        raise click.UsageError("a --seed is for games with decks that say 'from: deal'; none of these has one")
    if len(with_packet) > 1:
        raise click.UsageError("a --seed deals one game: name it")
    return replace(request, players=asking.the_players(with_packet[0], request.players)), with_packet


def _built(
    workspace: Workspace, loaded: Loaded, request: Request, folder: Path, memo: Memo, *, is_every: bool
) -> Iterator[Built | EarlierBuild]:
    """Build a game in one language, or in every one, unless a build of it is up to date; cache it for later builds.

    Those after the first tell what concerns their own language: the first one tells the rest.
    """
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.pipeline import build

    others = loaded.game.languages[1:] if is_every and loaded.game is not None else ()
    loaded = replace(loaded, frames=BuildCache(memo))
    for code in (request.language, *(language.code for language in others)):
        translated, is_all = replace(request, language=code), code == request.language
        builds = Builds(workspace, translated, folder, memo, is_all=is_all)
        built: Built | EarlierBuild | None = builds.up_to_date(loaded.game_id)
        if built is None:
            recording = RecordingWorkspace(workspace)
            recording.add(loaded.answers)
            with asking.steps_of(loaded.game_id) as step:
                built = build(recording, loaded, translated, folder, step, is_all=is_all)
            builds.keep(built, recording.answers, _built_data(built), closing_lines(built))
        yield built


def _checked(one: Built | EarlierBuild) -> Checked | EarlierBuild:
    """Return the part of a build with its problems and its shrunk texts."""
    return one if isinstance(one, EarlierBuild) else one.checked


def _show_builds(built: Sequence[Built | EarlierBuild]) -> None:
    """Print the results of builds: findings, sheets of paper, what to print first, and the folder of the files."""
    reported: dict[str, set[Problem]] = {}  # by game: each language of it has most findings in common
    times, here = Counter(one.game_id for one in built), ""
    with suppress(OSError):  # the current folder may be gone
        here = f"{Path.cwd()}{os.sep}"
    for one in built:
        known = reported.setdefault(one.game_id, set())
        language = f" ({one.language})" if times[one.game_id] > 1 and one.language else ""
        if isinstance(one, EarlierBuild):
            what, lines = f"{one.title}{language}, up to date", [*one.closing]
        else:
            title = one.checked.game.title if one.checked.game else one.game_id
            what, lines = f"{title}{language}" if one.files else "nothing printed", closing_lines(one)
        report.print_tally(_checked(one), what, known)
        known.update(_checked(one).problems)
        for line in lines:
            echo(line.replace(here, ""))


def _built_data(built: Built) -> dict[str, Any]:
    return {
        "game": built.checked.game_id,
        "language": built.language,
        "folder": str(built.folder),
        "files": list(built.files),
        "pieces": [asdict(row) for row in built.pieces],
        "sheets": dict(built.sheets_in_all),
        "saved": dict(built.saved),
        "shared": {name: {"sheets": count, "saved": built.saved.get(name, 0)} for name, count in built.shared.items()},
    }


@command("duckpress watch my-game", "duckpress watch my-game --piece cards --paper letter")
@GAMES
@paper_option("a4")
@choice_option("--ink", INKS, "color", "Inks.")
@language_option("The language to print")
@PIECES
@OUT
def watch_command(workspace: Workspace, games: tuple[str, ...], out: Path | None, **options: Any) -> None:
    from duckpress.press.watching import builds

    if games or not workspace.has_own_games:
        named_games(workspace, games)
    request = replace(request_of(options), keeps_papers=True)
    folder, frames = asking.output_folder(workspace, out), asking.earlier_frames(workspace)
    finish_at_interrupt("no longer watching")
    keep_built(builds(workspace, games, request, folder, frames, progress), time.sleep)


def keep_built(watcher: Watcher[Built], sleep: Callable[[float], None]) -> None:
    """Build what has changed, report the results, and wait for the next change, without end."""
    from duckpress.press.watching import LOOK_S

    is_told = False
    while True:
        changed = watcher.changed()
        if changed:
            is_told = False
            watcher.settle(sleep)
            for game_id in changed:
                build_and_tell(watcher, game_id)
            continue
        if not is_told:
            echo(f"watching {', '.join(watcher.games()) or 'for games'}; Ctrl-C ends it")
            watcher.rest()
        is_told = True
        sleep(LOOK_S)


def build_and_tell(watcher: Watcher[Built], game_id: str) -> None:
    """Build a game and report the results; report errors of the machine and go on."""
    try:
        while True:
            began = time.perf_counter()
            _show_builds([watcher.make(game_id)])
            echo(f"    in {time.perf_counter() - began:.2f} s")
            if not watcher.is_stale(game_id):
                return
    except BrokenPipeError:
        raise  # nobody reads what there is to tell
    except (MachineError, OSError) as error:
        echo(f"duckpress: {game_id}: {error}", err=True)
