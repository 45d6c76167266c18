"""`game.yaml` -> what it says of the whole game: names, players, facts and lists, pieces, credits and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from duckpress.content.game.bundle_plan import read_bundle
from duckpress.content.game.ids import ID, check_id
from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Node, Scalar, Sequence
from duckpress.core.inks import INKS
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.model import RULES_TEXT, STOCKS, Accepted, BundlePlan, Credit, Language, Note, Piece

MAX_PLAYERS = 100
AUDIENCES = ("players", DESIGNER := "designer")
MIN_SCALE, MAX_SCALE = 0.25, 4.0
_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){1,3}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")
_SPAN = re.compile(r"([0-9]{1,4})\s*-\s*([0-9]{1,4})")
_FALLBACK_LANGUAGE = "en"
TAKEN = {"all": "the file with all pieces", "gang": "the file of pieces that share sheets"}
"""Ids that no piece may have: the program's own files have them in their names."""
_Record = TypeVar("_Record")


class WrittenPiece(NamedTuple):
    """A piece as written; its decks have not been looked up, and `deck_sources` says where each was named."""

    piece: Piece
    deck_sources: tuple[Source, ...]


class GameFile(Struct, frozen=True):
    """What `game.yaml` says."""

    title: str
    version: str
    designer: str
    publisher: str
    theme: str
    players: tuple[int, ...]
    languages: tuple[Language, ...]
    facts: Mapping[str, Any]
    lists: Mapping[str, Mapping[str, Mapping[str, Any]]]
    pieces: tuple[WrittenPiece, ...]
    notes: tuple[Note, ...]
    accepted: tuple[Accepted, ...]
    credits: tuple[Credit, ...]
    about: str
    licence: str
    source: Source
    sources: Mapping[str, Source]
    bring: tuple[str, ...] = ()
    has_booklet: bool = False
    has_cover: bool = False
    bundle: BundlePlan = field(default_factory=BundlePlan)


def read_game_file(id_: str, node: Node, problems: list[Problem]) -> GameFile | None:
    """Give what a game's own file says, or None where it is no mapping.

    Problems: those of `Reader`; `bad-version`, `bad-players`, `bad-language`, `bad-id`, `bad-name`, `duplicate-id`,
    `unknown-piece`, `no-decks`, `no-pieces`, `bad-text-piece`.
    """
    reader = Reader.of(node, "game.yaml", problems)
    if reader is None:
        return None
    theme = reader.text("theme", id_)
    languages = _read_languages(reader, problems)
    game = GameFile(
        title=reader.title("title"),
        version=_read_version(reader),
        designer=reader.title("designer", ""),
        publisher=reader.title("publisher", ""),
        theme=theme,
        players=_read_players(reader, problems),
        languages=languages,
        facts=_read_facts(reader),
        lists=_read_lists(reader, problems),
        pieces=_read_pieces(reader, theme, problems),
        notes=_records(reader, "notes", "the note", _note),
        accepted=_records(reader, "accept", "the accepted finding", _accepted),
        credits=_records(reader, "credits", "the credit", _credit),
        about=reader.text("about", ""),
        licence=reader.text("licence", ""),
        source=reader.source,
        sources=reader.sources(),
        bring=_few(reader, "bring", reader.texts("bring", ())),
        has_booklet=reader.yes_no("booklet", default=False),
        has_cover=reader.yes_no("cover", default=False),
        bundle=read_bundle(reader, languages, problems),
    )
    reader.finish()
    return game


def _records(reader: Reader, key: str, label: str, make: Callable[[Reader], _Record]) -> tuple[_Record, ...]:
    """Give a record for each mapping of a list."""
    records = []
    for item in reader.items(key):
        entry = Reader.of(item, label, reader.problems)
        if entry is not None:
            records.append(make(entry))
            entry.finish()
    return _few(reader, key, tuple(records))


def _few(reader: Reader, key: str, entries: tuple[_Record, ...]) -> tuple[_Record, ...]:
    """Give as many entries of a list as may be. Problem: `game-too-large`."""
    if len(entries) <= limit("game-entries"):
        return entries
    reader.problems.append(_too_many("game-entries", reader.at(key)))
    return entries[: limit("game-entries")]


def _note(entry: Reader) -> Note:
    question = entry.text("question", "")
    return Note(entry.text("subject"), entry.text("choice"), entry.text("reason"), entry.source, question)


def _accepted(entry: Reader) -> Accepted:
    players = entry.whole("players", low=1, high=MAX_PLAYERS, default=None)
    ink = entry.choice("ink", INKS, None)
    return Accepted(entry.text("code"), entry.text("reason"), entry.source, players, entry.text("variant", None), ink)


def _credit(entry: Reader) -> Credit:
    return Credit(entry.title("role"), entry.title("name"), entry.source)


def _read_version(reader: Reader) -> str:
    version = reader.text("version")
    if version and not _VERSION.fullmatch(version):
        what = f"the version {scalars.quoted(version)} is not made of numbers and points"
        reader.report("bad-version", "version", what, "write it as 0.3 or 1.0.2")
    return version


def _read_players(reader: Reader, problems: list[Problem]) -> tuple[int, ...]:
    """Give the player counts in rising order, from `2-6`, `10` or `[3, 4, 6]`."""
    node = reader.node("players")
    if isinstance(node, Sequence):
        found = [scalars.whole_of(item, "a player count", problems, 1, MAX_PLAYERS) for item in node.items]
        counts = sorted(count for count in found if count is not None)
        if len(set(counts)) < len(counts) or not found:
            reader.report("bad-players", "players", "the player counts are empty or name one twice", "write [3, 4, 6]")
        return tuple(dict.fromkeys(counts))
    text = reader.text("players").strip()
    span = _SPAN.fullmatch(text) or re.fullmatch(r"(?P<only>[0-9]{1,4})", text)
    if not text:
        return ()
    first, last = (int(span[1]), int(span[span.lastindex or 1])) if span else (0, 0)
    if not 1 <= first <= last <= MAX_PLAYERS:
        what = f"the players {scalars.quoted(text)} are no player count and no range of them"
        reader.report("bad-players", "players", what, f"write 2-6, 4 or [3, 4, 6]; at most {MAX_PLAYERS}")
        return ()
    return tuple(range(first, last + 1))


def _read_languages(reader: Reader, problems: list[Problem]) -> tuple[Language, ...]:
    languages: list[Language] = []
    for item in reader.items("languages"):
        code = scalars.text_of(item, "a language", problems)
        if code is None:
            continue
        if not _LANGUAGE.fullmatch(code):
            what = f"{scalars.quoted(code)} is no language code"
            problems.append(Problem("bad-language", item.source, what, "write it as en, fr or pt-BR"))
        elif any(code == language.code for language in languages):
            problems.append(Problem("duplicate-id", item.source, f"the language {code!r} is listed twice", "keep one"))
        elif len(languages) >= limit("game-languages"):
            problems.append(_too_many("game-languages", item.source))
            break
        else:
            languages.append(Language(code, item.source))
    return tuple(languages) or (Language(_FALLBACK_LANGUAGE, reader.source),)


def _too_many(name: str, source: Source) -> Problem:
    what = f"the game has more than {written(limit(name))} {LIMITS[name].unit}"
    return Problem("game-too-large", source, what, f"make several games of it; {how_to_raise(name)}")


def _read_facts(reader: Reader) -> dict[str, Any]:
    facts = reader.reader("facts")
    if facts is None:
        return {}
    return {key: scalars.plain_value(node) for key, node in facts.nodes()}


def _read_lists(reader: Reader, problems: list[Problem]) -> dict[str, dict[str, dict[str, Any]]]:
    """Give the lists: records by their keys, each with its key as `id`; a list of words is records with an id alone."""
    lists = reader.reader("lists")
    if lists is None:
        return {}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, node in lists.nodes():
        label = f"list {name!r}"
        if isinstance(node, Sequence):
            words = scalars.texts_of(node, label, problems) or ()
            found[name] = {word: {"id": word} for word in words}
        elif (records := Reader.of(node, label, problems)) is not None:
            found[name] = {key: _read_record(key, record, name, problems) for key, record in records.nodes()}
    return found


def _read_record(key: str, node: Node, name: str, problems: list[Problem]) -> dict[str, Any]:
    if isinstance(node, Scalar) and node.is_null:
        return {"id": key}
    if not isinstance(node, MappingNode):
        Reader.of(node, f"{key!r} of list {name!r}", problems)
        return {"id": key}
    own_id = node.entries.get("id")
    if own_id is not None:
        what = f"a record cannot have an 'id' of its own: {key!r} is its id"
        problems.append(Problem("bad-name", own_id.source, what, "delete it, or call it otherwise"))
    values = {word: scalars.plain_value(entry.value) for word, entry in node.entries.items() if word != "id"}
    return {"id": key} | values


def _read_pieces(reader: Reader, theme: str, problems: list[Problem]) -> tuple[WrittenPiece, ...]:
    items = reader.items("pieces", is_required=True)
    readers = [found for item in items if (found := Reader.of(item, "the piece", problems)) is not None]
    if not items and isinstance(reader.node("pieces"), Sequence):
        reader.report("no-pieces", "pieces", "the game has no pieces to print", "add '- {id:, title:, decks: []}'")
    pieces: list[WrittenPiece] = []
    stand_ins: list[tuple[Reader, Piece]] = []
    for entry in readers:
        if len(pieces) >= limit("game-pieces"):
            problems.append(_too_many("game-pieces", entry.source))
            break
        written = _read_piece(entry, theme, problems)
        id_, at = written.piece.id, entry.at("id")
        taken = next((other.piece for other in pieces if other.piece.id == id_), None)
        if taken is not None and id_:
            what = f"the piece id {id_!r} is taken already, in line {taken.source.line}"
            problems.append(Problem("duplicate-id", at, what, "give every piece an id of its own"))
            continue
        pieces.append(written)
        stand_ins.append((entry, written.piece))
    for entry, piece in stand_ins:
        others = [written.piece.id for written in pieces if written.piece.id != piece.id]
        if piece.instead_of is not None and piece.instead_of not in others:
            what = f"{entry.what} stands instead of {scalars.quoted(piece.instead_of)}, which is no other piece"
            fix = did_you_mean(piece.instead_of, others) or "delete 'instead_of'"
            problems.append(Problem("unknown-piece", entry.at("instead_of"), what, fix))
    return tuple(pieces)


def _read_piece(entry: Reader, theme: str, problems: list[Problem]) -> WrittenPiece:
    id_ = entry.text("id")
    if id_:
        entry.what = f"piece {id_!r}"
        check_id(id_, entry.at("id"), "the piece id", problems)
        if id_ in TAKEN:
            what = f"the piece id {id_!r} is taken by {TAKEN[id_]}, which is called so"
            problems.append(Problem("duplicate-id", entry.at("id"), what, "call the piece otherwise"))
    title = entry.title("title")
    own_theme = entry.text("theme", theme)
    theme_source = entry.at("theme") if entry.node("theme") is not None else None
    instead_of = entry.text("instead_of", None)
    scale = entry.number("scale", low=MIN_SCALE, high=MAX_SCALE, default=1.0)
    stock = entry.choice("stock", STOCKS, default="")
    is_for_designer = entry.choice("for", AUDIENCES, AUDIENCES[0]) == DESIGNER
    text = _read_text(entry, is_for_designer=is_for_designer)
    decks = entry.texts("decks") if text is None else ()
    node = entry.node("decks")
    if isinstance(node, Sequence) and not node.items:
        entry.report("no-decks", "decks", f"{entry.what} prints no deck", "name at least one: decks: [...]")
    sources = tuple(item.source for item in node.items) if isinstance(node, Sequence) else ()
    entry.finish()
    piece = Piece(
        id_, title, decks, own_theme, entry.source, instead_of, scale, book="sheet" if text else "", stock=stock,
        theme_source=theme_source, text=text or "", is_for_designer=is_for_designer,
    )  # fmt: skip
    return WrittenPiece(piece, sources if decks else ())


def _read_text(entry: Reader, *, is_for_designer: bool) -> str | None:
    """Return the name of the Markdown file that a piece is typeset from, without .md; None where it prints decks.

    Players' words stand in the rules: they are compared from version to version, and no other sheet is.
    Problem: `bad-text-piece`.
    """
    node = entry.node("text")
    if node is None:
        return None
    name = entry.text("text").strip()
    stem = name.removesuffix(".md")
    if not name.endswith(".md") or not ID.fullmatch(stem) or stem == RULES_TEXT:
        what = f"{entry.what} is typeset from {scalars.quoted(name)}"
        fix = "name a file beside game.yaml, of small letters, digits and '-', such as designer-notes.md"
        if stem == RULES_TEXT:
            fix = "delete the piece: rules.md is printed anyway"
        entry.report("bad-text-piece", "text", what, fix)
    elif entry.node("decks") is not None:
        what = f"{entry.what} has decks and a text"
        entry.report("bad-text-piece", "text", what, "make two pieces of it")
    elif not is_for_designer:
        what = f"{entry.what} is a text that is not for the designer"
        entry.report("bad-text-piece", "text", what, "add 'for: designer', or write players' words in rules.md")
    return stem
