"""Changes every number in a game's files, one at a time, and tells which changes no check notices.

A number is one that players count with: in `setup.yaml` every number outside of sentences, in `game.yaml` and the decks
every one whose change reaches the rules, which is not what only art and layouts see, nor sheets that are no components.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import pytest

from duckpress.check.all_findings import every_finding
from duckpress.check.geometry import geometry_checks
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game, loading, read_yaml
from duckpress.content.yaml.nodes import Node, Scalar, Sequence
from duckpress.core.problems import Level, Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.model import Deck, FieldKind, Game, Value

# A number that stands by itself: not in a word, a colour, a length or an id such as `set-3`.
NUMBER = re.compile(r"(?<![\w#.])(?<![A-Za-z]-)\d+(?![\w.])")
ASKED_LIST = re.compile(r"lists(?:\.|\[['\"])([\w -]+)")
COUNT = re.compile(r"\d+(?:-\d+)?")  # a key that is a player count or an id, not a name
# What is said, and what is asked of a game: bounds of odds and playouts are as wide as one likes, and no rule has them.
SENTENCES = frozenset({"title", "short", "note", "notes", "say", "fix", "about", "odds", "rounds"})


class Number(NamedTuple):
    """A number in a file: the text around it, where that begins, and which of the numbers in that it is."""

    source: Source
    text: str
    index: int
    digits: str

    def __str__(self) -> str:
        where = f"in {self.text!r}" if self.text != self.digits else "as it is"
        return f"{self.source}: {self.digits} ({where})"

    def changed(self, data: bytes, by: int) -> bytes:
        """Return the file with the number changed."""
        lines = data.decode().splitlines(keepends=True)
        text = "".join(lines)
        start = sum(map(len, lines[: self.source.line - 1])) + self.source.column - 1
        match = list(NUMBER.finditer(text, start))[self.index]
        assert match[0] == self.digits, self
        return f"{text[: match.start()]}{int(self.digits) + by}{text[match.end() :]}".encode()


def numbers_in(node: Node, sentences: frozenset[str] = frozenset()) -> Iterator[Number]:
    """Yield the numbers of a parsed file, in order; what stands under one of the keys of `sentences` is left out."""
    if isinstance(node, Scalar):
        for index, match in enumerate(NUMBER.finditer(node.text)):
            yield Number(node.source, node.text, index, match[0])
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from numbers_in(item, sentences)
    else:
        for key, entry in node.entries.items():
            if COUNT.fullmatch(key):
                yield from numbers_in(Scalar(key, True, entry.source))
            if key not in sentences:
                yield from numbers_in(entry.value, sentences)


class Changes:
    """A game whose files can be changed number by number."""

    def __init__(self, workspace: Workspace, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.workspace = workspace
        self.game_id = game_id
        self.setup_file = f"content/{game_id}/setup.yaml"
        self.files: dict[str, bytes] = {}  # as they were read
        self._changed: dict[str, bytes] = {}
        self._read = workspace.read
        monkeypatch.setattr(workspace, "read", self.read)
        # Files stay as they are, and where a shape can lie on a board depends on nothing else.
        for name in ("has", "files"):
            monkeypatch.setattr(workspace, name, cache(getattr(workspace, name)))
        parsed = cache(read_yaml)
        monkeypatch.setattr(loading, "read_yaml", lambda path, data, *_: parsed(path, data))
        monkeypatch.setattr(geometry_checks, "nearest_reach", cache(geometry_checks.nearest_reach))
        game, problems = load_game(workspace, game_id)
        assert game is not None, problems
        self.asked_lists = sorted(set(ASKED_LIST.findall(self.files[self.setup_file].decode())))
        self.before = essence([*problems, *every_finding(game)])
        self.effect = self.play_data(game)

    def read(self, path: str, *limits: str) -> bytes:
        """Return a file as it is now."""
        if path not in self.files:
            self.files[path] = self._read(path, *limits)
        return self._changed.get(path, self.files[path])

    def numbers(self) -> list[Number]:
        """Return the numbers of all the game's files."""
        found = []
        for path, data in self.files.items():
            if path.startswith(f"content/{self.game_id}/") and "/lang/" not in path and not path.endswith(".md"):
                node = read_yaml(path, data)[0]
                assert node is not None, f"{path}: the numbers of tables cannot be changed yet"
                found += numbers_in(node, SENTENCES if path == self.setup_file else frozenset())
        return found

    def unnoticed(self, number: Number) -> str | None:
        """Return the change of a number that nothing notices; None if both are noticed, or do not reach the rules."""
        file = number.source.file
        for by in (1, -1):
            self._changed = {file: number.changed(self.files[file], by)}
            game, problems = load_game(self.workspace, self.game_id)
            self._changed = {}
            if game is None or essence(problems) - self.before:
                continue
            if file != self.setup_file and self.play_data(game) == self.effect:
                return None
            if not essence(every_finding(game)) - self.before:
                return f"{number} -> {int(number.digits) + by}"
        return None

    def play_data(self, game: Game) -> tuple[object, ...]:
        """Return what the rules can see of a game beside its setup: all that players count with."""
        survey = Book(game, game.setup).survey if game.setup is not None else None
        decks = {deck.id: _counted(deck) for deck in game.decks.values() if deck.is_component}
        lists = [_wholes(game.lists.get(name)) for name in self.asked_lists]
        return game.players, game.facts, decks, lists, survey and (survey.plans, survey.shapes)


def _counted(deck: Deck) -> list[object]:
    """Return what players count with on the cards of a deck: copies, and whole numbers."""
    names = [name for name, field in deck.fields.items() if field.kind is FieldKind.WHOLE]
    return [(card.copies, [card.values.get(name) for name in names]) for card in deck.cards]


def _wholes(value: Value) -> object:
    """Return the whole numbers of a value, in its order."""
    if isinstance(value, dict):
        return {key: _wholes(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_wholes(item) for item in value]
    return value if isinstance(value, int) else None


def essence(problems: Iterable[Problem]) -> set[tuple[object, ...]]:
    """Return what problems say, and on which lines; a note is no finding."""
    return {(one.code, one.source[:2], one.what) for one in problems if one.level is not Level.NOTE}
