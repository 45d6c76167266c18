"""`duckpress list`, `find`, `licences`, `limits`, `docs` and `schema`: games, cards and documentation."""

from __future__ import annotations

import sys
import textwrap
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from duckpress.cli import report
from duckpress.cli.asking import Answer, command, named_games
from duckpress.cli.options import FORMAT, GAMES, listed, one_of
from duckpress.cli.terminal import echo, echo_in_pager, style
from duckpress.core.limits import LIMITS, limit, settings, written
from duckpress.core.problems import did_you_mean
from duckpress.files.handbook import NoSuchPage, page, page_file, pages
from duckpress.files.workspace import Workspace

if TYPE_CHECKING:
    from duckpress.model import Deck, Game, Piece
    from duckpress.press.reading import Loaded
    from duckpress.views.licence_list import Licences

_WIDTH = 100  # letters of a line of running text


@command("duckpress list", "duckpress list --format json")
@FORMAT
def list_command(workspace: Workspace) -> Answer:
    from duckpress.press.reading import load

    games = [load(workspace, game_id) for game_id in workspace.games() or named_games(workspace, ())]
    rows = [_game_data(loaded) for loaded in games]

    def show() -> None:
        for row in rows:
            if row["title"] is None:
                echo(f"{row['game']}: {_unreadable(row['game'])}")
            else:
                _print_game(row)

    return Answer({"games": rows}, [problem for loaded in games for problem in loaded.problems], show)


def _unreadable(game: str) -> str:
    return f"cannot be read; `duckpress check {game}` says why"


def _print_game(row: dict[str, Any]) -> None:
    head = f"{style(row['game'], bold=True)}  {row['title']} {row['version']}{_by(row['designer'])}"
    from duckpress.press.reading import player_counts

    echo(f"{head}, {player_counts(row['players'])} players")
    echo(f"    languages: {', '.join(row['languages'])}")
    for word in ("variants", "modules"):
        if row[word]:
            named = ", ".join(f"{one[word[:-1]]} ({one['title']})" for one in row[word])
            echo(f"    {word}: {named}")
    lines = []
    for piece in row["pieces"]:
        amount = f"{piece['cards']:>4} {report.plural(piece['cards'], 'card')}"
        if not piece["decks"]:
            amount = "   - rules" if piece["for"] == "players" else "   - notes"
        lines.append((piece["piece"], amount, ", ".join(piece["sizes"]), piece["title"] + _besides(piece)))
    report.print_columns(lines)


def _by(designer: str | None) -> str:
    return f" by {designer}" if designer else ""


def _besides(piece: dict[str, Any]) -> str:
    """Return the special role of a piece: instead of another piece, or not for players."""
    if piece["instead_of"]:
        return f" (instead of {piece['instead_of']})"
    return f" (for the designer: build --piece {piece['piece']})" if piece["for"] != "players" else ""


def _head_data(loaded: Loaded) -> dict[str, Any]:
    game = loaded.game
    return {
        "game": loaded.game_id,
        "title": game.title if game else None,
        "version": game.version if game else None,
        "designer": game.designer or None if game else None,
    }


def _game_data(loaded: Loaded) -> dict[str, Any]:
    game = loaded.game
    setup = game.setup if game is not None else None
    variants = setup.variants.values() if setup is not None else ()
    modules = setup.modules.values() if setup is not None else ()
    return {
        **_head_data(loaded),
        "players": list(game.players) if game else [],
        "languages": [language.code for language in game.languages] if game else [],
        "variants": [{"variant": variant.id, "title": variant.title} for variant in variants],
        "modules": [{"module": module.id, "title": module.title} for module in modules],
        "pieces": [_piece_data(game, piece) for piece in game.pieces] if game else [],
    }


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
    """Return how many cards of a deck are printed for the most players; a dealt deck has one or one for each player."""
    is_each = deck.is_per_player or deck.dealt_to == "player"
    return (1 if deck.is_dealt else deck.count) * (max(game.players) if is_each else 1)


@command("duckpress licences", "duckpress licences --format json")
@FORMAT
def licences_command(workspace: Workspace) -> Answer:
    from duckpress.views.licence_list import licences

    stated = licences(workspace)
    games = [_licence_data(loaded) for loaded in stated.games]
    data = {
        "program": stated.program._asdict(),
        "games": games,
        "fonts": [asdict(font) for font in stated.fonts],
        "profiles": [profile._asdict() for profile in stated.profiles],
        "packages": [package._asdict() for package in stated.packages],
    }
    return Answer(data, stated.problems, partial(_print_licences, stated, games))


def _print_licences(stated: Licences, games: list[dict[str, Any]]) -> None:
    report.print_problems(stated.problems)
    echo(style("The program", bold=True))
    report.print_columns([(stated.program.name, stated.program.version or "", stated.program.licence)])
    echo(style("The games", bold=True))
    for game in games:
        _print_licence(game)
    echo(style("The fonts", bold=True))
    report.print_columns(
        [(font.name, ", ".join(font.versions), font.licence, font.file, font.credit) for font in stated.fonts]
    )
    if stated.profiles:
        echo(style("The colour profiles", bold=True))
        report.print_columns(stated.profiles)
    echo(style("The Python packages it runs on", bold=True))
    report.print_columns([(one.name, one.version or "not installed", one.licence) for one in stated.packages])


def _licence_data(loaded: Loaded) -> dict[str, Any]:
    game = loaded.game
    return {
        **_head_data(loaded),
        "publisher": game.publisher if game else None,
        "licence": game.licence if game else None,
        "credits": [{"role": one.role, "name": one.name} for one in game.credits] if game else [],
    }


def _print_licence(data: dict[str, Any]) -> None:
    if data["title"] is None:
        echo(f"    {data['game']}: {_unreadable(data['game'])}")
        return
    by = _by(data["designer"]) + (f", published by {data['publisher']}" if data["publisher"] else "")
    echo(f"    {data['title']} {data['version']}{by}")
    says = data["licence"] or "Its game.yaml does not say what prints may be used for: ask its designer."
    for paragraph in (says, *(f"{credit['role']}: {credit['name']}" for credit in data["credits"])):
        echo(textwrap.fill(paragraph, _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8), lines=True)


@command("duckpress find mallard", 'duckpress find "at night" duck-blind')
@click.argument("text")
@GAMES
@FORMAT
def find_command(workspace: Workspace, text: str, games: tuple[str, ...]) -> Answer:
    from duckpress.press.reading import load
    from duckpress.views.words import find_words

    if not text.strip():
        raise click.UsageError("say what to find.")
    loaded = [load(workspace, name) for name in named_games(workspace, games)]
    hits = [(one.game_id, hit) for one in loaded for hit in find_words(workspace, one.game_id, one.game, text)]
    rows = [
        {"game": game_id, **hit.source._asdict(), "where": hit.where, "context": hit.context} for game_id, hit in hits
    ]

    def show() -> None:
        for _, hit in hits:
            where = f" [{hit.where}]" if hit.where else ""
            echo(f"{hit.source}:{where} {hit.context}")
        if not hits:
            echo(f"nothing says {text!r}")

    return Answer({"hits": rows}, [problem for one in loaded for problem in one.problems], show, decisive=())


@command("duckpress limits", "duckpress limits --format json", opens=False)
@FORMAT
def limits_command() -> Answer:
    rows = [
        {"limit": name, "value": limit(name), "usual": one.usual, "most": one.most, "unit": one.unit, "of": one.of}
        for name, one in LIMITS.items()
    ]

    def show() -> None:
        width, changed = max(map(len, LIMITS)), settings()
        for name, one in LIMITS.items():
            usual = f" (usually {written(one.usual)})" if name in changed else ""
            echo(f"{name:<{width}}  {written(limit(name)):>6} {one.unit}{usual}: {one.of}")

    return Answer({"limits": rows}, (), show)


@command("duckpress docs", "duckpress docs content", "duckpress docs layouts --path", opens=False)
@click.argument("topic", required=False, shell_complete=one_of(lambda _ctx: pages()))
@click.option("--path", "shows_path", is_flag=True, help="Say where the page lies instead of showing it.")
@FORMAT
def docs_command(topic: str | None, *, shows_path: bool) -> Answer:
    try:
        known = pages() if topic is None else {}
        path, text = ("", "") if topic is None else (str(page_file(topic)), page(topic))
    except NoSuchPage as error:
        raise click.UsageError(str(error)) from error

    def show() -> None:
        if topic is None:
            report.print_columns([(name, title) for name, title in known.items()])
            echo("`duckpress docs content` shows a page, `duckpress docs content#fields` a section of it.")
        elif shows_path:
            echo(path)
        elif sys.stdout.isatty():
            echo_in_pager(text)
        else:
            echo(text, lines=True, nl=False)

    return Answer({"pages": known} if topic is None else {"path": path, "text": text}, (), show)


@command("duckpress schema", "duckpress schema deck", "duckpress schema --into schemas", opens=False)
@click.argument("name", required=False, shell_complete=one_of(listed("views.new_game", "SCHEMAS")))
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), help="Write all of them into this folder, as files."
)
@FORMAT
def schema_command(name: str | None, into: Path | None) -> Answer | None:
    from duckpress.store import write_outputs
    from duckpress.views.new_game import MODELINE, SCHEMAS, schema_text

    if name is not None and name not in SCHEMAS:
        raise click.UsageError(f"there is no schema {name!r}; {did_you_mean(name, SCHEMAS)}")
    if name is not None and into is not None:
        raise click.UsageError("--into writes all schemas: leave the name out.")
    if name is not None:
        echo(schema_text(name), lines=True, nl=False)
        return None
    files = {f"{kind}.json": schema_text(kind).encode() for kind in SCHEMAS if into is not None}
    if into is not None:
        write_outputs(into, files)
    kinds = {name: one.files for name, one in SCHEMAS.items()}

    def show() -> None:
        report.print_columns(list(kinds.items()))
        echo(f"An editor reads it where a file begins with `{MODELINE}PATH`, the schema's path seen from that file.")

    return Answer({"schemas": kinds, "files": list(files)}, (), show)
