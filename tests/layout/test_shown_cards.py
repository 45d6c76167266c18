"""`card` in a layout: the very face that is printed, at its place; and what is said where there is none."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from duckpress.content import load_game
from duckpress.core.frame import Group, Outline, PlacedDrawing, Text, every_item
from duckpress.core.geometry import Matrix
from duckpress.core.problems import Problem
from duckpress.files.memo import Pack
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, KnownFaces, LaidOut, Wanted, lay_out_pieces, load_theme
from duckpress.text.fonts import FontLibrary
from workshop import MakeWorkspace

GAME = """\
{title: Trial, version: "1.0", players: 2-4, theme: base,
  pieces: [{id: aids, title: Aids, decks: [aid]}, {id: birds, title: Birds, decks: [bird], theme: red}]}
"""
FILES = {
    "content/trial/game.yaml": GAME,
    "content/trial/themes/red.yaml": 'extends: base\ncolours: {ground: "#aa0000"}\n',
    "content/trial/decks/bird.yaml": (
        "title: Birds\nsize: {width: 40mm, height: 60mm}\nfront: bird\nback: back\nfields: {name: text}\n"
        "cards:\n  - {id: heron, name: Heron}\n  - {id: teal, name: Teal}\n"
    ),
    "content/trial/decks/aid.yaml": (
        "title: Aids\nsize: {width: 60mm, height: 90mm}\nfront: aid\ncards: [{id: aid}]\n"
    ),
    "content/trial/layouts/bird.xml": (
        '<face><ground/><text x="4" y="4" width="32" height="8">{{ card.name }}</text>'
        '<icon name="star" x="5" y="30" size="9"/></face>'
    ),
    "content/trial/layouts/back.xml": '<face><ground fill="accent"/></face>',
}


def laid_out(
    make: MakeWorkspace, aid: str, known: KnownFaces | None = None, piece: str = "aids", **more: str
) -> tuple[LaidOut, list[Problem], Workspace]:
    """Lay out one piece of the game, whose aid has these elements."""
    files: Mapping[str, str] = {
        **FILES,
        "content/trial/layouts/aid.xml": f"<face><ground/>{aid}</face>",
        **{f"content/trial/layouts/{name}.xml": text for name, text in more.items()},
    }
    workspace = make(files)
    game, problems = load_game(workspace, "trial")
    assert game is not None
    assert problems == []
    wanted_piece = next(one for one in game.pieces if one.id == piece)
    theme, _ = load_theme(workspace, "trial", wanted_piece.theme)
    assert theme is not None
    wanted = Wanted(wanted_piece, theme, {}, known or KnownFaces())
    ((one, found),) = lay_out_pieces(Batch(workspace, game, FontLibrary(workspace), {}, "en", "color", [wanted]))
    return one, found, workspace


def words(one: LaidOut) -> list[str]:
    items = every_item(one.faces[0].front.items, one.drawings)
    return [item.text for item in items if isinstance(item, Text)]


def test_the_face_that_is_printed_is_shown_at_its_place(make_workspace: MakeWorkspace) -> None:
    one, problems, _ = laid_out(make_workspace, '<card of="bird/teal" x="10" y="20" width="20"/>')
    assert problems == []
    birds, _, _ = laid_out(make_workspace, "", piece="birds")
    (placed,) = (item for item in every_item(one.faces[0].front.items) if isinstance(item, PlacedDrawing))
    (group,) = one.drawings[placed.key].items
    assert isinstance(group, Group)
    assert group.items == birds.faces[1].front.items  # in the theme of its own piece
    assert placed.matrix == Matrix(0.5, 0, 0, 0.5, 10, 20)
    edge = one.faces[0].front.items[-1]
    assert isinstance(edge, Outline)
    assert edge.paint.stroke_opacity == 0.45
    assert words(one) == ["Teal"]
    assert set(one.drawings) >= {item.key for item in every_item(group.items) if isinstance(item, PlacedDrawing)}


def test_a_card_changes_where_it_is_shown(make_workspace: MakeWorkspace) -> None:
    aid = '<card of="bird/teal" width="20"/>'
    before, _, _ = laid_out(make_workspace, aid)
    after, _, _ = laid_out(make_workspace, aid, bird='<face><ground/><circle cx="9" cy="9" r="4" fill="ink"/></face>')
    assert before.faces[0].front.hash != after.faces[0].front.hash
    assert before.faces[0].bare != after.faces[0].bare


def test_a_known_face_shows_its_cards_again(make_workspace: MakeWorkspace) -> None:
    pack = Pack()
    aid = '<card of="bird/heron" width="20"/><card of="bird" side="back" x="30" width="20" turn="90"/>'
    first, _, _ = laid_out(make_workspace, aid, KnownFaces(pack))
    known = KnownFaces(Pack(pack.news()))
    again, problems, _ = laid_out(make_workspace, aid, known)
    assert (problems, known.laid_out) == ([], 0)
    assert again.faces[0].front.hash == first.faces[0].front.hash
    assert set(again.drawings) == set(first.drawings)


def test_a_height_alone_a_turn_and_an_opacity(make_workspace: MakeWorkspace) -> None:
    card = '<card of="bird/teal" x="10" y="20" height="30" turn="90" opacity="0.5" stroke="none"/>'
    one, problems, _ = laid_out(make_workspace, card)
    assert problems == []
    group = one.faces[0].front.items[-1]
    assert isinstance(group, Group)
    assert (group.matrix, group.opacity, len(group.items)) == (Matrix(0, 1, -1, 0, 55, 15), 0.5, 1)


@pytest.mark.parametrize(
    ("card", "code", "fix"),
    [
        ('<card of="brid/teal" width="9"/>', "unknown-deck", "bird"),
        ('<card of="bird/teel" width="9"/>', "unknown-card", "teal"),
        ('<card of="bird" width="9"/>', "unknown-card", "name one: bird/heron"),
        ('<card of="aid" side="back" width="9"/>', "no-back", "show the front"),
        ('<card width="9"/>', "unknown-deck", "bird"),
        ('<card of="aid" width="9"/>', "card-in-itself", "show another card there"),
    ],
)
def test_what_cannot_be_shown_is_told(make_workspace: MakeWorkspace, card: str, code: str, fix: str) -> None:
    _, problems, _ = laid_out(make_workspace, card)
    assert [problem.code for problem in problems] == [code]
    assert fix in problems[0].fix
    file = "decks/aid.yaml" if code == "card-in-itself" else "layouts/aid.xml"
    assert problems[0].source.file == f"content/trial/{file}"


def test_a_card_in_a_card_that_it_shows_is_told_once(make_workspace: MakeWorkspace) -> None:
    bird = '<face><ground/><card of="aid" width="9"/></face>'
    _, problems, _ = laid_out(make_workspace, '<card of="bird/teal" width="9"/>', bird=bird)
    assert [problem.code for problem in problems] == ["card-in-itself"]


def test_a_front_may_show_its_own_back_and_a_card_that_shows_a_card(make_workspace: MakeWorkspace) -> None:
    bird = '<face><ground/><text x="4" y="4" width="32" height="8">{{ card.name }}</text>{% if card.id == "teal" %}'
    bird += '<card of="bird/heron" x="20" y="20" width="9"/>{% endif %}<card of="bird" side="back" width="9"/></face>'
    one, problems, _ = laid_out(make_workspace, '<card of="bird/teal" width="20"/>', bird=bird)
    assert problems == []
    assert words(one) == ["Teal", "Heron"]


def test_what_is_wrong_with_a_card_is_told_where_it_is_shown(make_workspace: MakeWorkspace) -> None:
    _, problems, _ = laid_out(make_workspace, '<card of="bird/teal" width="20"/>', bird="<face><nothing/></face>")
    assert [problem.code for problem in problems] == ["unknown-element"]
