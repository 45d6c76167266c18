"""`duckpress table`, `deal`, `odds` and `playtest`: setups and chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from duckpress.chance import Odds, Playouts, Spread, in_words, rounds_known
from duckpress.check import ALGORITHM, CardRef, Deal, Holding
from duckpress.cli import report
from duckpress.cli.asking import Answer, chosen_games, command, the_players, the_way
from duckpress.cli.options import FORMAT, GAME, seed
from duckpress.cli.terminal import echo, style
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.pool import jobs
from duckpress.press.reading import tables

if TYPE_CHECKING:
    from duckpress.views.chances import Answered

_WORDS = {"player": "seat", "team": "team", "number": "nth"}  # how expressions know whose a place is


@command("duckpress table my-game", "duckpress table duck-blind --format json")
@GAME
@click.option("--variant", help="Only the table of this variant, or of modules together: a,b.")
@FORMAT
def table_command(workspace: Workspace, game: str, variant: str | None) -> Answer:
    (loaded,) = chosen_games(workspace, (game,), variant=variant)
    checked, setup_tables = tables(loaded, the_way(loaded, variant))
    data = [table.as_data() for table in setup_tables]

    def show() -> None:
        report.print_problems(checked.problems)
        for one in data:
            _print_table(one)

    return Answer({"game": checked.game_id, "tables": data}, checked.problems, show)


def _print_table(table: dict[str, Any]) -> None:
    """Print a setup table with aligned columns, numbers to the right."""
    columns = [("players", "players"), *((column["key"], column["title"]) for column in table["columns"])]
    rows = [[title for _, title in columns]]
    for row in table["rows"]:
        cells = {"players": row["players"], **row["cells"]}
        rows.append(["?" if cells.get(key) is None else str(cells[key]) for key, _ in columns])
    echo(style(table["title"], bold=True))
    report.print_columns(rows, str.rjust)
    for note in table.get("notes", ()):
        echo(f"    {note}")


@command("duckpress deal blind-mans-draft --seed 7", "duckpress deal my-game --players 3 --seed friday")
@GAME
@click.option("--players", type=click.IntRange(1, 100), help="How many play; may be left out where only one count is.")
@click.option("--seed", type=seed, required=True, help="Any text or number: the same seed gives the same deal.")
@click.option("--variant", help="The variant to deal; without it the game without any.")
@FORMAT
def deal_command(workspace: Workspace, game: str, players: int | None, seed: str, variant: str | None) -> Answer:
    from duckpress.press.packet import deal

    (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
    dealt = deal(loaded, the_players(loaded, players), seed, the_way(loaded, variant))
    if dealt.deal is None:
        return Answer({"game": dealt.game_id}, dealt.problems, partial(report.print_tally, dealt, "nothing dealt"))
    return Answer(_deal_data(dealt.deal), dealt.problems, partial(_print_deal, dealt.deal, dealt.problems))


def _deal_data(deal: Deal) -> dict[str, Any]:
    return {
        "game": deal.game,
        "players": deal.players,
        "variant": deal.variant,
        "seed": deal.seed,
        "algorithm": ALGORITHM,
        "seats": [
            {
                "seat": seat.number,
                "player": seat.player,
                "relations": dict(seat.relations),
                "knows": {place: list(seats) for place, seats in seat.knows.items()},
            }
            for seat in deal.seats
        ],
        "places": _holdings_data(deal.places),
        "removed": _holdings_data(deal.removed),
        "left": _holdings_data(deal.left),
    }


def _holdings_data(holdings: Iterable[Holding]) -> list[dict[str, Any]]:
    return [
        {
            "place": holding.place,
            "kind": holding.kind,
            **{word: holding.number if holding.each == each else None for each, word in _WORDS.items()},
            "cards": [{"deck": card.deck, "card": card.card, "seat": card.set_of or None} for card in holding.cards],
        }
        for holding in holdings
    ]


def _print_deal(deal: Deal, problems: Sequence[Problem]) -> None:
    """Print the seats, then every place with its cards in order, the top one first."""
    report.print_problems(problems)
    variant = f", variant {deal.variant}" if deal.variant else ""
    echo(f"{style(deal.game, bold=True)}: {report.counted(deal.players, 'player')}{variant}, seed {deal.seed!r}")
    for seat in deal.seats if any(seat.relations or seat.player != seat.number for seat in deal.seats) else ():
        parts = [f"player {seat.player}", *(f"{name} {number}" for name, number in seat.relations.items())]
        for place, seats in seat.knows.items():
            parts.append(f"told {place} {'/'.join(map(str, seats))}" if seats else f"told {place}")
        echo(f"    seat {seat.number}: {', '.join(parts)}")
    for title, holdings in (("", deal.places), ("removed from ", deal.removed), ("left of ", deal.left)):
        for holding in holdings:
            whose = _owner_words(holding)
            count = report.counted(len(holding.cards), "card")
            cards = f": {_card_words(holding.cards)}" if holding.cards else ""
            echo(f"    {title}{holding.place}{whose} ({holding.kind}, {count}){cards}")


def _owner_words(holding: Holding) -> str:
    """Return the owner of a place, as words after its name; '' if it is common to all."""
    before = {"player": ", seat", "team": ", team", "number": ""}
    return f"{before[holding.each]} {holding.number}" if holding.each in before else ""


def _card_words(cards: Sequence[CardRef]) -> str:
    """Return the cards in order, with alike neighbours counted together."""
    runs = [(name, len(list(run))) for name, run in groupby(card.card for card in cards)]
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in runs)


def chart_file(value: str) -> Path:
    """Return the file of a chart, by its ending an SVG or a PNG."""
    path = Path(value)
    if path.suffix.lower() not in (".svg", ".png"):
        raise click.BadParameter(f"{value!r} ends neither in .svg nor in .png")
    return path


@command("duckpress odds duck-blind --players 4", "duckpress odds duck-blind --chart odds.svg")
@GAME
@click.argument("question", required=False)
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="The variant; without it the game without any.")
@click.option("--runs", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True,
              help="How often to simulate what cannot be exact.")  # fmt: skip
@click.option("--seed", type=seed, default="odds", show_default=True, help="The same seed, the same simulation.")
@click.option("--chart", type=chart_file, metavar="FILE", help="Draw the odds into this .svg or .png.")
@FORMAT
def odds_command(
    workspace: Workspace, game: str, question: str | None, players: int | None, variant: str | None,
    chart: Path | None, **simulated: Any,
) -> Answer:  # fmt: skip
    from duckpress.views.chances import ASKED, ask_odds, write_chart

    (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
    if loaded.game is not None and loaded.game.setup is None:
        raise click.UsageError(f"{game} has no setup.yaml, from which odds follow")
    if loaded.game is not None and question is None and loaded.game.setup and not loaded.game.setup.odds:
        raise click.UsageError(f"{game} has no 'odds' in setup.yaml: ask a QUESTION; see `duckpress docs odds`")
    answered = ask_odds(loaded, question, players, the_way(loaded, variant), **simulated)
    for problem in answered.problems:
        if problem.source.file == ASKED.file:
            fix = f"; {problem.fix}" if problem.fix else ""
            raise click.UsageError(f"column {problem.source.column}: {problem.what}{fix}")
    if chart is not None and answered.odds:
        series = {name: {_count_words(one): 100 * float(one.probability) for one in odds}
                  for name, odds in answered.odds.items()}  # fmt: skip
        title = loaded.game.title if loaded.game is not None else game
        write_chart(workspace, chart, f"{title}: {next(iter(series))}" if len(series) == 1 else title, series, "%")
    every = [asdict(one) for odds in answered.odds.values() for one in odds]
    data = [
        {key: float(value) if isinstance(value, Fraction) else value for key, value in one.items()} for one in every
    ]
    return Answer({"game": answered.game_id, "odds": data}, answered.problems, partial(_print_odds, answered))


def _print_odds(answered: Answered) -> None:
    report.print_problems([problem for problem in answered.problems if problem.level == "error"])
    for name, odds in answered.odds.items():
        echo(style(name, bold=True))
        if odds[0].question != name:
            echo(f"    {odds[0].question}")
        report.print_columns([(_count_words(one), in_words(one)) for one in odds])


def _count_words(of: Odds | Playouts) -> str:
    return report.counted(of.players, "player") + (f", {of.variant}" if of.variant else "")


@command("duckpress playtest duck-blind", "duckpress playtest duck-blind --players 4 --runs 5000")
@GAME
@click.option("--runs", type=click.IntRange(1, 10_000_000), default=1000, show_default=True,
              help="Games at each player count.")  # fmt: skip
@click.option("--seed", type=seed, default="playtest", show_default=True, help="The same seed, the same games.")
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="The variant to play; without it the game without any.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes that play; without it one for each core.")
@click.option("--chart", type=chart_file, metavar="FILE", help="Draw the numbers of rounds into this .svg or .png.")
@FORMAT
def playtest_command(
    workspace: Workspace, game: str, players: int | None, variant: str | None, chart: Path | None, **options: Any
) -> Answer:
    from duckpress.views.chances import play_often, shares_of_rounds, write_chart

    (loaded,) = chosen_games(workspace, (game,), players=players, variant=variant)
    variant = the_way(loaded, variant)
    if loaded.game is not None and not loaded.has_errors and rounds_known(loaded.game, variant) is None:
        raise click.UsageError(f"{game} has no 'rounds' in setup.yaml to be played; see `duckpress docs playtests`")
    played = play_often(loaded, players, variant, options["runs"], options["seed"], options["jobs"] or jobs())
    if chart is not None and played.playouts and loaded.game is not None:
        names, shares = shares_of_rounds(played.playouts)
        series = {_count_words(one): share for one, share in zip(played.playouts, shares, strict=True)}
        write_chart(workspace, chart, f"{loaded.game.title}: rounds of a game", series, "%", names)

    def show() -> None:
        report.print_problems(played.problems)
        for one in played.playouts:
            _print(one)

    data = [row for one in played.playouts for row in _rows(one)]
    return Answer({"game": played.game_id, "seed": options["seed"], "playouts": data}, played.problems, show)


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
