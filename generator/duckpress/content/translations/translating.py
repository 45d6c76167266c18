"""A game and a translation of it -> the game in that language: a pure function of the two.

Texts are translated one by one; cards of families are filled again with the translated lists and facts, so that a name
in a list is translated once. Ids, numbers, choices, icons and colours stay as they are. What is missing, stale or for
nothing is noted in a `Ledger`.
"""

from __future__ import annotations

from collections.abc import Mapping as Texts
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.translations.card_texts import CardTranslator
from duckpress.content.translations.field_names import FieldNames
from duckpress.content.translations.list_texts import translated_lists, translated_tree, without_marks
from duckpress.content.translations.setup_texts import translated_setup
from duckpress.content.translations.text_translator import IN_GAME, TextTranslator, said
from duckpress.content.translations.translation_findings import Ledger
from duckpress.content.translations.translation_keys import DeckTextKeys, NoteTextKeys, TranslationKeys
from duckpress.content.yaml.nodes import Mapping, Node, quoted
from duckpress.core.problem_list import Read
from duckpress.language import Speech
from duckpress.model import Credit, Deck, Game, Note

Families = Texts[str, Sequence[Mapping]]
"""The families of each deck, as they are written in its file."""


def translate(game: Game, node: Mapping, families: Families, speech: Speech, ledger: Ledger) -> Read[Game]:
    """Return the game in another language and all that is wrong with the form of its translation.

    `node` is the content of the translation's file; its `words` have been read before, into `speech`.
    """
    texts = TextTranslator(ledger)
    written = texts.shape(node, TranslationKeys, "the translation")
    facts = translated_tree(texts, written.facts, game.facts, "facts", "facts")
    lists = translated_lists(texts, written.lists, game.lists)
    # The rules have the program's own title, and the designer reads the first language.
    titles = {piece.id: piece.title for piece in game.pieces if not piece.book and not piece.is_for_designer}
    names = FieldNames(texts, written.fields, game, speech.language, speech.fields)
    cards = _Cards(families, Data(game.facts, game.lists), Data(facts, lists))
    pieces = texts.named(written.pieces, titles, IN_GAME, "piece")
    translated = replace(
        game,
        title=texts.text(written.title, game.title, IN_GAME, "title", is_needed=False),
        about=texts.text(written.about, game.about, IN_GAME, "about"),
        licence=texts.text(written.licence, game.licence, IN_GAME, "licence"),
        publisher=texts.text(written.publisher, game.publisher, IN_GAME, "publisher", is_needed=False),
        pieces=tuple(piece._replace(title=pieces.get(piece.id, piece.title)) for piece in game.pieces),
        credits=_credits(texts, written.credits, game.credits),
        notes=_notes(texts, written.notes, game),
        bring=texts.each(written.bring, game.bring, IN_GAME, "'bring'"),
        facts=without_marks(facts),
        lists=without_marks(lists),
        decks=_decks(texts, written.decks, names, game, cards),
        setup=translated_setup(texts, written.setup, game.setup),
        speech=speech,
    )
    return Read(translated, texts.problems)


def _credits(texts: TextTranslator, node: Node | None, credits_: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """Return the credits; who is named may be translated (`the project`), what was done has to be."""
    names = [credit.name for credit in credits_]
    phrases = texts.phrases(node, [credit.role for credit in credits_], IN_GAME, "'credits'", names)
    return tuple(
        credit._replace(role=said(phrases, credit.role), name=said(phrases, credit.name)) for credit in credits_
    )


def _notes(texts: TextTranslator, node: Mapping | None, game: Game) -> tuple[Note, ...]:
    """Return the notes, found by their original subjects.

    Where a sheet for the designer holds them, they need no translation: the designer reads the first language.
    """
    section = "the notes of game.yaml"
    is_needed = not any(piece.is_for_designer for piece in game.pieces)
    if node is not None:
        texts.ledger.places.setdefault(section, node.source)
    nodes = texts.nodes(node, [note.subject for note in game.notes], section, "note")
    translated = []
    for note in game.notes:
        inner = nodes.get(note.subject)
        if inner is None and is_needed:
            texts.ledger.missing(section, quoted(note.subject))
        written = texts.shape(inner, NoteTextKeys, f"the note {quoted(note.subject)}")
        if not isinstance(inner, Mapping):
            translated.append(note)
            continue
        subject, choice, reason, question = (
            texts.text(written.values[key], getattr(note, key), section, f"{note.subject}, {key}", is_needed=is_needed)
            for key in NoteTextKeys.keys
        )
        translated.append(Note(subject, choice, reason, note.source, question))
    return tuple(translated)


class _Cards(NamedTuple):
    """What translated cards are filled from: families as they are written, facts and lists in both languages."""

    families: Families
    data: Data
    spoken: Data


def _decks(
    texts: TextTranslator, node: Mapping | None, names: FieldNames, game: Game, cards: _Cards
) -> dict[str, Deck]:
    """Return the decks with their titles, the names of their fields and the texts of their cards."""
    nodes = texts.nodes(node, game.decks, "decks", "deck")
    decks = {}
    for id_, deck in game.decks.items():
        section = f"deck {id_!r}"
        if id_ in nodes:
            texts.ledger.places[section] = nodes[id_].source
        written = texts.shape(nodes.get(id_), DeckTextKeys, section)
        translator = CardTranslator(deck, cards.families.get(id_, ()), texts)
        decks[id_] = replace(
            deck,
            title=texts.text(written.title, deck.title, section, "title"),
            fields=names.of(deck, written.fields),
            cards=translator.translated(written.cards, cards.data, cards.spoken),
        )
    return decks
