"""`duckpress playtest`: plays the rounds of a game often, and shows how long it lasts and where its cards end up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import FORMAT, GAME, chosen_games, leave, the_way, workspace_of
from duckpress.cli.odds import chart_file
from duckpress.cli.terminal import echo, style
from duckpress.core.limits import how_to_raise, limit

if TYPE_CHECKING:
    from duckpress.chance import Playouts, Spread


@click.command("playtest")
@GAME
@click.option("--runs", type=click.IntRange(1, 10_000_000), default=1000, show_default=True,
              help="Games at each player count.")  # fmt: skip
@click.option("--seed", type=asking.seed, default="playtest", show_default=True, help="The same seed, the same games.")
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="The variant to play; without it the game without any.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes that play; without it one for each core.")
@click.option("--chart", type=chart_file, metavar="FILE", help="Draw the numbers of rounds into this .svg or .png.")
@FORMAT
@click.pass_context
def playtest_command(
    ctx: click.Context, /, game: str, players: int | None, variant: str | None, chart: Path | None, **options: Any
) -> None:
    """Play the flow of a game's cards often: rounds, when piles run dry, what is left, how often things happen."""
    from duckpress.chance import rounds_known
    from duckpress.pool import jobs
    from duckpress.views.chances import play_often, shares_of_rounds

    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
    variant = the_way(loaded, variant)
    if loaded.game is not None and not loaded.has_errors and rounds_known(loaded.game, variant) is None:
        raise click.UsageError(f"{game} has no 'rounds' in setup.yaml to be played; see `duckpress docs playtests`")
    played = play_often(loaded, players, variant, options["runs"], options["seed"], options["jobs"] or jobs())
    if chart is not None and played.playouts and loaded.game is not None:
        from duckpress.views.chart import write_chart

        names, shares = shares_of_rounds(played.playouts)
        series = {_count_words(one): share for one, share in zip(played.playouts, shares, strict=True)}
        write_chart(workspace, chart, f"{loaded.game.title}: rounds of a game", series, "%", names)
    if options["form"] == "json":
        data = [row for one in played.playouts for row in _rows(one)]
        report.print_json({"game": played.game_id, "seed": options["seed"], "playouts": data}, played.problems)
    else:
        report.print_problems(played.problems)
        for one in played.playouts:
            _print(one)
    leave(played.problems)


def _print(played: Playouts) -> None:
    runs = report.counted(played.runs, "game")
    echo(f"{style(_count_words(played), bold=True)}, {runs} simulated")
    rows = [("", "least", "median", "most", "mean"), ("rounds", *_cells(played.rounds))]
    rows += [(f"{place} dry in round", *_cells(spread)) for place, spread in played.dry.items() if spread is not None]
    rows += [(f"{place} reshuffled", *_cells(spread)) for place, spread in played.reshuffles.items()]
    rows += [(f"{place} left", *_cells(spread)) for place, spread in played.left.items() if spread.most]
    report.print_columns(rows)
    for place, share in played.dry_games.items():
        if 0 < share < 1:
            echo(f"    {place} runs dry in {share:.1%} of the games")
    for name, event in played.events.items():
        span = f"{event.low:.2%} to {event.high:.2%}"
        often = f"{event.share:.2%} of the times ({span}), in {event.of_games:.1%} of the games"
        echo(f"    {name}: {often if event.looks else 'never looked at'}")
    for place, share in played.short.items():
        echo(f"    {place} gets fewer cards than a round says in {share:.1%} of the games")
    if played.unfinished:
        most, how = limit("playout-rounds"), how_to_raise("playout-rounds")
        echo(f"    {played.unfinished} of them are not over after {most} rounds and are broken off; {how}")


def _cells(spread: Spread) -> tuple[str, ...]:
    return str(spread.least), f"{spread.median:g}", str(spread.most), f"{spread.mean:.1f}"


def _count_words(played: Playouts) -> str:
    return report.counted(played.players, "player") + (f", {played.variant}" if played.variant else "")


def _rows(played: Playouts) -> list[dict[str, Any]]:
    """Return a row for each question: `mean` of a number, `probability` of an event, with its interval."""
    about = {"players": played.players, "variant": played.variant, "method": "simulated", "runs": played.runs}
    spreads = {"rounds": played.rounds}
    spreads |= {f"dry: {place}": spread for place, spread in played.dry.items() if spread is not None}
    spreads |= {f"reshuffles: {place}": spread for place, spread in played.reshuffles.items()}
    spreads |= {f"left: {place}": spread for place, spread in played.left.items()}
    rows: list[dict[str, Any]] = []
    for question, spread in spreads.items():
        figures = {name: getattr(spread, name) for name in ("mean", "low", "high", "least", "median", "most")}
        counts = {str(number): count for number, count in spread.counts.items()}
        rows.append({"question": question, **about, **figures, "counts": counts})
    for name, event in played.events.items():
        figures = {"probability": event.share, "low": event.low, "high": event.high}
        rows.append({"question": f"event: {name}", **about, **figures, "looks": event.looks, "games": event.of_games})
    for prefix, shares in (("dry in games", played.dry_games), ("short in games", played.short)):
        rows += [{"question": f"{prefix}: {place}", **about, "probability": share} for place, share in shares.items()]
    return [*rows, {"question": "unfinished", **about, "probability": played.unfinished / played.runs}]
