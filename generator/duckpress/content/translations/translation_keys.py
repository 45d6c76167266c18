"""What `lang/<code>.yaml` may hold: the texts of a game by where they stand, and the file's fixed words."""

from __future__ import annotations

from duckpress.content.yaml.declared_shapes import Kind, Shape, optional, required
from duckpress.content.yaml.kinds import MAPPING, NODE, TEXT, by_name
from duckpress.content.yaml.nodes import Node


class TextKeys(Shape):
    """A translation with the original it was made from."""

    of = optional(TEXT, None, "the original")
    is_ = required(TEXT, "the translation")


class PhraseKeys(Shape):
    """An entry of a phrase book that is a list."""

    of = required(TEXT, "the original")
    is_ = required(NODE, "the translation, with plural forms where they matter")


# What they hold is read where the original is known, which messages name.
_TEXT: Kind[Node] = Kind(NODE.read, of=TextKeys, reads_null=True)
_PHRASES: Kind[Node] = Kind(NODE.read, of=PhraseKeys, reads_null=True)


class NoteTextKeys(Shape):
    """A note, found by its original subject."""

    subject = optional(_TEXT, None, "what it is about")
    choice = optional(_TEXT, None, "what was chosen")
    reason = optional(_TEXT, None, "why")
    question = optional(_TEXT, None, "what is still open")


class DeckTextKeys(Shape):
    """A deck."""

    title = optional(_TEXT, None, "what the deck is called")
    fields = optional(MAPPING, None, "what its fields are called, where that is otherwise in this deck")
    cards = optional(MAPPING, None, "texts by card and field")


class ColumnTextKeys(Shape):
    """A column of the setup table."""

    title = optional(_TEXT, None, "its heading")
    short = optional(_TEXT, None, "its heading where there is little room")


class VariantTextKeys(Shape):
    """A variant."""

    title = optional(_TEXT, None, "its name")
    about = optional(_TEXT, None, "what is different")
    table = optional(MAPPING, None, "its columns")


class SetupTextKeys(Shape):
    """The setup."""

    title = optional(_TEXT, None, "heads the setup table")
    table = optional(MAPPING, None, "columns by their names")
    variants = optional(MAPPING, None, "variants by their ids")
    notes = optional(_PHRASES, None, "sentences of the steps and below the table")


class TranslationKeys(Shape):
    """`lang/<code>.yaml` of a game."""

    title = optional(_TEXT, None, "name of the game")
    about = optional(_TEXT, None, "what the game is")
    licence = optional(_TEXT, None, "whose the game is")
    publisher = optional(_TEXT, None, "who publishes it")
    pieces = optional(MAPPING, None, "titles of the pieces, by their ids")
    notes = optional(MAPPING, None, "notes by their original subjects")
    credits = optional(_PHRASES, None, "original role -> translation; names may be translated too")
    bring = optional(_PHRASES, None, "original -> translation")
    facts = optional(NODE, None, "the texts in the facts, in the same shape")
    lists = optional(MAPPING, None, "the texts in the lists, in the same shape")
    fields = optional(MAPPING, None, "what fields are called, by their names")
    decks = optional(MAPPING, None, "texts by deck")
    setup = optional(MAPPING, None, "texts of the setup")
    words = optional(_PHRASES, None, "fixed words of the layouts: original -> translation")


class FirstWordsKeys(Shape):
    """`lang/<code>.yaml` of the language that a game is written in."""

    words = TranslationKeys.words


class SharedWordsKeys(Shape):
    """`layouts/lang/<code>.yaml`."""

    words = TranslationKeys.words
    fields = optional(by_name(TEXT), (), "what fields of many games are called")
