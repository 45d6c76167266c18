"""What was worked out of a game's rules, in a program that goes on: it holds while nothing changes that rules look at.

Rules name the fields of cards that they look at, and look at ids, copies and places of all cards. So the words of any
other field may change, as long as they mention no field themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from duckpress.core.problems import Source
from duckpress.language import RecordingSpeech
from duckpress.model import Card, Game
from duckpress.model.amounts import as_name

_T = TypeVar("_T")
_MENTION = "{="


class KnownRules:
    """The answers to questions about one game's rules, each worked out once for games that rules cannot tell apart."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._frame = ""
        self._answers: dict[object, object] = {}

    def once(self, game: Game, question: object, answer: Callable[[], _T]) -> _T:
        """Return the answer to a question, which follows from it and the rules."""
        if isinstance(game.speech, RecordingSpeech):
            return answer()  # nobody has noted for which words it asks
        if self._game is not game:
            frame = _frame(game)
            if self._game is None or frame != self._frame or not _have_same_cards(self._game, game):
                self._answers = {}
            self._game, self._frame = game, frame
        if question not in self._answers:
            self._answers[question] = answer()
        return self._answers[question]  # type: ignore[return-value]  # nobody else answers this question


def _have_same_cards(before: Game, now: Game) -> bool:
    """Return whether the cards of two games are the same but for words that no rule looks at."""
    changed: set[str] = set()
    for key, deck in now.decks.items():
        cards = before.decks[key].cards
        if len(cards) != len(deck.cards):
            return False
        for old, new in zip(cards, deck.cards, strict=True):
            if old is not new:
                fields = _changed_words(old, new)
                if fields is None:
                    return False
                changed |= fields
    words = "\n".join(_texts((now.setup, now.facts, now.lists))) if changed else ""
    return not any(name in words for field in changed for name in (field, as_name(field)))


def _frame(game: Game) -> str:
    """Return all of a game but its cards."""
    decks = [replace(deck, cards=()) for deck in game.decks.values()]
    return repr((replace(game, decks={}), decks))


def _changed_words(old: Card, new: Card) -> set[str] | None:
    """Return the fields in which a card has other values; None where it differs in more than words and numbers."""
    if replace(old, values={}) != replace(new, values={}) or old.values.keys() != new.values.keys():
        return None
    changed = {name for name, value in new.values.items() if repr(value) != repr(old.values[name])}
    values = [values[name] for values in (old.values, new.values) for name in changed]
    is_asked = any(isinstance(value, tuple) for value in values)  # the sides of a die: no question names their field
    return None if is_asked or any(_MENTION in text for text in _texts(values)) else changed


def _texts(value: object) -> Iterator[str]:
    """Yield all texts in a value, the keys of mappings too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Source):
        return
    elif isinstance(value, Struct):
        yield from _texts(astuple(value))
    elif isinstance(value, Mapping):
        yield from _texts((*value, *value.values()))
    elif isinstance(value, Sequence | Set):
        for part in value:
            yield from _texts(part)
