"""The oracle of faces over the bundled games, random faces, and texts of any language, style and box."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content import load_game
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, Wanted, lay_out_pieces, load_theme, look_of
from duckpress.press.reading import load, translate
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.text.fonts import FontLibrary
from oracle.sample_texts import ALIGNS, LANGUAGES, ROOT, VALIGNS, Sample, own_texts, random_text, samples
from oracle.watching import watch
from profiles import examples
from workshop import GAME, MakeWorkspace, lay_out

GAMES = sorted(Workspace(ROOT).games(), key=lambda game: game != "duck-pens")  # the least work first


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(monkeypatch.setattr)


@pytest.mark.soak
@pytest.mark.parametrize("game_id", GAMES)
def test_every_face_of_a_game_is_as_it_was_asked_for(project: Workspace, game_id: str) -> None:
    original = load(project, game_id).game
    assert original is not None
    for language in (language.code for language in original.languages):
        game, _ = translate(project, original, language)
        pieces = [piece for piece in game.pieces if game.dealt_to(piece) is None]
        task = TypesetTask(project, game, FontLibrary(project), pieces, language=language, ink="color")
        problems = typeset(task).problems
        assert [str(problem) for problem in problems if problem.code.startswith("proof-")] == []


LIST = "Take one:\n- wood, or all the corn that another player has in store\n- stone\n\nand go on"
ONCE_WRONG = {
    "a list": LIST,
    "a list after an icon": "{star}:\n- **wood** {star}\n- stone",
    "an item with a break": "- wood<br/><br/>or corn\n- stone",
    "a bullet that is typed": "• one<br/>•**two** three",
    "blanks before signs": "Choose one : a coin ; a card ( or two ) , 5 % … and so on ! until the line is full ?",
    "blanks that do not break": "Take 5\u00a0% of\u00a0it, and so on until the line is full of words that\u00a0come",
    "deep and high letters": "Éxperimental Qu|rter Receiver of Jays",
    "an italic word": "No ship moves unless a *light* is lit next to it.",
    "bold of a font that has none": "**7**, 7. 7 7 **7** fonts **at once**, as it were.",
    "a mark beside its ligature": "حالًا",
    "a list that runs to the left": "שלום:\n- ברווז אחד או שניים מן הערימה שעל השולחן\n- אבן",
    "words that end within": "zero\u200bwidth and kerned\u200bAVA\u200bWords",
}


BOXES = (
    (50, "top", "body", "no"),
    (43, "middle", "title", "no"),
    (36, "bottom", "body", "yes"),
    (31, "middle", "body", "no"),
)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("align", ALIGNS)
@pytest.mark.parametrize("what", ONCE_WRONG)
def test_a_text_that_was_once_refused_is_printed(make_workspace: MakeWorkspace, what: str, align: str) -> None:
    boxes = "".join(
        f'<text x="5" y="{5 + 18 * number}" width="{width}" height="60" align="{align}" valign="{valign}"'
        f' style="{style}" size="7" hyphenate="{hyphenate}">{ONCE_WRONG[what]}</text>'
        for number, (width, valign, style, hyphenate) in enumerate(BOXES)
    )
    assert [problem for problem in lay_out(make_workspace, boxes).problems if problem.level is Level.ERROR] == []


WORDS = st.lists(
    st.sampled_from(["Duck", "**quarry**", "*jay*", "{star}", "of", "Ångström", "(all)", ":", "!", "fi", "\n- "]),
    max_size=12,
).map(" ".join)  # fmt: skip
COLOURS = st.sampled_from(["ink", "accent", "panel", "none", "#336699"])
SHAPES = st.one_of(
    st.builds('<rect fill="{}" stroke="{}" rx="1" width="{}"/>'.format, COLOURS, COLOURS, st.integers(3, 9)),
    st.builds('<circle cx="4" cy="4" r="{}" fill="{}" opacity="{}"/>'.format, st.integers(1, 4), COLOURS,
              st.sampled_from(["0", "0.5", "1"])),
    st.builds('<polygon points="0,0 5,0 2,4" stroke="{}" transform="rotate({})"/>'.format, COLOURS, st.integers(0, 90)),
    st.builds('<icon name="{}" fill="{}"/>'.format, st.sampled_from(["star", "heart", "arrow"]), COLOURS),
    st.builds('<pips count="{}" icon="star"/>'.format, st.integers(0, 10)),
    st.builds('<squaregrid cell="4" columns="{}" rows="2" labels="cells"/>'.format, st.integers(1, 4)),
    st.builds('<track way="{}" columns="4" rows="3" first="0" step="5"/>'.format, st.sampled_from(["ring", "snake"])),
    st.builds(
        '<text align="{}" valign="{}" size="6" min="2">{}</text>'.format,
        st.sampled_from(ALIGNS), st.sampled_from(VALIGNS), WORDS,
    ),
)  # fmt: skip
TREES = st.recursive(
    SHAPES,
    lambda inner: st.builds(
        lambda tag, gap, fill, turn, children: (
            f'<{tag} gap="{gap}" padding="0.5" fill="{fill}" turn="{turn}">{"".join(children)}</{tag}>'
            if tag != "g"
            else f'<g opacity="0.5" transform="translate({gap} 1)">{"".join(children)}</g>'
        ),
        st.sampled_from(["row", "column", "grid", "stack", "g"]), st.integers(0, 2), COLOURS,
        st.sampled_from([0, 90, 180, 270]), st.lists(inner, min_size=1, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


@examples(30)
@given(st.lists(TREES, min_size=1, max_size=3))
def test_a_random_face_is_as_it_was_asked_for(make_workspace: MakeWorkspace, trees: list[str]) -> None:
    trial = lay_out(make_workspace, "".join(trees))
    assert [str(problem) for problem in trial.problems if problem.code.startswith("proof-")] == []


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
    texts = sorted(OWN, key=lambda text: random.Random(text).random())[number * BATCH : (number + 1) * BATCH]
    hold(make_workspace, texts, number, ("en", "fr", "de")[number % 3])


@pytest.mark.sweep(12)
@pytest.mark.parametrize("number", RANDOM_BATCHES)
def test_a_random_text_is_set_as_it_asks_to_be(make_workspace: MakeWorkspace, number: int) -> None:
    language = LANGUAGES[number % len(LANGUAGES)]
    chance = random.Random(number)
    hold(make_workspace, [random_text(chance, language) for _ in range(BATCH)], number, language)


def test_there_are_enough_texts() -> None:
    assert len(OWN) + RANDOM_TEXTS >= 5000
