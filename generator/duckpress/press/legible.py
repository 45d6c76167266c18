"""What of a laid-out piece cannot be made out in the ink it is laid out in: words on their ground, cards alike."""

from __future__ import annotations

from collections.abc import Container, MutableMapping, Sequence

from msgspec.structs import replace

from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.inks import PLAIN
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.legibility import Faint, Grounds, Seen, check_legibility, faint_words
from duckpress.model import Game
from duckpress.pool.parallel import in_parts, jobs, shares

_FRAMES_A_PART = 250
_LEAST_PARTS = 4
"""Fewer parts than this are looked at sooner than a process has begun."""


def legibility_problems(
    workspace: Workspace, game: Game, pieces: Sequence[LaidOut], ink: str, faint: MutableMapping[str, Sequence[Faint]]
) -> list[Problem]:
    """Return the findings of the pieces' faces and pages, with the ink they hold for where it is not colour.

    A folded booklet has the words and colours of the sheet: it is not looked at a second time. `faint` are the words of
    frames, by their hashes, that are known to be hard to read; those of the others are added to it.
    """
    looked_at = [(piece, _seen(workspace, game, piece)) for piece in pieces if not piece.piece.is_booklet]
    faint.update(_new_faint_words(looked_at, faint))
    problems: list[Problem] = []
    for piece, seen in looked_at:
        problems += check_legibility(seen, piece.drawings, piece.decorations, faint)
    if ink == PLAIN:
        return problems
    return [problem._replace(what=f"{in_ink(ink)}{problem.what}") for problem in problems]


def _new_faint_words(
    looked_at: Sequence[tuple[LaidOut, Sequence[Seen]]], known: Container[str]
) -> dict[str, list[Faint]]:
    """Return the faint words of frames that are not known, looked at by several processes where there are many."""
    new = {
        face.frame.hash: (face.frame, piece.drawings)
        for piece, seen in looked_at
        for face in seen
        if face.frame.hash not in known
    }
    frames = list(new.values())
    parts = shares(len(frames), -(-len(frames) // _FRAMES_A_PART))

    def look(number: int) -> list[list[Faint]]:
        grounds: dict[int, Grounds] = {}  # what cards of a piece have in common is looked at once
        words: list[list[Faint]] = []
        for frame, drawings in (frames[at] for at in parts[number]):
            ground = grounds.setdefault(id(drawings), Grounds(drawings))
            words += faint_words((frame,), ground)
        return words

    results = in_parts(look, len(parts), jobs() if len(parts) >= _LEAST_PARTS else 1)
    return dict(zip(new, (words for result in results for words in result), strict=True))


def in_ink(ink: str) -> str:
    """Return the words that say in which ink a finding holds."""
    return f"with --ink {ink}: "


def _seen(workspace: Workspace, game: Game, one: LaidOut) -> list[Seen]:
    faces: list[Seen] = []
    sides: dict[tuple[str, str], Source] = {}
    decks = {face.deck: game.decks[face.deck] for face in one.faces}
    sources = {deck.id: {card.id: card.source for card in deck.cards} for deck in decks.values()}
    for face in one.faces:
        deck, cards = game.decks[face.deck], sources[face.deck]
        for side, frame in (("front", face.front), ("back", face.back)):
            if frame is None:
                continue
            if (face.deck, side) not in sides:
                name = deck.front if side == "front" else deck.back
                own = f"{game.folder}/layouts/{name}.xml"
                sides[face.deck, side] = Source(own if workspace.has(own) else f"layouts/{name}.xml")
            at = cards.get(face.card, deck.source)
            faces.append(Seen(face.deck, face.card, side, frame, at, sides[face.deck, side]))
    written = game.rules.get(game.language) or next(iter(game.rules.values()), None)
    source = written.source if written is not None else game.source
    # The papers differ in what stands where, not in colours.
    for number, frame in enumerate(next(iter(one.pages.values()), ()), 1):
        page = Frame(frame.trim, frame.bleed_mm, tuple(map(_silent, frame.items)))
        faces.append(Seen(one.piece.id, f"page {number}", "front", page, source, source))
    return faces


def _silent(item: Item) -> Item:
    """Return a picture in a rules sheet without its words: as a card, not as a picture, they have to be readable."""
    if not isinstance(item, Group):
        return item
    return replace(item, items=tuple(_silent(inner) for inner in item.items if not isinstance(inner, Text)))
