"""A piece as a whole: faces and copies, backs, themes and inks, and faces as golden text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.content import load_game
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, Wanted, lay_out_pieces, load_theme
from duckpress.press.checking import check
from duckpress.press.reading import load
from duckpress.text.fonts import FontLibrary
from workshop import DECK, GAME, MakeWorkspace, as_lines, lay_out

GOLDEN = Path(__file__).parent / "golden"
THREE = "  - {id: one, copies: 2, title: Heron}\n  - {id: two, title: Coot}\n  - {id: three, title: Teal}"
SAMPLE = """\
{% import "base.xml" as base %}
<face>
  <ground/>
  {{ base.title_bar(card.title, trim, bleed) }}
  <pips count="4" icon="heart" x="8" y="15" width="44" height="25" size="6" fill="suit-2"/>
  {{ base.panel(card.words, 5, 45, 50, 22) }}
  {{ base.badge(card.copies, 52, 14, 4) }}
  {{ base.imprint(game.title ~ " " ~ game.version, trim) }}
</face>
"""


def test_a_card_is_what_it_was(make_workspace: MakeWorkspace, golden: Callable[[Path, str], None]) -> None:
    cards = "  - {id: first, copies: 3, title: Grey Heron, words: 'Wade **two** places {arrow} and fish.'}"
    trial = lay_out(make_workspace, SAMPLE, cards=cards)
    assert trial.problems == []
    golden(GOLDEN / "finished-card.txt", "".join(f"{line}\n" for line in trial.lines))
    again = lay_out(make_workspace, SAMPLE, cards=cards)
    assert again.face.front.hash == trial.face.front.hash


def test_the_same_back_is_one_frame_and_may_show_its_card(make_workspace: MakeWorkspace) -> None:
    title = "<text x='5' y='5'>{{ card.title }}</text>"
    faces = lay_out(make_workspace, title, cards=THREE, back="<face><ground/></face>").laid_out.faces
    assert [(face.card, face.copies) for face in faces] == [("one", 2), ("two", 1), ("three", 1)]
    assert len({id(face.back) for face in faces}) == 1
    assert len({face.front.hash for face in faces}) == 3
    trial = lay_out(make_workspace, "<ground/>", cards=THREE, back=f"<face>{title}</face>")
    assert trial.problems == []
    assert len({face.back.hash for face in trial.laid_out.faces if face.back}) == 3
    assert len({id(face.front) for face in trial.laid_out.faces}) == 1


def test_copies_decide_what_is_laid_out(make_workspace: MakeWorkspace) -> None:
    files = {
        "content/trial/game.yaml": GAME.format(theme="base"),
        "content/trial/decks/cards.yaml": DECK.format(cards=THREE, back=""),
        "content/trial/layouts/front.xml": "<face/>",
    }
    workspace = make_workspace(files)
    game, _ = load_game(workspace, "trial")
    theme, _ = load_theme(workspace, "trial", "base")
    assert game is not None
    assert theme is not None
    wanted = {("cards", "one"): 5, ("cards", "two"): 0}
    fonts = FontLibrary(workspace)
    batch = Batch(workspace, game, fonts, {}, "en", "color", [Wanted(game.pieces[0], theme, wanted)])
    ((laid_out, problems),) = lay_out_pieces(batch)
    assert problems == []
    assert [(face.card, face.copies) for face in laid_out.faces] == [("one", 5), ("three", 1)]


def test_one_bad_card_does_not_take_the_others_with_it(make_workspace: MakeWorkspace) -> None:
    template = "<rect width='{{ 1 / (card.title|length - 4) }}' fill='#000'/>"
    trial = lay_out(make_workspace, template, cards=THREE)
    assert trial.codes == ["template-failed", "template-failed"]
    assert [face.card for face in trial.laid_out.faces] == ["one"]


def test_a_template_that_is_not_there(make_workspace: MakeWorkspace) -> None:
    deck = DECK.format(cards=THREE, back="").replace("front: front", "front: frant")
    problem = lay_out(make_workspace, "<ground/>", files={"content/trial/decks/cards.yaml": deck}).problem
    assert (problem.code, problem.fix) == ("missing-template", "did you mean 'front'?")
    assert problem.source == Source("content/trial/decks/cards.yaml", 3, 8)


INKED = """\
extends: base
colours: {sea: {color: "#336699", low: "#ffffff"}, deep: sea}
text: {shout: {like: title, size: 20, colour: sea}, body: {size: 10}}
icons: {mark: art/mark.svg}
"""


@pytest.mark.parametrize(("ink", "colour"), [("color", "#336699"), ("low", "#ffffff"), ("grey", "#5d5d5d")])
def test_inks_give_roles_other_colours(make_workspace: MakeWorkspace, ink: str, colour: str) -> None:
    mark = '<svg viewBox="0 0 10 10"><rect width="10" height="10"/><rect width="5" height="5" fill="#369"/></svg>'
    template = (
        "<rect fill='deep'/><text x='5' y='5' style='shout'>A</text>"
        "<icon name='mark' fill='deep' x='20' y='20' size='5'/><rect fill='#336699'/>"
    )
    trial = lay_out(make_workspace, template, theme=INKED, ink=ink, files={"content/trial/art/mark.svg": mark})
    assert trial.problems == []
    assert trial.lines[0].startswith(f"outline fill {colour}:")
    assert trial.lines[1].endswith(f"7.06 high, {colour}")
    literal = "#5d5d5d" if ink == "grey" else "#336699"
    assert trial.lines[3].startswith(f"outline fill {literal}:")
    (drawing,) = trial.laid_out.drawings.values()
    assert [line.split()[2] for line in as_lines(drawing.items)] == [f"{colour}:", f"{literal}:"]


BAD_THEMES = {
    "extends: bsae": ("missing-theme", 1, "did you mean 'base'?"),
    "extends: trial": ("theme-loop", 1, "take one 'extends' away"),
    "colors: {}": ("unknown-key", 1, "did you mean 'colours'?"),
    "extends: base\ncolours: {ink: blue-ish}": ("bad-colour", 2, ""),
    "extends: base\ncolours: {ink: '#12'}": ("bad-colour", 2, "write it as #rrggbb"),
    "extends: base\ncolours: {ink: {low: '#000000'}}": ("missing-key", 2, ""),
    "extends: base\ncolours: {ink: {color: '#000000', gray: '#000000'}}": ("unknown-key", 2, "did you mean 'grey'?"),
    "extends: base\ntext: {big: {like: titel}}": ("unknown-style", 2, "did you mean 'title'?"),
    "extends: base\ntext: {big: {like: big}}": ("unknown-style", 2, ""),
    "extends: base\ntext: {big: {font: bodi}}": ("unknown-font-role", 2, "did you mean 'body'?"),
    "extends: base\ntext: {big: {colour: inc}}": ("unknown-colour", 2, "did you mean 'ink'?"),
    "extends: base\ntext: {big: {sise: 9}}": ("unknown-key", 2, "did you mean 'size'?"),
    "extends: base\ntext: {big: {size: huge}}": ("wrong-type", 2, ""),
}


def test_mistakes_in_themes(make_workspace: MakeWorkspace) -> None:
    for written, (code, line, fix) in BAD_THEMES.items():
        theme, (problem,) = load_theme(make_workspace({"content/trial/theme.yaml": written}), "trial", "trial")
        assert (theme, problem.code) == (None, code), written
        assert (problem.source.file, problem.source.line) == ("content/trial/theme.yaml", line)
        assert problem.fix == fix or not fix


@pytest.mark.parametrize(("wrong", "line", "column"), [("theme: base", 8, 8), ("decks: [cards], theme: bsae", 10, 54)])
def test_a_theme_that_is_not_there_is_told_where_it_is_named(
    make_workspace: MakeWorkspace, wrong: str, line: int, column: int
) -> None:
    game = GAME.format(theme="base").replace(wrong.replace(", theme: bsae", ""), wrong.replace("base", "bsae"))
    deck = DECK.format(cards="  - {id: one, title: Heron}", back="")
    files = {"game.yaml": game, "decks/cards.yaml": deck, "layouts/front.xml": "<face/>", "rules.md": "# Rules\n"}
    workspace = make_workspace({f"content/trial/{path}": text for path, text in files.items()})
    (problem,) = check(workspace, load(workspace, "trial")).problems
    assert (problem.code, problem.fix) == ("missing-theme", "did you mean 'base'?")
    assert problem.source == Source("content/trial/game.yaml", line, column)


def test_a_family_that_is_not_there(make_workspace: MakeWorkspace) -> None:
    trial = lay_out(make_workspace, "<ground/>", theme="extends: base\nfamilies: {body: Alegrea Sans}")
    assert (trial.problem.code, trial.problem.fix) == ("unknown-family", "did you mean 'Alegreya Sans'?")


def test_the_bundled_macros_make_good_faces(make_workspace: MakeWorkspace) -> None:
    macros = '{{ base.pattern("star", trim, bleed) }}{{ base.border(trim) }}'
    template = f'{{% import "base.xml" as base %}}<face><ground/>{macros}</face>'
    trial = lay_out(make_workspace, template)
    assert trial.problems == []
    assert len(trial.lines) == 2 + 8 * 10


def test_every_bundled_icon_can_be_drawn(project: Workspace, make_workspace: MakeWorkspace) -> None:
    names = [path.rpartition("/")[2].removesuffix(".svg") for path in project.files("layouts/icons", ".svg")]
    assert {"star", "heart", "spade", "club", "diamond", "arrow", "check", "cross", "circle", "square"} <= set(names)
    elements = "".join(f'<icon name="{name}" x="20" y="20" size="9" fill="accent"/>' for name in names)
    trial = lay_out(make_workspace, elements)
    assert trial.problems == []
    assert len(trial.lines) == len(names)
