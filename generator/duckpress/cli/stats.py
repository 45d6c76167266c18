"""`duckpress stats`: a game in figures, as text for people and as JSON with stable keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, chosen_games, leave, machine_failures, workspace_of

if TYPE_CHECKING:
    from duckpress.build.statistics import DeckFigures, Figures, Spread

_SHOWN = 12  # values of a field that are told one by one
_COLOURS_SHOWN = 6


@click.command("stats")
@click.argument("game")
@FORMAT
@click.pass_context
def stats_command(ctx: click.Context, game: str, form: str) -> None:
    """Show a game in figures: cards, faces, sheets of paper, words, and how its fields are spread."""
    from duckpress.build.statistics import figures_of

    workspace = workspace_of(ctx)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,))
        figures = figures_of(workspace, loaded)
    show_stats(figures, form)
    leave([figures.checked])


def show_stats(figures: Figures, form: str) -> None:
    """Tell the figures of a game; where an error stands there are none, and the problems are told."""
    if form == "json":
        report.print_json(_data(figures))
        return
    game = figures.checked.game
    if game is None or figures.has_errors:
        report.print_problems(figures.checked.problems)
        click.echo(f"{click.style(figures.checked.game_id, bold=True)}: {report.tally(figures.checked.problems)}")
        return
    click.echo(f"{click.style(game.id, bold=True)}  {game.title} {game.version}")
    width = max((len(piece.title) for piece in figures.pieces), default=0)
    for piece in figures.pieces:
        sheets = ", ".join(f"{name} {count} {report.plural(count, 'sheet')}" for name, count in piece.sheets.items())
        faces = f"{piece.copies:>4} {report.plural(piece.copies, 'face')}" if piece.copies else "   - rules"
        click.echo(f"    {piece.title:<{width}}  {faces:<10}  {sheets}")
    for deck in figures.decks:
        _print_deck(deck)


def _print_deck(deck: DeckFigures) -> None:
    click.echo(
        f"{click.style(deck.deck, bold=True)}  {deck.title}: {deck.copies} {report.plural(deck.copies, 'card')}, "
        f"{deck.cards} different, {deck.faces} different {report.plural(deck.faces, 'front')}"
    )
    for field in deck.fields:
        spread = "" if field.spread is None else f" ({_spread_text(field.spread)})"
        click.echo(f"    {field.field}{spread}: {_counts_text(field.values)}")
    if deck.words is not None:
        click.echo(f"    words of a card: {_spread_text(deck.words)}")
    if deck.colours:
        most = ", ".join(list(deck.colours)[:_COLOURS_SHOWN])
        click.echo(f"    {len(deck.colours)} {report.plural(len(deck.colours), 'colour')}, on most fronts {most}")


def _counts_text(counts: Mapping[str, int]) -> str:
    told = ", ".join(f"{value} {count}" for value, count in list(counts.items())[:_SHOWN])
    more = len(counts) - _SHOWN
    return told if more <= 0 else f"{told} and {more} more"


def _spread_text(spread: Spread) -> str:
    return f"least {spread.least:g}, median {spread.median:g}, most {spread.most:g}"


def _data(figures: Figures) -> dict[str, Any]:
    return {
        "game": figures.checked.game_id,
        "pieces": [{**piece._asdict(), "sheets": dict(piece.sheets)} for piece in figures.pieces],
        "decks": [_deck_data(deck) for deck in figures.decks],
        "problems": report.all_data([figures.checked]),
    }


def _deck_data(deck: DeckFigures) -> dict[str, Any]:
    return {
        **deck._asdict(),
        "words": _spread_data(deck.words),
        "fields": [
            {**field._asdict(), "values": dict(field.values), "spread": _spread_data(field.spread)}
            for field in deck.fields
        ],
        "colours": dict(deck.colours),
    }


def _spread_data(spread: Spread | None) -> dict[str, float] | None:
    return None if spread is None else spread._asdict()
