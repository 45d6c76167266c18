"""What a program that goes on knows of the faces it laid out last: cards that are as they were go to no worker.

It is coarse on purpose: what is asked of files has to be answered as it was, and all that templates may look at, but
for the values of a card, has to be the same. Decks whose cards depend on each other (texts set together, cards that
show others, templates that look at `decks`) go to workers as a whole, and so does a card of which anything was told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from duckpress.files.recording import Answers, RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Refused
from duckpress.language import RecordingSpeech
from duckpress.layout.dependencies import SHOWN
from duckpress.layout.faces.answers import Batch, Wanted
from duckpress.layout.faces.results import GatheredSide, PieceGathered
from duckpress.layout.templates.template_context import deck_values, piece_values
from duckpress.model import Card, Deck

_Sides = tuple[GatheredSide, GatheredSide | None]
_EVERY_CARD = b"decks"  # how a template names the cards of all decks


class LastRun(NamedTuple):
    """A batch that was laid out, what came of one of its pieces, what was asked of files for all, and their fonts."""

    batch: Batch
    wanted: Wanted
    piece: PieceGathered
    files: Answers
    fonts: frozenset[str]

    def stands_for(self, batch: Batch) -> bool:
        """Return whether files say what they said, and no template that was read looks at all cards."""
        is_noted = isinstance(batch.game.speech, RecordingSpeech)  # which words a card asks for nobody has noted
        return not is_noted and is_unchanged(batch.workspace, self.files) and not self._looks_at_all_cards(batch)

    def _looks_at_all_cards(self, batch: Batch) -> bool:
        for question in self.files:
            kind, path, *more = json.loads(question)
            if kind == "read" and path.endswith(".xml"):
                try:
                    if _EVERY_CARD in batch.workspace.read(path, *more):
                        return True
                except Refused:
                    continue
        return False

    def sides_of(self, deck: str, batch: Batch, wanted: Wanted) -> tuple[GatheredSide | None, dict[str, _Sides]]:
        """Return the back that all cards of a deck have, and by their ids the sides of cards that are as they were."""
        gathered = self.piece.decks.get(deck)
        if gathered is None or not gathered.is_clean or self.piece.has_told_of_art:
            return None, {}
        now = batch.game.decks[deck]
        if _surroundings(self.batch, self.wanted, gathered.deck) != _surroundings(batch, wanted, now):
            return None, {}
        if gathered.back is not None and not self._is_own(gathered.back):
            return None, {}
        before = {card.id: (_values(card), sides) for card, sides in gathered.finished()}
        known: dict[str, _Sides] = {}
        for card in now.cards:
            values, sides = before.get(card.id, ("", None))
            if sides is None or values != _values(card):
                continue
            if all(side is None or self._is_own(side) for side in sides):
                known[card.id] = sides
        return gathered.back, known

    def _is_own(self, side: GatheredSide) -> bool:
        """Return whether a side is a face of which nothing is to be told, and that depends on no other card."""
        made, face, known = side.made, side.face, self.wanted.known
        if face is None or made.face is not None or made.problems or made.once or made.bare is not None:
            return False
        entry = known.entries.get(made.key)
        return entry is not None and not any(known.uses[name][0][0] == SHOWN for name in entry.uses)

    def uses(self) -> set[str]:
        """Return the names of all that the faces of the piece asked for."""
        entries = self.wanted.known.entries
        # What a face that is not kept asked for nobody knows: it stands for that itself.
        return {name for key in self.piece.face_keys() for name in (entries[key].uses if key in entries else (key,))}


def remember(batch: Batch, pieces: Sequence[PieceGathered], asked: Answers, fonts: Iterable[str]) -> None:
    """Keep what came of a batch with its pieces; `asked` is what workers asked of files, and `fonts` they read.

    Fonts and other things that games share were asked for before; nothing is kept where nobody noted that.
    """
    workspace, folder = batch.workspace, batch.game.folder
    if isinstance(workspace, RecordingWorkspace):
        shared = {question: said for question, said in workspace.answers.items() if f'"{folder}/' not in question}
        for wanted, piece in zip(batch.pieces, pieces, strict=True):
            wanted.known.last = LastRun(batch, wanted, piece, {**shared, **asked}, frozenset(fonts))


def _values(card: Card) -> str:
    return repr((card.values, card.copies))  # 1, 1.0 and yes are equal, and written otherwise


def _surroundings(batch: Batch, wanted: Wanted, deck: Deck) -> str:
    """Return all that the faces of a deck may depend on besides its cards and files, as text."""
    return repr(list(_parts(batch, wanted, deck)))


def _parts(batch: Batch, wanted: Wanted, deck: Deck) -> Iterator[object]:
    game = batch.game
    yield from (batch.language, batch.ink, wanted.known.setting, wanted.theme, game.folder, game.report, game.speech)
    values = piece_values(game, wanted.piece, batch.tables, batch.language)
    yield {key: value for key, value in values.items() if key != "decks"}
    yield from (deck_values(deck, deck.size), deck.size, deck.front, deck.back, deck.fields)
