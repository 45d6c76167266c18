"""The maker of one piece's faces inside a worker, one at a time and in any order.

A side depends on its card, its template and what it asks for, never on the sides made before it. What is
remembered of earlier sides (texts set, elements made) only saves time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from jinja2.environment import Template
from markupsafe import escape
from msgspec.structs import replace

from duckpress.core.backs import INKS
from duckpress.core.frame import Frame, written_items
from duckpress.core.geometry import Rect
from duckpress.core.language import RecordingSpeech
from duckpress.core.problems import Level, Problem, Source, did_you_mean
from duckpress.core.report_address import report_link, report_text
from duckpress.core.sizes import Format
from duckpress.expressions.sandbox import LazyValue
from duckpress.files.recording import RecordingWorkspace
from duckpress.layout.elements.art_shelf import ArtShelf, KnownLooks
from duckpress.layout.elements.compose import FaceComposer
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import FaceReader, Malformed
from duckpress.layout.faces.face_cache import KnownEntry, Reuse
from duckpress.layout.faces.results import (
    Batch,
    LayoutAnswer,
    LayoutTask,
    MadeSide,
    MetArt,
    Wanted,
    back_of_all,
    wanted_cards,
)
from duckpress.layout.laid_out import WARNED, origin_of
from duckpress.layout.templates import Templates, card_values, deck_values, piece_values, values_of_deck
from duckpress.layout.theme import look_of
from duckpress.model import Card, Deck, Game
from duckpress.pool import Handle, Note
from duckpress.text import Typesetter
from duckpress.text.fonts import FontLibrary

OPENING, FRONT, BACK, COMMON_BACK = range(4)
"""What is at work, as it is noted: templates being read, a card's front, its back, the back that all cards have."""

_Value = TypeVar("_Value")
_NO_VERSION = "0"  # stands for the version in a face that is made to be compared


class OpenDeck(NamedTuple):
    """A deck with its templates read: the common values of its cards, and the problems."""

    deck: Deck
    cards: tuple[Card, ...]
    front: Template | None
    back: Template | None
    values: dict[str, Any]
    problems: list[Problem]
    shared_back: MadeSide | None = None


class _SeenDecks(LazyValue):
    """All decks of the game for templates.

    `ids` are those that one has looked at; `may_look`: one would on another branch perhaps.
    """

    def __init__(self, game: Game, templates: Templates) -> None:
        self.ids: set[str] = set()
        self.may_look = False
        self._templates = templates
        self._every = LazyValue(lambda: {name: self._seen(deck) for name, deck in game.decks.items()})
        self._each = {name: LazyValue(partial(self._seen, deck)) for name, deck in game.decks.items()}

    @property
    def value(self) -> dict[str, Any]:  # it may change when another template is read
        self.may_look = True
        return self._every.value if self._templates.look_at_every_deck else self._each

    def _seen(self, deck: Deck) -> dict[str, Any]:
        self.ids.add(deck.id)
        return values_of_deck(deck)


class FaceMaker:
    """The shared state of one piece's faces."""

    def __init__(self, batch: Batch, wanted: Wanted, templates: Templates, looks: KnownLooks | None) -> None:
        look, fonts = look_of(wanted.theme, batch.ink), batch.fonts
        assert fonts is not None
        self.made = 0  # faces that had to be laid out
        self.known = wanted.known
        self._game = batch.game
        self._copies = wanted.copies
        self._ink = batch.ink
        self.art = ArtShelf(batch.workspace, batch.game.folder, look, fonts, looks)
        self._templates = templates
        typesetter = Typesetter(fonts, self.art.icon, batch.language, is_mirrored=batch.game.speech.is_mirrored)
        self._context = LayoutContext(look, typesetter, self.art, templates.places, batch.language)
        self._context.decks = batch.game.decks
        self.decorations = self._context.decorations  # words that nobody has to read, with their colours
        self._context.uses = self.art.uses = typesetter.uses  # one journal of all that a face asks for
        self._reuse = Reuse(wanted.known, self._context, fonts)
        self._composer = FaceComposer(self._context)
        self._reader = FaceReader(batch.ink)
        self._common = piece_values(batch.game, wanted.piece, batch.tables, batch.language) | {"ink": batch.ink}
        self._common["decks"] = self.seen = _SeenDecks(batch.game, templates)
        self._decks: dict[str, OpenDeck] = {}
        self._sides: dict[str, MadeSide] = {}
        self._at: tuple[str, dict[str, float]] | None = None  # the deck at hand, and the sizes set in common

    def forget(self, keys: Iterable[str]) -> None:
        """Drop invalid cached faces, and everything made with them."""
        self.known.forget(keys)
        self._decks, self._sides, self._at = {}, {}, None

    def go_to(self, deck_id: str, forced_pt: dict[str, float], note: Note) -> OpenDeck:
        """Return a deck, and make it the current one; `forced_pt` are the common sizes of its texts."""
        deck = self._game.decks[deck_id]
        if self._at != (deck_id, forced_pt):
            context = self._context
            if forced_pt:
                self._reader = FaceReader(self._ink)  # what it told once it tells of these cards too
            self._at = deck_id, forced_pt
            context.format, context.deck, context.forced_pt = deck.size, deck.id, forced_pt
            self._sides = {}
        opened = self._decks.get(deck_id)
        if opened is None:
            note(OPENING)
            opened = self._decks[deck_id] = self._opened(deck, note)
        return opened

    def card(self, opened: OpenDeck, number: int, note: Note) -> tuple[MadeSide, MadeSide | None]:
        """Return both sides of a card; the back is None if the deck has no back, or a common one."""
        card, values, context = opened.cards[number], opened.values, self._context
        context.card, context.subject = card.id, card.subject
        context.values = values["card"] = card_values(card, opened.deck)
        if len(opened.deck.cards) > 1:
            values["report"] = self._report(opened.deck.id, card.id)
        assert opened.front is not None
        note(number << 2 | FRONT)
        front = self._filled(opened.front, values, opened.deck.size)
        if opened.back is None or opened.shared_back is not None:
            return front, None
        note(number << 2 | BACK)
        return front, self._filled(opened.back, values, opened.deck.size)

    def _opened(self, deck: Deck, note: Note) -> OpenDeck:
        front, front_problem = self._templates.open(deck.front, deck.at("front"))
        back, back_problem = (None, None) if deck.back is None else self._templates.open(deck.back, deck.at("back"))
        problems = [problem for problem in (front_problem, back_problem) if problem is not None]
        values = {**self._common, **deck_values(deck, deck.size)}
        values["report"] = self._report(deck.id)
        opened = OpenDeck(deck, wanted_cards(deck, self._copies), front, back, values, problems)
        if back is None or front is None or not opened.cards:
            return opened
        note(COMMON_BACK)
        return opened._replace(shared_back=self._shared_back(deck, back, values))

    def _report(self, *parts: str) -> str:
        return report_link(self._game.report, report_text(self._game.id, self._game.version, *parts))

    def _shared_back(self, deck: Deck, back: Template, values: Mapping[str, Any]) -> MadeSide | None:
        """Return the common back of a deck's cards, if its template needs no card; else None."""
        xml, problem = self._templates.fill(back, values)
        if problem is not None or "{=" in xml:
            return None
        context = self._context
        context.card, context.subject, context.values = "", back_of_all(deck), {}
        side = self._side_of(xml, back, values, deck.size)
        entry = side.face or (self.known.entry(side.key) if side.is_there else None)
        if entry is not None and entry.together:  # its size depends on other cards
            self._sides = {}
            return None
        return side

    def _filled(self, template: Template, values: Mapping[str, Any], format_: Format) -> MadeSide:
        xml, problem = self._templates.fill(template, values)
        if problem is not None:
            of_card = problem._replace(what=f"{self._context.subject}: {problem.what}")
            return MadeSide("", is_there=False, problems=(of_card,))
        return self._side_of(xml, template, values, format_)

    def _side_of(self, xml: str, template: Template, values: Mapping[str, Any], format_: Format) -> MadeSide:
        """Return the side just filled, with its origin; if it shows the version, the report code or the finish, also
        the hash without them."""
        is_telling = self._templates.has_read_version or str(escape(values["report"])) in xml
        key = self._reuse.key(xml, format_)
        side = replace(self._side(xml, key, template, format_), origin=origin_of(template.filename, values, key))
        return replace(side, bare=self._bare(template, values, format_)) if is_telling else side

    def _bare(self, template: Template, values: Mapping[str, Any], format_: Format) -> str | None:
        """Return the hash of a face without version and finish; its problems are those of the face itself."""
        blank = {**values, "game": {**values["game"], "version": _NO_VERSION, "finish": ""}, "report": _NO_VERSION}
        xml, problem = self._templates.fill(template, blank)
        side = self._side(xml, self._reuse.key(xml, format_), template, format_) if problem is None else None
        entry = None if side is None else side.face or self.known.entry(side.key)
        return None if entry is None or side is None or not side.is_there else entry.frame_hash

    def _side(self, xml: str, key: str, template: Template, format_: Format) -> MadeSide:
        """Return the side of an XML text; cached, unless the text holds values set by fields."""
        side = self._sides.get(xml)
        if side is not None:
            return side
        side = MadeSide(key) if self._reuse.is_fresh(key) else self._lay_out(xml, key, template, format_)
        if "{=" not in xml and side.is_there:
            self._sides[xml] = side
        return side

    def _lay_out(self, xml: str, key: str, template: Template, format_: Format) -> MadeSide:
        context = self._context
        context.together, context.at, context.problems, context.shrunk = {}, None, [], []
        context.uses.clear()
        root = self._reader.read(xml)
        self._say_misread_inks()
        if isinstance(root, Malformed):
            place = self._templates.place(template, xml, root)
            what = f"{context.subject}: what the template gives cannot be read: {root.what}"
            fix = root.fix or "close every element, quote every attribute, and write & as &amp; and < as &lt;"
            problem = Problem("malformed-layout", place, what, fix)
            return MadeSide(key, is_there=False, problems=(problem,), once=self._first_only_problems())
        items = self._composer.face(root, Rect(0.0, 0.0, *format_.trim))
        shrunk = [(text.style, text.from_pt, text.to_pt) for text in context.shrunk]
        frame = Frame(format_.trim, format_.bleed_mm, items)
        entry = KnownEntry(key, (), frame.hash, context.together, shrunk, written_items(items))
        self.made += 1
        once = self._first_only_problems()
        if not context.problems and not once:
            self._reuse.keep(entry, context.uses)
            return MadeSide(key)
        same = hashlib.sha256(xml.encode("utf-8", "surrogatepass")).hexdigest() if "{=" not in xml else ""
        return MadeSide(key, True, entry, tuple(context.problems), once, same)

    def _first_only_problems(self) -> tuple[Problem, ...]:
        warned = dict.fromkeys(use[1:] for use in self._context.uses if use[0] == WARNED)
        return tuple(
            Problem(code, Source(file, int(line), int(column)), what, fix, Level(level))
            for code, file, line, column, what, fix, level in warned
        )

    def _say_misread_inks(self) -> None:
        context, misread = self._context, self._reader.misread
        for context.at, words in misread.items():
            unknown = next((word for word in words.split() if word not in INKS), "")
            fix = did_you_mean(unknown, INKS) or f"write one or more of {', '.join(INKS)}"
            context.tell_once("bad-choice", f"ink={words[:40]!r} does not name inks", fix, Level.ERROR)
        context.at = None
        misread.clear()


def laying_out(batch: Batch) -> Handle[LayoutTask, LayoutAnswer]:
    """Return the function that does a batch's tasks, inside a worker."""
    return _Share(batch).answer


class _Share:
    """A worker's face makers, one for each piece, and how much of their common state it has reported."""

    def __init__(self, batch: Batch) -> None:
        self._workspace = workspace = RecordingWorkspace(batch.workspace)
        self._fonts = FontLibrary(workspace) if batch.fonts is None else batch.fonts.reading_through(workspace)
        self._batch = batch._replace(workspace=workspace, fonts=self._fonts)
        speech = batch.game.speech
        is_noting = isinstance(speech, RecordingSpeech)
        self._speech = RecordingSpeech.of(speech)  # its own, to be emptied
        self._looks = None if batch.looks is None else KnownLooks(batch.looks.get, {})
        self._templates = Templates(workspace, batch.game.folder, self._speech if is_noting else speech, batch.ink)
        self._makers: dict[int, FaceMaker] = {}
        self._told: dict[tuple[int, str], int] = {}
        self._loaded = set(self._fonts.paths)

    def answer(self, task: LayoutTask, note: Note) -> LayoutAnswer:
        """Return the answer to a task: the sides of its cards, and what is new in the common state."""
        piece = task.piece
        maker = self._makers.get(piece)
        if maker is None:
            wanted = self._batch.pieces[piece]
            if wanted.game is not None:  # of many copies only one at a time has its art in memory
                self._makers.clear()
                self._told.clear()
            maker = self._makers[piece] = FaceMaker(self._batch.of(wanted), wanted, self._templates, self._looks)
        if task.forget:
            maker.forget(task.forget)
        made, art = maker.made, list[MetArt]()
        opened = maker.go_to(task.deck, task.forced_pt, note)
        art += self._art(piece, maker, -1)
        cards, words = [], [(-1, *self._words())]
        has_templates = opened.front is not None and (opened.back is not None or opened.deck.back is None)
        for number in task.numbers if has_templates else ():
            cards.append(maker.card(opened, number, note))
            art += self._art(piece, maker, number)
            words.append((number, *self._words()))
        drawings = self._new(piece, "drawings", maker.art.drawings.values())
        has_new_words = self._new(piece, "decorations", maker.decorations)
        fonts = [path for path in self._fonts.paths if path not in self._loaded]
        self._loaded.update(fonts)
        return LayoutAnswer(
            made=maker.made - made,
            new_faces=maker.known.news(),
            opened=opened.problems,
            back=opened.shared_back,
            cards=cards,
            art=art,
            drawings=[(drawing.key, drawing.box, drawing.items) for drawing in drawings],
            pictures=self._new(piece, "pictures", maker.art.pictures.values()),
            decorations=sorted(maker.decorations) if has_new_words else [],
            files=self._workspace.take(),
            fonts=fonts,
            words=[one for one in words if any(one[1:])],
            looks=self._news(),
            seen=sorted(maker.seen.ids),
            may_look_at_cards=maker.seen.may_look,
        )

    def _words(self) -> tuple[list[str], list[str]]:
        """Return the fixed words asked for since the last call, and those that are not translated."""
        words = sorted(self._speech.asked), [*self._speech.missing]
        self._speech.asked.clear()
        self._speech.missing.clear()
        return words

    def _news(self) -> dict[bytes, bytes]:
        """Return what other workers may take, since the last call."""
        news = {} if self._looks is None else {**self._looks.new}
        if self._looks is not None:
            self._looks.new.clear()
        return news

    def _art(self, piece: int, maker: FaceMaker, number: int) -> list[MetArt]:
        """Return a card's new problems and costs of art."""
        problems = self._new(piece, "problems", maker.art.problems)
        taken = self._new(piece, "taken", maker.art.taken)
        return [MetArt(number, problems, taken)] if problems or taken else []

    def _new(self, piece: int, what: str, all_: Collection[_Value]) -> list[_Value]:
        """Return the entries added to a growing collection since the last call."""
        count = self._told.get((piece, what), 0)
        self._told[piece, what] = len(all_)
        return list(islice(all_, count, None))
