"""`duckpress stats`: a game in figures, as text for people and as JSON with stable keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, GAME, chosen_games, leave, workspace_of
from duckpress.cli.terminal import echo, progress, style

if TYPE_CHECKING:
    from duckpress.views.statistics import Coverage, DeckFigures, FileInk, GameStatistics, Range

_SHOWN = 12  # values of a field that are told one by one
_COLOURS_SHOWN = 6


@click.command("stats")
@GAME
@click.option("--ink-estimate", "has_ink", is_flag=True, help="Measure the ink that its files take, in every ink.")
@FORMAT
@click.pass_context
def stats_command(ctx: click.Context, game: str, has_ink: bool, form: str) -> None:
    """Show a game in figures: cards, faces, sheets of paper, words, and how its fields are spread."""
    from duckpress.views.statistics import figures_of, ink_estimate

    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), lays_out=True)
    figures = figures_of(workspace, loaded)
    estimate: tuple[FileInk, ...] = ()
    if has_ink and not figures.checked.has_errors:
        with progress(loaded.game_id, is_quiet=form == "json") as step:
            estimate = ink_estimate(workspace, loaded, step)
    checked = figures.checked
    if form == "json":
        data = {
            "game": checked.game_id,
            "pieces": [piece._asdict() for piece in figures.pieces],
            "sheets": dict(figures.sheets),
            "saved": dict(figures.saved),
            "decks": [_deck_data(deck) for deck in figures.decks],
            "ink": _ink_data(estimate),
        }
        report.print_json(data, checked.problems)
    elif checked.has_errors:
        report.print_problems(checked.problems)
        echo(f"{style(checked.game_id, bold=True)}: {report.tally(checked.problems)}")
    else:
        _print_figures(figures)
        if estimate:
            _print_ink(estimate)
    leave(checked.problems)


def _print_figures(figures: GameStatistics) -> None:
    game = figures.checked.game
    assert game is not None
    echo(f"{style(game.id, bold=True)}  {game.title} {game.version}")
    width = max((len(piece.title) for piece in figures.pieces), default=0)
    for piece in figures.pieces:
        sheets = ", ".join(f"{name} {report.counted(count, 'sheet')}" for name, count in piece.sheets.items())
        faces = f"{piece.copies:>4} {report.plural(piece.copies, 'face')}" if piece.copies else "   - rules"
        echo(f"    {piece.title:<{width}}  {faces:<10}  {sheets}")
    if any(figures.sheets.values()):
        echo(f"    {report.paper_in_all(figures.sheets, figures.saved)}")
    for deck in figures.decks:
        _print_deck(deck)


def _print_ink(estimate: Sequence[FileInk]) -> None:
    """Print what each file takes: a column for each ink, in percent of a full page of one ink."""
    from duckpress.views.statistics import INK_PAPER, in_all

    inks = list(dict.fromkeys(one.ink for one in estimate))
    by_piece: dict[str, dict[str, Coverage]] = {}
    for one in estimate:
        by_piece.setdefault(one.piece, {})[one.ink] = one.coverage
    totals = in_all(estimate)
    titles = {one.piece: one.title for one in estimate}
    width = max(map(len, titles.values()))
    echo(f"{style('ink', bold=True)}  on {INK_PAPER}, in percent of a page full of one ink")
    echo(f"    {'':<{width}}  " + "".join(f"{ink:>9}" for ink in inks))
    for piece, found in by_piece.items():
        echo(f"    {titles[piece]:<{width}}  " + "".join(f"{_percent(found[ink].full_pages):>9}" for ink in inks))
    echo(f"    {'in all':<{width}}  " + "".join(f"{_percent(totals[ink].full_pages):>9}" for ink in inks))
    most = totals[inks[0]].full_pages
    for ink in inks:
        total = totals[ink]
        parts = ", ".join(f"{name} {_percent(part)}" for name, part in zip(total._fields, total, strict=True))
        share = f"; {total.full_pages / most:.0%} of {inks[0]}" if ink != inks[0] and most else ""
        echo(f"    {ink}: {parts}{share}")


def _percent(pages: float) -> str:
    return f"{100 * pages:.0f} %"


def _print_deck(deck: DeckFigures) -> None:
    echo(
        f"{style(deck.deck, bold=True)}  {deck.title}: {report.counted(deck.copies, 'card')}, "
        f"{deck.cards} different, {deck.faces} different {report.plural(deck.faces, 'front')}"
    )
    for field in deck.fields:
        spread = "" if field.spread is None else f" ({_spread_text(field.spread)})"
        more = f" and {len(field.values) - _SHOWN} more" if len(field.values) > _SHOWN else ""
        counts = ", ".join(f"{value} {count}" for value, count in list(field.values.items())[:_SHOWN])
        echo(f"    {field.field}{spread}: {counts}{more}")
    if deck.words is not None:
        echo(f"    words of a card: {_spread_text(deck.words)}")
    if deck.colours:
        most = ", ".join(list(deck.colours)[:_COLOURS_SHOWN])
        echo(f"    {report.counted(len(deck.colours), 'colour')}, on most fronts {most}")


def _spread_text(spread: Range) -> str:
    return f"least {spread.least:g}, median {spread.median:g}, most {spread.most:g}"


def _ink_data(estimate: Sequence[FileInk]) -> list[dict[str, Any]]:
    """Return a row for each piece in each ink, and for each ink one of no piece with what all take together."""
    from duckpress.views.statistics import INK_PAPER, in_all

    rows: list[tuple[str | None, str, Coverage]] = [(one.piece, one.ink, one.coverage) for one in estimate]
    rows += [(None, ink, total) for ink, total in in_all(estimate).items()]
    return [
        {
            "piece": piece,
            "paper": INK_PAPER,
            "ink": ink,
            **{name: round(part, 4) for name, part in coverage._asdict().items()},
            "full_pages": round(coverage.full_pages, 4),
        }
        for piece, ink, coverage in rows
    ]


def _deck_data(deck: DeckFigures) -> dict[str, Any]:
    def spread(figures: Range | None) -> dict[str, float] | None:
        return None if figures is None else figures._asdict()

    fields = [{**field._asdict(), "spread": spread(field.spread)} for field in deck.fields]
    return {**deck._asdict(), "words": spread(deck.words), "fields": fields}
