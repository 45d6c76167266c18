"""The fixed words of a language: a game's own, and behind them those that games share.

Words are looked for in the game's own `lang/<code>.yaml`, then word by word in `layouts/lang/<code>.yaml`, the
workspace's before the bundled one. The first language may have a file as well, for the plural forms of its words.
"""

from __future__ import annotations

from collections.abc import Mapping as Texts

from msgspec.structs import replace

from duckpress.content.translations.translation_keys import FirstWordsKeys, Phrase, SharedWordsKeys, read_phrases
from duckpress.content.yaml.declared_shapes import read_shape
from duckpress.content.yaml.nodes import Mapping, Node
from duckpress.content.yaml.yaml_file import read_yaml
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.language import Forms, Speech
from duckpress.model import Game


def file_of(game: Game, language: str) -> str:
    """Return the path of the file that holds a game's translation."""
    return f"{game.folder}/lang/{language}.yaml"


def with_words(workspace: Workspace, game: Game) -> Read[Game]:
    """Return a game just read with the words of its first language."""
    problems = ProblemList()
    first = game.languages[0].code
    path = file_of(game, first)
    words: dict[str, Phrase] = {}
    if workspace.has(path) and (node := problems.take(read_file(workspace, path))) is not None:
        words = problems.take(own_words(node, first))
        problems.take(read_shape(node, FirstWordsKeys, "the words of the first language"))
    speech = problems.take(speech_of(workspace, words, first, is_original=True))
    return Read(replace(game, speech=speech), problems)


def own_words(node: Node | None, language: str) -> Read[dict[str, Phrase]]:
    """Return the phrase book under `words:` of a translation's file, with the plural forms of its language."""
    entry = node.entries.get("words") if isinstance(node, Mapping) else None
    return Read({}) if entry is None else read_phrases(entry.value, "'words'", language)


def speech_of(workspace: Workspace, words: Texts[str, Phrase], language: str, *, is_original: bool) -> Read[Speech]:
    """Return a language with a game's own words and the shared ones in `layouts/lang/`.

    The shared ones of the language come before those of the one it is a kind of.
    """
    problems = ProblemList()
    shared: dict[str, Forms] = {}
    fields: dict[str, str] = {}
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
            for key, phrase in problems.take(own_words(node, language)).items():
                shared.setdefault(key, phrase.forms)
            for name, _, label in written.fields:
                fields.setdefault(name, label)
    own: dict[str, Forms] = {key: phrase.forms for key, phrase in words.items()}
    return Read(Speech(language, own, shared, is_original, fields), problems)


def read_file(workspace: Workspace, path: str) -> Read[Node | None]:
    """Return the content of a YAML file, None where there is none."""
    try:
        return read_yaml(path, workspace.read(path))
    except Refused as refused:
        return Read(None, [refused.problem(Source(path))])
