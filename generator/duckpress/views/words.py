"""Words of cards and games: a card's name and texts, and every place in a game's texts that has given words.

What a card says has no marks: it is for lists of cards, search and what hovers over a card. For a search case, accents,
points of Hebrew and Arabic, kinds of quotes, line breaks and what is not seen make no difference. Comments of YAML are
no texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.frame import Frame, Text, every_item
from duckpress.core.problems import Source
from duckpress.expressions.budget import as_written
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Card, Deck, FieldKind, Game, Value, texts_in
from duckpress.text.markup import BREAK, ICON, Token, parse_markup

_NO_LETTERS = re.compile(r"[\W_]+")
_NO_ASCII_LETTERS = dict.fromkeys(code for code in range(128) if not chr(code).isalnum())
_NUMBER = re.compile(r"\d+$")
_TOUCHING_MM = 0.01
_FEW = 4  # letters of a text that may stand in any other word by chance


def card_words(card: Card, deck: Deck, nameless: str = "") -> tuple[str, str]:
    """Return a card's name, which is its first text (`nameless` or its id without one), and its other texts."""
    texts = [_words(tokens) for tokens in _texts(card, deck)]
    return _named([words for words in texts if words], nameless or card.id.replace("-", " ").capitalize())


def seen_words(card: Card, deck: Deck, game: Game, front: Frame) -> tuple[str, str]:
    """Return a card's name and its other texts, only texts on its front.

    Where a value is the id of an entry in a list of the game, the entry's texts are meant. An icon is said in the
    game's language, unless the word before it says so already; one that the language has no word for is left out. A
    card without texts is called as its deck, with the number that its id ends in.
    """
    items = _touching(item for item in every_item(front.items) if isinstance(item, Text))
    stands, alone = letters_of("".join(items)), {letters_of(word) for text in items for word in text.split()}
    entries = {id_: entry for entries in game.lists.values() for id_, entry in entries.items()}
    texts: list[str] = []
    for tokens in _texts(card, deck, entries):
        runs = [letters_of(run) for what, run in tokens if what not in (ICON, BREAK)]
        words = _words([_icon_in_words(tokens, number, game) for number in range(len(tokens))])
        is_seen = all(run in (stands if len(run) >= _FEW else alone) for run in runs if run)
        is_new = not texts or letters_of(words) not in letters_of(texts[0])
        if words and is_seen and is_new:
            texts.append(words[:1].upper() + words[1:] if not texts else words)
    number = _NUMBER.search(card.id)
    numbered = f"{deck.title} {number[0]}" if number is not None else card.id.replace("-", " ").capitalize()
    return _named(texts, deck.title if len(deck.cards) == 1 else numbered)


def _touching(items: Iterable[Text]) -> list[str]:
    """Return texts, joined if they touch: Arabic marks and bold letters split a word into several."""
    texts: list[str] = []
    before: Text | None = None
    for item in items:
        if not letters_of(item.text):
            continue
        if before is not None and item.y_mm == before.y_mm and _gap_mm(before, item) < _TOUCHING_MM:
            texts[-1] += item.text
        else:
            texts.append(item.text)
        before = item
    return texts


def _gap_mm(one: Text, other: Text) -> float:
    return min(abs(one.x_mm + one.width_mm - other.x_mm), abs(other.x_mm + other.width_mm - one.x_mm))


def _named(texts: list[str], nameless: str) -> tuple[str, str]:
    return texts[0] if texts else nameless, "\n".join(texts[1:])


def _texts(card: Card, deck: Deck, entries: Mapping[str, Mapping[str, Value]] | None = None) -> Iterator[list[Token]]:
    """Yield each text of a card as tokens; for an entry's id the entry's texts."""
    given = card.values.items()
    values = {name: str(as_written(value)) for name, value in given if not isinstance(value, tuple | Mapping)}
    for field in deck.fields.values():
        value = card.values.get(field.name)
        if field.kind is FieldKind.TEXT and isinstance(value, str):
            meant = entries[value].values() if entries is not None and value in entries else (value,)
            for text in meant:
                if isinstance(text, str):
                    blocks = parse_markup(text, values, [])
                    yield [token for block in blocks for token in (*block.tokens, (BREAK, ""))]


def _icon_in_words(tokens: list[Token], number: int, game: Game) -> Token:
    """Return a token with its icon in words; a break if the icon adds nothing."""
    what, text = tokens[number]
    if what != ICON:
        return tokens[number]
    words = game.speech.t(text)
    if words == text and not game.speech.is_original:
        words = ""
    last = letters_of("".join("".join(run for kind, run in tokens[:number] if kind not in (ICON, BREAK)).split()[-1:]))
    return (BREAK, "") if not words or last.startswith(letters_of(words)) else (ICON, words)


def _words(tokens: list[Token]) -> str:
    said = {ICON: " {} ", BREAK: " "}
    runs = (said.get(what, "{}").format(text.replace("-", " ") if what == ICON else text) for what, text in tokens)
    words = " ".join("".join(runs).split())
    return re.sub(r" (?=[.,)])", "", words)


@lru_cache(maxsize=4096)  # words recur
def letters_of(text: str) -> str:
    """Return a text without case, blanks, hyphens and other signs: line breaks make no difference."""
    if text.isascii():  # most are, and that takes a third of the time
        return text.casefold().translate(_NO_ASCII_LETTERS)
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", text).casefold())


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
    """A place with the words: the card and field (`duck/teal, text`; empty if unknown), and the context."""

    source: Source
    where: str
    context: str


class Folded(Struct, frozen=True):
    """A text normalised for searching, and the place of each of its letters in the original."""

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
    """Return every place of a game with the words, by file and line; none for no words."""
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
    """Yield the start and end of each place in a text where the wanted words stand; `wanted` is folded."""
    folded = fold(text)
    at = folded.text.find(wanted)
    while at >= 0:
        yield folded.places[at], folded.places[at + len(wanted) - 1] + 1
        at = folded.text.find(wanted, at + len(wanted))


def _cards_of(path: str, game: Game | None) -> list[tuple[int, str]]:
    """Return the cards written in a file, by their lines; families of cards have no name of their own."""
    if game is None:
        return []
    lines: dict[int, list[str]] = {}
    for deck in game.decks.values():
        for card in deck.cards:
            if card.source.file == path:
                lines.setdefault(card.source.line, []).append(f"{deck.id}/{card.id}")
    return sorted((line, names[0] if len(names) == 1 else names[0].partition("/")[0]) for line, names in lines.items())


def _in_cards(game: Game, written: dict[str, str], wanted: str) -> Iterator[Hit]:
    """Yield hits in values that are in no file literally: those of families and of spreadsheets."""
    for deck in game.decks.values():
        for card in deck.cards:
            for name, value in card.values.items():
                for text in texts_in(value):
                    place = next(_places(text, wanted), None)
                    if place is not None and not _is_written(card, name, text, written, wanted):
                        yield Hit(card.at(name), f"{deck.id}/{card.id}, {name}", _around(text, *place))


def _is_written(card: Card, name: str, text: str, written: dict[str, str], wanted: str) -> bool:
    """Return whether a value is literally in its file, so that it was found there."""
    source = card.at(name)
    lines = written.get(source.file, "").split("\n")
    start = max(0, source.line - 1)
    return wanted in fold("\n".join(lines[start : start + len(text) // 20 + _SLACK])).text


def _around(text: str, start: int, end: int) -> str:
    """Return the context of a place in its line, cut at blanks if it is long."""
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
