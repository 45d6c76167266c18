"""`lang/<code>.yaml` -> the game in another language, and the problems of the translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from duckpress.content.game.families import Data
from duckpress.content.translations.text_translator import SAME, Families, TextTranslator, has_words, translated_decks
from duckpress.content.translations.translation_keys import (
    ColumnTextKeys,
    NoteTextKeys,
    Phrase,
    SetupTextKeys,
    TranslationKeys,
    VariantTextKeys,
    file_of,
    own_speech,
    read_file,
)
from duckpress.content.yaml.declared_shapes import as_mapping
from duckpress.content.yaml.kinds import plain_value
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Node, Scalar, quoted
from duckpress.content.yaml.nodes import Sequence as Items
from duckpress.core.language import OTHER, RecordingSpeech, Speech, categories, phrase_key, program
from duckpress.core.problems import Level, Problem, ProblemList, Source, nearest
from duckpress.files.workspace import Workspace
from duckpress.model import Credit, Game, Note
from duckpress.model.setup import Column, Expression, Setup, Step, Variant

FACTS = "facts"
_OF_THE_PROGRAM = frozenset(map(phrase_key, program.WORDS))


class Translated(NamedTuple):
    """A game in one language, the problems of its translation, and its phrase book by originals.

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
    speech, words = problems.take(own_speech(workspace, node, language, is_original=False))
    mapping = problems.take(as_mapping(node, "the translation")) if node is not None else None
    if mapping is None:
        return Translated(replace(game, speech=speech), problems, {})
    texts = TextTranslator(language, path)
    translated = _translated(game, mapping, _families(workspace, game), speech, texts)
    problems += texts.problems
    return Translated(translated, [*problems, *texts.findings()], words)


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
    """Return the missing and unused fixed words of a language, after the layout of all faces.

    `speech` has noted what was asked for. `optional` are the originals that stand in templates, also where no card has
    come by them, and choices of fields.
    """
    texts = TextTranslator(speech.language, file_of(translated.game, speech.language), "words of the layouts")
    wanted = {key: key for key in (*speech.asked, *speech.missing) if key not in _OF_THE_PROGRAM}
    texts.compare_phrases(translated.words, wanted, optional)
    return texts.findings()


def program_words_missing(game: Game, speech: RecordingSpeech) -> list[Problem]:
    """Return one warning for all words of the program that were used in a language without a translation."""
    language = speech.language
    texts = TextTranslator(language, f"layouts/lang/{language}.yaml", "words of the program")
    for key in speech.missing:
        if key in _OF_THE_PROGRAM:
            texts.missing(repr(key))
    at = next((entry.source for entry in game.languages if entry.code == language), game.at("languages"))
    forms = f"; those with {{n}} have the plural forms {', '.join(categories(language))}"
    return [problem._replace(source=at, fix=problem.fix + forms) for problem in texts.findings()]


def _families(workspace: Workspace, game: Game) -> dict[str, list[MappingNode]]:
    """Return the families of every deck, as written; problems of their files were reported before."""
    families: dict[str, list[MappingNode]] = {}
    for deck in game.decks.values():
        node = read_file(workspace, deck.source.file).value
        cards = node.entries.get("cards") if isinstance(node, MappingNode) else None
        items = cards.value.items if cards is not None and isinstance(cards.value, Items) else []
        families[deck.id] = [item for item in items if isinstance(item, MappingNode) and "for" in item.entries]
    return families


def _translated(game: Game, node: MappingNode, families: Families, speech: Speech, texts: TextTranslator) -> Game:
    """Return the game in another language.

    Texts are translated one by one; cards of families are filled again with the translated lists and facts, so that a
    name in a list is translated once. Ids, numbers, choices, icons and colours stay as they are. `node` is the content
    of the translation's file; its `words` have been read before, into `speech`.
    """
    written = texts.shape(node, TranslationKeys, "the translation")
    facts = _tree(texts.within(FACTS), written.facts, game.facts, "facts")
    lists = _lists(texts, written.lists, game.lists)
    # The rules have the program's own title, and the designer reads the first language.
    titles = {piece.id: piece.title for piece in game.pieces if not piece.book and not piece.is_for_designer}
    nodes = texts.nodes(written.pieces, titles, "piece")
    pieces = {id_: texts.text(nodes.get(id_), title, f"piece {id_}") for id_, title in titles.items()}
    bring = texts.phrases(written.bring, game.bring, "'bring'")
    return replace(
        game,
        **texts.attributes(written, game, needless=("title", "publisher")),
        pieces=tuple(piece._replace(title=pieces.get(piece.id, piece.title)) for piece in game.pieces),
        credits=_credits(texts, written.credits, game.credits),
        notes=_notes(texts, written.notes, game),
        bring=tuple(_words(bring, text) for text in game.bring),
        facts=_without_marks(facts),
        lists=_without_marks(lists),
        decks=translated_decks(texts, written, game, Data(facts, lists), speech, families),
        setup=_setup(texts, written.setup, game.setup),
        speech=speech,
    )


def _lists(texts: TextTranslator, node: MappingNode | None, lists: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the translated lists; a text translated in one record of a list must be translated in all."""
    nodes = texts.within("lists").nodes(node, lists, "list")
    translated: dict[str, Any] = {}
    for name, records in lists.items():
        section = f"list {name!r}"
        if name not in nodes:
            translated[name] = records
            continue
        inner = texts.within(section, nodes[name])
        mapping = inner.problems.take(as_mapping(nodes[name], section))
        usual = {path for entry in mapping.entries.values() for path in _paths(entry.value) if path} if mapping else ()
        entries = inner.nodes(mapping, records, "record")
        translated[name] = {}
        for id_, record in records.items():
            translated[name][id_] = _tree(inner, entries.get(id_), record, id_)
            written = _paths(entries[id_]) if id_ in entries else set()
            for path in sorted({*usual} - written):
                original: Any = record
                for key in path:
                    original = original.get(key) if isinstance(original, Mapping) else None
                if isinstance(original, str) and has_words(original):
                    inner.missing(".".join((id_, *path)))
    return translated


def _tree(texts: TextTranslator, node: Node | None, original: Any, name: str) -> Any:
    """Return facts or a record with its texts translated, however deep; by default the original."""
    if node is None:
        return original
    if isinstance(original, str):
        words = texts.text(node, original, name)
        return words + SAME if words == original else words
    if isinstance(original, Mapping) and isinstance(node, MappingNode):
        known = [key for key in original if key != "id" or texts.section == FACTS]
        nodes = texts.nodes(node, known, f"text in {name}:")
        return {**original, **{key: _tree(texts, nodes[key], original[key], f"{name}.{key}") for key in nodes}}
    if isinstance(original, tuple) and isinstance(node, Items) and len(node.items) == len(original):
        pairs = enumerate(zip(node.items, original, strict=True), 1)
        return tuple(_tree(texts, inner, text, f"{name} {number}") for number, (inner, text) in pairs)
    if isinstance(node, Scalar) and plain_value(node) == original:
        return original  # a number repeated in a list of texts
    texts.unknown(f"{name!r} of {texts.section} is no text: only texts can be translated", node.source)
    return original


def _without_marks(value: Any) -> Any:
    """Return facts, lists or a text without the mark for words that are the same in both languages."""
    if isinstance(value, str):
        return value.removesuffix(SAME)
    if isinstance(value, Mapping):
        return {key: _without_marks(inner) for key, inner in value.items()}
    return tuple(map(_without_marks, value)) if isinstance(value, tuple) else value


def _paths(node: Node) -> set[tuple[str, ...]]:
    if not isinstance(node, MappingNode) or node.entries.keys() == {"of", "is"}:
        return {()}
    return {(key, *rest) for key, entry in node.entries.items() for rest in _paths(entry.value)}


def _credits(texts: TextTranslator, node: Node | None, credits_: tuple[Credit, ...]) -> tuple[Credit, ...]:
    """Return the credits; the translation of a name (`the project`) is optional, that of a role required."""
    names = [credit.name for credit in credits_]
    phrases = texts.phrases(node, [credit.role for credit in credits_], "'credits'", names)
    return tuple(Credit(_words(phrases, role), _words(phrases, name), source) for role, name, source in credits_)


def _words(phrases: Mapping[str, Phrase], text: str) -> str:
    phrase = phrases.get(phrase_key(text))
    return text if phrase is None else phrase.forms[OTHER]


def _notes(texts: TextTranslator, node: MappingNode | None, game: Game) -> tuple[Note, ...]:
    """Return the notes, found by their original subjects.

    Where a sheet for the designer holds them, they need no translation: the designer reads the first language.
    """
    is_needed = not any(piece.is_for_designer for piece in game.pieces)
    texts = texts.within("the notes of game.yaml", node)
    nodes = texts.nodes(node, [note.subject for note in game.notes], "note")
    translated = []
    for note in game.notes:
        inner = nodes.get(note.subject)
        if inner is None and is_needed:
            texts.missing(quoted(note.subject))
        written = texts.shape(inner, NoteTextKeys, f"the note {quoted(note.subject)}")
        if not isinstance(inner, MappingNode):
            translated.append(note)
            continue
        needless = () if is_needed else NoteTextKeys.keys
        translated.append(note._replace(**texts.attributes(written, note, f"{note.subject}, ", needless)))
    return tuple(translated)


def _setup(texts: TextTranslator, node: MappingNode | None, setup: Setup | None) -> Setup | None:
    """Return the setup with its title, headings, variants and notes; steps and sums stay as they are."""
    texts = texts.within("setup.yaml", node)
    if setup is None:
        if node is not None:
            texts.unknown("the game has no setup.yaml to translate", node.source)
        return None
    written = texts.shape(node, SetupTextKeys, "'setup' of the translation")
    steps = [*setup.steps, *(step for part in setup.all_variants.values() for step in part.steps)]
    notes = [note.text for note in (*setup.notes, *(step.note for step in steps)) if note is not None]
    phrases = texts.phrases(written.notes, notes, "'notes' of the setup")

    def sentence(note: Expression) -> Expression:
        phrase = phrases.get(phrase_key(note.text))
        if phrase is None:
            return note
        return Expression(phrase.forms[OTHER], phrase.node.source, 0 if phrase.node.is_plain else 1)

    def spoken(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(step if step.note is None else replace(step, note=sentence(step.note)) for step in steps)

    def variants(kind: str, node: MappingNode | None, originals: Mapping[str, Variant]) -> dict[str, Variant]:
        nodes = texts.nodes(node, originals, kind)
        translated = {}
        for id_, variant in originals.items():
            written = texts.shape(nodes.get(id_), VariantTextKeys, f"{kind} {id_!r}")
            words = texts.attributes(written, variant, f"{kind} {id_}, ")
            columns = _columns(texts, written.table, variant.columns)
            translated[id_] = replace(variant, **words, columns=columns, steps=spoken(variant.steps))
        return translated

    return replace(
        setup,
        **texts.attributes(written, setup),
        columns=_columns(texts, written.table, setup.columns),
        variants=variants("variant", written.variants, setup.variants),
        modules=variants("module", written.modules, setup.modules),
        steps=spoken(setup.steps),
        notes=tuple(map(sentence, setup.notes)),
    )


def _columns(texts: TextTranslator, node: MappingNode | None, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    nodes = texts.nodes(node, [column.key for column in columns], "column")
    translated = []
    for column in columns:
        written = texts.shape(nodes.get(column.key), ColumnTextKeys, f"column {column.key!r}")
        is_short = column.short != column.title
        words = texts.attributes(written, column, f"column {column.key}, ", () if is_short else ("short",))
        if words["short"] == column.short and not is_short:
            words["short"] = words["title"]
        translated.append(column._replace(**words))
    return tuple(translated)
