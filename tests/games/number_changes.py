"""Changes every number in a game's files, one at a time, and tells which changes no check notices.

A number is one that players count with. In `setup.yaml` that is every number outside of sentences; in `game.yaml` and
the decks it is every number whose change reaches the rules: the player counts, the facts, the copies of a card, a
`whole` field of a card, a board, its contents, a shape, a whole number of a list that the setup asks. What only art and
layouts see (places, colours, `number` fields, which are measures) reaches none of these, and neither do sheets that are
no components.

Files are parsed once; a change is made in the parsed nodes, and only what can depend on it is read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from duckpress.check import check_game
from duckpress.check.geometry import geometry_checks
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game, loading, read_yaml
from duckpress.content.game import deck_file
from duckpress.content.game.families import Data
from duckpress.content.setup.setup_file import read_setup
from duckpress.content.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from duckpress.core.problems import Level, Problem, Read, Source
from duckpress.files.workspace import Workspace
from duckpress.model import Deck, FieldKind, Game, Value
from duckpress.model.setup import Setup

# A number that stands by itself: not in a word, a colour, a length or an id such as `set-3`.
NUMBER = re.compile(r"(?<![\w#.])(?<![A-Za-z]-)\d+(?![\w.])")
ASKED_LIST = re.compile(r"lists(?:\.|\[['\"])([\w -]+)")
COUNT = re.compile(r"\d+(?:-\d+)?")  # a key that is a player count or an id, not a name
# What is said, and what is asked of a game: bounds of odds and playouts are as wide as one likes, and no rule has them.
SENTENCES = frozenset({"title", "short", "note", "notes", "say", "fix", "about", "odds", "rounds"})
Key = str | int


class Number(NamedTuple):
    """A number in a file: the container of its scalar, whether it is in a key, and where in the text it stands."""

    file: str
    source: Source
    container: Mapping | Sequence
    key: Key
    in_key: bool
    start: int
    text: str  # of the whole scalar
    digits: str

    def __str__(self) -> str:
        where = f"in {self.text!r}" if self.text != self.digits else "as it is"
        return f"{self.source}: {self.digits} ({where})"

    @contextmanager
    def changed(self, by: int) -> Iterator[None]:
        """Have the number stand there changed, for a while."""
        end = self.start + len(self.digits)
        text = f"{self.text[: self.start]}{int(self.digits) + by}{self.text[end:]}"
        if isinstance(self.container, Sequence):
            items, index = self.container.items, int(self.key)
            old = items[index]
            items[index] = _with_text(old, text)
            yield
            items[index] = old
            return
        entries = self.container.entries
        before = dict(entries)
        if self.in_key:
            renamed = [(text if key == self.key else key, entry) for key, entry in before.items()]
            entries.clear()
            entries.update(renamed)
        else:
            entry = entries[str(self.key)]
            entries[str(self.key)] = Entry(_with_text(entry.value, text), entry.source)
        yield
        entries.clear()
        entries.update(before)


def _with_text(node: Node, text: str) -> Scalar:
    assert isinstance(node, Scalar)
    return node._replace(text=text)


def numbers_in(file: str, node: Node, *, sentences: frozenset[str] = frozenset()) -> Iterator[Number]:
    """Yield the numbers of a parsed file, in order; what stands under one of the keys of `sentences` is left out."""
    if isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            if isinstance(item, Scalar):
                yield from _numbers(file, item.source, node, index, item.text, in_key=False)
            else:
                yield from numbers_in(file, item, sentences=sentences)
    elif isinstance(node, Mapping):
        for key, entry in node.entries.items():
            if COUNT.fullmatch(key):
                yield from _numbers(file, entry.source, node, key, key, in_key=True)
            if key in sentences:
                continue
            if isinstance(entry.value, Scalar):
                yield from _numbers(file, entry.value.source, node, key, entry.value.text, in_key=False)
            else:
                yield from numbers_in(file, entry.value, sentences=sentences)


def _numbers(
    file: str, source: Source, container: Mapping | Sequence, key: Key, text: str, *, in_key: bool
) -> Iterator[Number]:
    for match in NUMBER.finditer(text):
        yield Number(file, source, container, key, in_key, match.start(), text, match[0])


def words_of(node: Node) -> str:
    """Return all that is written in a parsed file, as one text."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return "\n".join(map(words_of, node.items))
    return "\n".join(f"{key}\n{words_of(entry.value)}" for key, entry in node.entries.items())


class Changes:
    """A game whose files can be changed number by number."""

    def __init__(self, workspace: Workspace, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.workspace = workspace
        self.game_id = game_id
        self.folder = f"content/{game_id}"
        self.nodes: dict[str, Node] = {}
        self._decks: dict[str, Deck | None] = {}
        self._words: dict[str, str] = {}  # of a deck's file, by its path
        self._data = Data({}, {})
        self._setup: Setup | None = None
        self._changed: str | None = None  # the file with a change in it
        # Files stay as they are, and where a shape can lie on a board depends on nothing else.
        for name in ("read", "has", "files"):
            monkeypatch.setattr(workspace, name, cache(getattr(workspace, name)))
        monkeypatch.setattr(geometry_checks, "nearest_reach", cache(geometry_checks.nearest_reach))
        monkeypatch.setattr(loading, "read_yaml", self._read_yaml)
        monkeypatch.setattr(loading, "read_deck", self._deck_reader(loading.read_deck))
        monkeypatch.setattr(deck_file, "read_table", self._no_table)
        monkeypatch.setattr(loading, "read_setup", self._read_setup)
        self.game, problems = self.load()
        self.setup_file = f"{self.folder}/setup.yaml"
        self.asked_lists = sorted(set(ASKED_LIST.findall(words_of(self.nodes[self.setup_file]))))
        self.before = {asked: self._found(self.game, *asked) for asked in self._asked(self.game)}
        self.before_loading = _essence(problems)
        self.effect = self.play_data(self.game)

    def load(self) -> tuple[Game, list[Problem]]:
        """Return the game as its nodes say now."""
        game, problems = load_game(self.workspace, self.game_id)
        assert game is not None, "\n".join(map(str, problems))
        return game, problems

    def _read_yaml(self, path: str, data: bytes, *_: object) -> Read[Node | None]:
        if path in self.nodes:
            return Read(self.nodes[path])
        node, problems = read_yaml(path, data)
        assert node is not None, path
        self.nodes[path] = node
        return Read(node, problems)

    def _read_setup(self, node: Node) -> Read[Setup | None]:
        """Read the setup once; a change in it does not come this way."""
        if self._setup is not None:
            return Read(self._setup)
        self._setup, problems = read_setup(node)
        return Read(self._setup, problems)

    def _no_table(self, path: str, *_: object) -> None:
        raise NotImplementedError(f"{path}: the numbers of tables cannot be changed yet; add them to `numbers`")

    def _deck_reader(self, read: Callable[..., Read[Deck | None]]) -> Callable[..., Read[Deck | None]]:
        def read_deck(id_: str, node: Node, data: Data, *others: object) -> Read[Deck | None]:
            """Read a deck again only where its own file is changed, or a fact or list that it mentions."""
            file = node.source.file
            if self._changed is None:
                self._data = data
                self._words[file] = words_of(node)
                self._decks[file], problems = read(id_, node, data, *others)
                return Read(self._decks[file], problems)
            if self._changed == file or any(name in self._words[file] for name in self._changed_data(data)):
                return read(id_, node, data, *others)
            return Read(self._decks[file])

        return read_deck

    def _changed_data(self, data: Data) -> Iterator[str]:
        """Yield the names of the facts and lists that are not what they were."""
        for now, before in ((data.facts, self._data.facts), (data.lists, self._data.lists)):
            yield from (name for name in {*now, *before} if now.get(name) != before.get(name))

    def numbers(self) -> list[Number]:
        """Return the numbers of all the game's files that are read as nodes."""
        found = []
        for path, node in self.nodes.items():
            if path == self.setup_file:
                found += list(numbers_in(path, node, sentences=SENTENCES))
            elif not path.startswith(f"{self.folder}/lang/"):
                found += list(numbers_in(path, node))
        return found

    def unnoticed(self, number: Number) -> str | None:
        """Return the change of a number that nothing notices; None if both are noticed, or do not reach the rules."""
        for by in (1, -1):
            self._changed = number.file
            try:
                with number.changed(by):
                    is_noticed = self._is_noticed(number)
            finally:
                self._changed = None
            if is_noticed is None:
                return None
            if not is_noticed:
                return f"{number} -> {int(number.digits) + by}"
        return None

    def _is_noticed(self, number: Number) -> bool | None:
        """Return whether a new finding comes up; None where the change does not reach the rules."""
        if number.file == self.setup_file:
            setup, problems = read_setup(self.nodes[self.setup_file])
            if problems or setup is None:
                return True
            game: Game | None = replace(self.game, setup=setup)
        else:
            game, found = load_game(self.workspace, self.game_id)
            if game is None or _essence(found) - self.before_loading:
                return True
            if self.play_data(game) == self.effect:
                return None
        assert game is not None
        return any(self._found(game, *asked) - self.before.get(asked, set()) for asked in self._asked(game, number.key))

    def _asked(self, game: Game, key: Key = "") -> list[tuple[int, str]]:
        """Return all player counts and variants, those first where a number is most likely to be noticed.

        What is found at one player count in one variant is also found when all are asked for at once.
        """
        counts = sorted(game.players, key=lambda count: str(count) != key)
        variants = ("base", *game.setup.variants) if game.setup is not None else ("base",)
        return [(count, variant) for variant in variants for count in counts]

    def _found(self, game: Game, players: int, variant: str) -> set[tuple[object, ...]]:
        return _essence(check_game(game, players, variant))

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


def _essence(problems: list[Problem]) -> set[tuple[object, ...]]:
    """Return what problems say; a note is no finding."""
    return {(one.code, one.source, one.what) for one in problems if one.level is not Level.NOTE}
