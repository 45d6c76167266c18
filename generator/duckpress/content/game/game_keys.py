"""What `game.yaml` may hold: its keys, and those of its pieces, credits, notes, accepted findings and its bundle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from duckpress.content.game.ids import ID, id_problem
from duckpress.content.yaml.declared_shapes import Kind, Shape, as_mapping, optional, required
from duckpress.content.yaml.kinds import (
    MAPPING,
    PLACED,
    TEXT,
    TEXTS,
    TITLE,
    YES_NO,
    Placed,
    by_name,
    choice,
    list_of,
    number,
    plain_value,
    shape,
    texts_of,
    whole,
)
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, quoted
from duckpress.core.inks import INKS
from duckpress.core.limits import LIMITS, how_to_raise, limit, written
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Problem, Source, did_you_mean
from duckpress.core.sizes import PAPERS, paper_named
from duckpress.model import RULES_TEXT, STOCKS, Value

MAX_PLAYERS = 100
AUDIENCES = ("players", DESIGNER := "designer")
BACKS = ("duplex", "gutterfold", "none")
TAKEN = {"all": "the file with all pieces", "gang": "the file of pieces that share sheets"}
"""Ids that no piece may have: the program's own files have them in their names."""
LIMITED = ("notes", "accept", "credits", "bring")
"""Lists of `game.yaml` that hold at most `game-entries`."""
FALLBACK_LANGUAGE = "en"
_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){1,3}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")
_SPAN = re.compile(r"([0-9]{1,4})(?:\s*-\s*([0-9]{1,4}))?")

Records = dict[str, dict[str, Value]]
"""A list of `game.yaml`: records by their keys, each with its key as `id`."""


def too_many(name: str, source: Source) -> Problem:
    """Return the problem of a game that has more of something than a limit allows."""
    what = f"the game has more than {written(limit(name))} {LIMITS[name].unit}"
    return Problem("game-too-large", source, what, f"make several games of it; {how_to_raise(name)}")


def _version(node: Node, label: str) -> Read[str | None]:
    version, problems = TEXT.read(node, label)
    if version is None or _VERSION.fullmatch(version):
        return Read(version, problems)
    what = f"the version {quoted(version)} is not made of numbers and points"
    return Read(version, [Problem("bad-version", node.source, what, "write it as 0.3 or 1.0.2")])


def _players(node: Node, label: str) -> Read[tuple[int, ...] | None]:
    """Return player counts in rising order, from `2-6`, `10` or `[3, 4, 6]`."""
    problems = ProblemList()
    if isinstance(node, Sequence):
        read = (problems.take(whole(1, MAX_PLAYERS).read(item, "a player count")) for item in node.items)
        counts = sorted(count for count in read if count is not None)
        if len(set(counts)) < len(counts) or not node.items:
            what = "the player counts are empty or name one twice"
            problems.add("bad-players", node.source, what, "write [3, 4, 6]")
        return Read(tuple(dict.fromkeys(counts)), problems)
    text = problems.take(TEXT.read(node, label))
    if text is None:
        return Read(None, problems)
    span = _SPAN.fullmatch(text.strip())
    first, last = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
    if not 1 <= first <= last <= MAX_PLAYERS:
        what = f"the players {quoted(text.strip())} are no player count and no range of them"
        problems.add("bad-players", node.source, what, f"write 2-6, 4 or [3, 4, 6]; at most {MAX_PLAYERS}")
        return Read(None, problems)
    return Read(tuple(range(first, last + 1)), problems)


def _languages(node: Node, label: str) -> Read[tuple[Placed, ...] | None]:
    problems = ProblemList()
    languages: dict[str, Placed] = {}
    for language in problems.take(list_of(PLACED, "a language").read(node, label)) or ():
        code, source = language
        if not _LANGUAGE.fullmatch(code):
            problems.add("bad-language", source, f"{quoted(code)} is no language code", "write it as en, fr or pt-BR")
        elif code in languages:
            problems.add("duplicate-id", source, f"the language {code!r} is listed twice", "keep one")
        elif len(languages) >= limit("game-languages"):
            problems.append(too_many("game-languages", source))
            break
        else:
            languages[code] = language
    return Read(tuple(languages.values()), problems)


def _paper(node: Node, label: str) -> Read[str | None]:
    text, problems = TEXT.read(node, label)
    if text is None or paper_named(text) is not None:
        return Read(text, problems)
    what = f"{label} is {quoted(text)}, which is no paper"
    fix = did_you_mean(text, PAPERS) or "name one of the papers, or a size such as 320x450mm"
    return Read(None, [Problem("unknown-choice", node.source, what, fix)])


def _records(node: Node, label: str) -> Read[Records | None]:
    """Return records by their keys; a list of words is records with an id alone."""
    problems = ProblemList()
    if isinstance(node, Sequence):
        return Read({word: {"id": word} for word in problems.take(texts_of(node, label)) or ()}, problems)
    mapping = problems.take(as_mapping(node, label))
    if mapping is None:
        return Read(None, problems)
    records: Records = {}
    for key, (record, _) in mapping.entries.items():
        records[key] = {"id": key}
        if isinstance(record, Scalar) and record.is_null:
            continue
        entries = problems.take(as_mapping(record, f"{key!r} of {label}"))
        for word, (value, source) in entries.entries.items() if entries is not None else ():
            if word == "id":
                what = f"a record cannot have an 'id' of its own: {key!r} is its id"
                problems.add("bad-name", source, what, "delete it, or call it otherwise")
            else:
                records[key][word] = plain_value(value)
    return Read(records, problems)


_VERSIONS: Kind[str] = Kind(_version, "", is_scalar=True)
_PLAYER_COUNTS: Kind[tuple[int, ...]] = Kind(_players, (), is_scalar=True)
_LANGUAGES: Kind[tuple[Placed, ...]] = Kind(_languages, ())
_PAPER: Kind[str] = Kind(_paper, "")
_LIST: Kind[Records] = Kind(_records, {})
_NOTHING: Kind[tuple[str, ...]] = Kind(lambda *_: Read(()), ())


class PieceKeys(Shape):
    """A piece: cards that are printed together, one PDF for each paper."""

    id = required(TEXT, "its id; part of the file's name")
    title = required(TITLE, "what it is called")
    theme = optional(TEXT, None, "a theme of its own")
    instead_of = optional(TEXT, None, "id of the piece it stands for")
    scale = optional(number(0.25, 4.0), 1.0, "how many times as large as its decks say it is printed")
    stock = optional(choice(STOCKS), "", "what to print it on; without it as its decks suggest")
    for_ = optional(choice(AUDIENCES), AUDIENCES[0], "designer: printed only where it is asked for by name")
    decks = required(TEXTS, "ids of its decks")
    text = optional(TEXT, "", "a Markdown file it is typeset from, in place of decks")

    @classmethod
    def form(cls, node: Mapping, _what: str) -> type[PieceKeys]:
        return TextPieceKeys if "text" in node.entries else PieceKeys

    @classmethod
    def called(cls, node: Mapping, what: str) -> str:
        id_ = node.entries["id"].value if "id" in node.entries else None
        text = id_.text.rstrip("\n") if isinstance(id_, Scalar) and not id_.is_null else ""
        return f"piece {text!r}" if text.strip() else what

    def check(self) -> Iterator[Problem]:
        if self.id and (problem := id_problem(self.id, self.at("id"), "the piece id")) is not None:
            yield problem
        if self.id in TAKEN:
            what = f"the piece id {self.id!r} is taken by {TAKEN[self.id]}, which is called so"
            yield Problem("duplicate-id", self.at("id"), what, "call the piece otherwise")
        if self.deck_nodes == []:
            fix = "name at least one: decks: [...]"
            yield Problem("no-decks", self.at("decks"), f"{self.what} prints no deck", fix)

    @property
    def deck_nodes(self) -> list[Node] | None:
        """The list of its decks as it is written, None where there is none."""
        entry = self.node.entries.get("decks")
        return entry.value.items if entry is not None and isinstance(entry.value, Sequence) else None


class TextPieceKeys(PieceKeys):
    """A piece that is typeset from a text.

    Players' words stand in the rules: they are compared from version to version, and no other sheet is.
    """

    text = required(TEXT, PieceKeys.text.about)
    decks = optional(_NOTHING, (), "none, where it has a text")

    def check(self) -> Iterator[Problem]:
        yield from super().check()
        name = self.text.strip()
        stem = name.removesuffix(".md")
        what = fix = ""
        if not name.endswith(".md") or not ID.fullmatch(stem) or stem == RULES_TEXT:
            what = f"{self.what} is typeset from {quoted(name)}"
            fix = "name a file beside game.yaml, of small letters, digits and '-', such as designer-notes.md"
            if stem == RULES_TEXT:
                fix = "delete the piece: rules.md is printed anyway"
        elif self.has("decks"):
            what, fix = f"{self.what} has decks and a text", "make two pieces of it"
        elif self.for_ != DESIGNER:
            what = f"{self.what} is a text that is not for the designer"
            fix = "add 'for: designer', or write players' words in rules.md"
        if what:
            yield Problem("bad-text-piece", self.at("text"), what, fix)


class NoteKeys(Shape):
    """A note: a choice that the designer should see."""

    subject = required(TEXT, "what it is about")
    choice = required(TEXT, "what you chose")
    reason = required(TEXT, "why")
    question = optional(TEXT, "", "what is still open, as you would ask it")


class AcceptKeys(Shape):
    """A finding that the game lives with."""

    code = required(TEXT, "code of the finding, as `duckpress check` shows it in brackets")
    reason = required(TEXT, "why you live with it")
    players = optional(whole(1, MAX_PLAYERS), None, "only at this player count")
    variant = optional(TEXT, None, "only in this variant")
    ink = optional(choice(INKS), None, "only in this ink")


class CreditKeys(Shape):
    """Who did what."""

    role = required(TITLE, "what was done")
    name = required(TITLE, "by whom")


class BundleKeys(Shape):
    """What a bundle for testers holds."""

    papers = optional(list_of(_PAPER), (), "papers, each with a folder of its own")
    backs = optional(list_of(choice(BACKS)), (), "where the backs are")
    inks = optional(list_of(choice(INKS)), (), "inks")
    languages = optional(list_of(PLACED), (), "codes of the game's languages")
    feedback = optional(YES_NO, True, "whether a game without a feedback form of its own gets one")


class GameKeys(Shape):
    """`game.yaml`."""

    title = required(TITLE, "name of the game")
    version = required(_VERSIONS, "numbers and points; it is printed on every sheet")
    designer = optional(TITLE, "", "who made it")
    publisher = optional(TITLE, "", "who publishes it")
    theme = optional(TEXT, None, "name of the theme; the game's id without it")
    players = required(_PLAYER_COUNTS, f"player counts: 2-6, 4 or [3, 4, 6]; at most {MAX_PLAYERS}")
    languages = optional(_LANGUAGES, (), "codes of the languages it is written in and translated into")
    facts = optional(MAPPING, None, "numbers and texts that are used in several places")
    lists = optional(by_name(_LIST, "list"), (), "named lists of records, for families and layouts")
    pieces = required(list_of(shape(PieceKeys), "the piece"), "what is printed, in this order")
    notes = optional(list_of(shape(NoteKeys), "the note"), (), "what you chose where the rules leave it open")
    accept = optional(list_of(shape(AcceptKeys), "the accepted finding"), (), "findings you live with")
    credits = optional(list_of(shape(CreditKeys), "the credit"), (), "who did what")
    about = optional(TEXT, "", "what the game is, in a paragraph")
    licence = optional(TEXT, "", "whose the game is, and what prints may be used for")
    bring = optional(TEXTS, (), "what players supply themselves")
    booklet = optional(YES_NO, False, "whether the rules are printed as a folded booklet too")
    cover = optional(YES_NO, False, "whether the file with everything begins with a cover sheet")
    bundle = optional(shape(BundleKeys), None, "what a bundle for testers holds")

    def check(self) -> Iterable[Problem]:
        for key in LIMITED:
            if len(self.values[key]) > limit("game-entries"):
                yield too_many("game-entries", self.at(key))
        if self.has("pieces") and self.pieces == () and "pieces" not in self.wrong:
            fix = "add '- {id:, title:, decks: []}'"
            yield Problem("no-pieces", self.at("pieces"), "the game has no pieces to print", fix)
        codes = [code for code, _ in self.languages] or [FALLBACK_LANGUAGE]
        for code, source in self.bundle.languages if self.bundle is not None else ():
            if code not in codes:
                label = f"an entry of 'languages' of 'bundle' of {self.what}"
                what = f"{label} is {quoted(code)}, which is not one of its choices"
                yield Problem("unknown-choice", source, what, did_you_mean(code, codes))
