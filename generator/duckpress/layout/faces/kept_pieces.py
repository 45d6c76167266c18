"""Pieces of earlier runs: what workers answered about them, taken again where it still holds.

A piece is taken whole where its cards, and all that its templates may look at, are as they were. Where only some cards
differ, the sides of the others are taken, if there is nothing to tell about the piece: what is told of the first card
only, or of art that several cards have, depends on all of them. The faces lie in the pack of their piece, the drawings
in that of the game's looks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, read_items, written_items
from duckpress.core.geometry import Rect
from duckpress.core.problems import Problem, has_errors
from duckpress.files.memo import Memo, Pack, form_of, key_of
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Refused
from duckpress.layout.faces.face_cache import NewFaces
from duckpress.layout.faces.results import Batch, LayoutAnswer, LayoutTask, MetArt, PieceGathered, Wanted
from duckpress.layout.laid_out import FALLBACKS, FONT, ORNAMENT, OTHERS, Use
from duckpress.model import Card, Deck
from duckpress.text.fonts import FontLibrary

_MOST_PIECES = 200  # of a game, and of the packets of its players; an edition has more


class _Kept(Struct, frozen=True, array_like=True):
    """An answer with its task; its drawings by their keys, its pictures without their bytes."""

    task: LayoutTask
    answer: LayoutAnswer
    drawings: list[str]
    pictures: list[PictureData]


class _KeptPiece(Struct, frozen=True, array_like=True):
    """A piece as it was: the digests of the cards of its decks, and the answers.

    `seen` are digests of the decks whose cards a template looked at; `places` is that of where its own cards are
    written, if there is something to tell about it.
    """

    cards: dict[str, list[str]]
    seen: dict[str, str]
    places: str
    answers: list[_Kept]


_FORM = form_of(_KeptPiece)
_encode = msgspec.msgpack.Encoder().encode
_read_drawing = msgspec.msgpack.Decoder(tuple[Rect, bytes]).decode


class Known(NamedTuple):
    """What is known of a piece: the answers taken, by deck the cards that are left to lay out, the answers before."""

    answers: list[LayoutAnswer]
    left: dict[str, list[int]]
    before: list[LayoutAnswer]


class KeptPieces:
    """The pieces of a batch as earlier runs know them, and as this run lays them out."""

    def __init__(self, batch: Batch, memo: Memo) -> None:
        self._batch = batch
        self._memo = memo
        self._looks = batch.looks or Pack()
        self._asked = RecordingWorkspace(batch.workspace)
        if isinstance(batch.workspace, RecordingWorkspace):
            self._asked.trusted = {**batch.workspace.trusted, **batch.workspace.answers}
        self._answers: dict[int, list[_Kept]] = {}
        self._new: set[int] = set()  # pieces that are not as they were
        self._fonts_asked: set[str] = set()
        self._game_keys: dict[int, str] = {}

    def recall(self, number: int, piece: PieceGathered) -> Known | None:
        """Put what is known into a piece; None where nothing can be taken, and the piece is of no use any more."""
        wanted = self._batch.pieces[number]
        kept = self._memo.recall(self._slot(wanted), self._key(wanted), self._asked, _FORM)
        decks = self._batch.of(wanted).game.decks
        if kept is None or any(_digest_of_deck(decks[name]) != seen for name, seen in kept.seen.items()):
            return None
        now = _cards_of(piece)
        is_same = kept.cards == now
        if kept.places not in ("", _places(piece) if is_same else None) or len(kept.answers) > _most_answers(now):
            return None
        answers = kept.answers if is_same else _of_same_cards(kept, now)
        with suppress(ValueError, LookupError, RecursionError):
            if any(piece.take(one.task, *self._in_full(one)) for one in answers):
                return None  # a face is gone
            left = {name: deck.numbers_left() for name, deck in piece.decks.items()}
            for name, deck in piece.decks.items():
                if not left[name] and not deck.again.keys() >= {*deck.to_be_set_together()}:
                    return None
            if not is_same:
                uses = piece.uses()
                piece.decorations = {(use[1], use[2]) for use in uses if use[0] == ORNAMENT}
                if not self._font_files(uses).issuperset(path for one in answers for path in one.answer.fonts):
                    return None  # perhaps only a card that is gone was set in it
            self._batch.workspace.add(self._asked.answers)
            self._answers[number] = answers
            self._new |= set() if is_same else {number}
            taken, before = ([one.answer for one in every] for every in (answers, kept.answers))
            return Known(taken, {name: cards for name, cards in left.items() if cards}, before)
        return None

    def forget(self, number: int) -> None:
        """Begin again with a piece."""
        self._answers.pop(number, None)

    def add(self, task: LayoutTask, answer: LayoutAnswer) -> None:
        """Note an answer of this run."""
        self._asked.add(answer.files)
        self._new.add(task.piece)
        for key, box, items in answer.drawings:
            with suppress(ValueError):  # what cannot be written is missed then
                self._looks.put(key.encode(), _encode((box, written_items(items))))
        for picture in answer.pictures:
            slot = "art", self._batch.game.id, picture.key  # no game has a hand in another's
            if not self._memo.read(*slot):
                self._memo.write(slot, partial(bytes, picture.data))
        pictures = [replace(picture, data=b"") for picture in answer.pictures]
        bare = replace(answer, made=0, new_faces=NewFaces(), drawings=[], pictures=[], files={}, looks={})
        kept = _Kept(replace(task, piece=0), bare, [key for key, _, _ in answer.drawings], pictures)
        self._answers.setdefault(task.piece, []).append(kept)

    def keep(self, number: int, piece: PieceGathered, problems: Sequence[Problem]) -> None:
        """Keep a piece for later runs, if it differs from what they know, and nothing of it is left out."""
        wanted, fonts = self._batch.pieces[number], self._batch.fonts
        is_lost = has_errors(problems) or any(deck.is_given_up for deck in piece.decks.values())
        if fonts is None or is_lost or number not in self._new:
            return
        # Which families there are decides who lends letters.
        paths = fonts.paths if self._fonts_asked or FontLibrary(self._asked).families else ()
        for path in paths:
            if path not in self._fonts_asked:
                self._fonts_asked.add(path)
                with suppress(Refused):
                    self._asked.read(path, "font-file")
        decks = self._batch.of(wanted).game.decks
        seen = {name: _digest_of_deck(decks[name]) for name in piece.seen}
        kept = _KeptPiece(_cards_of(piece), seen, _places(piece) if problems else "", self._answers[number])
        self._memo.keep(self._slot(wanted), self._key(wanted), self._asked.answers, kept, _FORM)

    def _slot(self, wanted: Wanted) -> tuple[str, ...]:
        batch, piece = self._batch, wanted.piece
        speech = batch.game.speech
        noting = type(speech).__name__  # which words are asked for is told by one that notes them
        return "piece", batch.game.id, piece.id, *piece.decks, batch.language, speech.direction, noting, batch.ink

    def _key(self, wanted: Wanted) -> str:
        """Return the key of all that decides a piece, without the words of cards; empty for one of many copies."""
        if len(self._batch.pieces) > _MOST_PIECES:
            return ""
        batch, piece = self._batch.of(wanted), wanted.piece
        game_key = self._game_keys.get(id(batch.game))
        if game_key is None:
            game_key = self._game_keys[id(batch.game)] = key_of(batch.game.without_cards, batch.tables)
        return game_key and key_of(game_key, piece, wanted.theme)

    def _font_files(self, uses: Iterable[Use]) -> set[str]:
        """Return the files of the fonts that faces use, but for those of words in drawings."""
        families = [] if self._batch.fonts is None else [*self._batch.fonts.families.values()]
        return {
            family.nearest_style(weight, lean == "italic").path
            for use in uses if use[0] in (FONT, FALLBACKS, OTHERS)
            for kind, *named, weight, lean in (use,)
            for family in families
            if family.name in named or (kind != FONT and family.is_fallback is (kind == FALLBACKS))
        }  # fmt: skip

    def _in_full(self, kept: _Kept) -> tuple[LayoutAnswer, list[Drawing]]:
        """Return an answer with its art. Raises `ValueError` where it is gone."""
        drawings = [
            Drawing.of_key(key, box, read_items(written))
            for key in kept.drawings
            for box, written in [_read_drawing(self._looks.get(key.encode()) or b"")]
        ]
        pictures = [replace(one, data=self._memo.read("art", self._batch.game.id, one.key)) for one in kept.pictures]
        if not all(picture.data for picture in pictures):
            raise ValueError("a picture is gone")
        return replace(kept.answer, pictures=pictures), drawings


def _of_same_cards(kept: _KeptPiece, now: Mapping[str, list[str]]) -> list[_Kept]:
    """Return the answers about cards that are as they were, with the numbers that these have now.

    In a deck with other cards, what cards have in common is to be found anew.
    """
    places: dict[str, dict[int, int]] = {}  # of the cards that are there still: where they were, where they are
    for name, digests in now.items():
        new = {digest: at for at, digest in enumerate(digests)}
        places[name] = {at: new[digest] for at, digest in enumerate(kept.cards[name]) if digest in new}
    answers = []
    for one in kept.answers:
        task, answer, at_now = one.task, one.answer, places[one.task.deck]
        if kept.cards[task.deck] != now[task.deck]:
            if task.forced_pt:
                continue
            pairs = [pair for pair in zip(task.numbers, answer.cards, strict=False) if pair[0] in at_now]
            task = replace(task, numbers=[at_now[number] for number, _ in pairs])
            answer = replace(
                answer,
                cards=[sides for _, sides in pairs],
                words=[(at_now.get(at, at), *words) for at, *words in answer.words if at in at_now or at < 0],
                art=[MetArt(at_now.get(art.number, -1), art.problems, art.taken) for art in answer.art],
            )
        answers.append(replace(one, task=task, answer=answer))
    return answers


def _most_answers(cards: Mapping[str, list[str]]) -> int:
    """Return after how many answers a piece is made anew, so that what it does not show any more is forgotten."""
    return 100 + sum(map(len, cards.values())) // 4


def _cards_of(piece: PieceGathered) -> dict[str, list[str]]:
    return {name: [*map(_digest_of, deck.cards)] for name, deck in piece.decks.items()}


def _places(piece: PieceGathered) -> str:
    return _digest(repr((card.source, card.sources)) for deck in piece.decks.values() for card in deck.cards)


def _digest_of_deck(deck: Deck) -> str:
    return _digest(map(_digest_of, deck.cards))


def _digest_of(card: Card) -> str:
    return _digest((repr((card.id, card.copies, card.values)),))


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
