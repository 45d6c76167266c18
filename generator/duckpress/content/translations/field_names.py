"""What the fields of decks are called in another language: no face shows that, but who reads of changes does."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.content.translations.text_translator import Takeover
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node
from duckpress.language import PROGRAM, Speech
from duckpress.model import Deck, Field, FieldKind, Game

SECTION = "names of fields"
_NEVER_READ = (FieldKind.IMAGE, FieldKind.ICON, FieldKind.COLOUR)
"""Fields whose values say nothing to a reader, so that nobody has to translate what they are called."""


class FieldNames:
    """Translates the names of fields: of one deck, else of all decks that have a field of that name."""

    def __init__(self, book: Takeover, reader: Reader | None, game: Game, speech: Speech) -> None:
        """Take the names for all decks."""
        self._book = book
        self._speech = speech
        names = dict.fromkeys(name for deck in game.decks.values() for name in deck.fields)
        if reader is not None:
            book.ledger.places[SECTION] = reader.source
        self._nodes = book.nodes(reader, names, SECTION, "field")

    def of(self, deck: Deck, entry: Reader | None) -> Mapping[str, Field]:
        """Give the fields of a deck with their names in the language; `entry` is what the translation says of it."""
        own = self._book.nodes(entry.reader("fields") if entry else None, deck.fields, f"deck {deck.id!r}", "field")
        return {name: self._named(field, own.get(name, self._nodes.get(name))) for name, field in deck.fields.items()}

    def _named(self, field: Field, node: Node | None) -> Field:
        if node is not None:
            return field._replace(label=self._book.text(node, field.label or field.name, SECTION, field.name))
        if field.label or self._is_needed(field):
            self._book.ledger.missing(SECTION, field.name)
        return field

    def _is_needed(self, field: Field) -> bool:
        # A field without a label goes by its id, and ids are English where they are words.
        is_english = self._speech.language.partition("-")[0] == PROGRAM
        is_read = field.is_words and field.kind not in _NEVER_READ
        return is_read and not is_english and field.name not in self._speech.fields
