"""The faces of a file compared with the game: each is its card's own, and their number is the deck's.

What a side says of its origin was noted where its template was filled. What it is held against is read from the game
alone: nothing here knows what was asked of those who laid it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from duckpress.check import copies_for
from duckpress.core.problems import Problem, fault
from duckpress.layout import Face, Origin, digest_of_values
from duckpress.model import Game

Copies = Mapping[tuple[str, str], int]
"""How many there are of each card, by deck and card."""


def deck_copies(game: Game, decks: Iterable[str], players: int | None) -> Copies:
    """Return the copies of each card in decks; twice as many for a deck named twice."""
    sets = Counter(decks)
    named = [game.decks[id_] for id_ in sets]
    is_by_setup = players is not None or any(deck.is_per_player for deck in named)
    by_setup = copies_for(game, players) if is_by_setup else {}
    return {
        (deck.id, card.id): by_setup.get((deck.id, card.id), card.copies) * sets[deck.id]
        for deck in named
        for card in deck.cards
    }


def check_own_faces(game: Game, faces: Sequence[Face], copies: Copies, *, may_lack: bool = False) -> Iterator[Problem]:
    """Yield the problems of a file's faces, compared with the game and with the `copies` of each card.

    With `may_lack` cards may be left out as a whole: for an error, which is told elsewhere. What is wrong with several
    cards of a deck in the same way is told once. Problems: `proof-card`, `proof-copies`.
    """
    wrong: dict[tuple[str, str], dict[Problem, None]] = {}
    there: Counter[tuple[str, str]] = Counter()
    for face in faces:
        there[face.deck, face.card] += face.copies
    for deck, card, kind, what in _foreign_sides(game, faces):
        wrong.setdefault((deck, kind), {})[fault("proof-card", f"card {card!r} of deck {deck!r}: {what}")] = None
    for deck, card in dict.fromkeys([*copies, *there]):
        wanted, count = copies.get((deck, card), 0), there[deck, card]
        if count != wanted and (count or not may_lack):
            what = f"card {card!r} of deck {deck!r}: {count} are to be printed, and the deck has {wanted}"
            wrong.setdefault((deck, "copies"), {})[fault("proof-copies", what)] = None
    for first, *more in wrong.values():
        yield first._replace(what=f"{first.what} (and {len(more)} more like it)") if more else first


def _foreign_sides(game: Game, faces: Sequence[Face]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the sides that are not their card's own: deck, card, the kind of mistake, and its words."""
    decks = [game.decks[id_] for id_ in {face.deck: None for face in faces} if id_ in game.decks]
    defaults = {deck.id: {name: field.default for name, field in deck.fields.items()} for deck in decks}
    digests = {
        (deck.id, card.id): digest_of_values({**defaults[deck.id], **card.values, "id": card.id, "copies": card.copies})
        for deck in decks
        for card in deck.cards
    }
    for face in faces:
        values = digests.get((face.deck, face.card))
        if values is None:
            yield face.deck, face.card, "unknown", "the game has no such card"
            continue
        deck, own = game.decks[face.deck], Origin(face.deck, face.card, "", values, "")
        sides = (("front", face.front, face.front_of, deck.front), ("back", face.back, face.back_of, deck.back))
        for side, frame, origin, template in sides:
            if (frame is None) != (template is None):
                yield *own[:2], f"{side} there", f"it has a {side}, or the deck has one, and not both"
            elif template is not None:
                is_of_all = side == "back" and origin is not None and not origin.card
                wanted = own._replace(card="", values="") if is_of_all else own
                if (wrong := _difference(origin, wanted, template.removesuffix(".xml"))) is not None:
                    yield *own[:2], f"{side} {wrong[0]}", f"its {side} {wrong[1]}"


def _difference(given: Origin | None, wanted: Origin, template: str) -> tuple[str, str] | None:
    """Return the kind and the words of a wrong origin of a side; None if it is right."""
    if given is None:
        return "origin", "does not say what it was made of"
    if given[:2] != wanted[:2]:
        of = f"card {given.card!r}" if given.card else "all cards"
        return "card", f"is that of {of} of deck {given.deck!r}"
    if not given.template.endswith(f"layouts/{template}.xml"):
        filled = PurePosixPath(given.template).stem
        return "template", f"is filled from the template {filled!r}, not from {template!r}"
    if given.values != wanted.values:
        return "values", "shows values that are not the card's own"
    if given.face != given.text:
        return "text", "is a face that was laid out for another text"
    return None
