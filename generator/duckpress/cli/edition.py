"""`duckpress edition`: prints a game as often as there are people, each copy its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command
from duckpress.cli.options import (
    FORMAT,
    GAME,
    JOBS,
    OUT,
    choice_option,
    language_option,
    paper_option,
    printed_so,
    request_of,
    seed,
)
from duckpress.cli.report import counted
from duckpress.cli.terminal import echo
from duckpress.files.workspace import Refused, Workspace, read_named_table

if TYPE_CHECKING:
    from duckpress.core.problems import Read
    from duckpress.model import Game
    from duckpress.model.game import Copy
    from duckpress.press.reading import Loaded
    from duckpress.share.editions.edition_run import CopiesOf, EditionRun

_SHOWN = 10


@command(
    "duckpress edition my-game --for people.csv --seed friday",
    "duckpress edition my-game --count 1000 --seed friday --paper letter",
)
@GAME
@click.option(
    "--for",
    "people",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A table with a row for each copy: id, and the columns that the game asks for.",
)
@click.option("--count", type=click.IntRange(1, 1_000_000), help="So many copies, with numbers for ids.")
@click.option("--seed", type=seed, help="Any text or number: the same seed and id give the same copy.")
@click.option(
    "--shard", "size", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Copies in a folder."
)
@choice_option(
    "--as",
    ("pdf", "bundle", "shard"),
    "pdf",
    "A PDF for each copy, a zip with all that a tester needs, or one PDF for each folder, for a print shop.",
)
@click.option("--replace", "replaces", is_flag=True, help="Take the place of another edition that lies there.")
@click.option("--cluster", metavar="URL", help="Let a Dask cluster do it: the address of its scheduler.")
@click.option(
    "--to",
    "shared",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --cluster, instead of --out: a folder that all of it sees, where workers write themselves.",
)
@paper_option("a4")
@printed_so
@language_option("The language of copies whose row names none")
@OUT
@JOBS
@FORMAT
def edition_command(workspace: Workspace, game: str, out: Path | None, **options: Any) -> Answer:
    people, count, seed, shared = (options.pop(name) for name in ("people", "count", "seed", "shared"))
    if people is not None and count is not None:
        raise click.UsageError(
            "--for makes a copy of each row, and --count so many without a table: leave one of both out"
        )
    if people is None and count is None:
        raise click.UsageError("say for whom: --for people.csv, or how many: --count 100")
    if shared is not None and (options["cluster"] is None or out is not None):
        raise click.UsageError("--to names a folder that a --cluster writes into: it takes the place of --out")
    if options["as"] == "bundle" and options["backs"] == "only":
        raise click.UsageError(
            "a bundle holds whole sheets, and --backs only prints half of them: leave one of both out"
        )
    asking.let_work(options["jobs"])
    request = request_of(options)
    (loaded,) = chosen_games(
        workspace,
        (game,),
        players=request.players,
        variant=options["variant"],
        language=request.language,
        pieces=request.pieces,
        next_module="duckpress.share.editions.edition_run",
    )
    _check_chance(loaded, seed, request.pieces, request.players)
    from duckpress.share.editions.edition_run import EditionRequest, run_edition
    from duckpress.share.editions.shards import Form

    edition = EditionRequest(
        request,
        _copies(workspace.root, people, count),
        seed or "",
        options["size"],
        options["cluster"] or "",
        is_shared=shared is not None,
        form=Form(options["as"]),
        replaces=options["replaces"],
    )
    with asking.steps_of(game) as step:
        run = run_edition(workspace, loaded, edition, asking.output_folder(workspace, shared or out), step)
    failed = [
        {"copy": entry.id, "problems": [report.problem_data(one) for one in entry.problems]} for entry in run.failed
    ]
    data = {
        "game": run.checked.game_id,
        "folder": str(run.folder),
        "copies": run.copies,
        "shards": list(run.shards),
        "standing": run.standing,
        "files": run.files,
        "sheets": dict(run.sheets),
        "failed": failed,
    }
    return Answer(data, run.checked.problems, partial(_show, run))


def _check_chance(loaded: Loaded, seed: str | None, pieces: tuple[str, ...], players: int | None) -> None:
    """Exit with status 2 if copies are drawn without a seed, or dealt without a player count."""
    game = loaded.game
    has_packet = game is not None and any(game.dealt_to(piece) for piece in game.chosen_pieces(pieces))
    is_drawn = game is not None and game.edition is not None and game.edition.is_drawn
    if seed is None and (is_drawn or has_packet):
        raise click.UsageError("copies of this game are drawn by chance: give a --seed that you can give again")
    if has_packet:
        asking.the_players(loaded, players)


def _copies(root: Path, people: Path | None, count: int | None) -> CopiesOf:
    def copies(game: Game) -> Read[tuple[Copy, ...]]:
        from duckpress.share.editions.inputs import numbered_copies, read_people

        if people is None:
            return numbered_copies(game, count or 0)
        try:
            return read_people(game, str(people), read_named_table(root, people))
        except Refused as refused:
            raise click.UsageError(f"--for: {refused.what}; {refused.fix}") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise click.UsageError(f"--for: {str(people)!r} cannot be read: {reason}") from None

    return copies


def _show(run: EditionRun) -> None:
    if not run.copies:
        report.print_tally(run.checked, "nothing printed")
        return
    report.print_tally(run.checked, counted(run.copies, "copy"))
    stood = f", {run.standing} of them {'was' if run.standing == 1 else 'were'} there" if run.standing else ""
    echo(f"    {counted(run.files, 'file')} in {counted(len(run.shards), 'folder')}{stood}: {run.folder}")
    if run.sheets:
        echo(f"    {report.paper_in_all(run.sheets, {})}")
    if run.failed:
        names = ", ".join(entry.id for entry in run.failed[:_SHOWN]) + (", ..." if len(run.failed) > _SHOWN else "")
        echo(f"    not printed: {names}")
