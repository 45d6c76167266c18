"""`duckpress list`: what games there are, for whom, in which languages, and what they are printed as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, leave, machine_failures, named_games, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.model import Deck, Game, Piece
    from duckpress.press.reading import Loaded


@click.command("list")
@FORMAT
@click.pass_context
def list_command(ctx: click.Context, form: str) -> None:
    """Show the games: players, languages, variants, and what they are printed as."""
    from duckpress.press.reading import load

    workspace = workspace_of(ctx)
    with machine_failures():
        loaded = [load(workspace, game_id) for game_id in named_games(workspace, ())]
    show_list(loaded, form)
    leave(loaded)


def show_list(loaded: Sequence[Loaded], form: str) -> None:
    """Print what games there are: id, title, version, players, languages, variants, and the pieces with their cards."""
    rows = [_game_data(one) for one in loaded]
    if form == "json":
        report.print_json({"games": rows, "problems": report.all_data(loaded)})
        return
    for row in rows:
        if row["title"] is None:
            echo(f"{row['game']}: cannot be read; `duckpress check {row['game']}` says why")
            continue
        _print_game(row)


def _print_game(row: dict[str, Any]) -> None:
    echo(
        f"{style(row['game'], bold=True)}  {row['title']} {row['version']}{report.by(row['designer'])}, "
        f"{report.players(row['players'])} players"
    )
    echo(f"    languages: {', '.join(row['languages'])}")
    if row["variants"]:
        variants = ", ".join(f"{one['variant']} ({one['title']})" for one in row["variants"])
        echo(f"    variants: {variants}")
    lines = [
        (
            piece["piece"],
            f"{piece['cards']:>4} {report.plural(piece['cards'], 'card')}"
            if piece["decks"]
            else ("   - rules" if piece["for"] == "players" else "   - notes"),
            ", ".join(piece["sizes"]),
            piece["title"] + _besides(piece),
        )
        for piece in row["pieces"]
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(3)] if lines else []
    for line in lines:
        echo("    " + "  ".join((*map(str.ljust, line[:3], widths), line[3])))


def _besides(piece: dict[str, Any]) -> str:
    """Return what is special about a piece: that it stands instead of another one, or is not for players."""
    if piece["instead_of"]:
        return f" (instead of {piece['instead_of']})"
    return f" (for the designer: build --piece {piece['piece']})" if piece["for"] != "players" else ""


def _game_data(one: Loaded) -> dict[str, Any]:
    game = one.game
    return {
        "game": one.game_id,
        "title": game.title if game else None,
        "version": game.version if game else None,
        "designer": game.designer or None if game else None,
        "players": list(game.players) if game else [],
        "languages": [language.code for language in game.languages] if game else [],
        "variants": _variants_data(game) if game else [],
        "pieces": [_piece_data(game, piece) for piece in game.pieces] if game else [],
    }


def _variants_data(game: Game) -> list[dict[str, str]]:
    variants = game.setup.variants.values() if game.setup is not None else ()
    return [{"variant": variant.id, "title": variant.title} for variant in variants]


def _piece_data(game: Game, piece: Piece) -> dict[str, Any]:
    decks = [game.decks[name] for name in piece.decks]
    return {
        "piece": piece.id,
        "title": piece.title,
        "decks": list(piece.decks),
        "sizes": sorted({deck.format for deck in decks}),
        "cards": sum(_count(game, deck) for deck in decks),
        "instead_of": piece.instead_of,
        "for": "designer" if piece.is_for_designer else "players",
    }


def _count(game: Game, deck: Deck) -> int:
    """Return how many cards of a deck are printed for the most players; a deck filled by a deal has one or one each."""
    is_each = deck.is_per_player or deck.dealt_to == "player"
    return (1 if deck.is_dealt else deck.count) * (max(game.players) if is_each else 1)
