"""A piece of a game -> finished faces: templates filled, elements placed, texts fitted, art gathered."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from jinja2.environment import Template

from duckpress.fonts import FontLibrary
from duckpress.frame import Drawing, Frame, Group, digest_of
from duckpress.geometry import Rect, Size, scaling
from duckpress.inks import INKS
from duckpress.layout.artshelf import ArtShelf
from duckpress.layout.compose import Composer
from duckpress.layout.context import card_values, deck_values, piece_values
from duckpress.layout.desk import Desk, Shrunk
from duckpress.layout.facexml import FaceReader
from duckpress.layout.findings import Findings
from duckpress.layout.known import KnownFaces
from duckpress.layout.look import look_of
from duckpress.layout.pictures import PictureData
from duckpress.layout.reuse import Reuse
from duckpress.layout.templates import Templates
from duckpress.layout.theme import Theme
from duckpress.layout.xmldoor import Malformed, mark_before
from duckpress.model import Card, Deck, Game, Piece
from duckpress.problems import Problem, Source, did_you_mean
from duckpress.reports import report_text
from duckpress.sizes import Format
from duckpress.text import Typesetter
from duckpress.workspace import Workspace

_ALL = slice(None)
_NO_VERSION = "0"  # stands for the version in a face that is made to be compared


class Face(NamedTuple):
    """A card as it is printed: its front, its back where it has one, and how many of it."""

    deck: str
    card: str
    copies: int
    front: Frame
    back: Frame | None
    format: Format
    overlap_mm: float | None = None  # how much its tiles share, where it may be tiled; None: in one piece
    code: str = ""  # its short code, and the version in which it last changed, where they are known
    changed: str = ""
    bare_front: str | None = None  # the hashes without anything that tells a version; None: those of the frames
    bare_behind: str | None = None

    @property
    def bare(self) -> str:
        """The hash of the front without anything that tells a version: what decides whether the card changed."""
        return self.bare_front or self.front.hash

    @property
    def bare_back(self) -> str | None:
        """The same for the back; None where there is none."""
        return None if self.back is None else self.bare_behind or self.back.hash


class LaidOut(NamedTuple):
    """A piece ready to be laid on sheets: its faces, the art they place, and the texts that had to shrink.

    A piece that is read, not cut (rules), has no faces but `pages`, by the name of the paper they are made for.
    """

    piece: Piece
    faces: tuple[Face, ...]
    drawings: dict[str, Drawing]
    pictures: dict[str, PictureData]
    fits: tuple[Shrunk, ...]
    pages: Mapping[str, tuple[Frame, ...]] = MappingProxyType({})
    decorations: frozenset[tuple[str, str]] = frozenset()  # words that are ornaments, with their colours


def lay_out_piece(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    theme: Theme,
    fonts: FontLibrary,
    tables: object,
    language: str,
    ink: str,
    copies: Mapping[tuple[str, str], int],
    known: KnownFaces | None = None,
    templates: Templates | None = None,
) -> tuple[LaidOut, list[Problem]]:
    """Give a piece's faces, deck by deck in the order of their cards, and all that is wrong with them.

    `tables` is the setup table as plain data, for templates; `copies` says how many of each (deck, card) are wanted:
    none, and the card is left out; no entry, and the deck's own number holds. A face that could not be made for an
    error is left out. Faces that are `known` and still the same are not laid out again. Pieces of one game in one
    language and ink may share `templates` (see `templates_of`), which are then compiled once.
    """
    room = _Room(workspace, game, theme, fonts, language, ink, known, templates)
    common = piece_values(game, piece, tables, language) | {"ink": ink}
    faces: list[Face] = []
    for deck_id in piece.decks:
        faces += room.deck(game.decks[deck_id], common, copies)
    for problem in room.art.problems:
        room.findings.add(problem)
    problems = room.findings.problems()
    for family in theme.families.values():
        fonts.family(family.text, family.source, problems)
    problems += fonts.problems
    if piece.scale != 1:
        faces = [_scaled(face, piece.scale) for face in faces]
    art = room.art
    laid_out = LaidOut(piece, tuple(faces), art.drawings, art.pictures, tuple(room.shrunk))
    return laid_out._replace(decorations=frozenset(room.decorations)), problems


def lay_out_part(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    theme: Theme,
    fonts: FontLibrary,
    tables: object,
    language: str,
    ink: str,
    copies: Mapping[tuple[str, str], int],
    known: KnownFaces,
    templates: Templates,
    part: tuple[int, int],
) -> None:
    """Lay out one part of the cards of each deck, number `part[0]` of `part[1]`, and add their faces to `known`.

    Texts are not set alike with those of other cards, and what is wrong is not told: `lay_out_piece` does both, for the
    faces that are not known then.
    """
    room = _Room(workspace, game, theme, fonts, language, ink, known, templates)
    common = piece_values(game, piece, tables, language) | {"ink": ink}
    room.part = slice(part[0], None, part[1])
    for deck_id in piece.decks:
        room.deck(game.decks[deck_id], common, copies)


def templates_of(workspace: Workspace, game: Game, ink: str) -> Templates:
    """Give the templates of a game, to be shared by its pieces as long as their files do not change."""
    return Templates(workspace, game.folder, game.speech, ink)


def _scaled(face: Face, scale: float) -> Face:
    """Give a face that is printed larger or smaller than it was laid out: trim, bleed and everything on it."""
    front = _scaled_frame(face.front, scale)
    back = None if face.back is None else _scaled_frame(face.back, scale)
    bare, behind = (hash_ and digest_of(hash_, scale) for hash_ in (face.bare_front, face.bare_behind))
    return face._replace(front=front, back=back, format=face.format.scaled(scale), bare_front=bare, bare_behind=behind)


def _scaled_frame(frame: Frame, scale: float) -> Frame:
    trim = Size(round(frame.trim.width_mm * scale, 4), round(frame.trim.height_mm * scale, 4))
    return Frame(trim, round(frame.bleed_mm * scale, 4), (Group(frame.items, scaling(scale)),))


class _Side(NamedTuple):
    """One side made: its frame, the sizes of its texts that are to be set alike, and its hash without a version."""

    frame: Frame | None
    together: dict[str, float]
    bare: str | None = None  # where the template wrote the version; else it is the frame's own


class _Made(NamedTuple):
    """A card made: both sides, and what was found."""

    card: Card
    front: _Side
    back: _Side
    problems: list[Problem]
    shrunk: list[Shrunk]


class _Room:
    """Everything that the faces of one piece share."""

    def __init__(
        self, workspace: Workspace, game: Game, theme: Theme, fonts: FontLibrary, language: str, ink: str,
        known: KnownFaces | None = None, templates: Templates | None = None,
    ) -> None:  # fmt: skip
        look = look_of(theme, ink)
        self._game_id = game.id
        self.art = ArtShelf(workspace, game.folder, look)
        self.findings = Findings()
        self.shrunk: list[Shrunk] = []
        self._templates = templates or templates_of(workspace, game, ink)
        typesetter = Typesetter(fonts, self.art.icon, language)
        self._desk = Desk(look, typesetter, self.art, self._templates.places, language)
        self._desk.uses = self.art.uses = typesetter.uses  # one journal of all that a face asks for
        self._reuse = Reuse(known, self._desk, fonts) if known is not None else None
        self._composer = Composer(self._desk)
        self._reader = FaceReader(ink)
        self._sides: dict[str, _Side] = {}
        self.part: slice | None = None  # of each deck's cards that is laid out here, the rest being elsewhere

    @property
    def decorations(self) -> set[tuple[str, str]]:
        """The words that nobody has to read, with their colours."""
        return self._desk.decorations

    def deck(self, deck: Deck, common: Mapping[str, Any], copies: Mapping[tuple[str, str], int]) -> list[Face]:
        """Give the faces of a deck."""
        desk, format_ = self._desk, deck.size
        desk.format, desk.deck, desk.forced_pt = format_, deck.id, {}
        self._sides = {}
        front = self._open(deck.front, deck.at("front"))
        back = self._open(deck.back, deck.at("back")) if deck.back is not None else None
        if front is None or (back is None and deck.back is not None):
            return []
        values = {**common, **deck_values(deck, format_)}
        values["report"] = report_text(self._game_id, values["game"]["version"], deck.id)
        wanted = [card for card in deck.cards if copies.get((deck.id, card.id), card.copies) > 0]
        shared_back = self._shared_back(deck, back, values, format_) if back is not None and wanted else None
        made = [self._card(card, deck, front, back, shared_back, values, format_) for card in wanted[self.part or _ALL]]
        if self.part is not None:
            return []
        made = self._set_together(made, deck, front, back, shared_back, values, format_)
        faces = []
        for one in made:
            for problem in one.problems:
                self.findings.add(problem)
            self.shrunk += one.shrunk
            if one.front.frame is not None and (back is None or one.back.frame is not None):
                count = copies.get((deck.id, one.card.id), one.card.copies)
                frames = one.front.frame, one.back.frame
                face = Face(deck.id, one.card.id, count, *frames, format_, deck.overlap_mm)
                if one.front.bare is not None or one.back.bare is not None:
                    face = face._replace(bare_front=one.front.bare, bare_behind=one.back.bare)
                faces.append(face)
        return faces

    def _open(self, name: str, used_at: Source) -> Template | None:
        template, problem = self._templates.open(name, used_at)
        if problem is not None:
            self.findings.add(problem)
        return template

    def _shared_back(self, deck: Deck, back: Template, values: Mapping[str, Any], format_: Format) -> _Side | None:
        """Give the back of all cards of a deck, where its template can be filled without any card; else None."""
        xml, problem = self._templates.fill(back, values)
        if problem is not None or "{=" in xml:
            return None
        desk = self._desk
        desk.card, desk.subject, desk.values = "", f"the back of deck {deck.id!r}", {}
        desk.problems, desk.shrunk = [], []
        side = self._side(xml, back, format_)
        if self._tells_version(xml, values):
            side = side._replace(bare=self._bare(back, values, format_))
        for problem in desk.problems:
            self.findings.add(problem)
        self.shrunk += desk.shrunk
        return side if not side.together else None

    def _card(
        self, card: Card, deck: Deck, front: Template, back: Template | None, shared_back: _Side | None,
        values: dict[str, Any], format_: Format,
    ) -> _Made:  # fmt: skip
        desk = self._desk
        desk.card, desk.subject = card.id, f"card {card.id!r} ({card.source})"
        desk.values = values["card"] = card_values(card, deck)
        if len(deck.cards) > 1:
            values["report"] = report_text(self._game_id, values["game"]["version"], deck.id, card.id)
        desk.problems, desk.shrunk = [], []
        front_side = self._filled(front, values, format_)
        back_side = shared_back or (self._filled(back, values, format_) if back is not None else _Side(None, {}))
        return _Made(card, front_side, back_side, desk.problems, desk.shrunk)

    def _set_together(
        self, made: list[_Made], deck: Deck, front: Template, back: Template | None, shared_back: _Side | None,
        values: dict[str, Any], format_: Format,
    ) -> list[_Made]:  # fmt: skip
        """Make those cards again whose texts stand together with smaller ones of other cards."""
        common: dict[str, float] = {}
        for one in made:
            for name, size_pt in (*one.front.together.items(), *one.back.together.items()):
                common[name] = min(size_pt, common.get(name, size_pt))
        if not common:
            return made
        self._desk.forced_pt = common
        self._sides = {}

        def is_common(side: _Side) -> bool:
            return all(size_pt == common[name] for name, size_pt in side.together.items())

        return [
            one
            if is_common(one.front) and is_common(one.back)
            else self._card(one.card, deck, front, back, shared_back, values, format_)
            for one in made
        ]

    def _filled(self, template: Template, values: Mapping[str, Any], format_: Format) -> _Side:
        xml, problem = self._templates.fill(template, values)
        if problem is not None:
            desk = self._desk
            desk.problems.append(problem._replace(what=f"{desk.subject}: {problem.what}"))
            return _Side(None, {})
        if not self._tells_version(xml, values):
            return self._side(xml, template, format_)
        side = self._side(xml, template, format_)
        return side._replace(bare=self._bare(template, values, format_))

    def _tells_version(self, xml: str, values: Mapping[str, Any]) -> bool:
        """Tell whether the face filled last changes with every version."""
        return self._templates.has_read_version or values["report"] in xml

    def _bare(self, template: Template, values: Mapping[str, Any], format_: Format) -> str | None:
        """Give the hash of a face as it is without any version; what is wrong with it was said of the face itself."""
        desk = self._desk
        kept = desk.problems, desk.shrunk, desk.together
        desk.problems, desk.shrunk = [], []
        blank = {**values, "game": {**values["game"], "version": _NO_VERSION}, "report": _NO_VERSION}
        xml, problem = self._templates.fill(template, blank)
        side = self._side(xml, template, format_) if problem is None else _Side(None, {})
        desk.problems, desk.shrunk, desk.together = kept
        return side.frame.hash if side.frame is not None else None

    def _say_misread_inks(self) -> None:
        desk, misread = self._desk, self._reader.misread
        for desk.at, words in misread.items():
            unknown = next((word for word in words.split() if word not in INKS), "")
            fix = did_you_mean(unknown, INKS) or f"write one or more of {', '.join(INKS)}"
            desk.say("bad-choice", f"ink={words[:40]!r} does not name inks", fix)
        desk.at = None
        misread.clear()

    def _side(self, xml: str, template: Template, format_: Format) -> _Side:
        """Give the face of an XML text; the same text gives the same face, unless it holds values set by fields."""
        side = self._sides.get(xml)
        if side is not None:
            return side
        desk, reuse = self._desk, self._reuse
        desk.together, desk.at = {}, None
        known = reuse.find(xml, format_) if reuse is not None else None
        if known is not None:
            side = _Side(known, desk.together)
            if "{=" not in xml:
                self._sides[xml] = side
            return side
        desk.uses.clear()
        root = self._reader.read(xml)
        self._say_misread_inks()
        if isinstance(root, Malformed):
            mark = mark_before(xml, root.line, root.column)
            is_known = mark is not None and mark < len(desk.places)
            place = desk.places[mark] if is_known and mark is not None else Source(template.filename or "")
            what = f"{desk.subject}: what the template gives cannot be read: {root.what}"
            fix = "close every element, quote every attribute, and write & as &amp; and < as &lt;"
            desk.problems.append(Problem("malformed-layout", place, what, root.fix or fix))
            return _Side(None, {})
        items = self._composer.face(root, Rect(0.0, 0.0, *format_.trim))
        side = _Side(Frame(format_.trim, format_.bleed_mm, items), desk.together)
        if reuse is not None and side.frame is not None:
            reuse.keep(side.frame)
        if "{=" not in xml:
            self._sides[xml] = side
        return side
