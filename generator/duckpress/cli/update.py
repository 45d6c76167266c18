"""`duckpress update`: for somebody who has printed an older version, the cards to swap and a sheet that says which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, OUT, PAPERS, TURN, chosen_games, leave, output_folder, workspace_of
from duckpress.cli.terminal import echo, progress, style
from duckpress.core.inks import INKS

if TYPE_CHECKING:
    from duckpress.releases.changes import Swap, SwapLine
    from duckpress.share.updates.updating import Updated


@click.command("update")
@click.argument("game")
@click.option("--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it.")
@PAPERS
@click.option(
    "--backs", type=click.Choice(["duplex", "gutterfold", "none"]), default="duplex", show_default=True, help="Backs."
)
@TURN
@click.option("--ink", type=click.Choice(INKS), help="The ink of the cards; without it the one held, else color.")
@click.option("--lang", help="The language of the cards; without it the game's first.")
@OUT
@FORMAT
@click.pass_context
def update_command(ctx: click.Context, /, game: str, form: str, out: Path | None, **options: Any) -> None:
    """Print only the cards that are new or changed, and a sheet that says what to swap."""
    from duckpress.press.request import Request
    from duckpress.releases.changes_report import as_data, in_words
    from duckpress.share.updates.releasing import Unknown
    from duckpress.share.updates.updating import update

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    printed = Request(papers=options["paper"], backs=options["backs"], turn=options["turn"], language=options["lang"])
    (loaded,) = chosen_games(workspace, (game,), language=options["lang"], lays_out=True)
    try:
        with progress(loaded.game_id, is_quiet=form == "json") as step:
            done = update(workspace, loaded, options["since"], printed, options["ink"], folder, step)
    except Unknown as unknown:
        raise click.UsageError(str(unknown)) from None
    checked, changes, swap = done.checked, done.changes, done.swap
    if form == "json":
        data = {
            "game": checked.game_id,
            "folder": str(folder / checked.game_id / done.folder) if done.files else None,
            "files": sorted(done.files),
            "sheets": done.sheets,
            "take_out": _lines_data(swap.take_out if swap is not None else ()),
            "put_in": _lines_data(swap.put_in if swap is not None else ()),
            "changes": as_data(changes) if changes is not None else None,
        }
        report.print_json(data, checked.problems)
    elif changes is None or swap is None:
        report.print_tally(checked, "nothing printed")
    else:
        report.print_problems(checked.problems)
        name = style(checked.game_id, bold=True)
        echo(f"{name}: {changes.new.title}: {changes.old.version} -> {changes.new.version}")
        if swap.take_out or swap.put_in:
            _print_swap(swap, done, folder / checked.game_id)
        else:
            echo("    no card has to be swapped: nothing is printed")
            for line in in_words(changes) if not changes.is_empty else ():
                echo(f"    {line}")
    leave(checked.problems)


def _print_swap(swap: Swap, done: Updated, folder: Path) -> None:
    out, into = (sum(line.copies for line in lines) for lines in (swap.take_out, swap.put_in))
    echo(f"    take out {report.counted(out, 'card')}, put in {into}")
    if done.sheets:
        totals = (f"{report.counted(count, 'sheet')} of {paper}" for paper, count in done.sheets.items())
        echo(f"    paper: {', '.join(totals)}")
    if done.files:
        echo(f"    {len(done.files)} files in {folder / done.folder}")


def _lines_data(lines: Sequence[SwapLine]) -> list[dict[str, Any]]:
    return [
        {"deck": line.card.deck, "card": line.card.card, "code": line.card.code, "copies": line.copies}
        for line in lines
    ]
