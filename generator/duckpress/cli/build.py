"""`duckpress build`: prints games, unless their builds of before are as new; and what is reported of a build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict, replace

from duckpress.cli import asking, completion, report
from duckpress.cli.asking import (
    EVERY_LANGUAGE,
    FINISH,
    FORMAT,
    GAMES,
    OUT,
    PAPERS,
    PIECES,
    TURN,
    chosen_games,
    language_option,
    leave,
    named_games,
    output_folder,
)
from duckpress.cli.chances import the_packet
from duckpress.cli.printer import COMPLETE_PRINTER, known_printer
from duckpress.cli.report import counted
from duckpress.cli.terminal import echo, progress
from duckpress.core.backs import INKS, Backs
from duckpress.core.problems import Problem

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Built, Request
    from duckpress.press.result_cache import Builds, EarlierBuild

# Names as in `impose.sheets`, which is not read before there is something to print.
GAPS = ("auto", "always", "never")
CUTS = ("marks", "lines", "none")


_BACKS = [one.value for one in Backs]
_WAYS = (
    click.option("--backs", type=click.Choice(_BACKS), default="duplex", show_default=True, help="Where the backs go."),
    TURN,
    click.option("--gaps", type=click.Choice(GAPS), default="auto", show_default=True, help="Room between cards."),
    click.option("--cut", type=click.Choice(CUTS), default="marks", show_default=True, help="What shows the cuts."),
    click.option("--cut-print", type=click.Choice(["yes", "no"]), default="yes", show_default=True, help="Print them."),
    click.option("--ink", type=click.Choice(INKS), default="color", show_default=True, help="Inks."),
    FINISH,
    click.option("--printer", help="Correct the pages for this printer.", shell_complete=COMPLETE_PRINTER),
    click.option(
        "--sleeve",
        type=asking.sleeve,
        help="Cards must slide into this sleeve: a name, or its inside as 66x91.",
        shell_complete=completion.one_of(completion.sleeves),
    ),
    click.option("--sleeve-by", type=click.Choice(["trim", "scale"]), default="trim", show_default=True, help="How."),
    click.option("--players", type=click.IntRange(1, 100), help="Print what this player count needs."),
    click.option("--variant", help="The variant that is dealt."),
    PIECES,
)


def printed_so(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options that say how something is printed, whatever it is."""
    for option in reversed(_WAYS):
        command = option(command)
    return command


def request_of(options: Mapping[str, Any]) -> Request:
    """Return what the options of `printed_so` ask for, and those that a build has besides."""
    from duckpress.press.request import Request

    return Request(
        papers=options["paper"],
        backs=Backs(options["backs"]),
        turn=options["turn"],
        gaps=options["gaps"],
        cut=options["cut"],
        prints_cuts=options["cut_print"] == "yes",
        ink=options["ink"],
        language=options["lang"],
        players=options["players"],
        pieces=options["pieces"],
        variant=options["variant"] if options["variant"] != "base" else None,
        printer=known_printer(options["printer"]) if options["printer"] is not None else None,
        sleeve=options["sleeve"],
        is_scaled_for_sleeve=options["sleeve_by"] == "scale",
        finish=options["finish"],
    )


def let_work(jobs: int | None) -> None:
    """Let so many processes work; None for one for each core."""
    if jobs is not None:
        from duckpress.pool.parallel import use_jobs

        use_jobs(jobs)


JOBS = click.option("--jobs", type=click.IntRange(1, 64), help="Processes that work; without it one for each core.")


@click.command("build")
@GAMES
@PAPERS
@printed_so
@click.option("--gang", is_flag=True, help="Pieces share sheets, to save paper.")
@click.option("--cover/--no-cover", "cover", default=None, help="Begin with a cover sheet.")
@language_option("The language to print, or `all`")
@click.option("--seed", type=asking.seed, help="Deal the cards and print the packet of the deal too.")
@OUT
@click.option("--force", is_flag=True, help="Print in spite of errors, with DRAFT or UNPROVEN in the margins.")
@click.option("--cache/--no-cache", default=True, help="Use what earlier builds found out.")
@JOBS
@FORMAT
@click.pass_context
def build_command(ctx: click.Context, /, games: tuple[str, ...], form: str, out: Path | None, **options: Any) -> None:
    """Check games, typeset their pieces and write print-ready PDFs."""
    let_work(options["jobs"])
    workspace = asking.workspace_of(ctx)
    request = replace(
        request_of(options),
        is_forced=options["force"],
        seed=options["seed"],
        is_ganged=options["gang"],
        has_cover=options["cover"],
    )
    is_every = request.language == EVERY_LANGUAGE
    if is_every and request.seed is not None:
        raise click.UsageError("--lang all prints no packet: deal a --seed in one language")
    request = replace(request, language=None) if is_every else request
    folder, is_quiet = output_folder(workspace, out), form == "json"
    earlier = EarlierBuilds(workspace, folder, has_cache=options["cache"])
    built: Sequence[Built | EarlierBuild] = (
        [] if is_every else earlier.all_up_to_date(named_games(workspace, games), request)
    )
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
        request, chosen = the_packet(request, chosen)
        built = [
            earlier.build(loaded, replace(request, language=code), is_quiet=is_quiet, is_all=not at)
            for loaded in chosen
            for at, code in enumerate((request.language, *(_other_languages(loaded) if is_every else ())))
        ]
    leave(show_build(built, form))


def _other_languages(loaded: Loaded) -> list[str]:
    return [language.code for language in loaded.game.languages[1:]] if loaded.game is not None else []


class EarlierBuilds:
    """What earlier builds left for those with the same requests: whole builds that still stand, and faces.

    Without a cache there are none.
    """

    def __init__(self, workspace: Workspace, folder: Path, *, has_cache: bool) -> None:
        self._workspace = workspace
        self._folder = folder
        self._memo = asking.own_memo(workspace, is_wanted=has_cache)
        self._frames: BuildCache | None = None

    def _builds(self, request: Request, *, is_all: bool = True) -> Builds:
        from duckpress.press.result_cache import Builds

        return Builds(self._workspace, request, self._folder, self._memo, is_all=is_all)

    def all_up_to_date(self, games: Sequence[str], request: Request) -> list[EarlierBuild]:
        """Return the builds of all games where every one of them stands, else nothing.

        What a killed run left beside them is put right first: who finds them standing does not hold them.
        """
        if any(self._folder.glob(".duckpress-*.lock")):
            from duckpress.store import clear_up

            for game_id in games:
                clear_up(self._folder / game_id)
        builds = self._builds(request)
        standing = [build for game_id in games if (build := builds.up_to_date(game_id)) is not None]
        return standing if len(standing) == len(games) else []

    def build(self, loaded: Loaded, request: Request, *, is_quiet: bool, is_all: bool = True) -> Built | EarlierBuild:
        """Build a game, unless its build still stands; leaves a note of it for later builds.

        Without `is_all` it tells what concerns its own language: another build tells the rest.
        """
        from duckpress.files.recording import RecordingWorkspace
        from duckpress.press.build_cache import BuildCache
        from duckpress.press.pipeline import build

        builds = self._builds(request, is_all=is_all)
        standing = builds.up_to_date(loaded.game_id)
        if standing is not None:
            return standing
        self._frames = self._frames or BuildCache(self._memo)
        recording = RecordingWorkspace(self._workspace)
        recording.add(loaded.answers)
        with progress(loaded.game_id, is_quiet=is_quiet) as step:
            known = replace(loaded, frames=self._frames)
            built = build(recording, known, request, self._folder, step, is_all=is_all)
        builds.keep(built, recording.answers, _built_data(built), built.checked.shrunk)
        return built


def show_build(built: Sequence[Built | EarlierBuild], form: str) -> list[Problem]:
    """Print what was printed (pieces, sheets of paper, findings, and where the files are), and return the problems."""
    from duckpress.press.result_cache import EarlierBuild

    problems = [
        problem for one in built for problem in (one if isinstance(one, EarlierBuild) else one.checked).problems
    ]
    if form == "json":
        games = [one.data if isinstance(one, EarlierBuild) else _built_data(one) for one in built]
        texts = [one.shrunk if isinstance(one, EarlierBuild) else one.checked.shrunk for one in built]
        report.print_json({"games": games}, problems, shrunk=[entry for entries in texts for entry in entries])
        return problems
    told: dict[str, set[Problem]] = {}  # by game: each language of it has most findings in common
    times = Counter(one.game_id for one in built)
    for one in built:
        known = told.setdefault(one.game_id, set())
        language = f" ({one.language})" if times[one.game_id] > 1 and one.language else ""
        if isinstance(one, EarlierBuild):
            report.print_tally(one, f"{one.title}{language}", known, partial(_print_earlier, one))
        elif one.files:
            title = one.checked.game.title if one.checked.game else one.game_id
            report.print_tally(one.checked, f"{title}{language}", known, partial(_print_built, one))
        else:
            report.print_tally(one.checked, "nothing printed", known)
        known.update((one if isinstance(one, EarlierBuild) else one.checked).problems)
    return problems


def _print_earlier(build: EarlierBuild) -> None:
    echo(f"    up to date: {counted(len(build.files), 'file')} in {build.folder}")


def _print_built(built: Built) -> None:
    width = max(len(row.title) for row in built.pieces)
    for row in built.pieces:
        sheets = [f"{paper} {counted(count, 'sheet')}" for paper, count in row.sheets.items()]
        if missing := [paper for paper in built.shared if paper not in row.sheets]:
            sheets.append(f"on shared sheets of {' and '.join(missing)}")
        count, word = (max(row.pages.values()), "page") if row.pages else (row.cards, "card")
        echo(f"    {row.title:<{width}}  {count:>4} {report.plural(count, word):<5}  {', '.join(sheets)}")
    if built.shared:
        shared = (
            f"{counted(count, 'sheet')} of {paper} ({built.saved[paper] or 'none'} saved)"
            for paper, count in built.shared.items()
        )
        echo(f"    shared sheets: {', '.join(shared)}")
    if any(built.sheets_in_all.values()):
        echo(f"    {report.paper_in_all(built.sheets_in_all, {} if built.shared else built.saved)}")
    echo(f"    {counted(len(built.files), 'file')} in {built.folder}")


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
