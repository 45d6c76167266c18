"""Pieces laid out -> the same, with the faces of other cards where their templates show them.

A card that is shown is the one that is printed: as the first piece that prints its deck lays it out, in that piece's
theme. A deck that no piece prints has the theme of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.art.values import rounded
from duckpress.core.frame import Drawing, Frame, Group, Item, Picture, PlacedDrawing, digest_of, every_item
from duckpress.core.geometry import Rect, scaling
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Format
from duckpress.layout.elements.images import stood_for, trim_path
from duckpress.layout.faces.answers import Batch, Wanted
from duckpress.layout.laid_out import Face, LaidOut
from duckpress.layout.theme import load_theme
from duckpress.model import Piece

LayOut = Callable[[Batch], Sequence[tuple[LaidOut, list[Problem]]]]
ShownSide = tuple[str, str, bool]
"""A deck, a card of it, and whether its back is meant."""
_StandIns = dict[str, ShownSide]  # by the keys of drawings


def face_drawing(frame: Frame, format_: Format) -> Drawing:
    """Return a face cut along its edge, to be placed at any size."""
    whole = Rect(0.0, 0.0, *frame.trim)
    return Drawing(whole, (Group(frame.items, clip=trim_path(format_, whole)),))


def with_shown_cards(
    batch: Batch, laid_out: Sequence[LaidOut], at_hand: Sequence[LaidOut], lay_out: LayOut
) -> tuple[list[LaidOut], list[Problem]]:
    """Return pieces of a batch with all faces of cards in their places.

    Those faces are taken from the pieces themselves and from those `at_hand`; others are laid out by `lay_out`.
    Problems: those of what had to be laid out besides, and `card-in-itself`.
    """
    if not any(map(_stand_ins, laid_out)):
        return list(laid_out), []
    placer = _Placer(batch, [*laid_out, *at_hand], lay_out)
    return [placer.placed(one) for one in laid_out], list(dict.fromkeys(placer.problems))


def _stand_ins(one: LaidOut) -> _StandIns:
    named = ((key, stood_for(drawing)) for key, drawing in one.drawings.items())
    return {key: shown for key, shown in named if shown is not None}


class _PlacedSide(NamedTuple):
    """A side of a card, and the piece that has what it places."""

    frame: Frame
    format: Format
    piece: LaidOut


class _Placer:
    """Finds the faces that are shown, however deep they show each other, and puts them in their places."""

    def __init__(self, batch: Batch, laid_out: Sequence[LaidOut], lay_out: LayOut) -> None:
        self.problems: list[Problem] = []
        self._batch = batch
        self._lay_out = lay_out
        self._printed = {deck: piece for piece in reversed(batch.game.pieces) for deck in piece.decks}
        self._sides: dict[ShownSide, _PlacedSide] = {}
        self._done: dict[ShownSide, _PlacedSide] = {}  # with all that they show
        self._open: set[ShownSide] = set()  # whose cards are being placed
        self._tried: set[str] = set()
        for one in laid_out:
            self._add(one)

    def _add(self, one: LaidOut) -> None:
        for face in one.faces:
            if self._printed.get(face.deck, one.piece).id == one.piece.id:  # not another look of it
                for is_back, frame in enumerate((face.front, face.back)):
                    if frame is not None:
                        side = _PlacedSide(frame, face.format, one)
                        self._sides.setdefault((face.deck, face.card, bool(is_back)), side)

    def placed(self, one: LaidOut) -> LaidOut:
        """Return a piece with all cards that its faces show."""
        stand_ins = _stand_ins(one)
        if not stand_ins:
            return one
        drawings = {key: drawing for key, drawing in one.drawings.items() if key not in stand_ins}
        kept = one._replace(drawings=drawings, pictures=dict(one.pictures), depends_on_cards=True)
        return kept._replace(faces=tuple(self._face(face, kept, stand_ins) for face in one.faces))

    def _face(self, face: Face, kept: LaidOut, stand_ins: _StandIns) -> Face:
        front, back = self._frame(face.front, kept, stand_ins), face.back and self._frame(face.back, kept, stand_ins)
        if front is not face.front and face.bare_front is not None:
            face = face._replace(bare_front=digest_of(face.bare_front, front.hash))
        if back is not None and back is not face.back and face.bare_behind is not None:
            face = face._replace(bare_behind=digest_of(face.bare_behind, back.hash))
        return face._replace(front=front, back=back)

    def _frame(self, frame: Frame, kept: LaidOut, stand_ins: _StandIns) -> Frame:
        placed = (item for item in every_item(frame.items) if isinstance(item, PlacedDrawing))
        if not any(item.key in stand_ins for item in placed):
            return frame
        return Frame(frame.trim, frame.bleed_mm, tuple(self._items(frame.items, kept, stand_ins)))

    def _items(self, items: Iterable[Item], kept: LaidOut, stand_ins: _StandIns) -> Iterator[Item]:
        """Yield items with faces in the place of stand-ins; what these need for printing goes to the piece `kept`."""
        for item in items:
            if isinstance(item, Group):
                yield replace(item, items=tuple(self._items(item.items, kept, stand_ins)))
            elif not isinstance(item, PlacedDrawing) or item.key not in stand_ins:
                yield item
            elif (side := self._side(stand_ins[item.key])) is not None:
                drawing = face_drawing(side.frame, side.format)
                kept.drawings[drawing.key] = drawing
                for inner in every_item(drawing.items, side.piece.drawings):
                    if isinstance(inner, PlacedDrawing):
                        kept.drawings[inner.key] = side.piece.drawings[inner.key]
                    elif isinstance(inner, Picture):
                        kept.pictures[inner.key] = side.piece.pictures[inner.key]
                own_mm = self._batch.game.decks[stand_ins[item.key][0]].size.trim.width_mm
                fit = scaling(own_mm / side.frame.trim.width_mm)  # a piece may print its cards larger
                yield PlacedDrawing(drawing.key, rounded(item.matrix.after(fit)))

    def _side(self, shown: ShownSide) -> _PlacedSide | None:
        """Return a side with all that it shows; None where it could not be laid out, which is told where it is."""
        deck, card, _ = shown
        if shown in self._open:
            what = f"card {card!r} of deck {deck!r} shows itself, or a card that shows it"
            source = self._batch.game.decks[deck].at("front")
            self.problems.append(Problem("card-in-itself", source, what, "show another card there"))
            return None
        if shown not in self._sides and deck not in self._tried:
            self._tried.add(deck)
            self._lay_out_besides(deck)
        side = self._sides.get(shown)
        if side is not None and shown not in self._done:
            self._open.add(shown)
            kept = side.piece._replace(drawings=dict(side.piece.drawings), pictures=dict(side.piece.pictures))
            frame = self._frame(side.frame, kept, _stand_ins(kept))
            self._open.remove(shown)
            self._done[shown] = _PlacedSide(frame, side.format, kept)
        return self._done.get(shown)

    def _lay_out_besides(self, deck: str) -> None:
        game, batch = self._batch.game, self._batch
        if game.decks[deck].is_dealt:
            return
        holding = self._printed.get(deck)
        piece = Piece(deck, game.decks[deck].title, (deck,), game.theme, game.source)
        piece = piece if holding is None else holding._replace(decks=(deck,))
        theme, _ = load_theme(batch.workspace, game.id, piece.theme)
        if theme is not None:
            ((one, problems),) = self._lay_out(batch._replace(pieces=[Wanted(piece, theme, {})]))
            self._add(one)
            is_told = holding is not None  # its warnings are told where it is printed
            self.problems += [problem for problem in problems if problem.level is Level.ERROR or not is_told]
