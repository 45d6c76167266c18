"""What is known of the faces that were laid out last: cards that are as they were go to no worker.

It is coarse on purpose: what is asked of files has to be answered as it was, and all that templates may look at, but
for the values of a card, has to be the same. Decks whose cards depend on each other (texts set together, cards that
show others, templates that look at `decks`) go to workers as a whole, and so does a card of which anything was told.

A program that goes on has it at hand; a new one reads it from the cache: one part with the cards, which is written anew
for each change, and one with the art that they show, which seldom is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from typing import NamedTuple

import msgspec

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Item
from duckpress.core.geometry import Rect
from duckpress.core.limits import limit
from duckpress.core.paths import Record
from duckpress.files.recording import Answers, RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Refused
from duckpress.language import RecordingSpeech
from duckpress.layout.dependencies import SHOWN
from duckpress.layout.elements.art_shelf import Taken
from duckpress.layout.faces.answers import Batch, MadeSide, Wanted
from duckpress.layout.faces.face_cache import KnownFaces
from duckpress.layout.faces.results import At, DeckGathered, GatheredSide, LastCard, PieceGathered, Sides
from duckpress.layout.templates.template_context import deck_values, piece_values
from duckpress.model import Card, Deck

_EVERY_CARD = b"decks"  # how a template names the cards of all decks
_NAMELESS = " object at 0x"  # in the text of what has no text of its own: two of them may be the same, and are not
_MOST_ART = 8  # of all that a cache may hold, art of one piece is no more than this part
_CARDS, _ART = "cards", "art"


class LastDeck(Record, frozen=True):
    """The sides of a deck's cards, by their ids, with the hash of their values; the back of all; their surroundings."""

    surroundings: str
    back: MadeSide | None
    cards: dict[str, LastCard]


class LastCards(Record, frozen=True):
    """What came of a piece: its decks, the names of all it used, what was asked of files for it, fonts, its art."""

    decks: dict[str, LastDeck]
    uses: list[str]
    files: Answers
    fonts: list[str]
    drawings: list[str]
    pictures: list[str]
    decorations: list[tuple[str, str]]
    taken: list[tuple[At, Taken]]


class LastArt(Record, frozen=True):
    """Drawings, by their keys with their boxes, and pictures."""

    drawings: list[tuple[str, Rect, tuple[Item, ...]]]
    pictures: list[PictureData]


class LastRun(NamedTuple):
    """What came of a piece when it was laid out last, and its art.

    `chain` is that of the run before it in this program, where of each of its decks cards were taken over.
    """

    cards: LastCards
    drawings: dict[str, Drawing]
    pictures: dict[str, PictureData]
    chain: object

    def stands_for(self, batch: Batch) -> bool:
        """Return whether files say what they said."""
        is_noted = isinstance(batch.game.speech, RecordingSpeech)  # which words a card asks for nobody has noted
        return not is_noted and is_unchanged(batch.workspace, self.cards.files)

    def recall(self, deck: str, batch: Batch, wanted: Wanted, piece: PieceGathered) -> frozenset[str]:
        """Return the ids of the cards of a deck that are as they were; a piece is given them, with all that it had."""
        last, now, known = self.cards.decks.get(deck), batch.game.decks[deck], wanted.known
        if last is None or last.surroundings != _surroundings(batch, wanted, now):
            return frozenset()

        def side_of(made: MadeSide) -> GatheredSide | None:
            face = known.face(made.key, now.size)
            return GatheredSide(made, face) if face is not None else None

        def sides_of(before: LastCard, _given: None) -> Sides | None:
            front, behind = side_of(before[1]), None if before[2] is None else side_of(before[2])
            return (front, behind) if front is not None and (behind is not None or before[2] is None) else None

        back = None if last.back is None else side_of(last.back)
        if back is None and last.back is not None:
            return frozenset()
        cards = piece.decks[deck].cards
        hashes = known.results["values", deck].each(cards, repeat(None), lambda card, _given: _values(card))
        unchanged = {
            number: before
            for number, (card, values) in enumerate(zip(cards, hashes, strict=True))
            if (before := last.cards.get(card.id)) is not None and before[0] == values
        }
        sides = known.results["sides", deck].each(unchanged.values(), repeat(None), sides_of, now.size)
        found = {number: both for number, both in zip(unchanged, sides, strict=True) if both is not None}
        recalled = {cards[number].id: unchanged[number] for number in found}
        if found:
            known.want(made.key for before in recalled.values() for made in before[1:] if made is not None)
            piece.decks[deck].recall(back, found, recalled)
            piece.drawings.update(self.drawings)
            piece.pictures.update(self.pictures)
            piece.decorations.update(self.cards.decorations)
            piece.taken += [one for one in self.cards.taken if one not in piece.taken]
        return frozenset(recalled)


def last_run(known: KnownFaces) -> LastRun | None:
    """Return what came of a piece last, in this program or an earlier one."""
    if known.last is None:
        known.last = _read(known)
    return known.last if isinstance(known.last, LastRun) else None


def _read(known: KnownFaces) -> LastRun | bool:
    """Return what an earlier program left; False where it left nothing, or not all of it."""
    written = known.kept(_CARDS)
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):
        cards = msgspec.msgpack.decode(written, type=LastCards)
        art = msgspec.msgpack.decode(known.kept(_ART), type=LastArt)
        drawings = {key: Drawing(box, items) for key, box, items in art.drawings}
        pictures = {picture.key: picture for picture in art.pictures}
        if list(drawings) == cards.drawings and list(pictures) == cards.pictures:
            known.parts[_CARDS] = written
            return LastRun(cards, drawings, pictures, object())
    return False


def uses_of(known: KnownFaces, piece: PieceGathered) -> set[str]:
    """Return the names of all that the faces of a piece asked for."""
    shared: dict[frozenset[str], frozenset[str]] = {}  # many cards have the same ones

    def uses(sides: Sequence[GatheredSide | None], _given: None = None) -> frozenset[str]:
        # What a face that is not kept asked for nobody knows: it stands for that itself.
        keys = [side.made.key for side in sides if side is not None]
        found = frozenset(use for key in keys for use in (known.entries[key].uses if key in known.entries else (key,)))
        return shared.setdefault(found, found)

    every = [uses([deck.back]) for deck in piece.decks.values()]
    for id_, deck in piece.decks.items():
        every += known.results["uses", id_].each((sides for _, sides in deck.finished()), repeat(None), uses)
    return set().union(*{id(found): found for found in every}.values())


def remember(
    batch: Batch, piece: PieceGathered, wanted: Wanted, uses: Iterable[str], asked: Answers, fonts: Iterable[str]
) -> None:
    """Keep what came of a piece of a batch, and its `uses`; `asked` is what workers asked of files, `fonts` they read.

    Fonts and other things that games share were asked for before; nothing is kept where nobody noted that.
    """
    workspace, folder, known = batch.workspace, batch.game.folder, wanted.known
    if not isinstance(workspace, RecordingWorkspace) or not known.setting:
        return
    shared = {question: said for question, said in workspace.answers.items() if f'"{folder}/' not in question}
    files = {**shared, **asked}
    decks = {}
    if not piece.has_told_of_art and not _looks_at_all_cards(batch, files):
        kept = ((id_, _last_deck(batch, wanted, deck)) for id_, deck in piece.decks.items() if deck.is_clean)
        decks = {id_: deck for id_, deck in kept if deck is not None}
    drawings, pictures = dict(sorted(piece.drawings.items())), dict(sorted(piece.pictures.items()))
    cards = LastCards(
        decks, sorted(uses), files, sorted(set(fonts)), list(drawings), list(pictures),
        sorted(piece.decorations), sorted(piece.taken),
    )  # fmt: skip
    before, chain = known.last, object()
    if isinstance(before, LastRun) and before.cards.decks.keys() <= {
        id_ for id_, deck in piece.decks.items() if deck.recalled
    }:
        chain = before.chain
    known.last = LastRun(cards, drawings, pictures, chain)
    if sum(len(picture.data) for picture in pictures.values()) > limit("cache-all") // _MOST_ART:
        return
    art = cards.drawings, cards.pictures  # whose keys are hashes
    if not isinstance(before, LastRun) or (before.cards.drawings, before.cards.pictures) != art:
        every = [(key, drawing.box, drawing.items) for key, drawing in drawings.items()]
        known.new_parts[_ART] = LastArt(every, list(pictures.values()))
    known.new_parts[_CARDS] = cards


def _last_deck(batch: Batch, wanted: Wanted, deck: DeckGathered) -> LastDeck | None:
    """Return the cards of a deck of whose faces nothing is to be told, and that depend on no other card."""
    back, surroundings = deck.back, _surroundings(batch, wanted, deck.deck)
    if not surroundings or (back is not None and not _is_own(back, wanted.known)):
        return None
    cards = dict(deck.recalled)
    for card, (front, behind) in deck.made():
        if _is_own(front, wanted.known) and (behind is None or _is_own(behind, wanted.known)):
            cards[card.id] = _values(card), front.made, None if behind is None else behind.made
    return LastDeck(surroundings, None if back is None else back.made, cards)


def _is_own(side: GatheredSide, known: KnownFaces) -> bool:
    """Return whether a side is a face of which nothing is to be told, and that depends on no other card."""
    made, face = side
    if face is None or made.face is not None or made.problems or made.once or made.bare is not None:
        return False
    entry = known.entries.get(made.key)
    return entry is not None and not any(known.uses[name][0][0] == SHOWN for name in entry.uses)


def _looks_at_all_cards(batch: Batch, files: Answers) -> bool:
    for question in files:
        if '.xml"' not in question:
            continue
        kind, path, *more = json.loads(question)
        if kind == "read" and path.endswith(".xml"):
            with suppress(Refused):
                if _EVERY_CARD in batch.workspace.read(path, *more):
                    return True
    return False


def _values(card: Card) -> str:
    return _hash(repr((card.values, card.copies)))  # 1, 1.0 and yes are equal, and written otherwise


def _surroundings(batch: Batch, wanted: Wanted, deck: Deck) -> str:
    """Return the hash of all that the faces of a deck may depend on besides its cards and files; empty for none."""
    text = repr(list(_parts(batch, wanted, deck)))
    return "" if _NAMELESS in text else _hash(text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _parts(batch: Batch, wanted: Wanted, deck: Deck) -> Iterator[object]:
    game = batch.game
    yield from (batch.language, batch.ink, wanted.known.setting, wanted.theme, game.folder, game.report, game.speech)
    values = piece_values(game, wanted.piece, batch.tables, batch.language)
    yield {key: value for key, value in values.items() if key != "decks"}
    yield from (deck_values(deck, deck.size), deck.size, deck.front, deck.back, deck.fields)
