"""The keys of `lang/<code>.yaml`: the texts of a game by their places, and phrase books.

A text is the translation itself, or `{of: the original, is: the translation}`. A phrase book gives translations by
their originals, as a mapping or, for long ones, as a list of `{of:, is:}`; in `words` a translation may have plural
forms.

Fixed words are looked for in the game's own file, then word by word in `layouts/lang/<code>.yaml`, the workspace's
before the bundled one. The first language may have a file as well, for the plural forms of its words.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Texts
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.content.yaml.declared_shapes import (
    Kind,
    ListOf,
    NamesOf,
    Shape,
    omittable,
    optional,
    read_shape,
    required,
)
from duckpress.content.yaml.kinds import ANYTHING, MAPPING, NODE, NULL, TEXT, Named, by_name, choice, list_of, shape
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, quoted
from duckpress.content.yaml.yaml_file import read_yaml
from duckpress.core.language import CATEGORIES, OTHER, Forms, Speech, categories, phrase_key
from duckpress.core.problems import ProblemList, Read, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Game

_DIRECTIONS = ("ltr", "rtl")


class TextKeys(Shape):
    """A translation with the original it was made from."""

    of = optional(TEXT, None, "the original")
    is_ = required(TEXT, "the translation")


class PhraseKeys(Shape):
    """An entry of a phrase book that is a list."""

    of = required(TEXT, "the original")
    is_ = required(NODE, "the translation, with plural forms where they matter")


# What they hold is read where the original is known, which messages name.
TRANSLATION: Kind[Node] = Kind(NODE.read, takes=(TEXT, NULL, TextKeys), reads_null=True)
_PHRASES: Kind[Node] = Kind(NODE.read, takes=(NamesOf((ANYTHING,)), ListOf((PhraseKeys,)), NULL), reads_null=True)


class NoteTextKeys(Shape):
    """A note, found by its original subject."""

    subject = optional(TRANSLATION, None, "what it is about")
    choice = optional(TRANSLATION, None, "what was chosen")
    reason = optional(TRANSLATION, None, "why")
    question = optional(TRANSLATION, None, "what is still open")


class DeckTextKeys(Shape):
    """A deck."""

    title = optional(TRANSLATION, None, "what the deck is called")
    fields = optional(MAPPING, None, "what its fields are called, where that is otherwise in this deck")
    cards = optional(MAPPING, None, "texts by card and field")


class ColumnTextKeys(Shape):
    """A column of the setup table."""

    title = optional(TRANSLATION, None, "its heading")
    short = optional(TRANSLATION, None, "its heading where there is little room")


class VariantTextKeys(Shape):
    """A variant or module."""

    title = optional(TRANSLATION, None, "its name")
    about = optional(TRANSLATION, None, "what is different")
    table = optional(MAPPING, None, "its columns")


class SetupTextKeys(Shape):
    """The setup."""

    title = optional(TRANSLATION, None, "heads the setup table")
    table = optional(MAPPING, None, "columns by their names")
    variants = optional(MAPPING, None, "variants by their ids")
    modules = optional(MAPPING, None, "modules by their ids")
    notes = optional(_PHRASES, None, "sentences of the steps and below the table")


class TranslationKeys(Shape):
    """`lang/<code>.yaml` of a game."""

    title = optional(TRANSLATION, None, "name of the game")
    about = optional(TRANSLATION, None, "what the game is")
    licence = optional(TRANSLATION, None, "whose the game is")
    publisher = optional(TRANSLATION, None, "who publishes it")
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
    direction = omittable(choice(_DIRECTIONS), "which way the language is written, where its code does not say so")


class FirstWordsKeys(Shape):
    """`lang/<code>.yaml` of the language that a game is written in."""

    words = TranslationKeys.words
    direction = TranslationKeys.direction


class SharedWordsKeys(FirstWordsKeys):
    """`layouts/lang/<code>.yaml`."""

    fields = optional(by_name(TEXT), (), "what fields of many games are called")


class TranslatedText(NamedTuple):
    """A translation; `of` is its original at the time, None if it was not noted."""

    words: str
    of: str | None
    node: Scalar

    @property
    def source(self) -> Source:
        return self.node.source

    def is_stale(self, original: str) -> bool:
        # Line breaks and runs of blanks do not count.
        return self.of is not None and phrase_key(self.of) != phrase_key(original)


class Phrase(Struct, frozen=True):
    """A translation of a phrase book: its plural forms (`other` alone for most), the original, the original's place."""

    forms: Forms
    of: str
    source: Source
    node: Scalar


def read_text(node: Node, label: str) -> Read[TranslatedText | None]:
    """Return a translated text. Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`."""
    if isinstance(node, Mapping):
        written, problems = read_shape(node, TextKeys, label)
        scalar = node.entries["is"].value if written is not None and written.is_ else None
        if written is None or not isinstance(scalar, Scalar):
            return Read(None, problems)
        return Read(TranslatedText(written.is_, written.of, scalar), problems)
    text, problems = TEXT.read(node, label)
    return Read(TranslatedText(text, None, node) if text is not None and isinstance(node, Scalar) else None, problems)


def read_phrases(node: Node, label: str, plurals_of: str | None = None) -> Read[dict[str, Phrase]]:
    """Return a phrase book by the keys of its originals; `plurals_of` is the language of its plural forms.

    Problems: `wrong-type`, `empty-value`, `unknown-key`, `missing-key`, `repeated-key`; `unknown-plural` for a plural
    form that the language does not have.
    """
    problems = ProblemList()
    phrases: dict[str, Phrase] = {}
    for of, source, value in problems.take(_pairs(node, label)):
        forms = problems.take(_forms(value, f"the translation of {quoted(of)}", plurals_of))
        if forms is None:
            continue
        key = phrase_key(of)
        if key in phrases:
            what = f"{label} translates {quoted(of)} already, in line {phrases[key].source.line}"
            problems.add("repeated-key", source, what, "keep one of the two")
            continue
        phrases[key] = Phrase({name: text.text.rstrip("\n") for name, text in forms.items()}, of, source, forms[OTHER])
    return Read(phrases, problems)


def _pairs(node: Node, label: str) -> Read[Iterable[Named[Node]]]:
    """Return each original with its source and the node of its translation."""
    if not isinstance(node, Sequence):
        entries, problems = by_name(NODE, "the phrase").read(node, label)
        return Read(entries or (), problems)
    written, problems = list_of(shape(PhraseKeys)).read(node, label)
    complete = (entry for entry in written or () if entry.of and entry.has("is"))
    return Read([Named(entry.of, entry.at("of"), entry.is_) for entry in complete], problems)


def _forms(node: Node, label: str, plurals_of: str | None) -> Read[dict[str, Scalar] | None]:
    if not isinstance(node, Mapping) or plurals_of is None:
        text, wrong = TEXT.read(node, label)
        return Read({OTHER: node} if text is not None and isinstance(node, Scalar) else None, wrong)
    problems = ProblemList()
    known = categories(plurals_of)
    forms: dict[str, Scalar] = {}
    for name, (value, source) in node.entries.items():
        if name not in known:
            what = f"{label} has the plural form {quoted(name)}, which {plurals_of!r} does not have"
            is_category = name in CATEGORIES
            fix = f"its plural forms are {', '.join(known)}" if is_category else f"write {', '.join(known)}"
            problems.add("unknown-plural", source, what, fix)
        elif problems.take(TEXT.read(value, f"{name!r} of {label}")) is not None and isinstance(value, Scalar):
            forms[name] = value
    if OTHER not in forms:
        problems.add("missing-key", node.source, f"{label} has no plural form 'other'", "add 'other: ...'")
        return Read(None, problems)
    return Read(forms, problems)


def file_of(game: Game, language: str) -> str:
    return f"{game.folder}/lang/{language}.yaml"


def with_words(workspace: Workspace, game: Game) -> Read[Game]:
    """Return a game just read with the words of its first language."""
    problems = ProblemList()
    first = game.languages[0].code
    path = file_of(game, first)
    node = problems.take(read_file(workspace, path)) if workspace.has(path) else None
    speech, _ = problems.take(own_speech(workspace, node, first, is_original=True))
    if node is not None:
        problems.take(read_shape(node, FirstWordsKeys, "the words of the first language"))
    return Read(replace(game, speech=speech), problems)


def own_speech(
    workspace: Workspace, node: Node | None, language: str, *, is_original: bool
) -> Read[tuple[Speech, dict[str, Phrase]]]:
    """Return a game's language, and its own phrase book under `words:`; `node` is the file of its translation."""
    problems = ProblemList()
    words = problems.take(_own_words(node, language))
    speech = problems.take(speech_of(workspace, words, language, is_original=is_original))
    entry = node.entries.get("direction") if isinstance(node, Mapping) else None
    said = entry.value.text if entry is not None and isinstance(entry.value, Scalar) else ""
    return Read((replace(speech, direction=said if said in _DIRECTIONS else speech.direction), words), problems)


def _own_words(node: Node | None, language: str) -> Read[dict[str, Phrase]]:
    entry = node.entries.get("words") if isinstance(node, Mapping) else None
    return Read({}) if entry is None else read_phrases(entry.value, "'words'", language)


def speech_of(workspace: Workspace, words: Texts[str, Phrase], language: str, *, is_original: bool) -> Read[Speech]:
    """Return a language with a game's own words and the shared ones in `layouts/lang/`.

    The shared ones of the language come before those of the one it is a kind of.
    """
    problems = ProblemList()
    shared: dict[str, Forms] = {}
    fields: dict[str, str] = {}
    direction = ""
    for code in dict.fromkeys((language, language.partition("-")[0])):
        path = f"layouts/lang/{code}.yaml"
        try:
            files = workspace.read_all(path)
        except Refused as refused:
            problems.append(refused.problem(Source(path)))
            continue
        for data in files:
            node = problems.take(read_yaml(path, data))
            written = problems.take(read_shape(node, SharedWordsKeys, "the shared words")) if node is not None else None
            if written is None:
                continue
            direction = direction or written.direction or ""
            for key, phrase in problems.take(_own_words(node, language)).items():
                shared.setdefault(key, phrase.forms)
            for name, _, label in written.fields:
                fields.setdefault(name, label)
    own = {key: phrase.forms for key, phrase in words.items()}
    return Read(Speech(language, own, shared, is_original, fields, direction), problems)


def read_file(workspace: Workspace, path: str) -> Read[Node | None]:
    try:
        return read_yaml(path, workspace.read(path))
    except Refused as refused:
        return Read(None, [refused.problem(Source(path))])
