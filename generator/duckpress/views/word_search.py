"""Words -> every place in a game's texts where they stand: fields, rules, notes, setup, translations.

Case, accents, points of Hebrew and Arabic, kinds of quotes, line breaks and what is not seen make no difference.
Comments of YAML are no texts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from msgspec import Struct

from duckpress.core.problems import Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Card, Game, texts_in

_SUFFIXES = (".yaml", ".yml", ".md", ".csv")
_FOLDERS = ("", "/decks", "/boards", "/lang")
_LIKE = {
    "œ": "oe", "æ": "ae", "ß": "ss", "ø": "o", "ł": "l", "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "\u2011": "-", "…": "...", "׳": "'", "״": '"', "־": "-",
    **dict.fromkeys(map(chr, (0xAD, 0x640, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060)), ""),
    **dict.fromkeys("\u2066\u2067\u2068\u2069", ""),
}  # fmt: skip
"""Signs that are typed otherwise, and what is not seen: soft hyphens, joiners, marks of direction, a kashida."""
_BEFORE, _AFTER = 30, 60  # letters of context
_SLACK = 3  # lines


class Hit(Struct, frozen=True):
    """A place where words stand: what they stand in (`duck/teal, text`; empty where unknown), what is around them."""

    source: Source
    where: str
    context: str


class Folded(Struct, frozen=True):
    """A text as it is searched, and for each of its letters the place in the text itself."""

    text: str
    places: Sequence[int]


def fold(text: str) -> Folded:
    """Return a text without case, accents and line breaks."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if letter.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
                places.append(place)
            continue
        for plain in unicodedata.normalize("NFKD", letter.casefold()):
            if not unicodedata.combining(plain):
                for one in _LIKE.get(plain, plain):
                    letters.append(one)
                    places.append(place)
    return Folded("".join(letters), places)


def find_words(workspace: Workspace, game_id: str, game: Game | None, words: str) -> list[Hit]:
    """Return every place of a game where the words stand, by file and line; none for no words."""
    wanted = fold(words).text.strip()
    if not wanted:
        return []
    hits: list[Hit] = []
    written: dict[str, str] = {}
    for path in _files(workspace, game_id):
        try:
            text = workspace.read(path).decode("utf-8-sig", "replace").replace("\r\n", "\n")
        except Refused:
            continue
        written[path] = text
        hits += _in_file(path, text, wanted, game)
    if game is not None:
        hits += _in_cards(game, written, wanted)
    return sorted(set(hits), key=lambda hit: (hit.source.file, hit.source.line, hit.source.column, hit.where))


def _files(workspace: Workspace, game_id: str) -> list[str]:
    root = f"content/{game_id}"
    files = [path for folder in _FOLDERS for path in workspace.files(f"{root}{folder}", *_SUFFIXES)]
    return [path for path in files if not path.endswith("/theme.yaml")]


def _in_file(path: str, text: str, wanted: str, game: Game | None) -> Iterator[Hit]:
    searched = text
    if path.endswith((".yaml", ".yml")):
        searched = "\n".join(" " * len(line) if line.lstrip().startswith("#") else line for line in text.split("\n"))
    cards = _cards_of(path, game)
    for start, end in _places(searched, wanted):
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        where = next((name for at, name in reversed(cards) if at <= line), "")
        yield Hit(Source(path, line, column), where, _around(text, start, end))


def _places(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Yield where words that are folded stand in a text, from and to."""
    folded = fold(text)
    at = folded.text.find(wanted)
    while at >= 0:
        yield folded.places[at], folded.places[at + len(wanted) - 1] + 1
        at = folded.text.find(wanted, at + len(wanted))


def _cards_of(path: str, game: Game | None) -> list[tuple[int, str]]:
    """Return the cards that are written in a file, by their lines; families of cards have no name of their own."""
    if game is None:
        return []
    lines: dict[int, list[str]] = {}
    for deck in game.decks.values():
        for card in deck.cards:
            if card.source.file == path:
                lines.setdefault(card.source.line, []).append(f"{deck.id}/{card.id}")
    return sorted((line, names[0] if len(names) == 1 else names[0].partition("/")[0]) for line, names in lines.items())


def _in_cards(game: Game, written: dict[str, str], wanted: str) -> Iterator[Hit]:
    """Yield values that are written nowhere as they stand: those of families and of spreadsheets."""
    for deck in game.decks.values():
        for card in deck.cards:
            for name, value in card.values.items():
                for text in texts_in(value):
                    place = next(_places(text, wanted), None)
                    if place is not None and not _is_written(card, name, text, written, wanted):
                        yield Hit(card.at(name), f"{deck.id}/{card.id}, {name}", _around(text, *place))


def _is_written(card: Card, name: str, text: str, written: dict[str, str], wanted: str) -> bool:
    """Return whether a value stands in its file where the field is, so that it was found there."""
    source = card.at(name)
    lines = written.get(source.file, "").split("\n")
    start = max(0, source.line - 1)
    return wanted in fold("\n".join(lines[start : start + len(text) // 20 + _SLACK])).text


def _around(text: str, start: int, end: int) -> str:
    """Return what stands around a place in its own lines, cut at blanks where that is much."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    left, right = "", ""
    if start - first > _BEFORE:
        blank = text.find(" ", start - _BEFORE, start)
        first, left = (blank + 1 if blank >= 0 else start - _BEFORE), "…"
    if last - end > _AFTER:
        blank = text.rfind(" ", end, end + _AFTER)
        last, right = (blank if blank > end else end + _AFTER), "…"
    return " ".join(f"{left}{text[first:last]}{right}".split())
