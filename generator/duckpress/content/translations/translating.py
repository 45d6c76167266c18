"""A game and a translation of it -> the game in that language: a pure function of the two.

Texts are taken over one by one; cards of families are filled again with the translated lists and facts, so that a name
in a list is translated once. Ids, numbers, choices, icons and colours stay as they are. What is missing, stale or for
nothing is noted in a `Ledger`.
"""

from __future__ import annotations

from collections.abc import Mapping as Texts
from collections.abc import Sequence

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.translations.card_texts import CardTranslator
from duckpress.content.translations.field_names import FieldNames
from duckpress.content.translations.list_texts import translated_lists, translated_tree, without_marks
from duckpress.content.translations.setup_texts import translated_setup
from duckpress.content.translations.text_translator import IN_GAME, Takeover, said
from duckpress.content.translations.translation_findings import Ledger
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping, Node
from duckpress.content.yaml.scalars import quoted
from duckpress.core.problems import Problem
from duckpress.language import Speech
from duckpress.model import Credit, Deck, Game, Note

Families = Texts[str, Sequence[Mapping]]
"""The families of each deck, as they are written in its file."""


def translate(
    game: Game, node: Mapping, families: Families, speech: Speech, ledger: Ledger
) -> tuple[Game, list[Problem]]:
    """Give the game in another language and all that is wrong with the form of its translation.

    `node` is the content of the translation's file; its `words` have been read before, into `speech`.
    """
    problems: list[Problem] = []
    reader = Reader(node, "the translation", problems)
    book = Takeover(ledger, problems)
    facts = translated_tree(book, reader.node("facts"), game.facts, "facts", "facts")
    lists = translated_lists(book, reader.reader("lists"), game.lists)
    data, spoken = Data(game.facts, game.lists), Data(facts, lists)
    # The rules have the program's own title, and the designer reads the first language.
    titles = {one.id: one.title for one in game.pieces if not one.book and not one.is_for_designer}
    names = FieldNames(book, reader.reader("fields"), game, speech)
    pieces = book.named(reader.reader("pieces"), titles, IN_GAME, "piece")
    changed = replace(
        game,
        title=book.text(reader.node("title"), game.title, IN_GAME, "title", is_needed=False),
        about=book.text(reader.node("about"), game.about, IN_GAME, "about"),
        licence=book.text(reader.node("licence"), game.licence, IN_GAME, "licence"),
        publisher=book.text(reader.node("publisher"), game.publisher, IN_GAME, "publisher", is_needed=False),
        pieces=tuple(one._replace(title=pieces.get(one.id, one.title)) for one in game.pieces),
        credits=_credits(book, reader.node("credits"), game.credits),
        notes=_notes(book, reader.reader("notes"), game),
        bring=book.each(reader.node("bring"), game.bring, IN_GAME, "'bring'"),
        facts=without_marks(facts),
        lists=without_marks(lists),
        decks=_decks(book, reader.reader("decks"), names, game, families, data, spoken),
        setup=translated_setup(book, reader.reader("setup"), game.setup),
        speech=speech,
    )
    reader.node("words")
    reader.finish()
    return changed, problems


def _credits(book: Takeover, node: Node | None, credits_: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """Give the credits; who is named may be translated (`the project`), what was done has to be."""
    names = [credit.name for credit in credits_]
    phrases = book.phrases(node, [credit.role for credit in credits_], IN_GAME, "'credits'", names)
    return tuple(one._replace(role=said(phrases, one.role), name=said(phrases, one.name)) for one in credits_)


def _notes(book: Takeover, reader: Reader | None, game: Game) -> tuple[Note, ...]:
    """Return the notes, found by their original subjects.

    Where a sheet for the designer holds them, they need no translation: the designer reads the first language.
    """
    notes, section = game.notes, "the notes of game.yaml"
    is_needed = not any(piece.is_for_designer for piece in game.pieces)
    if reader is not None:
        book.ledger.places.setdefault(section, reader.source)
    nodes = book.nodes(reader, [note.subject for note in notes], section, "note")
    changed = []
    for note in notes:
        node = nodes.get(note.subject)
        entry = Reader.of(node, f"the note {quoted(note.subject)}", book.problems) if node is not None else None
        if entry is None:
            if node is None and is_needed:
                book.ledger.missing(section, quoted(note.subject))
            changed.append(note)
            continue
        subject, choice, reason, question = (
            book.text(entry.node(key), getattr(note, key), section, f"{note.subject}, {key}", is_needed=is_needed)
            for key in ("subject", "choice", "reason", "question")
        )
        entry.finish()
        changed.append(Note(subject, choice, reason, note.source, question))
    return tuple(changed)


def _decks(
    book: Takeover,
    reader: Reader | None,
    names: FieldNames,
    game: Game,
    families: Families,
    data: Data,
    spoken: Data,
) -> dict[str, Deck]:
    """Give the decks with their titles, the names of their fields and the texts of their cards."""
    nodes = book.nodes(reader, game.decks, "decks", "deck")
    found = {}
    for id_, deck in game.decks.items():
        section = f"deck {id_!r}"
        node = nodes.get(id_)
        entry = Reader.of(node, section, book.problems) if node is not None else None
        if node is not None:
            book.ledger.places[section] = node.source
        title = book.text(entry.node("title") if entry else None, deck.title, section, "title")
        cards = CardTranslator(deck, families.get(id_, ()), book)
        written = entry.reader("cards") if entry else None
        fields = names.of(deck, entry)
        found[id_] = replace(deck, title=title, fields=fields, cards=cards.translated(written, data, spoken))
        if entry is not None:
            entry.finish()
    return found
