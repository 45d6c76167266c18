"""Duck Blind in its second language: whole, fitting, and with the typography of French."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.check import setup_table
from duckpress.content.translations.translation_file import in_language
from duckpress.core.frame import Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.reading import load
from duckpress.press.request import Built
from duckpress.press.typesetting import TypesetTask, lay_out_faces
from duckpress.text.fonts import FontLibrary
from shared import with_faces


@pytest.fixture(scope="module")
def games(project: Workspace) -> tuple[Game, Game]:
    """The original and the translation."""
    game = load(project, "duck-blind").game
    assert game is not None
    return game, in_language(project, game, "fr").game


def test_nothing_is_missing_stale_unknown_or_too_long(whole: Callable[[str], Built]) -> None:
    problems = whole("duck-blind").checked.problems  # of all languages
    found = [str(one) for one in problems if one.code.startswith(("translation-", "text-", "missing-"))]
    assert found == []


def test_every_french_text_has_french_spaces_quotes_and_apostrophes(
    games: tuple[Game, Game], run_folder: Path, project: Workspace
) -> None:
    frames = with_faces(run_folder, load(project, "duck-blind")).frames
    pieces = [piece for piece in games[1].pieces if not piece.book]  # rules have tests of their own
    task = TypesetTask(project, games[1], FontLibrary(project), pieces, language="fr", frames=frames)
    faces = [face for one in lay_out_faces(task).pieces for face in one.faces]
    sides = [side for face in faces for side in (face.front, face.back) if side is not None]
    said = " ".join(item.text for side in sides for item in every_item(side.items) if isinstance(item, Text))
    assert all(words in said for words in ("Canard colvert", "d’Amérique", "Enrayé\u202f!"))
    assert not {"'", '"'} & set(said)
    assert re.findall(r"\w[!?;](?!\w)|[ \u00a0][!?;:»]|«[^\u202f]", said) == []


def test_the_setup_table_is_french_and_has_the_same_numbers(games: tuple[Game, Game]) -> None:
    one, other = map(setup_table, games)
    assert one.rows == other.rows
    assert not {column.title for column in one.columns} & {column.title for column in other.columns}
    assert len(other.notes) == len(one.notes)
    assert not set(one.notes) & set(other.notes)


def test_ids_numbers_and_art_are_those_of_the_original(games: tuple[Game, Game]) -> None:
    game, french = games
    for deck in game.decks.values():
        for card, said in zip(deck.cards, french.decks[deck.id].cards, strict=True):
            assert (card.id, card.copies) == (said.id, said.copies)
            for name, field in deck.fields.items():
                if field.kind not in ("text", "list") or not field.is_words:
                    assert card.values[name] == said.values[name]
