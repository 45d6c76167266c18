"""`duckpress licences`: under which licence the program, the games, the fonts and the packages are."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, leave, machine_failures, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.press.reading import Loaded
    from duckpress.views.licence_list import FontLicence, Licences, PackageLicence

_WIDTH = 100  # letters of a line of running text


@click.command("licences")
@FORMAT
@click.pass_context
def licences_command(ctx: click.Context, form: str) -> None:
    """Show the licences of the program, the games, the fonts and the Python packages."""
    from duckpress.views.licence_list import licences

    with machine_failures():
        found = licences(workspace_of(ctx))
    show_licences(found, form)
    leave([found])


def show_licences(found: Licences, form: str) -> None:
    """Print all licences: program, games with their owners and what prints may be used for, fonts, packages."""
    if form == "json":
        data = {
            "program": _package_data(found.program),
            "games": [_game_data(one) for one in found.games],
            "fonts": [_font_data(one) for one in found.fonts],
            "profiles": [one._asdict() for one in found.profiles],
            "packages": [_package_data(one) for one in found.packages],
            "problems": [report.problem_data(problem) for problem in found.problems],
        }
        report.print_json(data)
        return
    report.print_problems(found.problems)
    _heading("The program")
    _print_rows([(found.program.name, found.program.version or "", found.program.licence)])
    _heading("The games")
    for game in found.games:
        _print_game(_game_data(game))
    _heading("The fonts")
    fonts = (_font_data(font) for font in found.fonts)
    _print_rows(
        [(font["name"], ", ".join(font["versions"]), font["licence"], font["file"], font["credit"]) for font in fonts]
    )
    if found.profiles:
        _heading("The colour profiles")
        _print_rows(found.profiles)
    _heading("The Python packages it runs on")
    _print_rows([(one.name, one.version or "not installed", one.licence) for one in found.packages])


def _package_data(package: PackageLicence) -> dict[str, Any]:
    return {"name": package.name, "version": package.version, "licence": package.licence}


def _font_data(font: FontLicence) -> dict[str, Any]:
    return {
        "name": font.name,
        "versions": list(font.versions),
        "licence": font.licence,
        "file": font.file,
        "credit": font.credit,
    }


def _game_data(loaded: Loaded) -> dict[str, Any]:
    game = loaded.game
    return {
        "game": loaded.game_id,
        "title": game.title if game else None,
        "version": game.version if game else None,
        "designer": game.designer or None if game else None,
        "publisher": game.publisher if game else None,
        "licence": game.licence if game else None,
        "credits": [{"role": one.role, "name": one.name} for one in game.credits] if game else [],
    }


def _heading(words: str) -> None:
    echo(style(words, bold=True))


def _print_game(data: dict[str, Any]) -> None:
    if data["title"] is None:
        echo(f"    {data['game']}: cannot be read; `duckpress check {data['game']}` says why")
        return
    by = report.by(data["designer"]) + (f", published by {data['publisher']}" if data["publisher"] else "")
    echo(f"    {data['title']} {data['version']}{by}")
    says = data["licence"] or "Its game.yaml does not say what prints may be used for: ask its designer."
    for paragraph in (says, *(f"{credit['role']}: {credit['name']}" for credit in data["credits"])):
        echo(textwrap.fill(paragraph, _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8), lines=True)


def _print_rows(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))] if rows else []
    for row in rows:
        echo("    " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
