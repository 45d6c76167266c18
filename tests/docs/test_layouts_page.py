"""docs/layouts.md: it describes the whole layout language, its examples lay out, and its pictures are fresh."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from pages import DOCS, Page
from PIL import Image

from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.layout import ELEMENTS, INKS
from duckpress.layout.templates import deck_values, piece_values
from duckpress.layout.theme import NAMES
from duckpress.layout.theme_keys import PLACES, SIDES, TURNS, CodeKeys, ImprintKeys, StyleKeys, ThemeKeys
from duckpress.text.fonts import WEIGHTS, FontLibrary

sys.path.insert(0, str(DOCS))

import make_layout_pictures as PICTURES  # noqa: N812

TEXT = Page("layouts").text
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"(?m)^###? ", TEXT)[1:]}
MAX_PICTURE_BYTES = 20_000
EXAMPLES = PICTURES.read_examples(TEXT)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, str]:
    return PICTURES.write_game(PICTURES.read_files(TEXT), EXAMPLES, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def shown(game: tuple[Workspace, str]) -> Mapping[str, Any]:
    return PICTURES.lay_out_examples(*game, FontLibrary(game[0]), EXAMPLES)


def described(section: str) -> set[str]:
    """Return the attributes that a section's table describes: the words in the first cells."""
    rows = re.findall(r"(?m)^\| (`[^|]*) \|", re.sub(r"(?s)```.*?```", "", SECTIONS[section]))
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize("tag", ELEMENTS)
def test_an_element_is_shown_and_described_with_its_attributes_no_more_and_no_fewer(tag: str) -> None:
    """Shared attributes stand in sections that it links to."""
    links = re.findall(r"\[([^\]]+)\]\(#([a-z-]+)\)", SECTIONS[tag])
    linked = {title for title, anchor in links if anchor == title.lower().replace(" ", "-")} & SECTIONS.keys()
    shared = (title for title in linked if "| attribute |" in SECTIONS[title])
    named = described(tag).union(*map(described, shared))
    assert named == ELEMENTS[tag]
    if tag != "face":  # every example has one
        assert re.search(rf"<{tag}[\s/>]", SECTIONS[tag]), tag
        assert "![" in SECTIONS[tag]


def test_every_block_is_a_file_or_an_example_with_a_picture() -> None:
    blocks = re.findall(r"(?m)^```xml(?! file=)", TEXT)
    assert len(EXAMPLES) == len(blocks) > len(ELEMENTS)
    assert len({example.picture for example in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_lays_out_without_a_problem_and_a_picture_shows_it(example: Any, shown: Mapping[str, Any]) -> None:
    found = shown[example.name]
    assert not found.problems, "\n".join(map(str, found.problems))
    assert found.faces
    assert all(face.front.items for face in found.faces)
    path = DOCS / example.picture
    assert path.is_file(), "run: python docs/make_layout_pictures.py"
    with Image.open(path) as picture:
        picture.load()
        stamp = picture.text[PICTURES.STAMP]  # type: ignore[attr-defined]
    assert stamp == found.stamp, f"{example.picture} is stale; run: python docs/make_layout_pictures.py"
    assert path.stat().st_size < MAX_PICTURE_BYTES


def test_there_is_no_picture_too_many() -> None:
    folder = DOCS / "pictures" / "layouts"
    assert set(folder.iterdir()) == {DOCS / example.picture for example in EXAMPLES}


def test_every_variable_is_in_the_table(game: tuple[Workspace, str]) -> None:
    loaded, _ = load_game(*game)
    assert loaded is not None
    deck = next(iter(loaded.decks.values()))
    values = piece_values(loaded, loaded.pieces[0], {"title": ""}, "en") | deck_values(deck, deck.size)
    names = {"card.id", "card.copies"}
    for name, value in values.items():
        own = value if isinstance(value, dict) and name not in ("decks", "setup") else {}
        names |= {f"{name}.{key}" for key in own} or {name}
    missing = {name for name in names if f"`{name}`" not in SECTIONS["Variables"]}
    assert not missing


def test_every_key_of_a_theme_is_described() -> None:
    assert set(StyleKeys.keys) == described("Text styles")
    assert all(f"`{name}`" in SECTIONS["Text styles"] for name in WEIGHTS)
    assert all(f"`{ink}`" in SECTIONS["Colours and inks"] for ink in INKS)
    assert described("Themes and roles") == set(ThemeKeys.keys)
    assert described("The imprint") == set(ImprintKeys.keys)
    assert described("Codes for reports") == set(CodeKeys.keys)
    assert all(f"`{word}`" in SECTIONS["The imprint"] for word in (*PLACES, *SIDES, *TURNS[1:3]))
    assert all(f"`{{{name}}}`" in SECTIONS["The imprint"] for name in NAMES)
