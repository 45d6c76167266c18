"""What a card is called and says, in words without marks: for lists of cards, search and what hovers over a card."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from duckpress.core.frame import Frame, Text, every_item
from duckpress.expressions.written_values import as_written
from duckpress.model import Card, Deck, FieldKind
from duckpress.text.markup import BREAK, ICON, Token, parse_markup

_NO_LETTERS = re.compile(r"[\W_]+")


def card_words(card: Card, deck: Deck, nameless: str = "") -> tuple[str, str]:
    """Return what a card is called, which is its first text (`nameless` or its id without one), and its other texts."""
    return _named([words for _, words in _texts(card, deck) if words], card, nameless)


def seen_words(card: Card, deck: Deck, front: Frame) -> tuple[str, str]:
    """Return what a card is called and its other texts; only those that stand on its front."""
    stands = _letters(item.text for item in every_item(front.items) if isinstance(item, Text))
    found = _texts(card, deck)
    texts = [words for runs, words in found if words and all(_letters([run]) in stands for run in runs)]
    return _named(texts, card, "")


def _named(texts: list[str], card: Card, nameless: str) -> tuple[str, str]:
    first = texts[0] if texts else nameless or card.id.replace("-", " ").capitalize()
    return first, "\n".join(texts[1:])


def _texts(card: Card, deck: Deck) -> Iterator[tuple[list[str], str]]:
    """Yield each text of a card: its runs of letters between icons, and all of it with the icons' names as words."""
    given = card.values.items()
    values = {name: str(as_written(value)) for name, value in given if not isinstance(value, tuple | Mapping)}
    for field in deck.fields.values():
        value = card.values.get(field.name)
        if field.kind is FieldKind.TEXT and isinstance(value, str):
            tokens = [token for block in parse_markup(value, values, []) for token in (*block.tokens, (BREAK, ""))]
            yield [run for what, run in tokens if what not in (ICON, BREAK)], _words(tokens)


def _words(tokens: list[Token]) -> str:
    said = {ICON: " {} ", BREAK: " "}
    runs = (said.get(what, "{}").format(text.replace("-", " ") if what == ICON else text) for what, text in tokens)
    words = " ".join("".join(runs).split())
    return re.sub(r" (?=[.,)])", "", words)


def _letters(texts: Iterable[str]) -> str:
    """Return texts without case, blanks, hyphens and other signs: breaking lines makes no difference."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", "".join(texts)).casefold())
