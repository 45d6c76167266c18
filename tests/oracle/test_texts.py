"""Texts of any language, style, alignment and box: the program finds no fault in itself, and the oracle none in it."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence

import pytest

from duckpress.content import load_game
from duckpress.core.problems import Level, Problem
from duckpress.layout import Batch, Wanted, lay_out_pieces, load_theme, look_of
from duckpress.text.fonts import FontLibrary
from oracle.sample_texts import LANGUAGES, ROOT, Sample, own_texts, random_text, samples
from oracle.watching import watch
from workshop import GAME, MakeWorkspace

DECK = """\
title: Cards
size: {width: 200mm, height: 250mm, bleed: 2mm, safe: 3mm}
front: front
fields: {style: text, align: text, valign: text, wide: number, high: number, hyphenate: text, words: text}
cards: cards.csv
"""
TEMPLATE = """<face><text x="5" y="5" width="{{ card.wide }}" height="{{ card.high }}" style="{{ card.style }}"
  align="{{ card.align }}" valign="{{ card.valign }}" hyphenate="{{ card.hyphenate }}">{{ card.words }}</text></face>"""
THEMES = ("base", "duck-blind", "canardage", "blind-mans-draft", "duck-pens", "ducks-in-a-row")
RANDOM_TEXTS = 3000
BATCH = 250  # texts of one theme
EXPECTED = {"text-overflow", "missing-glyph", "borrowed-letters", "needs-dictionary"}
"""What is said of texts in boxes that are too small, and of letters that no font has."""


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(monkeypatch.setattr)


def laid_out(
    make: MakeWorkspace, texts: Sequence[str], theme: str, language: str, seed: int
) -> tuple[list[Problem], int]:
    """Lay out texts as cards of a game; return what was said of them, and how many were laid out without an error."""
    files: dict[str, str | bytes] = {}
    if theme != "base":
        folder = ROOT / "content" / theme
        kept = [folder / "theme.yaml", *(path for path in folder.glob("art/**/*") if path.is_file())]
        files = {f"content/trial/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in kept}
    game_file = GAME.format(theme="base" if theme == "base" else "trial").replace("[en]", f"[{language}]")
    files |= {
        "content/trial/game.yaml": game_file,
        "content/trial/decks/cards.yaml": DECK,
        "content/trial/layouts/front.xml": TEMPLATE,
        "content/trial/decks/cards.csv": "",
    }
    look, problems = load_theme(make(files), "trial", "base" if theme == "base" else "trial")
    assert look is not None
    assert problems == []
    styles = sorted(look_of(look, "color").styles)
    files["content/trial/decks/cards.csv"] = _table(samples(texts, styles, seed))
    workspace = make(files)
    game, problems = load_game(workspace, "trial")
    assert game is not None, problems
    assert not [problem for problem in problems if problem.level is Level.ERROR]
    batch = Batch(workspace, game, FontLibrary(workspace), {}, language, "color", [Wanted(game.pieces[0], look, {})])
    pieces, problems = lay_out_pieces(batch)[0]
    return problems, len(pieces.faces)


def _table(rows: Sequence[Sample]) -> str:
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(["id", "style", "align", "valign", "wide", "high", "hyphenate", "words"])
    for number, row in enumerate(rows):
        hyphenate = "yes" if row.is_hyphenated else "no"
        table.writerow(
            [f"t{number}", row.style, row.align, row.valign, row.width_mm, row.height_mm, hyphenate, row.words]
        )
    return written.getvalue()


def hold(make: MakeWorkspace, texts: Sequence[str], number: int, language: str) -> None:
    """Assert that nothing is found that would be the program's own fault, and that most texts were laid out."""
    problems, count = laid_out(make, texts, THEMES[number % len(THEMES)], language, number)
    faults = [str(problem) for problem in problems if problem.code.startswith("proof-")]
    assert faults == []
    assert count == len(texts)
    assert {problem.code for problem in problems} <= EXPECTED
    refused = {problem.what.partition(" (")[0] for problem in problems if problem.level is Level.ERROR}
    # No font that comes along has the letters of Japanese: what is left of such a text is drawn.
    assert language == "ja" or len(refused) < 0.6 * len(texts)


OWN = own_texts()
OWN_BATCHES = range(-(-len(OWN) // BATCH))
RANDOM_BATCHES = range(RANDOM_TEXTS // BATCH)


@pytest.mark.sweep(50)
@pytest.mark.parametrize("number", OWN_BATCHES)
def test_a_text_of_this_project_is_set_as_it_asks_to_be(make_workspace: MakeWorkspace, number: int) -> None:
    texts = sorted(OWN, key=hash_of)[number * BATCH : (number + 1) * BATCH]
    hold(make_workspace, texts, number, ("en", "fr", "de")[number % 3])


def hash_of(text: str) -> float:
    return random.Random(text).random()


@pytest.mark.sweep(12)
@pytest.mark.parametrize("number", RANDOM_BATCHES)
def test_a_random_text_is_set_as_it_asks_to_be(make_workspace: MakeWorkspace, number: int) -> None:
    language = LANGUAGES[number % len(LANGUAGES)]
    chance = random.Random(number)
    hold(make_workspace, [random_text(chance, language) for _ in range(BATCH)], number, language)


def test_there_are_enough_texts() -> None:
    assert len(OWN) + RANDOM_TEXTS >= 5000
