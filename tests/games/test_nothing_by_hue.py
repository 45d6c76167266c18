"""Nothing in the bundled games is told by hue: without red, green or blue, and in grey, every difference stays."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from PIL import ImageStat

from duckpress.core.backs import INKS, PLAIN
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing, Text, every_item
from duckpress.core.geometry import Size
from duckpress.core.paths import Path, rectangle
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.layout.legibility import Seen, check_legibility
from duckpress.layout.legibility.checks import GREY, difference
from duckpress.press.reading import load
from duckpress.press.request import Built
from duckpress.press.typesetting import TypesetTask, lay_out_faces
from duckpress.text.fonts import FontLibrary
from duckpress.views.pictures import FacePainter
from setting import LIBRARY

GAMES = Workspace(pathlib.Path(__file__).resolve().parent.parent.parent).games()
OTHER_INKS = [pytest.param(ink, marks=pytest.mark.soak) for ink in INKS if ink != PLAIN]

# Of 100 (CIE L*).
LEAST_LIGHTNESS_OF_SUITS = 10.0
LEAST_LIGHTNESS_AROUND_BIRDS = 14.0

Pieces = Callable[[str, str], list[LaidOut]]


class Sides(NamedTuple):
    """The fronts or backs of a deck by card, and the drawings that are placed on them."""

    by_card: Mapping[str, Frame]
    drawings: Mapping[str, Drawing]

    def shapes(self, *cards: str) -> set[Path]:
        """Return the outlines, whatever their colours, that every one of some cards has."""
        items = (every_item(self.by_card[card].items, self.drawings) for card in cards)
        return set.intersection(*({item.path for item in one if isinstance(item, Outline)} for one in items))

    def marks(self, cards: Iterable[str]) -> set[Path]:
        """Return the outlines that are on all of some cards, and on no other card of the deck."""
        chosen = set(cards)
        return self.shapes(*chosen).difference(*(self.shapes(card) for card in self.by_card.keys() - chosen))


@pytest.fixture(scope="module")
def pieces(whole: Callable[[str], Built], project: Workspace) -> Pieces:
    """Return a function that lays a game out in an ink, in the game's language; in colour that was done already."""

    def lay_out(game_id: str, ink: str) -> list[LaidOut]:
        if ink == PLAIN:
            return list(whole(game_id).checked.pieces)
        game = load(project, game_id).game
        assert game is not None
        chosen = [piece for piece in game.pieces if not piece.book and game.dealt_to(piece) is None]
        return lay_out_faces(TypesetTask(project, game, FontLibrary(project), chosen, ink=ink)).pieces

    return lay_out


def sides_of(pieces: Iterable[LaidOut], piece: str, deck: str, side: str = "front") -> Sides:
    (one,) = (one for one in pieces if one.piece.id == piece)
    return Sides({face.card: getattr(face, side) for face in one.faces if face.deck == deck}, one.drawings)


def without_words(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield replace(item, items=tuple(without_words(item.items)))
        elif not isinstance(item, Text):
            yield item


def faces_of(piece: LaidOut) -> list[Seen]:
    """Return all fronts and backs of a piece."""
    sides = [(face, side, getattr(face, side)) for face in piece.faces for side in ("front", "back")]
    return [
        Seen(face.deck, face.card, side, frame, Source(face.card), Source(face.deck))
        for face, side, frame in sides
        if frame is not None
    ]


def bare(face: Seen) -> Seen:
    """Return a face to look at as somebody does who cannot read."""
    frame = Frame(face.frame.trim, face.frame.bleed_mm, tuple(without_words(face.frame.items)))
    return replace(face, frame=frame)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("ink", [PLAIN, *OTHER_INKS])
@pytest.mark.parametrize("game_id", GAMES)
def test_no_card_is_told_by_colour_and_words_alone(pieces: Pieces, game_id: str, ink: str) -> None:
    for piece in pieces(game_id, ink):
        problems = check_legibility(list(map(bare, faces_of(piece))), piece.drawings)
        assert [str(problem) for problem in problems] == []


def test_words_do_not_hide_what_colour_alone_tells() -> None:
    def card(name: str, colour: str) -> Seen:
        ground = Outline(rectangle(0.0, 0.0, 63.0, 88.0), Paint(fill=colour))
        name_on_it = Group((Text(9.0, 9.0, 4.0, "font", "#000000", "<01>", name, 9.0),))
        frame = Frame(Size(63.0, 88.0), 0.0, (ground, name_on_it))
        return bare(Seen("duck", name, "front", frame, Source(name), Source("duck")))

    (problem,) = check_legibility([card("rouge", "#d08070"), card("vert", "#98a070")], {})
    assert problem.code == "colour-alone"


# The most of a piece's ink in colour that it may take with little ink. Duck Pens is drawn with pens on light paper in
# colour already, so that there is less to save.
LITTLE = {
    "blind-mans-draft": ("cards", 0.25),
    "canardage": ("actions", 0.65),
    "duck-blind": ("blinds", 0.36),
    "duck-pens": ("automa", 0.65),
    "ducks-in-a-row": ("cards", 0.58),
}


@pytest.mark.soak
@pytest.mark.parametrize("game_id", GAMES)
def test_all_can_be_read_in_every_ink_which_takes_what_it_should(pieces: Pieces, game_id: str) -> None:
    taken: dict[tuple[str, str], float] = {}
    for ink in INKS:
        for piece in pieces(game_id, ink):
            faces = faces_of(piece)
            assert [str(problem) for problem in check_legibility(faces, piece.drawings, piece.decorations)] == []
            frames = [face.frame for face in faces]
            pictures = list(FacePainter(LIBRARY).pictures(piece, frames, 20))
            means = [mean for picture in pictures for mean in ImageStat.Stat(picture.convert("RGB")).mean]
            taken[piece.piece.id, ink] = sum(255 - mean for mean in means)
            if ink == GREY:
                assert all(red == green == blue for one in pictures for _, (red, green, blue) in one.getcolors(9999))
    name, most = LITTLE[game_id]
    assert taken[name, "low"] < most * taken[name, PLAIN]


@pytest.mark.parametrize("ink", [PLAIN, *OTHER_INKS])
def test_four_suits_differ_in_lightness_and_shape(pieces: Pieces, ink: str) -> None:
    cards = sides_of(pieces("ducks-in-a-row", ink), "four-colour", "cards")
    suits = {name.rpartition("-")[2]: name for name in cards.by_card if name.startswith("7-")}
    items = {suit: every_item(cards.by_card[seven].items) for suit, seven in suits.items()}
    colours = [next(item.fill for item in items[suit] if isinstance(item, Text)) for suit in suits]
    assert len(colours) == 4
    for one, other in combinations(colours, 2):
        assert difference(one, other, GREY) >= LEAST_LIGHTNESS_OF_SUITS, (one, other)
    for suit in suits:
        assert cards.marks(name for name in cards.by_card if name.endswith(suit)), f"{suit} have no pip of their own"


@pytest.mark.parametrize("ink", [PLAIN, *OTHER_INKS])
def test_swimmers_differ_in_border_and_hat(pieces: Pieces, ink: str) -> None:
    ducks = sides_of(pieces("canardage", ink), "ducks", "duck")
    assert len(ducks.by_card) == 6
    for (border, badge), (other_border, other_badge) in combinations(map(swimmer, ducks.by_card.values()), 2):
        assert border.isdisjoint(other_border)
        assert badge - other_badge
        assert other_badge - badge


def swimmer(front: Frame) -> list[set[Path]]:
    """Return the shapes of the pattern around a duck of Canardage, after its ground, and those of its badge."""
    border, _scene, badge, _again = (item for item in front.items if isinstance(item, Group))
    parts = border.items[1:], every_item(badge.items)
    return [{item.path for item in items if isinstance(item, Outline)} for items in parts]


@pytest.mark.parametrize("ink", [PLAIN, *OTHER_INKS])
def test_blinds_drakes_and_hens_have_marks_of_their_own(pieces: Pieces, ink: str) -> None:
    laid_out = pieces("duck-blind", ink)
    for side in ("front", "back"):
        blinds = sides_of(laid_out, "blinds", "blind", side)
        names = {card.rpartition("-")[0] for card in blinds.by_card}
        assert len(names) == 6
        assert all(blinds.marks(card for card in blinds.by_card if card.startswith(name)) for name in names)
        tokens = sides_of(laid_out, "tokens", "order-token", side)
        says = [
            [item.text for item in every_item(one.items) if isinstance(item, Text)] for one in tokens.by_card.values()
        ]
        assert len(says) == len({tuple(words) for words in says}) == 6
    ducks = sides_of(laid_out, "play-deck", "duck")
    assert all(ducks.marks(card for card in ducks.by_card if card.endswith(sex)) for sex in ("drake", "hen"))


@pytest.mark.soak
def test_a_line_parts_birds_from_their_scene_in_grey(pieces: Pieces) -> None:
    ducks = sides_of(pieces("duck-blind", GREY), "play-deck", "duck")
    assert len(ducks.by_card) == 20
    for card, front in ducks.by_card.items():
        placed = (item for item in every_item(front.items) if isinstance(item, PlacedDrawing))  # also in clips
        drawings = [ducks.drawings[item.key] for item in placed]
        scene, lines = drawings[0], next(one for one in drawings if line_of(one))
        assert not line_of(scene), f"{card} has no scene before its bird"
        colours = {item.paint.fill for item in every_item(scene.items, ducks.drawings) if isinstance(item, Outline)}
        for colour in filter(None, colours):
            assert difference(line_of(lines), colour, GREY) >= LEAST_LIGHTNESS_AROUND_BIRDS, (card, colour)


def line_of(drawing: Drawing) -> str:
    """Return the colour of the line around everything in a drawing, "" where there is none."""
    strokes = {item.paint.stroke for item in every_item(drawing.items) if isinstance(item, Outline)}
    return next(iter(strokes)) or "" if len(strokes) == 1 else ""
