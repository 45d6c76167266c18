"""`duckpress show` and `duckpress find`: a card read back, and every place where words stand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import completion, report
from duckpress.cli.asking import FORMAT, GAMES, earlier_frames, leave, named_games, workspace_of
from duckpress.cli.terminal import coloured, echo, progress, style
from duckpress.core.problems import has_errors

if TYPE_CHECKING:
    from PIL.Image import Image

    from duckpress.views.showing import CardShown

_COLUMNS = 36  # of the picture in the terminal
_DPI = 150.0


@click.command("show")
@click.argument("card")
@click.option(
    "--game",
    help="The game it is of, where several have such a card.",
    shell_complete=completion.one_of(completion.games),
)
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Write its front into this file.")
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@FORMAT
@click.pass_context
def show_command(ctx: click.Context, card: str, game: str | None, png: Path | None, dpi: float, form: str) -> None:
    """Show a card: fields, copies, uses, picture. CARD is deck/card, an id, a code (A17) or what its QR code says."""
    from duckpress.press.reading import load
    from duckpress.views.showing import NotFound, find_card, show_card

    workspace = workspace_of(ctx)
    frames = earlier_frames(workspace)
    names = named_games(workspace, (game,) if game else ())
    loaded = [replace(load(workspace, name), frames=frames) for name in names]
    try:
        place = find_card(loaded, workspace, card)
    except NotFound as error:
        raise click.UsageError(str(error)) from None
    with progress(place.loaded.game_id, is_quiet=form == "json"):
        shown = show_card(workspace, place, dpi=dpi if png is not None else _DPI, name=card)
    problems = shown.problems if png is not None else ()
    if png is not None and shown.pictures:
        from duckpress.art.picture_files import quick_png
        from duckpress.store import sources_of, write_file

        write_file(png, quick_png(shown.pictures[0], dpi), sources_of(workspace.root))
    elif png is not None:
        if not has_errors(problems):
            raise click.UsageError(f"{card} has no face of its own to draw: it is printed from a deal, or not at all")
        png = None
    if form == "json":
        report.print_json(_data(shown, png), shown.checked.problems)
    else:
        report.print_problems([problem for problem in problems if problem.level == "error"])
        _print_card(shown, png)
        if shown.pictures and sys.stdout.isatty():
            echo()
            for line in blocks(shown.pictures[0], _COLUMNS):
                echo(line, color=True)
    leave(problems)


def _data(shown: CardShown, png: Path | None) -> dict[str, Any]:
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
        "values": {name: _plain(value) for name, value in card.values.items()},
        "uses": [
            {"kind": use.kind, "name": use.name, "file": use.source.file, "line": use.source.line} for use in shown.uses
        ],
        "since": None if shown.since is None else [field._asdict() for field in shown.since],
        "looks_different": shown.looks,
        "png": str(png) if png is not None else None,
    }


def _print_card(shown: CardShown, png: Path | None) -> None:
    card, deck, game = shown.card, shown.deck, shown.checked.game
    changed = f", last changed in {shown.changed}" if shown.changed else ""
    head = f"{style(f'{deck.id}/{card.id}', bold=True)}  {shown.checked.game_id} {game.version if game else ''}"
    echo(head + (f" · {shown.code}" if shown.code else "") + changed)
    echo(f"    {card.source}")
    echo(f"    {deck.title}: {shown.copies} {'copy' if shown.copies == 1 else 'copies'}")
    width = max((len(name) for name in card.values), default=0)
    for name, value in card.values.items():
        echo(f"    {name:<{width}}  {_words(value)}")
    if shown.since is not None:
        from duckpress.share.changes_report import field_words

        same = "looks different since the version of that code" if shown.looks else "as in the version of that code"
        echo(f"    {'changed since the version of that code:' if shown.since else same}")
        for field in shown.since:
            echo(f"        {field_words(field)}")
    for use in shown.uses:
        echo(f"    {use.kind} {use.name}: {use.source}")
    if png is not None:
        echo(f"    {png} is written")


def blocks(picture: Image, columns: int) -> list[str]:
    """Return a picture as lines of half blocks in 24-bit colours, so many wide."""
    from PIL import Image as Images

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
    """Return a field's value on one line, texts of a list parted as in a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "; ".join(map(_words, value)) if isinstance(value, tuple) else str(_plain(value))
    said = " ".join(text.replace("\\\n", "\n").split())
    return said if said and value is not None else "-"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "items"):
        return {str(key): _plain(one) for key, one in value.items()}
    return value


@click.command("find")
@click.argument("text")
@GAMES
@FORMAT
@click.pass_context
def find_command(ctx: click.Context, text: str, games: tuple[str, ...], form: str) -> None:
    """Find words in all texts of a game, or of all games: fields, rules, notes, setup, translations."""
    from duckpress.press.reading import load
    from duckpress.views.words import find_words

    if not text.strip():
        raise click.UsageError("say what to find.")
    workspace = workspace_of(ctx)
    loaded = [load(workspace, name) for name in named_games(workspace, games)]
    hits = [(one.game_id, hit) for one in loaded for hit in find_words(workspace, one.game_id, one.game, text)]
    if form == "json":
        rows = [
            {"game": game_id, **hit.source._asdict(), "where": hit.where, "context": hit.context}
            for game_id, hit in hits
        ]
        report.print_json({"hits": rows}, [problem for one in loaded for problem in one.problems])
        return
    for _, hit in hits:
        where = f" [{hit.where}]" if hit.where else ""
        echo(f"{hit.source}:{where} {hit.context}")
    if not hits:
        echo(f"nothing says {text!r}")
