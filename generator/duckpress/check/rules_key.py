"""What of a game its rules can look at, as a key: games with one key have the same findings.

Rules name the fields of cards that they look at, and look at ids, copies and places of all cards. So a key leaves out
the words of any other field, as long as they mention no field themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import astuple, replace

from duckpress.core.language import RecordingSpeech
from duckpress.core.problems import Source
from duckpress.files.memo import key_of
from duckpress.model import Card, Game
from duckpress.model.amounts import as_name

_CHECKED = re.compile(r"\{=|[<\[&_*:]")  # what the checks of texts may complain of: fields and markup


def rules_key(game: Game) -> str:
    """Return the key of a game; empty where what is worked out of it is not to be kept."""
    if isinstance(game.speech, RecordingSpeech):
        return ""  # nobody would note for which words is asked
    words = "\n".join(_texts((game.setup, game.facts, game.lists)))

    def seen(card: Card) -> Card:
        return replace(card, values={name: _seen(name, value, words) for name, value in card.values.items()})

    decks = [replace(deck, cards=tuple(map(seen, deck.cards))) for deck in game.decks.values()]
    return key_of(replace(game, decks={}), decks)


def _seen(name: str, value: object, words: str) -> object:
    """Return what rules see of a field's value: of words in a field that they do not name, that there are some."""
    is_die = isinstance(value, tuple)  # no question names the field of its sides
    is_asked = is_die or name in words or as_name(name) in words or any(map(_CHECKED.search, _texts(value)))
    return value if is_asked or not value else type(value).__name__


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
