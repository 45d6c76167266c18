"""Duck Blind in its second language: whole, fitting, and with the typography of French."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from duckpress.check import setup_table
from duckpress.content.translations.translation_file import in_language
from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.files.workspace import Workspace
from duckpress.press.checking import check
from duckpress.press.reading import Checked, load
from shared import with_faces

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def checked(run_folder: Path, project: Workspace) -> Checked:
    """The game in both languages."""
    return check(project, with_faces(run_folder, load(project, "duck-blind")))


def texts_of(frame: Frame) -> list[str]:
    """Return the lines of a face."""

    def walk(items: tuple[Item, ...]) -> list[str]:
        found = []
        for item in items:
            found += [item.text] if isinstance(item, Text) else walk(item.items) if isinstance(item, Group) else []
        return found

    return walk(frame.items)


def test_nothing_is_missing_stale_unknown_or_too_long(checked: Checked) -> None:
    problems = checked.problems
    found = [str(problem) for problem in problems if problem.code.startswith(("translation-", "text-", "missing-"))]
    assert found == []


def test_every_french_text_has_french_spaces_quotes_and_apostrophes(checked: Checked) -> None:
    pieces = [one for one in checked.pieces if not one.piece.book]  # rules have tests of their own
    halves = pieces[len(pieces) // 2 :]  # the second language follows the first
    said = [text for one in halves for face in one.faces for text in texts_of(face.front)]
    said += [text for one in halves for face in one.faces if face.back for text in texts_of(face.back)]
    whole = " ".join(said)
    assert "Canard colvert" in whole
    assert "d’Amérique" in whole
    assert "'" not in whole
    assert '"' not in whole
    assert re.findall(r"\w[!?;](?!\w)|[ \u00a0][!?;:»]|«[^\u202f]", whole) == []
    assert "Enrayé\u202f!" in whole


def test_the_setup_table_is_french_and_has_the_same_numbers() -> None:
    workspace = Workspace(ROOT)
    game = load(workspace, "duck-blind").game
    assert game is not None
    french = in_language(workspace, game, "fr").game
    one, other = setup_table(game), setup_table(french)
    assert one.rows == other.rows
    assert not {column.title for column in one.columns} & {column.title for column in other.columns}
    assert len(other.notes) == len(one.notes)
    assert not set(one.notes) & set(other.notes)


def test_ids_numbers_and_art_are_those_of_the_original() -> None:
    workspace = Workspace(ROOT)
    game = load(workspace, "duck-blind").game
    assert game is not None
    french = in_language(workspace, game, "fr").game
    for deck in game.decks.values():
        for card, said in zip(deck.cards, french.decks[deck.id].cards, strict=True):
            assert (card.id, card.copies) == (said.id, said.copies)
            for name, field in deck.fields.items():
                if field.kind not in ("text", "list") or not field.is_words:
                    assert card.values[name] == said.values[name]
