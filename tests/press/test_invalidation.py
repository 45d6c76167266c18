"""What a change touches is laid out again, and nothing else; what comes out is what would come out without a cache."""

from __future__ import annotations

import pytest

from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from kinds import DECK, FILES, KINDS, MakeWorkspace, cache_in, change, font, lay_out, png

ALL = frozenset(KINDS)


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def relaid(workspace: Workspace, language: str | None = None, ink: str = "color", identity: str = "program") -> int:
    """Lay the game out with the cache, hold it against a run without, and give how many faces were laid out."""
    store = BuildCache(Memo(cache_in(workspace), identity))
    hashes, piece, problems = lay_out(workspace, store, language=language, ink=ink)
    fresh, fresh_piece, fresh_problems = lay_out(workspace, language=language, ink=ink)
    assert hashes == fresh
    assert problems == fresh_problems
    assert piece.fits == fresh_piece.fits
    assert piece.decorations == fresh_piece.decorations
    assert piece.drawings.keys() == fresh_piece.drawings.keys()
    assert piece.pictures == fresh_piece.pictures
    return store.laid_out


def test_nothing_changed_nothing_is_laid_out(workspace: Workspace) -> None:
    assert relaid(workspace) == len(KINDS)
    assert relaid(workspace) == 0


def test_every_card_of_the_game_is_a_face_of_its_own(workspace: Workspace) -> None:
    before, _, problems = lay_out(workspace)
    assert not problems
    assert len(set(before.values())) == len(KINDS)


CHANGES = {
    "field": ("content/kinds/decks/kind.yaml", "The plain card.", "The plain duck.", {"plain"}),
    "template": ("content/kinds/layouts/face.xml", '20" fill="accent"', '21" fill="accent"', {"accent"}),
    "template, everywhere": ("content/kinds/layouts/face.xml", '<text x="5" y="5"', '<text x="5" y="6"', ALL),
    "template, a comment": ("content/kinds/layouts/face.xml", "<face>", "<face><!-- a comment <rect/> -->", set()),
    "macro": ("content/kinds/layouts/macros.xml", 'cx="20"', 'cx="21"', {"macro"}),
    "include": ("content/kinds/layouts/part.xml", 'y="50"', 'y="51"', {"part"}),
    "drawing": ("content/kinds/art/pond.svg", 'r="4"', 'r="3"', {"drawing"}),
    "icon": ("content/kinds/art/icons/coin.svg", 'r="4"', 'r="3"', {"icon"}),
    "an icon's alias": ("content/kinds/theme.yaml", "art/token.svg", "art/pond.svg", set()),  # they look alike
    "what an alias leads to": ("content/kinds/art/token.svg", 'r="4"', 'r="2"', {"alias"}),
    "role": ("content/kinds/theme.yaml", "#aa3300", "#005522", {"accent", "aside"}),
    "role, everywhere": ("content/kinds/theme.yaml", "#ffffff", "#fffff0", ALL),
    "style": ("content/kinds/theme.yaml", "size: 8, min: 7", "size: 8.5, min: 7", {"aside"}),
    "style, everywhere": ("content/kinds/theme.yaml", "size: 9", "size: 9.5", ALL),
    "families": ("fonts/own/family.yaml", ", bold: bold.ttf", "", {"bold"}),
    "a role nobody uses": ("content/kinds/theme.yaml", "paper:", "spare: '#123456', paper:", set()),
    "copies": ("content/kinds/decks/kind.yaml", "{id: plain,", "{id: plain, copies: 3,", set()),
    "a title": ("content/kinds/game.yaml", "title: Kinds", "title: All kinds", set()),
}  # fmt: skip


@pytest.mark.sweep(18)
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_touches_what_it_touches(name: str, workspace: Workspace) -> None:
    path, old, new, touched = CHANGES[name]
    relaid(workspace)
    before, _, _ = lay_out(workspace)
    change(workspace, path, old, new)
    after, _, problems = lay_out(workspace)
    assert not problems
    assert {card for card in KINDS if before[card] != after[card]} == touched
    assert relaid(workspace) == len(touched)
    assert relaid(workspace) == 0


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("style", "other", "touched"),
    [
        ("bold", "AlegreyaSans-ExtraBold.ttf", 1),
        ("italic", "AlegreyaSans-BoldItalic.ttf", 1),
        ("regular", "AlegreyaSans-Medium.ttf", len(KINDS)),
    ],
)
def test_a_font_touches_the_faces_set_in_it(style: str, other: str, touched: int, workspace: Workspace) -> None:
    relaid(workspace)
    (workspace.root / f"fonts/own/{style}.ttf").write_bytes(font(other))
    assert relaid(workspace) == touched


def test_a_picture_touches_its_face(workspace: Workspace) -> None:
    relaid(workspace)
    (workspace.root / "content/kinds/art/pond.png").write_bytes(png(91))
    assert relaid(workspace) == 1


def test_a_translation_touches_its_face_and_no_other_language(workspace: Workspace) -> None:
    relaid(workspace)
    assert relaid(workspace, "fr") == len(KINDS)
    change(workspace, "content/kinds/lang/fr.yaml", "Tirs", "Des tirs")
    assert relaid(workspace, "fr") == 1
    assert relaid(workspace) == 0


def test_an_ink_has_faces_of_its_own(workspace: Workspace) -> None:
    relaid(workspace)
    assert relaid(workspace, ink="grey") == len(KINDS)
    assert relaid(workspace, ink="grey") == 0
    assert relaid(workspace) == 0


def test_another_program_lays_out_everything(workspace: Workspace) -> None:
    relaid(workspace)
    assert relaid(workspace, identity="another program") == len(KINDS)


def test_a_file_that_comes_before_another_is_seen(workspace: Workspace) -> None:
    (workspace.root / "layouts/icons").mkdir(parents=True)
    (workspace.root / "content/kinds/art/icons/coin.svg").rename(workspace.root / "layouts/icons/coin.svg")
    relaid(workspace)
    own = workspace.root / "content/kinds/art/icons/coin.svg"
    own.write_text((workspace.root / "layouts/icons/coin.svg").read_text().replace('r="4"', 'r="2"'))
    assert relaid(workspace) == 1


def test_an_icon_of_two_cards_that_changes_changes_both(workspace: Workspace) -> None:
    """Icons are found once for all texts of a colour; each face that shows one has to know of it all the same."""
    change(workspace, "content/kinds/decks/kind.yaml", "The plain card.", "The plain {coin} card.")
    relaid(workspace)
    change(workspace, "content/kinds/art/icons/coin.svg", 'r="4"', 'r="3"')
    assert relaid(workspace) == 2


def test_an_emoji_that_becomes_an_icon_is_seen(workspace: Workspace) -> None:
    change(workspace, "content/kinds/decks/kind.yaml", "The plain card.", "The plain 🦆 card.")
    relaid(workspace)
    change(workspace, "content/kinds/theme.yaml", "icons: {", "icons: {'🦆': art/token.svg, ")
    assert relaid(workspace) == 1


def test_what_was_changed_back_is_still_known(workspace: Workspace) -> None:
    relaid(workspace)
    change(workspace, "content/kinds/decks/kind.yaml", "The plain card.", "The plain duck.")
    assert relaid(workspace) == 1
    change(workspace, "content/kinds/decks/kind.yaml", "The plain duck.", "The plain card.")
    assert relaid(workspace) == 0


def test_a_warning_is_told_every_time_and_of_the_first_card_that_shows_it(workspace: Workspace) -> None:
    """Three cards reach into the safe zone: only the first is told of, and once it does not, the second is."""
    face = workspace.root / "content/kinds/layouts/face.xml"
    low = '<text x="1" y="80" width="50" height="6">Low</text>'
    odd = f'{{% if card.id in ["bold", "icon", "alias"] %}}{low}{{% endif %}}</face>'
    face.write_text(face.read_text().replace("</face>", odd))
    for _ in range(2):
        relaid(workspace)  # it compares the problems
    assert [problem.code for problem in lay_out(workspace)[2]] == ["outside-safe-zone"]
    face.write_text(face.read_text().replace('["bold", "icon", "alias"]', '["icon", "alias"]'))
    relaid(workspace)
    (problem,) = lay_out(workspace)[2]
    assert "'icon'" in problem.what


def test_an_error_is_told_every_time(workspace: Workspace) -> None:
    change(workspace, "content/kinds/decks/kind.yaml", "The plain card.", "The {nothing} card.")
    for _ in range(2):
        relaid(workspace)
    assert "unknown-icon" in {problem.code for problem in lay_out(workspace)[2]}


def test_texts_set_together_are_set_together(workspace: Workspace) -> None:
    change(
        workspace,
        "content/kinds/layouts/face.xml",
        'y="5" width="50" height="10"',
        'y="5" width="50" height="4" together="all"',
    )
    long = "The plain card that has much to say on its line"
    change(workspace, "content/kinds/decks/kind.yaml", "The plain card.", long)
    assert relaid(workspace) >= len(KINDS)
    assert relaid(workspace) == 0
    change(workspace, "content/kinds/decks/kind.yaml", long, "The plain card.")
    relaid(workspace)
    assert DECK.count("The plain card.") == 1
