"""Pages of a typeset text as they are kept for later runs, and what of a game they may depend on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Item, written_items
from duckpress.core.geometry import Rect, Size
from duckpress.core.language import RecordingSpeech, Speech
from duckpress.core.problems import Problem
from duckpress.files.memo import Form, form_of
from duckpress.layout import Face, LaidOut, NotShown, shown_card
from duckpress.layout.rulebook.blocks import Block, Callout, Items, PictureBlock, Pictures
from duckpress.layout.rulebook.figures import FaceOf
from duckpress.model import Game, Piece

Shown = tuple[Face, LaidOut]
"""A face that a text shows, and the piece it was laid out in."""


class SetPage(Struct, frozen=True, array_like=True):
    """A page: its size, its items (`written_items`) and the hash of its frame."""

    trim: Size
    items: bytes
    frame_hash: str


class SetPages(Struct, frozen=True, array_like=True):
    """The pages by paper; what they place beside the faces of cards; problems; words asked for; files of fonts read."""

    pages: dict[str, list[SetPage]]
    drawings: list[tuple[Rect, tuple[Item, ...]]]
    pictures: list[PictureData]
    problems: list[Problem]
    asked: list[str]
    missing: list[str]
    fonts: list[str]
    depends_on_cards: bool  # in more than the faces that it shows

    def laid_out(self, piece: Piece, shown: Sequence[Shown]) -> LaidOut:
        """Return the piece with its pages; `shown` are the faces on them."""
        drawings = {key: drawing for _, one in shown for key, drawing in one.drawings.items()}
        drawings |= {drawing.key: drawing for drawing in (Drawing(*one) for one in self.drawings)}
        pictures = {key: picture for _, one in shown for key, picture in one.pictures.items()}
        pictures |= {picture.key: picture for picture in self.pictures}
        pages = {
            paper: tuple([Frame.of_hash(page.trim, 0.0, page.items, page.frame_hash) for page in pages])
            for paper, pages in self.pages.items()
        }
        return LaidOut(piece, (), drawings, pictures, (), pages)

    def note_words(self, speech: Speech) -> None:
        """Note for a check which words the pages asked for."""
        if isinstance(speech, RecordingSpeech):
            speech.asked.update(self.asked)
            speech.missing.update(dict.fromkeys(self.missing))


def _written(pages: SetPages) -> bytes:
    if pages.depends_on_cards:
        raise ValueError("what cards say is in no key")
    return _plain_form.write(pages)


_plain_form = form_of(SetPages)
PAGES = Form(_written, _plain_form.read)


def set_page(frame: Frame) -> SetPage:
    """Return a page to be kept. Raises `ValueError` for one that cannot be written."""
    return SetPage(frame.trim, written_items(frame.items), frame.hash)


def faces_shown(game: Game, blocks: Sequence[Block], face_of: FaceOf) -> dict[str, Shown | None]:
    """Return the faces that blocks show, by `deck/card`; None for those that could not be laid out."""
    shown: dict[str, Shown | None] = {}
    for picture in _pictures(blocks):
        if picture.kind in ("card", "back"):
            found = shown_card(game.decks, picture.name, is_back=picture.kind == "back")
            if not isinstance(found, NotShown):
                deck, card = found
                shown[f"{deck.id}/{card}"] = face_of(deck.id, card)
    return shown


def _pictures(blocks: Sequence[Block]) -> Iterator[PictureBlock]:
    for block in blocks:
        if isinstance(block, Pictures):
            yield from block.pictures
        elif isinstance(block, Callout):
            yield from _pictures(block.blocks)
        elif isinstance(block, Items):
            for item in block.items:
                yield from _pictures(item)


def without_cards(game: Game) -> tuple[object, ...]:
    """Return all of a game that pages may depend on, but what its cards say: of these their ids and copies."""
    cards = [[(card.id, card.copies) for card in deck.cards] for deck in game.decks.values()]
    decks = {key: replace(deck, cards=()) for key, deck in game.decks.items()}
    texts = [[(code, text.source) for code, text in texts.items()] for texts in game.texts.values()]
    speech = Speech(*(getattr(game.speech, name) for name in Speech.__struct_fields__))  # without what it noted
    return replace(game, decks={}, texts={}, speech=speech), decks, cards, texts
