"""A game in its languages: translated for a build, and checked in every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from duckpress.core.problems import Problem
from duckpress.files.workspace import Refused, Workspace
from duckpress.language import phrase_key, program
from duckpress.model import Game

if TYPE_CHECKING:
    from duckpress.layout import LaidOut

LayOut = Callable[[Game], tuple[list["LaidOut"], list[Problem]]]
"""Lays out all pieces of a game in the language that its texts are in."""


def languages_of(game: Game) -> tuple[str, ...]:
    """Give the codes of the languages a game is printed in, the one it is written in first."""
    return tuple(language.code for language in game.languages)


def spoken(workspace: Workspace, game: Game, language: str | None) -> tuple[Game, list[Problem]]:
    """Give a game in a language (None: the one it is written in), and what is wrong with the translation."""
    if language is None or language == game.language:
        return game, []
    from duckpress.content.translations.translation_file import in_language

    translated = in_language(workspace, game, language)
    return translated.game, translated.problems


def file_names(game: Game, papers: Sequence[str], languages: Sequence[str] = (), ink: str = "color") -> list[str]:
    """Give the names of the files that builds of all pieces write, for papers and languages (none: all of the game's).

    Files of a packet, which a deal fills, are not among them.
    """
    from duckpress.store import ALL_PIECES, file_name

    first = game.languages[0].code
    pieces = [piece.id for piece in game.pieces if game.dealt_to(piece) is None]
    return [
        file_name(game.id, piece, paper, ink, language, first)
        for language in languages or languages_of(game)
        for paper in papers
        for piece in (*pieces, ALL_PIECES)
    ]


def check_languages(workspace: Workspace, game: Game, lay_out: LayOut) -> tuple[list[LaidOut], list[Problem]]:
    """Check the further languages of a game that has been laid out in its first: translations, words and layouts."""
    from duckpress.check import accept_findings, wrong_words
    from duckpress.content.translations.fixed_words import file_of
    from duckpress.content.translations.translation_file import (
        in_language,
        program_words_missing,
        unused_files,
        words_checked,
    )

    for words in program.WORDS:
        game.speech.program(words)
    problems = [*unused_files(workspace, game), *program_words_missing(game)]
    pieces: list[LaidOut] = []
    originals: set[str] | None = None
    for language in languages_of(game)[1:]:
        translated = in_language(workspace, game, language)
        problems += translated.problems
        for words in program.WORDS:
            translated.game.speech.program(words)
        # A note may calculate: what it names has to be there in the translation too.
        file = file_of(game, language)
        problems += [problem for problem in wrong_words(translated.game) if problem.source.file == file]
        laid_out, found = lay_out(translated.game)
        pieces += laid_out
        problems += found
        if originals is None:
            originals = _words_in_templates(workspace, game) | _choices(game)
        problems += words_checked(translated, originals)
    return pieces, accept_findings(game, problems)


def _choices(game: Game) -> set[str]:
    """Give the words that cards choose from: changes are told with them, also where no face shows them."""
    fields = [field for deck in game.decks.values() for field in deck.fields.values()]
    return {phrase_key(word) for field in fields for word in field.choices}


def _words_in_templates(workspace: Workspace, game: Game) -> set[str]:
    from duckpress.layout import fixed_words

    found: set[str] = set()
    for folder in (f"{game.folder}/layouts", "layouts"):
        for path in workspace.files(folder, ".xml"):
            try:
                found |= fixed_words(workspace.read(path).decode("utf-8-sig"))
            except (Refused, UnicodeDecodeError):  # told where a deck uses it
                continue
    return found
