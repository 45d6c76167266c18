"""`duckpress update`: for somebody who has printed an older version, the cards to swap and a sheet that says which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, Papers, chosen_games, leave, machine_failures, output_folder, workspace_of
from duckpress.cli.terminal import echo, style
from duckpress.core.inks import INKS

if TYPE_CHECKING:
    from duckpress.releases import Swap
    from duckpress.share.updates.updating import Updated


@click.command("update")
@click.argument("game")
@click.option("--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it.")
@click.option("--paper", type=Papers(), default="a4,letter", show_default=True, help="Papers to print on.")
@click.option(
    "--backs", type=click.Choice(["duplex", "gutterfold", "none"]), default="duplex", show_default=True, help="Backs."
)
@click.option("--turn", type=click.Choice(["long", "short"]), default="long", show_default=True, help="Edge to flip.")
@click.option("--ink", type=click.Choice(INKS), help="The ink of the cards; without it the one held, else color.")
@click.option("--lang", help="The language of the cards; without it the game's first.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/.")
@FORMAT
@click.pass_context
def update_command(ctx: click.Context, /, game: str, form: str, out: Path | None, **options: Any) -> None:
    """Print only the cards that are new or changed, and a sheet that says what to swap."""
    from duckpress.press.request import Request
    from duckpress.share.updates.releasing import Unknown
    from duckpress.share.updates.updating import UpdateRequest, update

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    printed = Request(papers=options["paper"], backs=options["backs"], turn=options["turn"], language=options["lang"])
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), language=options["lang"], lays_out=True)
        try:
            with report.progress(loaded.game_id, is_quiet=form == "json") as step:
                done = update(workspace, loaded, UpdateRequest(options["since"], printed, options["ink"]), folder, step)
        except Unknown as unknown:
            raise click.UsageError(str(unknown)) from None
    _show(done, form)
    leave([done])


def _show(done: Updated, form: str) -> None:
    from duckpress.releases import as_data, in_words

    checked, changes, swap = done.checked, done.changes, done.swap
    if form == "json":
        data = {
            "game": checked.game_id,
            "folder": str(done.folder) if done.files else None,
            "files": sorted(done.files),
            "sheets": dict(done.sheets),
            "take_out": _lines(swap, is_out=True),
            "put_in": _lines(swap, is_out=False),
            "changes": as_data(changes) if changes is not None else None,
            "problems": report.all_data([checked]),
        }
        report.print_json(data)
        return
    report.print_problems(checked.problems)
    name = style(checked.game_id, bold=True)
    if changes is None or swap is None:
        echo(f"{name}: nothing printed: {report.tally(checked.problems)}")
        return
    echo(f"{name}: {changes.new.title}: {changes.old.version} -> {changes.new.version}")
    if not swap.take_out and not swap.put_in:
        echo("    no card has to be swapped: nothing is printed")
        for line in in_words(changes) if not changes.is_empty else ():
            echo(f"    {line}")
        return
    out, into = (sum(line.copies for line in lines) for lines in (swap.take_out, swap.put_in))
    echo(f"    take out {out} {report.plural(out, 'card')}, put in {into}")
    totals = ", ".join(f"{count} {report.plural(count, 'sheet')} of {paper}" for paper, count in done.sheets.items())
    if totals:
        echo(f"    paper: {totals}")
    if done.files:
        echo(f"    {len(done.files)} files in {done.folder}")


def _lines(swap: Swap | None, *, is_out: bool) -> list[dict[str, Any]]:
    lines = () if swap is None else swap.take_out if is_out else swap.put_in
    cards = [(one.card, one.copies) for one in lines]
    return [{"deck": card.deck, "card": card.card, "code": card.code, "copies": copies} for card, copies in cards]
