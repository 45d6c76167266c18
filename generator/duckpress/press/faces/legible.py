"""What of a laid-out piece cannot be made out in the ink it is laid out in: words on their ground, cards alike."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from duckpress.core.frame import Frame, Group, Item, Text
from duckpress.core.inks import PLAIN
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.legibility import Faint, Seen, check_legibility
from duckpress.press.faces.rulebooks import BOOKLET

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.model import Deck, Game


def legibility_problems(
    workspace: Workspace,
    game: Game,
    one: LaidOut,
    ink: str,
    faint: MutableMapping[str, Sequence[Faint]] | None = None,
) -> list[Problem]:
    """Give the findings of a piece's faces or pages, with the ink they hold for where it is not colour.

    A folded booklet has the words and colours of the sheet: it is not looked at a second time. `faint` are the words of
    frames, by their hashes, that are known to be hard to read; those of the others are added to it.
    """
    if one.piece.book == BOOKLET:
        return []
    problems = check_legibility(_seen(workspace, game, one), one.drawings, one.decorations, faint)
    if ink == PLAIN:
        return problems
    return [problem._replace(what=f"{in_ink(ink)}{problem.what}") for problem in problems]


def in_ink(ink: str) -> str:
    """Give the words that say in which ink a finding holds."""
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
                sides[face.deck, side] = _layout_of(workspace, game, deck, side)
            at = cards.get(face.card, deck.source)
            faces.append(Seen(face.deck, face.card, side, frame, at, sides[face.deck, side]))
    written = game.rules.get(game.language) or next(iter(game.rules.values()), None)
    source = written.source if written is not None else game.source
    # The papers differ in what stands where, not in colours.
    for number, frame in enumerate(next(iter(one.pages.values()), ()), 1):
        own = Frame(frame.trim, frame.bleed_mm, tuple(_silent(item) for item in frame.items))
        faces.append(Seen(one.piece.id, f"page {number}", "front", own, source, source))
    return faces


def _layout_of(workspace: Workspace, game: Game, deck: Deck, side: str) -> Source:
    name = deck.front if side == "front" else deck.back
    own = f"{game.folder}/layouts/{name}.xml"
    return Source(own if workspace.has(own) else f"layouts/{name}.xml")


def _silent(item: Item) -> Item:
    """Give a picture in a rules sheet without its words: as a card, not as a picture, they have to be readable."""
    if not isinstance(item, Group):
        return item
    return replace(item, items=tuple(_silent(inner) for inner in item.items if not isinstance(inner, Text)))
