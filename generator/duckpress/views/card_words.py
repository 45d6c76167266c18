"""What a card is called and says, in words without marks: for lists of cards, search and what hovers over a card."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from duckpress.core.frame import Frame, Text, every_item
from duckpress.expressions.budget import as_written
from duckpress.model import Card, Deck, FieldKind, Game
from duckpress.model.decks import Value
from duckpress.text.markup import BREAK, ICON, Token, parse_markup

_NO_LETTERS = re.compile(r"[\W_]+")
_NO_ASCII_LETTERS = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())
_NUMBER = re.compile(r"\d+$")
_TOUCHING_MM = 0.01
_FEW = 4  # letters of a text that may stand in any other word by chance


def card_words(card: Card, deck: Deck, nameless: str = "") -> tuple[str, str]:
    """Return what a card is called, which is its first text (`nameless` or its id without one), and its other texts."""
    texts = [_words(tokens) for tokens in _texts(card, deck)]
    return _named([words for words in texts if words], nameless or card.id.replace("-", " ").capitalize())


def seen_words(card: Card, deck: Deck, game: Game, front: Frame) -> tuple[str, str]:
    """Return what a card is called and its other texts; only those that stand on its front.

    Where a value is the id of an entry in a list of the game, the entry's texts are meant. An icon is said in the
    game's language, unless the word before it says so already; one that the language has no word for is left out. A
    card without texts is called as its deck, with the number that its id ends in.
    """
    items = _touching(item for item in every_item(front.items) if isinstance(item, Text))
    stands, alone = letters_of("".join(items)), {letters_of(word) for text in items for word in text.split()}
    entries = {id_: entry for entries in game.lists.values() for id_, entry in entries.items()}
    texts: list[str] = []
    for tokens in _texts(card, deck, entries):
        runs = [letters_of(run) for what, run in tokens if what not in (ICON, BREAK)]
        words = _words([_said(tokens, number, game) for number in range(len(tokens))])
        is_seen = all(run in (stands if len(run) >= _FEW else alone) for run in runs if run)
        is_new = not texts or letters_of(words) not in letters_of(texts[0])
        if words and is_seen and is_new:
            texts.append(words[:1].upper() + words[1:] if not texts else words)
    number = _NUMBER.search(card.id)
    numbered = f"{deck.title} {number[0]}" if number is not None else card.id.replace("-", " ").capitalize()
    return _named(texts, deck.title if len(deck.cards) == 1 else numbered)


def _touching(items: Iterable[Text]) -> list[str]:
    """Return texts, as one where they touch: marks of Arabic, and what is bold within a word, part its letters."""
    texts: list[str] = []
    before: Text | None = None
    for item in items:
        if not letters_of(item.text):
            continue
        if before is not None and item.y_mm == before.y_mm and _gap_mm(before, item) < _TOUCHING_MM:
            texts[-1] += item.text
        else:
            texts.append(item.text)
        before = item
    return texts


def _gap_mm(one: Text, other: Text) -> float:
    return min(abs(one.x_mm + one.width_mm - other.x_mm), abs(other.x_mm + other.width_mm - one.x_mm))


def _named(texts: list[str], nameless: str) -> tuple[str, str]:
    return texts[0] if texts else nameless, "\n".join(texts[1:])


def _texts(card: Card, deck: Deck, entries: Mapping[str, Mapping[str, Value]] | None = None) -> Iterator[list[Token]]:
    """Yield each text of a card in its parts; for the id of an entry that of the entry's texts."""
    given = card.values.items()
    values = {name: str(as_written(value)) for name, value in given if not isinstance(value, tuple | Mapping)}
    for field in deck.fields.values():
        value = card.values.get(field.name)
        if field.kind is FieldKind.TEXT and isinstance(value, str):
            meant = entries[value].values() if entries is not None and value in entries else (value,)
            for text in meant:
                if isinstance(text, str):
                    blocks = parse_markup(text, values, [])
                    yield [token for block in blocks for token in (*block.tokens, (BREAK, ""))]


def _said(tokens: list[Token], number: int, game: Game) -> Token:
    """Return a token with its icon in words; as a break where nothing has to be said of it."""
    what, text = tokens[number]
    if what != ICON:
        return tokens[number]
    words = game.speech.t(text)
    if words == text and not game.speech.is_original:
        words = ""
    last = letters_of("".join("".join(run for kind, run in tokens[:number] if kind not in (ICON, BREAK)).split()[-1:]))
    return (BREAK, "") if not words or last.startswith(letters_of(words)) else (ICON, words)


def _words(tokens: list[Token]) -> str:
    said = {ICON: " {} ", BREAK: " "}
    runs = (said.get(what, "{}").format(text.replace("-", " ") if what == ICON else text) for what, text in tokens)
    words = " ".join("".join(runs).split())
    return re.sub(r" (?=[.,)])", "", words)


@lru_cache(maxsize=4096)  # words recur
def letters_of(text: str) -> str:
    """Return a text without case, blanks, hyphens and other signs: breaking lines makes no difference."""
    if text.isascii():  # most are, and that takes a third of the time
        return text.casefold().translate(_NO_ASCII_LETTERS)
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", text).casefold())
