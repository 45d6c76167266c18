"""Copies share faces, and each has all the same the faces that its game has when it is laid out alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bingo import FILES, PEOPLE, copier_of
from duckpress.press.request import Request
from duckpress.press.typesetting import TypesetPieces, TypesetTask, typeset
from duckpress.share.editions.copy_pieces import CopyPieces, tells_of
from duckpress.share.editions.draws import planned
from duckpress.share.editions.inputs import read_people
from duckpress.text.fonts import FontLibrary
from running import MakeWorkspace as Make

LAYOUT, DECK = "content/bingo/layouts/number.xml", "content/bingo/decks/number.yaml"
TEXT = '<text x="4" y="4" width="36" height="12"{}>{}</text>'
LOOKS = (  # what is on the cards that copies draw, and whether a card is the same in all of them
    (TEXT.format("", "{{ card.n }}{# decks of the game #} decks"), True),
    (TEXT.format("", "{{ card.n }} times {{ card.copies }}"), True),
    (TEXT.format("", "{{ decks.sheet.cards[0].owner }}"), False),
    (TEXT.format("", "{{ decks[card.deck or 'number'].cards|length }}"), False),
    (TEXT.format("", "{% for one in decks.values() %}{{ one.cards[0].id }}{% endfor %}"), False),
    (TEXT.format("", "{% if card.n > 11 %}{{ decks.sheet.cards[0].owner }}{% endif %}"), False),
    ('{% include "inner" %}', False),
    ('<card of="sheet" x="1" y="1" width="9"/>', False),
    (TEXT.format(' together="n" min="4"', "{{ 'word ' * card.n }}"), False),
)


def faces_of(typeset: TypesetPieces) -> list[tuple[str, str, int, str, str]]:
    faces = (face for one in typeset.pieces for face in one.faces)
    return [(face.deck, face.card, face.copies, face.front.hash, face.code) for face in faces]


@pytest.mark.parametrize(("inside", "is_shared"), LOOKS)
def test_a_copy_has_the_faces_of_its_game(inside: str, is_shared: bool, make_workspace: Make) -> None:
    files = {
        **FILES,
        LAYOUT: f"<face><ground/>{inside}</face>",
        DECK: FILES[DECK].replace('n: "{{ n }}"}', 'n: "{{ n }}", copies: 2}'),
        "content/bingo/layouts/inner.xml": TEXT.format("", "{{ decks.sheet.cards[0].owner }}"),
    }
    workspace = make_workspace(files)
    copier, fonts, request = copier_of(workspace), FontLibrary(workspace), Request(papers=("a4",))
    everyone = read_people(copier.games.game, "people.csv", PEOPLE.encode()).value
    draws = planned(copier, everyone).value
    games = [copier.game(copy, draw).value for copy, draw in zip(everyone, draws, strict=True)]
    pieces = CopyPieces(workspace, copier, request, fonts)
    pieces.lay_out_pool(copier.every_card(everyone, draws))
    made = list(pieces.of(games))
    for game, own in zip(games, made, strict=True):
        task = TypesetTask(workspace, game, fonts, game.chosen_pieces(), papers=("a4",), named_after=copier.games.game)
        alone = typeset(task)
        assert faces_of(own) == faces_of(alone)
        assert {one.code for one in own.problems} <= {one.code for one in alone.problems}
    assert bool(pieces._pool) is is_shared
    assert pieces._own == {"number", "sheet"}


def test_a_deck_that_is_neither_drawn_nor_looks_at_others_is_shared(make_workspace: Make) -> None:
    for shown, own in (("", {"sheet"}), ('<card of="sheet" x="1" y="1" width="9"/>', {"number", "sheet"})):
        text = TEXT.format("", "{{ card.n }}")
        workspace = make_workspace({**FILES, LAYOUT: f"<face><ground/>{text}{shown}</face>"})
        copier = copier_of(workspace)
        copier = replace(copier, pools=replace(copier.pools, decks={}))
        assert CopyPieces(workspace, copier, Request(papers=("a4",)), FontLibrary(workspace))._own == own


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The sheet is yours.", False),
        ("![yours](card:sheet/sheet width=40mm)", True),
        ("There are {{ decks.sheet.count }}.", True),
        ("There are {{ decks.number.count }} numbers, and a sheet.", False),
        ("{% for deck in decks %}{% endfor %}", True),
    ],
)
def test_a_text_tells_of_own_cards_where_it_shows_or_counts_them(text: str, tells: bool) -> None:
    assert tells_of(text, {"sheet"}) is tells
