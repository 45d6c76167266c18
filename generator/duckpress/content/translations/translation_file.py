"""`lang/<code>.yaml` -> the game in another language, and what is wrong with the translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.translations import game_texts
from duckpress.content.translations.deck_texts import Families, translated_decks
from duckpress.content.translations.text_translator import Ledger, TextTranslator, said
from duckpress.content.translations.translation_keys import (
    Phrase,
    TranslationKeys,
    file_of,
    own_direction,
    own_words,
    read_file,
    speech_of,
)
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source, nearest
from duckpress.files.workspace import Workspace
from duckpress.language import RecordingSpeech, Speech, categories, phrase_key, program
from duckpress.model import Game

_OF_THE_PROGRAM = frozenset(map(phrase_key, program.WORDS))


class Translated(NamedTuple):
    """A game in one language, what is wrong with its translation, and the book of its fixed words by their originals.

    `words_checked` returns what that book lacks once everything has been laid out.
    """

    game: Game
    problems: Sequence[Problem]
    words: Mapping[str, Phrase]


def in_language(workspace: Workspace, game: Game, language: str) -> Translated:
    """Return a game in one of its languages: the first as it is, others from their files.

    Problems: those of reading; `translation-missing`, `translation-stale`, `translation-unknown` and
    `translation-differs` (warnings), but for fixed words, of which `words_checked` knows.
    """
    if language == game.language:
        return Translated(game, [], {})
    path = file_of(game, language)
    problems = ProblemList()
    node = problems.take(read_file(workspace, path)) if workspace.has(path) else None
    if node is None and not problems:
        at = next((entry.source for entry in game.languages if entry.code == language), game.source)
        what = f"{language}: nothing is translated: there is no {path}"
        problems.add("translation-missing", at, what, "write it, beginning with 'title: ...'", Level.WARNING)
    words = problems.take(own_words(node, language))
    speech = problems.take(speech_of(workspace, words, language, is_original=False))
    speech = replace(speech, direction=own_direction(node) or speech.direction)
    mapping = problems.take(as_mapping(node, "the translation")) if node is not None else None
    if mapping is None:
        return Translated(replace(game, speech=speech), problems, {})
    ledger = Ledger(language, path)
    translated = problems.take(_translated(game, mapping, _families(workspace, game), speech, ledger))
    return Translated(translated, [*problems, *ledger.problems()], words)


def unused_files(workspace: Workspace, game: Game) -> list[Problem]:
    """Return a warning for each translation into a language that the game does not list."""
    known = {language.code for language in game.languages}
    problems = []
    for path in workspace.files(f"{game.folder}/lang", ".yaml"):
        code = path.rpartition("/")[2].removesuffix(".yaml")
        if code not in known:
            what = f"the game is not printed in {code!r}: 'languages' in game.yaml does not name it"
            fix = f"add it to 'languages', or did you mean {near!r}?" if (near := nearest(code, known)) else ""
            fix = fix or f"write 'languages: [{', '.join([*known, code])}]', or delete the file"
            problems.append(Problem("translation-unknown", Source(path), what, fix, Level.WARNING))
    return problems


def words_checked(translated: Translated, speech: RecordingSpeech, optional: set[str]) -> list[Problem]:
    """Return what the fixed words of a language lack, and those that nobody asks for, once all has been laid out.

    `speech` has noted what was asked for. `optional` are the originals that stand in templates, also where no card has
    come by them, and choices of fields.
    """
    ledger = Ledger(speech.language, file_of(translated.game, speech.language))
    wanted = {key: key for key in (*speech.asked, *speech.missing) if key not in _OF_THE_PROGRAM}
    TextTranslator(ledger, "words of the layouts").compare_phrases(translated.words, wanted, optional)
    return ledger.problems()


def program_words_missing(game: Game, speech: RecordingSpeech) -> list[Problem]:
    """Return one warning for the words of the program that have been asked for in a language and are not there."""
    language = speech.language
    ledger = Ledger(language, f"layouts/lang/{language}.yaml")
    for key in speech.missing:
        if key in _OF_THE_PROGRAM:
            TextTranslator(ledger, "words of the program").missing(repr(key))
    at = next((entry.source for entry in game.languages if entry.code == language), game.at("languages"))
    forms = f"; those with {{n}} have the plural forms {', '.join(categories(language))}"
    return [problem._replace(source=at, fix=problem.fix + forms) for problem in ledger.problems()]


def _families(workspace: Workspace, game: Game) -> dict[str, list[MappingNode]]:
    """Return the families of every deck, as they are written; what is wrong with the files was reported before."""
    families: dict[str, list[MappingNode]] = {}
    for deck in game.decks.values():
        node = read_file(workspace, deck.source.file).value
        cards = node.entries.get("cards") if isinstance(node, MappingNode) else None
        items = cards.value.items if cards is not None and isinstance(cards.value, Items) else []
        families[deck.id] = [item for item in items if isinstance(item, MappingNode) and "for" in item.entries]
    return families


def _translated(game: Game, node: MappingNode, families: Families, speech: Speech, ledger: Ledger) -> Read[Game]:
    """Return the game in another language and all that is wrong with the form of its translation.

    Texts are translated one by one; cards of families are filled again with the translated lists and facts, so that a
    name in a list is translated once. Ids, numbers, choices, icons and colours stay as they are. `node` is the content
    of the translation's file; its `words` have been read before, into `speech`.
    """
    texts = TextTranslator(ledger)
    written = texts.shape(node, TranslationKeys, "the translation")
    facts = game_texts.translated_tree(texts.within(game_texts.FACTS, None), written.facts, game.facts, "facts")
    lists = game_texts.translated_lists(texts, written.lists, game.lists)
    # The rules have the program's own title, and the designer reads the first language.
    titles = {piece.id: piece.title for piece in game.pieces if not piece.book and not piece.is_for_designer}
    nodes = texts.nodes(written.pieces, titles, "piece")
    pieces = {id_: texts.text(nodes.get(id_), title, f"piece {id_}") for id_, title in titles.items()}
    bring = texts.phrases(written.bring, game.bring, "'bring'")
    translated = replace(
        game,
        title=texts.text(written.title, game.title, "title", is_needed=False),
        about=texts.text(written.about, game.about, "about"),
        licence=texts.text(written.licence, game.licence, "licence"),
        publisher=texts.text(written.publisher, game.publisher, "publisher", is_needed=False),
        pieces=tuple(piece._replace(title=pieces.get(piece.id, piece.title)) for piece in game.pieces),
        credits=game_texts.translated_credits(texts, written.credits, game.credits),
        notes=game_texts.translated_notes(texts, written.notes, game),
        bring=tuple(said(bring, text) for text in game.bring),
        facts=game_texts.without_marks(facts),
        lists=game_texts.without_marks(lists),
        decks=translated_decks(texts, written, game, Data(facts, lists), speech, families),
        setup=game_texts.translated_setup(texts, written.setup, game.setup),
        speech=speech,
    )
    return Read(translated, texts.problems)
