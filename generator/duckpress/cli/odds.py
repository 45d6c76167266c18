"""`duckpress odds`: how likely a hand, a roll or a place has what is asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import FORMAT, GAME, chosen_games, leave, the_way, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.chance import Odds
    from duckpress.views.chances import Answered


def chart_file(value: str) -> Path:
    """Return the file of a chart, by its ending an SVG or a PNG."""
    path = Path(value)
    if path.suffix.lower() not in (".svg", ".png"):
        raise click.BadParameter(f"{value!r} ends neither in .svg nor in .png")
    return path


@click.command("odds")
@GAME
@click.argument("question", required=False)
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="The variant; without it the game without any.")
@click.option("--runs", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True,
              help="How often to simulate what cannot be exact.")  # fmt: skip
@click.option("--seed", type=asking.seed, default="odds", show_default=True, help="The same seed, the same simulation.")
@click.option("--chart", type=chart_file, metavar="FILE", help="Draw the odds into this .svg or .png.")
@FORMAT
@click.pass_context
def odds_command(
    ctx: click.Context, /, game: str, question: str | None, players: int | None, variant: str | None,
    chart: Path | None, **options: Any,
) -> None:  # fmt: skip
    """Show how likely something is, such as 'hand of 5 from stock has a pair of suit'; without one, the game's own."""
    from duckpress.views.chances import ASKED, ask_odds

    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
    if loaded.game is not None and loaded.game.setup is None:
        raise click.UsageError(f"{game} has no setup.yaml, from which odds follow")
    if loaded.game is not None and question is None and loaded.game.setup and not loaded.game.setup.odds:
        raise click.UsageError(f"{game} has no 'odds' in setup.yaml: ask a QUESTION; see `duckpress docs odds`")
    variant = the_way(loaded, variant)
    answered = ask_odds(loaded, question, players, variant, runs=options["runs"], seed=options["seed"])
    for problem in answered.problems:
        if problem.source.file == ASKED.file:
            fix = f"; {problem.fix}" if problem.fix else ""
            raise click.UsageError(f"column {problem.source.column}: {problem.what}{fix}")
    if chart is not None and answered.odds:
        from duckpress.views.chart import write_chart

        series = {name: {_count_words(one): 100 * float(one.probability) for one in odds}
                  for name, odds in answered.odds.items()}  # fmt: skip
        title = loaded.game.title if loaded.game is not None else game
        write_chart(workspace, chart, f"{title}: {next(iter(series))}" if len(series) == 1 else title, series, "%")
    if options["form"] == "json":
        data = [_data(one) for odds in answered.odds.values() for one in odds]
        report.print_json({"game": answered.game_id, "odds": data}, answered.problems)
    else:
        _print_odds(answered)
    leave(answered.problems)


def _print_odds(answered: Answered) -> None:
    from duckpress.chance import in_words

    report.print_problems([problem for problem in answered.problems if problem.level == "error"])
    for name, odds in answered.odds.items():
        echo(style(name, bold=True))
        if odds[0].question != name:
            echo(f"    {odds[0].question}")
        report.print_columns([(_count_words(one), in_words(one)) for one in odds])


def _count_words(odds: Odds) -> str:
    return report.counted(odds.players, "player") + (f", {odds.variant}" if odds.variant else "")


def _data(odds: Odds) -> dict[str, Any]:
    return {
        "question": odds.question,
        "players": odds.players,
        "variant": odds.variant,
        "probability": float(odds.probability),
        "method": odds.method,
        "runs": odds.runs,
        "low": float(odds.low),
        "high": float(odds.high),
    }
