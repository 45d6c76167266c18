"""The fixed words of a language: a game's own, and behind them those that games share.

Words are looked for in the game's own `lang/<code>.yaml`, then word by word in `layouts/lang/<code>.yaml`, the
workspace's before the bundled one. The first language may have a file as well, for the plural forms of its words.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from duckpress.content.translations.phrases import Phrase, read_phrases
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Node, read_yaml
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.language import Forms, Speech
from duckpress.model import Game


def file_of(game: Game, language: str) -> str:
    """Give the path of the file that holds a game's translation."""
    return f"{game.folder}/lang/{language}.yaml"


def with_words(workspace: Workspace, game: Game, problems: list[Problem]) -> Game:
    """Give a game just read with the words of its first language."""
    first = game.languages[0].code
    path = file_of(game, first)
    words: dict[str, Phrase] = {}
    if workspace.has(path) and (node := read_file(workspace, path, problems)) is not None:
        words = own_words(node, first, problems)
        reader = Reader.of(node, "the words of the first language", problems)
        if reader is not None:
            reader.node("words")
            reader.finish()
    return replace(game, speech=speech_of(workspace, words, first, is_original=True, problems=problems))


def own_words(node: Node | None, language: str, problems: list[Problem]) -> dict[str, Phrase]:
    """Give the phrase book under `words:` of a translation's file, with the plural forms of its language."""
    entry = node.entries.get("words") if isinstance(node, MappingNode) else None
    return {} if entry is None else read_phrases(entry.value, "'words'", problems, language)


def speech_of(
    workspace: Workspace, words: Mapping[str, Phrase], language: str, *, is_original: bool, problems: list[Problem]
) -> Speech:
    """Give a language with a game's own words and the shared ones."""
    own: dict[str, Forms] = {key: phrase.forms for key, phrase in words.items()}
    shared, fields = _shared_words(workspace, language, problems)
    return Speech(language, own, shared, is_original, fields)


def read_file(workspace: Workspace, path: str, problems: list[Problem]) -> Node | None:
    """Give the content of a YAML file, or None after reporting why there is none."""
    try:
        return read_yaml(path, workspace.read(path), problems)
    except Refused as refused:
        problems.append(refused.problem(Source(path)))
        return None


def _shared_words(
    workspace: Workspace, language: str, problems: list[Problem]
) -> tuple[dict[str, Forms], dict[str, str]]:
    """Give words and names of fields in `layouts/lang/`, of a language before those of the one it is a kind of."""
    found: dict[str, Forms] = {}
    fields: dict[str, str] = {}
    for code in dict.fromkeys((language, language.partition("-")[0])):
        path = f"layouts/lang/{code}.yaml"
        try:
            files = workspace.read_all(path)
        except Refused as refused:
            problems.append(refused.problem(Source(path)))
            continue
        for data in files:
            node = read_yaml(path, data, problems)
            reader = Reader.of(node, "the shared words", problems) if node is not None else None
            if reader is None:
                continue
            inner, names = reader.node("words"), reader.reader("fields")
            reader.finish()
            for key, phrase in (read_phrases(inner, "'words'", problems, language) if inner else {}).items():
                found.setdefault(key, phrase.forms)
            if names is not None:
                for name, _ in names.nodes():
                    fields.setdefault(name, names.text(name))
    return found, fields
