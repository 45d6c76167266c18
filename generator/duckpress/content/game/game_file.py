"""`game.yaml` -> its keys and the facts about the whole game: names, players, facts and lists, notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from duckpress.content.game.fields import FIELDS
from duckpress.content.game.pieces import PieceKeys, too_many, without_doubles
from duckpress.content.setup.step_section import EXPRESSION, in_parts, read_expression
from duckpress.content.yaml.declared_shapes import (
    Key,
    Kind,
    ListOf,
    NamesOf,
    Plain,
    Shape,
    as_mapping,
    optional,
    read_shape,
    required,
)
from duckpress.content.yaml.kinds import (
    MAPPING,
    NULL,
    PLACED,
    PLAIN,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    TITLE,
    YES_NO,
    by_name,
    choice,
    list_of,
    made,
    named,
    plain_value,
    record,
    shape,
    texts_of,
    whole,
)
from duckpress.content.yaml.nodes import Node, Scalar, Sequence, quoted
from duckpress.core.backs import FINISHES, INKS, WITH_FRONTS, Backs
from duckpress.core.limits import limit
from duckpress.core.problems import Problem, ProblemList, Read, Source, did_you_mean
from duckpress.core.sizes import PAPERS, paper_named
from duckpress.model import Accepted, BundlePlan, Credit, Field, Game, Language, Note, Value
from duckpress.model.game import DrawnPart, EditionPlan, FilledField, MarkPlan
from duckpress.model.setup import MOST_PLAYERS

LIMITED = ("notes", "accept", "credits", "bring")
"""Lists of `game.yaml` that hold at most `game-entries`."""
FALLBACK_LANGUAGE = "en"
_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){1,3}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")
_ADDRESS = re.compile(r"https?://[^\s{}]+(?:\{code\}[^\s{}]*)?", re.IGNORECASE)
_COUNT, _PLAYERS = whole(1, 100_000), whole(1, MOST_PLAYERS)
_SPAN = re.compile(r"([0-9]{1,4})(?:\s*(?:-|\.\.)\s*([0-9]{1,4}))?")

Records = dict[str, dict[str, Value]]
"""A list of `game.yaml`: records by their keys, each with its key as `id`."""


def _version(node: Node, label: str) -> Read[str | None]:
    version, problems = TEXT.read(node, label)
    if version is None or _VERSION.fullmatch(version):
        return Read(version, problems)
    what = f"the version {quoted(version)} is not made of numbers and points"
    return Read(version, [Problem("bad-version", node.source, what, "write it as 0.3 or 1.0.2")])


def _address(node: Node, label: str) -> Read[str | None]:
    address, problems = TEXT.read(node, label)
    if address is None or _ADDRESS.fullmatch(address):
        return Read(address, problems)
    what = f"{label} is {quoted(address)}, which is no address that a phone opens"
    return Read(None, [Problem("bad-report", node.source, what, "write it as https://example.org/report?card={code}")])


def _players(node: Node, label: str) -> Read[tuple[int, ...] | None]:
    """Return player counts in rising order, from `2-6` (or `2..6`), `10` or `[3, 4, 6]`."""
    problems = ProblemList()
    if isinstance(node, Sequence):
        read = (problems.take(_PLAYERS.read(item, "a player count")) for item in node.items)
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
    if not 1 <= first <= last <= MOST_PLAYERS:
        what = f"the players {quoted(text.strip())} are no player count and no range of them"
        problems.add("bad-players", node.source, what, f"write 2-6, 4 or [3, 4, 6]; at most {MOST_PLAYERS}")
        return Read(None, problems)
    return Read(tuple(range(first, last + 1)), problems)


def _languages(node: Node, label: str) -> Read[tuple[Language, ...] | None]:
    problems = ProblemList()
    languages: dict[str, Language] = {}
    for code, source in problems.take(list_of(PLACED, "a language").read(node, label)) or ():
        if not _LANGUAGE.fullmatch(code):
            problems.add("bad-language", source, f"{quoted(code)} is no language code", "write it as en, fr or pt-BR")
        elif code in languages:
            problems.add("duplicate-id", source, f"the language {code!r} is listed twice", "keep one")
        elif len(languages) >= limit("game-languages"):
            problems.append(too_many("game-languages", source))
            break
        else:
            languages[code] = Language(code, source)
    return Read(tuple(languages.values()), problems)


def _paper(node: Node, label: str) -> Read[str | None]:
    text, problems = TEXT.read(node, label)
    paper = paper_named(text or "")
    if text is None or paper is not None:
        return Read(paper and paper.name, problems)
    what = f"{label} is {quoted(text)}, which is no paper"
    fix = did_you_mean(text, PAPERS) or "name one of the papers, or a size such as 320x450mm"
    return Read(None, [Problem("unknown-choice", node.source, what, fix)])


def _records(node: Node, label: str) -> Read[Records | None]:
    """Return records by their keys; each word of a plain list becomes a record with only an id."""
    problems = ProblemList()
    if isinstance(node, Sequence):
        return Read({word: {"id": word} for word in problems.take(texts_of(node, label)) or ()}, problems)
    mapping = problems.take(as_mapping(node, label))
    if mapping is None:
        return Read(None, problems)
    records: Records = {}
    for key, (fields, _) in mapping.entries.items():
        records[key] = {"id": key}
        if isinstance(fields, Scalar) and fields.is_null:
            continue
        entries = problems.take(as_mapping(fields, f"{key!r} of {label}"))
        for word, (value, source) in entries.entries.items() if entries is not None else ():
            if word == "id":
                what = f"a record cannot have an 'id' of its own: {key!r} is its id"
                problems.add("bad-name", source, what, "delete it, or call it otherwise")
            else:
                records[key][word] = plain_value(value)
    return Read(records, problems)


_VERSIONS: Kind[str] = Kind(_version, "", takes=(Plain(("string", "number"), f"^{_VERSION.pattern}$"),), is_scalar=True)
_REPORT: Kind[str] = Kind(_address, "", takes=(Plain(("string",), "^[Hh][Tt][Tt][Pp]"),), is_scalar=True)
_PLAYER_COUNTS: Kind[tuple[int, ...]] = Kind(
    _players,
    (),
    takes=(_PLAYERS, Plain(("string",), rf"^\s*{_SPAN.pattern}\s*$"), ListOf((_PLAYERS,), 1)),
    is_scalar=True,
)
_LANGUAGES: Kind[tuple[Language, ...]] = Kind(
    _languages, (), takes=(ListOf((Plain(("string", "boolean"), f"^{_LANGUAGE.pattern}$"),)),)
)
_PAPER: Kind[str] = Kind(_paper, "", takes=(choice(PAPERS), Plain(("string",), r"^\s*\d")))
_LIST: Kind[Records] = Kind(_records, {}, takes=(ListOf((TEXT,)), NamesOf((MAPPING, NULL))))


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
    players = optional(_PLAYERS, None, "only at this player count")
    variant = optional(TEXT, None, "only in this variant")
    ink = optional(choice(INKS), None, "only in this ink")


class CreditKeys(Shape):
    """Who did what."""

    role = required(TITLE, "what was done")
    name = required(TITLE, "by whom")


class BundleKeys(Shape):
    """What a bundle for testers holds."""

    papers = optional(list_of(_PAPER), (), "papers, each with a folder of its own")
    backs = optional(list_of(choice(WITH_FRONTS)), (), "where the backs are")
    inks = optional(list_of(choice(INKS)), (), "inks")
    languages = optional(list_of(PLACED), (), "codes of the game's languages")
    feedback = optional(YES_NO, True, "whether a game without a feedback form of its own gets one")
    preview = optional(YES_NO, False, "whether the page of all cards for a browser is in it")


class DrawKeys(Shape):
    """Cards that are drawn of a deck, in full."""

    where = optional(EXPRESSION, None, "only of the cards for which this is true")
    count = required(_COUNT, "how many are drawn")


def _drawn(_deck: str, source: Source, written: int | DrawKeys) -> DrawnPart:
    return (
        written.as_record(DrawnPart, source=source)
        if isinstance(written, DrawKeys)
        else DrawnPart(written, None, source)
    )


_DRAWS = in_parts(_COUNT, DrawKeys, _drawn, ("the number of cards", "'deal'", "write how many are drawn"))


def _fields(node: Node, label: str) -> Read[tuple[FilledField, ...] | None]:
    """Return the fields that each copy fills in, by deck."""
    problems = ProblemList()
    mapping = problems.take(as_mapping(node, label))
    filled = []
    for deck, (inner, _) in mapping.entries.items() if mapping is not None else ():
        entries = problems.take(as_mapping(inner, f"{deck!r} of {label}"))
        for name, (value, _) in entries.entries.items() if entries is not None else ():
            text = problems.take(read_expression(value, f"field {name!r} of deck {deck!r}"))
            filled += [FilledField(deck, name, text)] if text is not None else []
    return Read(tuple(filled), problems)


_FILLED: Kind[tuple[FilledField, ...]] = Kind(_fields, (), takes=(NamesOf((NamesOf((PLAIN,)),)),))
_NAMES: Kind[dict[str, tuple[str, ...]]] = named(TEXT_OR_TEXTS, "the name", lambda _name, _source, words: words)


class MarkKeys(Shape):
    """How the sheets of a copy say which one it is."""

    name = optional(EXPRESSION, None, "what stands behind the copy's number, with {{ expressions }}")
    has_line = optional(YES_NO, True, "whether a line in the margin says which copy it is", name="line")
    dots = optional(YES_NO, False, "dots are no longer printed: only 'no' is read, for games of earlier versions")

    def check(self) -> Iterator[Problem]:
        if self.dots:
            what = f"{self.what} asks for 'dots', which are no longer printed"
            yield Problem("unknown-key", self.at("dots"), what, "delete 'dots'")


class EditionKeys(Shape):
    """What differs between the copies of an edition."""

    columns: Key[dict[str, Field]] = optional(FIELDS, {}, "columns of the table of people, written as fields of a deck")
    draws: Key[dict[str, tuple[DrawnPart, ...]]] = optional(
        _DRAWS, {}, "deck -> how many of its cards each copy has, drawn at random", name="deal"
    )
    apart = optional(whole(0), 0, "in how many cards any two copies differ at least; 1: no two are alike")
    names: Key[dict[str, tuple[str, ...]]] = optional(
        _NAMES, {}, "names made by chance: a list of game.yaml, or several, of which each gives a word"
    )
    fields = optional(_FILLED, (), "deck -> field -> what each copy has there, with {{ expressions }}")

    marks = optional(record(MarkKeys, MarkPlan), None, "how the sheets of a copy say which one it is")

    def check(self) -> Iterator[Problem]:
        if self.apart and not self.draws and "deal" not in self.wrong:
            what = f"{self.what} says how far decks are 'apart', and deals none"
            yield Problem("apart-unused", self.at("apart"), what, "add 'deal: {deck: number}', or delete it")

    def plan(self) -> EditionPlan:
        return self.as_record(EditionPlan)


class GameKeys(Shape):
    """`game.yaml`."""

    title = required(TITLE, "name of the game")
    version = required(_VERSIONS, "numbers and points; it is printed on every sheet")
    designer = optional(TITLE, "", "who made it")
    publisher = optional(TITLE, "", "who publishes it")
    theme = optional(TEXT, None, "name of the theme; the game's id without it")
    players = required(_PLAYER_COUNTS, f"player counts: 2-6, 4 or [3, 4, 6]; at most {MOST_PLAYERS}")
    languages = optional(_LANGUAGES, (), "codes of the languages it is written in and translated into")
    facts = optional(MAPPING, None, "numbers and texts that are used in several places")
    lists = optional(by_name(_LIST, "list"), (), "named lists of records, for families and layouts")
    pieces = required(list_of(shape(PieceKeys), "the piece"), "what is printed, in this order")
    notes = optional(list_of(record(NoteKeys, Note), "the note"), (), "what you chose where the rules leave it open")
    accepted = optional(
        list_of(record(AcceptKeys, Accepted), "the accepted finding"), (), "findings you live with", name="accept"
    )
    credits = optional(list_of(record(CreditKeys, Credit), "the credit"), (), "who did what")
    about = optional(TEXT, "", "what the game is, in a paragraph")
    licence = optional(TEXT, "", "whose the game is, and what prints may be used for")
    bring = optional(TEXTS, (), "what players supply themselves")
    has_booklet = optional(YES_NO, False, "whether the rules are printed as a folded booklet too", name="booklet")
    has_cover = optional(YES_NO, False, "whether the file with everything begins with a cover sheet", name="cover")
    finish = optional(choice(FINISHES), "", "whether faces say what they are; without it as the theme says")
    report = optional(_REPORT, "", "the address that codes for reports lead to, with {code} where the code stands")
    bundle = optional(shape(BundleKeys), None, "what a bundle for testers holds")
    edition = optional(made(EditionKeys, EditionKeys.plan), None, "what each copy of an edition has for itself")

    def check(self) -> Iterable[Problem]:
        for key in LIMITED:
            if len(self.values[key]) > limit("game-entries"):
                yield too_many("game-entries", self.at(key))
        if self.has("pieces") and self.pieces == () and "pieces" not in self.wrong:
            fix = "add '- {id: cards, title: Cards, decks: [cards]}', with the names of your decks"
            yield Problem("no-pieces", self.at("pieces"), "the game has no pieces to print", fix)
        codes = [language.code for language in self.languages] or [FALLBACK_LANGUAGE]
        for code, source in self.bundle.languages if self.bundle is not None else ():
            if code not in codes:
                label = f"an entry of 'languages' of 'bundle' of {self.what}"
                what = f"{label} is {quoted(code)}, which is not one of its choices"
                yield Problem("unknown-choice", source, what, did_you_mean(code, codes))


class GameFile(NamedTuple):
    """The content of `game.yaml`: the game without decks, pieces and setup, and the pieces as written."""

    game: Game
    pieces: tuple[PieceKeys, ...]
    has_booklet: bool


def read_game_file(id_: str, node: Node) -> Read[GameFile | None]:
    """Return the content of a game's own file, or None if it is no mapping.

    Problems: those of `read_shape`; `bad-version`, `bad-players`, `bad-language`, `bad-id`, `bad-name`,
    `duplicate-id`, `unknown-piece`, `no-decks`, `no-pieces`, `bad-text-piece`.
    """
    problems = ProblemList()
    written = problems.take(read_shape(node, GameKeys, "game.yaml"))
    if written is None:
        return Read(None, problems)
    most = limit("game-entries")
    languages = written.languages or (Language(FALLBACK_LANGUAGE, written.source),)
    game = written.as_record(
        Game,
        id=id_,
        languages=languages,
        decks={},
        pieces=(),
        lists={name: records for name, _, records in written.lists},
        facts=plain_value(written.facts) if written.facts is not None else {},
        setup=None,
        notes=written.notes[:most],
        accepted=written.accepted[:most],
        credits=written.credits[:most],
        folder=f"content/{id_}",
        theme=id_ if written.theme is None else written.theme,
        bring=written.bring[:most],
        bundle=_bundle(written.bundle, [language.code for language in languages]),
    )
    return Read(GameFile(game, problems.take(without_doubles(written.pieces)), written.has_booklet), problems)


def _bundle(written: BundleKeys | None, codes: list[str]) -> BundlePlan:
    """Return the plan of a bundle, completed with defaults."""
    plan = BundlePlan()
    if written is None:
        return plan
    papers, inks = (tuple(dict.fromkeys(words)) for words in (written.papers, written.inks))
    backs = tuple(map(Backs, dict.fromkeys(written.backs)))
    languages = dict.fromkeys(code for code, _ in written.languages if code in codes)
    return BundlePlan(
        papers or plan.papers, backs or plan.backs, inks or plan.inks, tuple(languages), written.feedback,
        written.preview,
    )  # fmt: skip
