"""`duckpress show` and `duckpress find`: a card read back, and every place where words stand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, GAMES, earlier_frames, leave, machine_failures, named_games, workspace_of
from duckpress.cli.terminal import coloured, echo, style

if TYPE_CHECKING:
    from PIL.Image import Image

    from duckpress.views.showing import CardShown

_COLUMNS = 36  # of the picture in the terminal
_DPI = 150


@click.command("show")
@click.argument("card")
@click.option("--game", help="The game it is of, where several have such a card.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="Write its front into this file.")
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@FORMAT
@click.pass_context
def show_command(ctx: click.Context, card: str, game: str | None, png: Path | None, dpi: float, form: str) -> None:
    """Show a card: fields, copies, uses, picture. CARD is deck/card, an id, a code (A17) or what its QR code says."""
    from duckpress.press.reading import load
    from duckpress.views.showing import NotFound, find_card, show_card

    workspace = workspace_of(ctx)
    has_blocks = form == "text" and sys.stdout.isatty()
    with machine_failures():
        frames = earlier_frames(workspace)
        names = named_games(workspace, (game,) if game else ())
        loaded = [replace(load(workspace, name), frames=frames) for name in names]
        try:
            one, deck, found = find_card(loaded, workspace, card)
        except NotFound as error:
            raise click.UsageError(str(error)) from None
        with report.progress(one.game_id, is_quiet=form == "json"):
            wanted = dpi if png is not None else float(_DPI)
            shown = show_card(workspace, one, deck, found, dpi=wanted, name=card)
        if png is not None and shown.pictures:
            from duckpress.art.raster.pixels import png_bytes
            from duckpress.store import sources_of, write_file

            data = png_bytes(shown.pictures[0], dpi)
            write_file(png, data, sources_of(workspace.root))
    if png is not None and not shown.pictures and not shown.checked.has_errors:
        raise click.UsageError(f"{card} has no face of its own to draw: it is printed from a deal, or not at all")
    if png is not None:
        report.print_problems([one for one in shown.checked.problems if one.level == "error"] if form == "text" else [])
    _show(shown, png if shown.pictures else None, form, has_blocks=has_blocks)
    leave([shown.checked] if png is not None else [])


def _show(shown: CardShown, png: Path | None, form: str, *, has_blocks: bool) -> None:
    card, deck, game = shown.card, shown.deck, shown.checked.game
    version = game.version if game is not None else ""
    if form == "json":
        data = {
            "game": shown.checked.game_id,
            "version": version,
            "deck": deck.id,
            "card": card.id,
            "code": shown.code,
            "changed": shown.changed,
            "copies": shown.copies,
            "file": card.source.file,
            "line": card.source.line,
            "values": {name: _plain(value) for name, value in card.values.items()},
            "uses": [
                {"kind": use.kind, "name": use.name, "file": use.source.file, "line": use.source.line}
                for use in shown.uses
            ],
            "since": None if shown.since is None else [field._asdict() for field in shown.since],
            "looks_different": shown.looks,
            "png": str(png) if png is not None else None,
            "problems": report.all_data([shown.checked]),
        }
        report.print_json(data)
        return
    changed = f", last changed in {shown.changed}" if shown.changed else ""
    head = style(f"{deck.id}/{card.id}", bold=True)
    echo(f"{head}  {shown.checked.game_id} {version}" + (f" · {shown.code}" if shown.code else "") + changed)
    echo(f"    {card.source}")
    echo(f"    {deck.title}: {shown.copies} {'copy' if shown.copies == 1 else 'copies'}")
    width = max((len(name) for name in card.values), default=0)
    for name, value in card.values.items():
        echo(f"    {name:<{width}}  {_words(value)}")
    if shown.since is not None:
        from duckpress.releases import field_words

        same = "looks different since the version of that code" if shown.looks else "as in the version of that code"
        echo(f"    {'changed since the version of that code:' if shown.since else same}")
        for field in shown.since:
            echo(f"        {field_words(field)}")
    for use in shown.uses:
        echo(f"    {use.kind} {use.name}: {use.source}")
    if png is not None:
        echo(f"    {png} is written")
    if has_blocks and shown.pictures:
        echo()
        for line in blocks(shown.pictures[0], _COLUMNS):
            echo(line, color=True)


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
    said = "; ".join(map(_words, value)) if isinstance(value, tuple) else " ".join(str(_plain(value)).split())
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
    from duckpress.views.word_search import find_words

    if not text.strip():
        raise click.UsageError("say what to find.")
    workspace = workspace_of(ctx)
    rows = []
    with machine_failures():
        loaded = [load(workspace, name) for name in named_games(workspace, games)]
        for one in loaded:
            rows += [(one.game_id, hit) for hit in find_words(workspace, one.game_id, one.game, text)]
    if form == "json":
        hits = [
            {
                "game": name,
                "file": hit.source.file,
                "line": hit.source.line,
                "column": hit.source.column,
                "where": hit.where,
                "context": hit.context,
            }
            for name, hit in rows
        ]
        report.print_json({"hits": hits, "problems": report.all_data(loaded)})
        return
    for _, hit in rows:
        where = f" [{hit.where}]" if hit.where else ""
        echo(f"{hit.source}:{where} {hit.context}")
    if not rows:
        echo(f"nothing says {text!r}")
