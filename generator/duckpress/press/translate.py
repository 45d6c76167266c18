"""A game in its languages: translated for a build, and the files that builds in them write."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.model import Game


def languages_of(game: Game) -> tuple[str, ...]:
    """Return the codes of the languages a game is printed in, the one it is written in first."""
    return tuple(language.code for language in game.languages)


def spoken(workspace: Workspace, game: Game, language: str | None) -> tuple[Game, Sequence[Problem]]:
    """Return a game in a language (None: the one it is written in), and what is wrong with the translation."""
    if language is None or language == game.language:
        return game, []
    from duckpress.content.translations.translation_file import in_language

    translated = in_language(workspace, game, language)
    return translated.game, translated.problems


def file_names(game: Game, papers: Sequence[str], languages: Sequence[str] = (), ink: str = "color") -> list[str]:
    """Return the names of files that builds of all pieces write, for papers and languages (none: all of the game's).

    Files of a packet, which a deal fills, are not among them.
    """
    from duckpress.store import ALL_PIECES, file_name

    pieces = [piece.id for piece in game.pieces if game.dealt_to(piece) is None]
    return [
        file_name(game, piece, paper, ink, language)
        for language in languages or languages_of(game)
        for paper in papers
        for piece in (*pieces, ALL_PIECES)
    ]
