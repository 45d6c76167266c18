"""What the fields of decks are called in another language: no face shows that, but who reads of changes does."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from duckpress.content.translations.text_translator import TextTranslator
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Node
from duckpress.language import PROGRAM
from duckpress.model import Deck, Field, FieldKind, Game

SECTION = "names of fields"
_NEVER_READ = (FieldKind.IMAGE, FieldKind.ICON, FieldKind.COLOUR)
"""Fields whose values say nothing to a reader, so that nobody has to translate what they are called."""


class FieldNames:
    """Translates the names of fields: of one deck, else of all decks that have a field of that name."""

    def __init__(
        self, texts: TextTranslator, node: MappingNode | None, game: Game, language: str, fields: Collection[str]
    ) -> None:
        """Take the names for all decks; `fields` are those that many games use, which need no translation."""
        self._texts = texts
        self._is_english = language.partition("-")[0] == PROGRAM
        self._shared = fields
        names = dict.fromkeys(name for deck in game.decks.values() for name in deck.fields)
        if node is not None:
            texts.ledger.places[SECTION] = node.source
        self._nodes = texts.nodes(node, names, SECTION, "field")

    def of(self, deck: Deck, node: MappingNode | None) -> Mapping[str, Field]:
        """Return the fields of a deck with their names in the language; `node` is what is written for the deck."""
        own = self._texts.nodes(node, deck.fields, f"deck {deck.id!r}", "field")
        return {name: self._named(field, own.get(name, self._nodes.get(name))) for name, field in deck.fields.items()}

    def _named(self, field: Field, node: Node | None) -> Field:
        if node is not None:
            return field._replace(label=self._texts.text(node, field.label or field.name, SECTION, field.name))
        if field.label or self._is_needed(field):
            self._texts.ledger.missing(SECTION, field.name)
        return field

    def _is_needed(self, field: Field) -> bool:
        # A field without a label goes by its id, and ids are English where they are words.
        is_read = field.is_words and field.kind not in _NEVER_READ
        return is_read and not self._is_english and field.name not in self._shared
