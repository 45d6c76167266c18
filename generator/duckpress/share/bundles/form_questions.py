"""What a feedback form asks of a game: what fits what it has. Scales from 1 to 5, and questions with room to write."""

from __future__ import annotations

from typing import NamedTuple

from duckpress.files.workspace import Workspace
from duckpress.language import program
from duckpress.model import Deck, FieldKind, Game
from duckpress.model.setup import PlaceKind, Step
from duckpress.views.virtual.table_decks import is_net_of_dice

_CARD_MM2 = (1500.0, 10_000.0)  # from a small card to a large one: neither tokens nor sheets
_NAME = 25  # letters of a text that is no more than a name


class Scale(NamedTuple):
    """What is marked from 1 to 5, and the words at both ends; phrases of the program."""

    asks: str
    low: str
    high: str


class Questions(NamedTuple):
    """What a form asks, in its order; phrases of the program."""

    scales: tuple[Scale, ...]
    open: tuple[str, ...]


def questions_of(workspace: Workspace, game: Game) -> Questions:
    """Return what to ask of a game: of its cards, boards and dice only where players together use them."""
    decks = [deck for id_, deck in game.decks.items() if deck.is_component and id_ not in game.packaging]
    shared = [deck for deck in decks if not _is_solo(game, deck)]
    has_cards = any(_is_dealt(deck) and _says_something(deck) for deck in shared)
    has_dice = any(is_net_of_dice(workspace, game, deck) for deck in decks)
    has_board = any(deck.overlap_mm is not None for deck in decks)
    scales = [
        (True, Scale(program.FORM_AGAIN, program.FORM_AGAIN_LOW, program.FORM_AGAIN_HIGH)),
        (True, Scale(program.FORM_RULES, program.FORM_HARD, program.FORM_EASY)),
        (True, Scale(program.FORM_TIME, program.FORM_TOO_SHORT, program.FORM_TOO_LONG)),
        (_most(game) > _fewest(game), Scale(program.FORM_COUNT, program.FORM_BADLY, program.FORM_WELL)),
        (has_cards, Scale(program.FORM_CARDS_READ, program.FORM_HARD, program.FORM_EASY)),
        (has_cards, Scale(program.FORM_CARDS_WORTH, program.FORM_UNEVEN, program.FORM_EVEN)),
        (has_board, Scale(program.FORM_BOARD_READ, program.FORM_HARD, program.FORM_EASY)),
        (has_board, Scale(program.FORM_BOARD_CHOICE, program.FORM_TOO_LITTLE, program.FORM_TOO_MUCH)),
        (has_dice, Scale(program.FORM_DICE, program.FORM_TOO_LITTLE, program.FORM_TOO_MUCH)),
        (_has_hands(game), Scale(program.FORM_HIDDEN, program.FORM_GUESSED, program.FORM_KNOWN)),
        (_has_solo(game), Scale(program.FORM_SOLO, program.FORM_NO_MATCH, program.FORM_GOOD_MATCH)),
    ]
    asked = [
        (True, program.FORM_GOOD),
        (True, program.FORM_UNCLEAR),
        (has_cards, program.FORM_CARDS),
        (has_board, program.FORM_BOARD),
        (True, program.FORM_LENGTH),
        (True, program.FORM_CHANGE),
    ]
    return Questions(tuple(scale for fits, scale in scales if fits), tuple(one for fits, one in asked if fits))


def _most(game: Game) -> int:
    return max(game.players, default=0)


def _fewest(game: Game) -> int:
    return min(game.players, default=0)


def _has_solo(game: Game) -> bool:
    """Return whether one player alone is a way to play among others."""
    return _fewest(game) == 1 and _most(game) > 1


def _steps(game: Game) -> tuple[Step, ...]:
    return () if game.setup is None else game.setup.steps


def _is_solo(game: Game, deck: Deck) -> bool:
    """Return whether a deck comes in only for a player alone."""
    uses = [step for step in _steps(game) if any(take.origin == deck.id for take in step.takes)]
    return _has_solo(game) and bool(uses) and all(step.only == (1,) for step in uses)


def _is_dealt(deck: Deck) -> bool:
    """Return whether a deck is cards to shuffle: several of a card's size, with a back."""
    trim = deck.size.trim
    least, most = _CARD_MM2
    return deck.count > 1 and deck.back is not None and least <= trim.width_mm * trim.height_mm <= most


def _says_something(deck: Deck) -> bool:
    """Return whether cards have texts to follow, and not only names and numbers."""
    texts = [name for name, field in deck.fields.items() if field.kind is FieldKind.TEXT and field.is_words]
    values = [card.values.get(name) for card in deck.cards for name in texts]
    return any(isinstance(value, str) and len(value) > _NAME for value in values)


def _has_hands(game: Game) -> bool:
    """Return whether players hold cards that others do not see."""
    return _most(game) > 1 and any(step.kind is PlaceKind.HAND and step.only != (1,) for step in _steps(game))
