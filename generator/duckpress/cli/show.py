"""`duckpress show` and `stats`: a card's fields and texts, and a game in figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace
from PIL import Image as Images
from PIL.Image import Image

from duckpress.art.picture_files import quick_png
from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command, named_games
from duckpress.cli.options import COMPLETE_GAME, FORMAT, GAME
from duckpress.cli.terminal import coloured, echo, style
from duckpress.core.problems import Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.press.reading import Checked, load
from duckpress.share.changes_report import field_words
from duckpress.store import sources_of, write_file
from duckpress.views.page.card_rows import plain
from duckpress.views.showing import CardShown, NotFound, find_card, show_card
from duckpress.views.statistics import (
    INK_PAPER,
    Coverage,
    Figures,
    FileInk,
    figures_of,
    in_all,
    ink_estimate,
)

_COLUMNS = 36  # of the picture in the terminal
_DPI = 150.0
_SHOWN = 12  # values of a field that are told one by one
_COLOURS_SHOWN = 6


@command("duckpress show A17", "duckpress show cards/mallard --game my-game --png mallard.png")
@click.argument("card")
@click.option("--game", help="The game it is of, where several have such a card.", shell_complete=COMPLETE_GAME)
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Write its front into this file.")
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@FORMAT
def show_command(workspace: Workspace, card: str, game: str | None, png: Path | None, dpi: float) -> Answer:
    frames = asking.earlier_frames(workspace)
    names = named_games(workspace, (game,) if game else ())
    loaded = [replace(load(workspace, name), frames=frames) for name in names]
    try:
        place = find_card(loaded, workspace, card)
    except NotFound as error:
        raise click.UsageError(str(error)) from None
    with asking.steps_of(place.loaded.game_id):
        shown = show_card(workspace, place, dpi=dpi if png is not None else _DPI, name=card)
    problems = shown.problems if png is not None else ()
    if png is not None and shown.pictures:
        write_file(png, quick_png(shown.pictures[0], dpi), sources_of(workspace.root))
    elif png is not None:
        if not has_errors(problems):
            raise click.UsageError(f"{card} has no face of its own to draw: it is printed from a deal, or not at all")
        png = None
    show = partial(_print_card, shown, png, problems)
    return Answer(_card_data(shown, png), shown.checked.problems, show, decisive=problems)


def _card_data(shown: CardShown, png: Path | None) -> dict[str, Any]:
    card, game = shown.card, shown.checked.game
    return {
        "game": shown.checked.game_id,
        "version": game.version if game is not None else "",
        "deck": shown.deck.id,
        "card": card.id,
        "code": shown.code,
        "changed": shown.changed,
        "copies": shown.copies,
        "file": card.source.file,
        "line": card.source.line,
        "values": {name: plain(value) for name, value in card.values.items()},
        "uses": [
            {"kind": use.kind, "name": use.name, "file": use.source.file, "line": use.source.line} for use in shown.uses
        ],
        "since": None if shown.since is None else [field._asdict() for field in shown.since],
        "looks_different": shown.looks,
        "png": str(png) if png is not None else None,
    }


def _print_card(shown: CardShown, png: Path | None, problems: Sequence[Problem]) -> None:
    report.print_problems([problem for problem in problems if problem.level == "error"])
    card, deck, game = shown.card, shown.deck, shown.checked.game
    changed = f", last changed in {shown.changed}" if shown.changed else ""
    head = f"{style(f'{deck.id}/{card.id}', bold=True)}  {shown.checked.game_id} {game.version if game else ''}"
    echo(head + (f" · {shown.code}" if shown.code else "") + changed)
    echo(f"    {card.source}")
    echo(f"    {deck.title}: {report.counted(shown.copies, 'copy')}")
    width = max((len(name) for name in card.values), default=0)
    for name, value in card.values.items():
        echo(f"    {name:<{width}}  {_words(value)}")
    if shown.since is not None:
        same = "looks different since the version of that code" if shown.looks else "as in the version of that code"
        echo(f"    {'changed since the version of that code:' if shown.since else same}")
        for field in shown.since:
            echo(f"        {field_words(field)}")
    for use in shown.uses:
        echo(f"    {use.kind} {use.name}: {use.source}")
    if png is not None:
        echo(f"    {png} is written")
    if shown.pictures and sys.stdout.isatty():
        echo()
        for line in blocks(shown.pictures[0], _COLUMNS):
            echo(line, color=True)


def blocks(picture: Image, columns: int) -> list[str]:
    """Return a picture as `columns` wide lines of half blocks in 24-bit colours."""
    rows = max(1, round(columns * picture.height / picture.width / 2))
    small = picture.convert("RGB").resize((columns, rows * 2), Images.Resampling.LANCZOS)
    data = small.tobytes()

    def colour(x: int, y: int, which: int) -> str:
        at = 3 * (y * columns + x)
        return coloured(";".join(map(str, (which, 2, *data[at : at + 3]))))

    return [
        "".join(f"{colour(x, y, 38)}{colour(x, y + 1, 48)}▀" for x in range(columns)) + coloured("0")
        for y in range(0, rows * 2, 2)
    ]


def _words(value: Any) -> str:
    """Return a field's value on one line, texts of a list separated as in a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "; ".join(map(_words, value)) if isinstance(value, tuple) else str(plain(value))
    said = " ".join(text.replace("\\\n", "\n").split())
    return said if said and value is not None else "-"


@command("duckpress stats my-game", "duckpress stats my-game --ink-estimate")
@GAME
@click.option("--ink-estimate", "has_ink", is_flag=True, help="Measure the ink that its files take, in every ink.")
@FORMAT
def stats_command(workspace: Workspace, game: str, *, has_ink: bool) -> Answer:
    (loaded,) = chosen_games(workspace, (game,), lays_out=True)
    checked, figures = figures_of(workspace, loaded)
    estimate: tuple[FileInk, ...] = ()
    if has_ink and not checked.has_errors:
        with asking.steps_of(loaded.game_id) as step:
            estimate = ink_estimate(workspace, loaded, step)
    show = partial(_print_figures, checked, figures, estimate)
    return Answer({**figures, "ink": _ink_data(estimate)}, checked.problems, show)


def _print_figures(checked: Checked, figures: Figures, estimate: Sequence[FileInk]) -> None:
    game = checked.game
    if checked.has_errors or game is None:
        report.print_problems(checked.problems)
        echo(f"{style(checked.game_id, bold=True)}: {report.tally(checked.problems)}")
        return
    echo(f"{style(game.id, bold=True)}  {game.title} {game.version}")
    width = max((len(piece["title"]) for piece in figures["pieces"]), default=0)
    for piece in figures["pieces"]:
        sheets = ", ".join(f"{name} {report.counted(count, 'sheet')}" for name, count in piece["sheets"].items())
        copies = piece["copies"]
        faces = f"{copies:>4} {report.plural(copies, 'face')}" if copies else "   - rules"
        echo(f"    {piece['title']:<{width}}  {faces:<10}  {sheets}")
    if any(figures["sheets"].values()):
        echo(f"    {report.paper_in_all(figures['sheets'], figures['saved'])}")
    for deck in figures["decks"]:
        _print_deck(deck)
    if estimate:
        _print_ink(estimate)


def _print_ink(estimate: Sequence[FileInk]) -> None:
    """Print the ink of each file: a column for each ink, in percent of a full page of one ink."""
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


def _print_deck(deck: Figures) -> None:
    cards = f"{report.counted(deck['copies'], 'card')}, {deck['cards']} different"
    fronts = f"{deck['faces']} different {report.plural(deck['faces'], 'front')}"
    echo(f"{style(deck['deck'], bold=True)}  {deck['title']}: {cards}, {fronts}")
    for field in deck["fields"]:
        spread = "" if field["spread"] is None else f" ({_spread_text(field['spread'])})"
        counts = (f"{value} {count}" for value, count in field["values"].items())
        echo(f"    {field['field']}{spread}: {report.first_of(counts, _SHOWN)}")
    if deck["words"] is not None:
        echo(f"    words of a card: {_spread_text(deck['words'])}")
    if deck["colours"]:
        most = ", ".join(list(deck["colours"])[:_COLOURS_SHOWN])
        echo(f"    {report.counted(len(deck['colours']), 'colour')}, on most fronts {most}")


def _spread_text(spread: dict[str, float]) -> str:
    return ", ".join(f"{word} {number:g}" for word, number in spread.items())


def _ink_data(estimate: Sequence[FileInk]) -> list[dict[str, Any]]:
    """Return a row for each piece in each ink, and for each ink a total row without a piece."""
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
