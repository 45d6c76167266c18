"""What was worked out of a game's rules, in a program that goes on: it holds while nothing changes that rules look at.

Rules name the fields of cards that they look at, and look at ids, copies and places of all cards. So the words of any
other field may change, as long as they mention no field themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from duckpress.core.problems import Source
from duckpress.language import RecordingSpeech
from duckpress.model import Card, Game
from duckpress.model.amounts import as_name

_T = TypeVar("_T")
_CHECKED = re.compile(r"\{=|[<\[&_*:]")  # what the checks of texts may complain of: fields and markup


class KnownRules:
    """The answers to questions about one game's rules, each worked out once for games that rules cannot tell apart."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._key = ""
        self._answers: dict[object, object] = {}

    def once(self, game: Game, question: object, answer: Callable[[], _T]) -> _T:
        """Return the answer to a question, which follows from it and the rules."""
        if isinstance(game.speech, RecordingSpeech):
            return answer()  # nobody has noted for which words it asks
        if self._game is not game:
            key = _key(game)
            if key != self._key:
                self._answers = {}
            self._game, self._key = game, key
        if question not in self._answers:
            self._answers[question] = answer()
        return self._answers[question]  # type: ignore[return-value]  # nobody else answers this question


def _key(game: Game) -> str:
    """Return all of a game that rules may look at, as a text."""
    words = "\n".join(_texts((game.setup, game.facts, game.lists)))

    def seen(card: Card) -> Card:
        return replace(card, values={name: _seen(name, value, words) for name, value in card.values.items()})

    decks = [replace(deck, cards=tuple(map(seen, deck.cards))) for deck in game.decks.values()]
    return repr((replace(game, decks={}), decks))


def _seen(name: str, value: object, words: str) -> object:
    """Return what rules see of a field's value: nothing of words in a field that they do not name."""
    is_die = isinstance(value, tuple)  # no question names the field of its sides
    is_asked = is_die or name in words or as_name(name) in words or any(map(_CHECKED.search, _texts(value)))
    return value if is_asked else None


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
