"""The cards of a page as plain data: names and texts, pictures, values, and the sources of these.

The places of words and pictures are boxes, each with the field that it comes from. What is placed has no name any more.
A picture is that of a field where the cards that show it are just those that have one value there; else it comes from
the card, and one that all cards show from none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from duckpress.core.frame import Drawing, Frame, Picture, PlacedDrawing, Text, placed_items
from duckpress.core.geometry import IDENTITY, Rect
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import Format
from duckpress.layout import Face, LaidOut
from duckpress.model import Card, Deck, FieldKind, Game, Value, texts_in
from duckpress.views.grouping import UNTRANSLATED, alike
from duckpress.views.shown_game import GamePieces
from duckpress.views.words import card_words, letters_of

_ASCENT, _DEPTH = 0.78, 0.24  # of a line, in sizes of its type; by eye
_FEW = 3  # letters that may stand in any field by chance


def boxes_of(one: LaidOut, deck: Deck) -> Iterator[tuple[Frame, list[list[Any]]]]:
    """Yield the fronts and backs of a deck with their clickable boxes, pictures first.

    Of each: x, y, width and height in millimetres, the words (of a picture its file), and their field ('' for none).
    """
    cards = {card.id: card for card in deck.cards}
    faces = [face for face in one.faces if face.deck == deck.id]
    placed = {
        (face.card, frame.hash): list(_pictures(frame, one.drawings))
        for face in faces
        for frame in (face.front, face.back)
        if frame is not None
    }
    fields = _picture_fields({(card, key) for (card, _), some in placed.items() for key, _ in some}, deck)
    for face in faces:
        for frame in (face.front, face.back):
            if frame is not None:
                card = cards[face.card]
                pictures = [
                    [*(round(number, 2) for number in box), str(card.values.get(field, "")), field]
                    for key, box in placed[face.card, frame.hash]
                    if (field := fields.get(key)) is not None
                ]
                yield frame, [*pictures, *_text_boxes(frame, deck, card)]


def _picture_fields(shown: Iterable[tuple[str, str]], deck: Deck) -> dict[str, str]:
    """Return the field that each picture shows ("" for none), by its key; `shown` are pairs of card id and key."""
    field_of: dict[frozenset[str], str] = {}
    for name, field in deck.fields.items():
        if field.kind is FieldKind.IMAGE:
            by_value: dict[Value, set[str]] = {}
            for card in deck.cards:
                if value := card.values.get(name):
                    by_value.setdefault(value, set()).add(card.id)
            field_of |= {frozenset(ids): name for ids in by_value.values()}
    showing: dict[str, set[str]] = {}
    for card_id, key in shown:
        showing.setdefault(key, set()).add(card_id)
    return {
        key: field_of.get(frozenset(ids), "")
        for key, ids in showing.items()
        if frozenset(ids) in field_of or len(ids) < len(deck.cards)
    }


def _pictures(frame: Frame, drawings: Mapping[str, Drawing]) -> Iterator[tuple[str, Rect]]:
    for item, matrix in placed_items(frame.items):
        if isinstance(item, Picture):
            yield item.key, matrix.around(Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm))
        elif isinstance(item, PlacedDrawing) and item.key in drawings:
            yield item.key, matrix.after(item.matrix).around(drawings[item.key].box)


def _text_boxes(frame: Frame, deck: Deck, card: Card) -> list[list[Any]]:
    fields = [
        (name, letters_of(" ".join(texts_in(card.values.get(name)))))
        for name, field in deck.fields.items()
        if field.kind is not FieldKind.IMAGE
    ]
    boxes: list[list[Any]] = []
    for text, matrix in placed_items(frame.items):
        if not isinstance(text, Text) or not (letters := letters_of(text.text)):
            continue
        field = next((name for name, own in fields if letters == own or (len(letters) >= _FEW and letters in own)), "")
        top = text.y_mm - _ASCENT * text.size_mm
        box = Rect(text.x_mm, top, text.width_mm, (_ASCENT + _DEPTH) * text.size_mm)
        if matrix is not IDENTITY:
            box = matrix.around(box)
        boxes.append([*(round(number, 2) for number in box), text.text, field])
    return boxes


_PAPER = "a4"
Row = dict[str, Any]


class CardRows:
    """The rows of all cards; `picture` returns the file name of a frame."""

    def __init__(self, game: Game, pieces: Sequence[LaidOut], picture: Callable[[LaidOut, Frame], str]) -> None:
        self._game = game
        self._pieces = pieces
        self._picture = picture
        self.places = CardPlaces()

    def data(self, problems: Iterable[Problem], *, is_begun: bool = False) -> dict[str, Any]:
        """Return all decks with their cards, and the pages of rules.

        A card is there where it can be drawn, or where something is wrong with it; all are where drawing `is_begun`.
        """
        for deck in self._game.decks.values():
            self.places.add_deck(deck)
        wrong = {key for problem in problems for key in self.places.cards_of(problem)}
        if is_begun:
            wrong = {(deck.id, card.id) for deck in self._game.decks.values() for card in deck.cards}
        decks = [row for one in self._pieces for row in self._decks(one, wrong)]
        pages = [self._reading(one) for one in self._pieces if one.pages.get(_PAPER)]
        return {"decks": decks, "reading": pages, "begun": is_begun}

    def _decks(self, one: LaidOut, wrong: set[tuple[str, str]]) -> Iterator[Row]:
        by_deck: dict[str, dict[str, Face]] = {}
        for face in one.faces:
            by_deck.setdefault(face.deck, {})[face.card] = face
        for deck_id in one.piece.decks:
            deck, faces = self._game.decks[deck_id], by_deck.get(deck_id, {})
            cards = [card for card in deck.cards if card.id in faces or (deck_id, card.id) in wrong]
            if not cards:
                continue
            first = next(iter(faces.values()), None)
            fields = [
                {"name": field.name, "label": field.label or field.name, "kind": field.kind.value}
                for field in deck.fields.values()
            ]
            yield {
                "id": f"{one.piece.id}-{deck_id}",
                "deck": deck_id,
                "title": deck.title,
                "piece": one.piece.title,
                "at": str(deck.source),
                "copies": sum(face.copies for face in faces.values()),
                "fields": fields,
                **(card_shape(deck.size, 0.0) if first is None else card_shape(first.format, first.front.bleed_mm)),
                "cards": [self._row(one, deck, card, faces.get(card.id)) for card in cards],
            }

    def _row(self, one: LaidOut, deck: Deck, card: Card, face: Face | None) -> Row:
        name, more = card_words(card, deck)
        return {
            "id": card.id,
            "anchor": anchor_of(one, deck.id, card.id),
            "name": name,
            "words": more,
            "copies": face.copies if face is not None else card.copies,
            "code": face.code if face is not None else "",
            "changed": face.changed if face is not None else "",
            "front": self._picture(one, face.front) if face is not None else None,
            "back": self._picture(one, face.back) if face is not None and face.back is not None else None,
            "values": [plain(card.values.get(field)) for field in deck.fields],
            "at": str(card.source),
            "places": [str(source) if (source := card.sources.get(field)) else "" for field in deck.fields],
        }

    def _reading(self, one: LaidOut) -> Row:
        piece, pages = one.piece, one.pages[_PAPER]
        source = self._game.texts.get(piece.text, {}).get(self._game.language)
        return {
            "id": piece.id,
            "title": piece.title,
            "at": str(source.source if source is not None else piece.source),
            "pages": [
                {
                    "anchor": f"{piece.id}-{number}",
                    "picture": self._picture(one, frame),
                    "width": round(frame.trim.width_mm, 3),
                    "height": round(frame.trim.height_mm, 3),
                }
                for number, frame in enumerate(pages, 1)
            ],
        }


def anchor_of(one: LaidOut, deck: str, card: str) -> str:
    return f"{one.piece.id}-{deck}-{card}"


class CardPlaces:
    """The cards that problems are about: by the sources of their values, and by the first words of a problem.

    A field that is missing has no place: its problem begins with `card 'teal'` and stands in the file of the card.
    """

    def __init__(self) -> None:
        self._by_source: dict[Source, list[tuple[str, str]]] = {}
        self._by_subject: dict[str, tuple[str, str]] = {}
        self._by_label: dict[tuple[str, str], list[tuple[str, str]]] = {}

    def add_deck(self, deck: Deck) -> None:
        for card in deck.cards:
            key = (deck.id, card.id)
            self._by_subject[card.subject] = key
            self._by_label.setdefault((card.source.file, f"card {card.id!r}"), []).append(key)
            for source in {card.source, *card.sources.values()}:
                self._by_source.setdefault(source, []).append(key)

    def cards_of(self, problem: Problem) -> list[tuple[str, str]]:
        """Return the deck and id of each card that a problem is about."""
        subjects = [key for words in (problem.what, *problem.others) if (key := self._subject_of(words)) is not None]
        if subjects:
            return subjects
        label = " ".join(problem.what.split(" ", 2)[:2])
        keys = self._by_source.get(problem.source) or self._by_label.get((problem.source.file, label)) or ()
        return list(dict.fromkeys(keys))

    def _subject_of(self, words: str) -> tuple[str, str] | None:
        """Return the deck and id of the card whose subject begins these words."""
        at = words.find(")") if words.startswith("card ") else -1
        while at >= 0:
            key = self._by_subject.get(words[: at + 1])
            if key is not None:
                return key
            at = words.find(")", at + 1)
        return None


def card_shape(size: Format, bleed_mm: float) -> Mapping[str, Any]:
    """Return a card's size and corners, in mm."""
    width_mm, height_mm = size.trim
    return {
        "width": round(width_mm, 3),
        "height": round(height_mm, 3),
        "bleed": round(bleed_mm, 3),
        "safe": round(size.safe_mm, 3),
        "radius": round(width_mm / 2 if size.is_round else size.corner_mm, 3),
        "hex": ("across" if width_mm > height_mm else "upright") if size.is_hex else "",
    }


def plain(value: Value) -> Any:
    """Return a card's value as plain data for JSON: tuples as lists, mappings as dicts."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value]


_Picture = Callable[[LaidOut, Frame], str]


def beside_data(pieces: GamePieces, picture: _Picture) -> dict[str, Any]:
    """Return front and back of every card in each other language and ink, by name."""
    cards = {}
    for one in pieces.every:
        faces = {name: pieces.faces_beside(one, name) for name in pieces.beside}
        for face in one.faces:
            key = face.deck, face.card
            sides = {name: _sides(*there[key], picture) for name, there in faces.items() if key in there}
            cards[anchor_of(one, *key)] = sides
    return {"cards": cards}


def beside_card(pieces: GamePieces, anchor: str, name: str, picture: _Picture) -> list[str | None] | None:
    """Return front and back of a card in another language or ink; None if it cannot be drawn.

    Raises `ValueError` for what the page does not offer.
    """
    if name not in pieces.beside:
        raise ValueError(f"no {name!r}")
    for one in pieces.every:
        for face in one.faces:
            if anchor_of(one, face.deck, face.card) == anchor:
                there = pieces.faces_beside(one, name).get((face.deck, face.card))
                return None if there is None else _sides(*there, picture)
    return None


def _sides(one: LaidOut, face: Face, picture: _Picture) -> list[str | None]:
    return [picture(one, face.front), None if face.back is None else picture(one, face.back)]


def finding_row(problem: Problem) -> dict[str, Any]:
    """Return a single finding, as a reason why something is impossible."""
    fixes = [problem.fix] if problem.fix else []
    return {"level": problem.level.value, "what": problem.what, "at": str(problem.source), "fixes": fixes}


def finding_rows(problems: Sequence[Problem], places: CardPlaces, *, is_stale: bool = False) -> dict[str, Any]:
    """Return findings for the page; `is_stale`: they prevent drawing, and the page shows an older state."""
    levels = list(Level)  # on a page the most important come first
    groups = sorted(alike(problems), key=lambda group: levels.index(group[0].level))
    return {
        "stale": is_stale,
        "groups": [
            {
                "level": group[0].level.value,
                "code": group[0].code,
                "fixes": list(dict.fromkeys(problem.fix for problem in group if problem.fix)),
                "findings": [
                    {
                        "at": str(problem.source),
                        "what": "; ".join((problem.what, *(problem.others if problem.code == UNTRANSLATED else ()))),
                        "cards": [f"{deck}/{card}" for deck, card in places.cards_of(problem)],
                    }
                    for problem in group
                ],
            }
            for group in groups
        ],
    }
