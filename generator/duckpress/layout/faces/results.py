"""The tasks and answers of layout workers, as declared shapes; and the answers gathered into a piece.

A template may have taken a worker over: it answers what the one it works for would know if it had done it itself, and
everything but the faces of a task is told once. Faces come in the order of their cards, whoever made them and whenever
they came: nothing here may depend on the order of answers. What is told once is told of the first card in the order of
the deck; so is what is wrong with a face that several cards have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress.art.picture_files import PictureData, remember_checked
from duckpress.check.findings import cause_of
from duckpress.core.frame import Drawing, Item, read_items
from duckpress.core.geometry import Rect
from duckpress.core.limits import LIMITS
from duckpress.core.paths import Record
from duckpress.core.problems import Problem, Source
from duckpress.files.memo import Memo, Pack
from duckpress.files.workspace import Workspace
from duckpress.layout.elements.art_shelf import Taken, too_much_art
from duckpress.layout.faces.face_cache import KnownEntry, KnownFace, KnownFaces, NewFaces
from duckpress.layout.laid_out import Face, LaidOut, Origin, Shrunk, Use, scaled
from duckpress.layout.theme import Theme
from duckpress.model import Card, Deck, Game, Piece
from duckpress.text.fonts import FontLibrary


class Wanted(Struct, frozen=True):
    """A piece to be laid out, its theme, the copies of each (deck, card), and its cached faces.

    In `copies` none means that the card is left out; no entry, and the deck's own number holds.
    """

    piece: Piece
    theme: Theme
    copies: Mapping[tuple[str, str], int]
    known: KnownFaces = field(default_factory=KnownFaces)
    game: Game | None = None  # whose piece it is, where that is a copy of the batch's game with other cards
    tables: object = None  # its setup


class Batch(NamedTuple):
    """Pieces of one game to be laid out in one language and ink; `tables` is its setup as plain data, for templates.

    `looks` are those of drawings that earlier workers have drawn, `codes` the templates that this process compiled; the
    `memo` has pieces of earlier runs.
    """

    workspace: Workspace
    game: Game
    fonts: FontLibrary | None
    tables: object
    language: str
    ink: str
    pieces: Sequence[Wanted]
    looks: Pack | None = None
    codes: Pack | None = None
    memo: Memo | None = None

    def of(self, wanted: Wanted) -> Batch:
        return self if wanted.game is None else self._replace(game=wanted.game, tables=wanted.tables)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the batch without its fonts and stores: loaded fonts cannot be pickled."""
        return Batch, (*self[:2], None, *self[3:8])


class LayoutTask(Record, frozen=True):
    """Cards of a piece's deck by number, the common sizes of texts, and invalid cached faces."""

    piece: int
    deck: str
    forced_pt: dict[str, float]
    numbers: list[int]
    forget: list[str]


class MadeSide(Record, frozen=True):
    """One side: the key of its cached face, or the face itself if it is not cached.

    `face` is None for a kept face, and for none at all (`is_there` tells). `once` is told of the first card only.
    `same` is what tells sides apart that were made of the same text; empty where a text makes each card's own.
    """

    key: str
    is_there: bool = True
    face: KnownEntry | None = None
    problems: tuple[Problem, ...] = ()
    once: tuple[Problem, ...] = ()
    same: str = ""
    bare: str | None = None  # its hash without a version, where the template wrote one; else it is the frame's own
    origin: Origin | None = None  # of each card's own; None for what is no side


class MetArt(Record, frozen=True):
    """The problems and costs of art that a card (-1: opening the deck) used first."""

    number: int
    problems: list[Problem]
    taken: list[Taken]


class LayoutAnswer(Record, frozen=True):
    """The answer to a task: `made` faces were laid out; `opened` are the problems of the templates.

    `seen` are the decks whose cards templates of the piece have asked for; with other cards they may ask for more
    (`may_look_at_cards`).
    """

    made: int
    new_faces: NewFaces
    opened: list[Problem]
    back: MadeSide | None
    cards: list[tuple[MadeSide, MadeSide | None]]
    art: list[MetArt]
    drawings: list[tuple[str, Rect, tuple[Item, ...]]]  # their keys, their boxes
    pictures: list[PictureData]
    decorations: list[tuple[str, str]]
    files: dict[str, str]
    fonts: list[str]
    words: list[tuple[int, list[str], list[str]]]  # by card (-1: opening the deck): fixed words asked for, unknown ones
    seen: list[str] = field(default_factory=list)
    may_look_at_cards: bool = False
    looks: dict[bytes, bytes] = field(default_factory=dict)  # of drawings, for later workers


def wanted_cards(deck: Deck, copies: Mapping[tuple[str, str], int]) -> tuple[Card, ...]:
    return tuple(card for card in deck.cards if copies.get((deck.id, card.id), card.copies) > 0)


def back_of_all(deck: Deck) -> str:
    return f"the back of deck {deck.id!r}"


At = tuple[int, bool, int]
"""When art was met: the deck's place, whether its texts were set in common then, and the card's number."""


_OF_TEMPLATES = frozenset(
    ("malformed-layout", "missing-file", "unknown-attribute", "unknown-element", "unknown-name", "unknown-style")
)
"""What is wrong with a template rather than with a card: who reads it of one card knows it of all."""


class GatheredSide(NamedTuple):
    """A side, and its face if there is one."""

    made: MadeSide
    face: KnownFace | None

    @property
    def origin(self) -> Origin | None:
        return self.made.origin and self.made.origin._replace(face=self.made.key)


Sides = tuple[GatheredSide, GatheredSide | None]


class DeckGathered:
    """The sides of a deck's cards so far, by the cards' numbers."""

    def __init__(self, deck: Deck, copies: Mapping[tuple[str, str], int]) -> None:
        self.deck = deck
        self.cards: tuple[Card, ...] = wanted_cards(deck, copies)
        self.is_given_up = False
        self.forced_pt: dict[str, float] = {}
        self.opened: Sequence[Problem] = ()
        self.back: GatheredSide | None = None
        self.sides: dict[int, Sides] = {}
        self.again: dict[int, Sides] = {}  # made a second time, in sizes set in common

    def numbers_left(self) -> list[int]:
        """Return the cards without sides."""
        return [number for number in range(len(self.cards)) if number not in self.sides]

    def to_be_set_together(self) -> list[int]:
        """Return the cards whose texts must shrink to other cards' common sizes, once all are made."""
        together = {
            number: [pair for side in sides if side and side.face for pair in side.face.together.items()]
            for number, sides in sorted(self.sides.items())
        }
        common: dict[str, float] = {}
        for name, size_pt in chain(*together.values()):
            common[name] = min(size_pt, common.get(name, size_pt))
        self.forced_pt = dict(sorted(common.items()))
        return [number for number, own in together.items() if any(size_pt != common[name] for name, size_pt in own)]

    def tell(self, findings: FaceFindings) -> None:
        """Add the deck's findings to `findings`."""
        for problem in self.opened:
            findings.add(problem)
        if self.back is not None:
            findings.add_side(self.back, back_of_all(self.deck), self.deck.id)
        for number, card in enumerate(self.cards):
            for side in self._sides_of(number) or ():
                if side and (side.made.problems or side.made.once or (side.face and side.face.shrunk)):
                    findings.add_side(side, card.subject, self.deck.id, card.id, is_again=number in self.again)

    def faces(self, copies: Mapping[tuple[str, str], int]) -> list[Face]:
        """Return the faces of the cards that could be laid out."""
        deck, faces = self.deck, list[Face]()
        for number, card in enumerate(self.cards):
            if (sides := self._sides_of(number)) is None:
                continue
            front, back = sides[0], sides[1] or self.back
            if front.face is None or (deck.back is not None and (back is None or back.face is None)):
                continue
            count = copies.get((deck.id, card.id), card.copies)
            face = Face(deck.id, card.id, count, front.face.frame, None, deck.size, deck.overlap_mm)
            face = face._replace(bare_front=front.made.bare, front_of=front.origin)
            if back is not None:
                face = face._replace(bare_behind=back.made.bare)
                if back.face is not None:
                    face = face._replace(back=back.face.frame, back_of=back.origin)
            faces.append(face)
        return faces

    def _sides_of(self, number: int) -> Sides | None:
        return self.again.get(number) or self.sides.get(number)


class FaceFindings:
    """Problems by kind and place: the first few of a kind are kept in full, the rest are counted. `shrunk`: texts."""

    def __init__(self, language: str = "") -> None:
        self.shrunk: list[Shrunk] = []
        self._language = language
        self._alike: dict[tuple[str, Source], dict[str, list[Problem]]] = {}
        self._all: set[Problem] = set()
        self._once: set[tuple[str, Source]] = set()
        self._sides: set[tuple[str, bool, str]] = set()

    def add(self, problem: Problem, subject: str = "") -> None:
        """Add a problem, unless it is there already. Its words begin with the subject."""
        if problem not in self._all:
            self._all.add(problem)
            said = problem.what.removeprefix(subject) if problem.code in _OF_TEMPLATES else problem.what
            self._alike.setdefault((problem.code, problem.source), {}).setdefault(said, []).append(problem)

    def add_side(self, side: GatheredSide, subject: str, deck: str, card: str = "", *, is_again: bool = False) -> None:
        """Add the findings of a side, for all cards if `card` is empty; `is_again`: in common sizes."""
        made, face = side
        same = made.same or (made.key if face is not None and not made.problems and not made.once else "")
        if same and (deck, is_again, same) in self._sides:
            return
        self._sides.add((deck, is_again, same))
        for problem in made.problems:
            self.add(problem, subject)
        for problem in made.once:
            if (problem.code, problem.source) not in self._once:
                self._once.add((problem.code, problem.source))
                is_of_card = problem.source.file.endswith(".xml")  # a place in the theme is no one card's
                self.add(problem._replace(what=f"{subject}: {problem.what}") if is_of_card else problem)
        if face is not None:
            self.shrunk += [Shrunk(deck, card, *text, self._language) for text in face.shrunk]

    def problems(self) -> list[Problem]:
        """Return the problems, with one cause for each kind and place; of a template's only the first card's.

        How many more cards have that is said there.
        """
        problems: list[Problem] = []
        for (code, source), alike in self._alike.items():
            cause = cause_of(code, source) if len(alike) > 1 else ""
            for said, (problem, *more) in alike.items():
                what = f"{problem.what} (and {len(more)} more like it)" if more else problem.what
                others = tuple(other.what.removesuffix(said) for other in more)
                problems.append(problem._replace(what=what, cause=problem.cause or cause, others=others))
        return problems


class PieceGathered:
    """A piece with its cards so far."""

    def __init__(self, game: Game, wanted: Wanted, language: str) -> None:
        self.decks = {deck_id: DeckGathered(game.decks[deck_id], wanted.copies) for deck_id in wanted.piece.decks}
        self.problems: list[Problem] = []  # of workers that were lost
        self._wanted = wanted
        self._language = language
        self.drawings: dict[str, Drawing] = {}
        self.pictures: dict[str, PictureData] = {}
        self.decorations: set[tuple[str, str]] = set()
        self.seen: set[str] = set()
        self._may_look_at_cards = False
        self._art: list[tuple[At, list[Problem]]] = []
        self.taken: list[tuple[At, Taken]] = []

    def take(
        self, task: LayoutTask, answer: LayoutAnswer, drawings: Sequence[Drawing] | None = None
    ) -> list[tuple[int, str]]:
        """Add the answer to a task; `drawings` are its own, where they are known already.

        Raises `ValueError` for an invalid answer. Returns of each card that has to be made
        again, as what is known of it is no face, its number and the key of the face.
        """
        gathered, known, again = self.decks[task.deck], self._wanted.known, bool(task.forced_pt)
        format_ = gathered.deck.size
        if drawings is None:
            drawings = [Drawing(box, items) for _, box, items in answer.drawings]
            if [drawing.key for drawing in drawings] != [key for key, _, _ in answer.drawings]:
                raise ValueError("a drawing by the name of another")
        if not all(taken.limited_by in LIMITS for art in answer.art for taken in art.taken):
            raise ValueError("there is no such limit")
        known.take(answer.new_faces, answer.made)
        bad: list[tuple[int, str]] = []

        def side_of(made: MadeSide, number: int) -> GatheredSide:
            if made.face is not None:
                read_items(made.face.items)
                return GatheredSide(made, made.face.face(format_))
            face = known.face(made.key, format_) if made.is_there else None
            if face is None and made.is_there:
                bad.append((number, made.key))
            return GatheredSide(made, face)

        back = None if answer.back is None else side_of(answer.back, -1)
        sides: dict[int, Sides] = {}
        for number, (front, behind) in zip(task.numbers, answer.cards, strict=False):
            count = len(bad)
            both = side_of(front, number), None if behind is None else side_of(behind, number)
            if len(bad) == count:
                sides[number] = both
        gathered.opened = answer.opened
        if gathered.back is None or (gathered.back.made.is_there and gathered.back.face is None):
            gathered.back = back
        (gathered.again if again else gathered.sides).update(sides)
        self.drawings.update((drawing.key, drawing) for drawing in drawings)
        pictures = {picture.key: picture for picture in answer.pictures}
        self.pictures.update(pictures)
        remember_checked(pictures)  # for workers that are forked later on
        self.decorations.update(answer.decorations)
        self.seen.update(answer.seen)
        self._may_look_at_cards |= answer.may_look_at_cards
        place = list(self.decks).index(task.deck)
        for art in answer.art:
            at = (place, again, art.number)
            self._art.append((at, art.problems))
            self.taken += [(at, taken) for taken in art.taken]
        return bad

    def uses(self) -> set[Use]:
        """Return all that its faces asked for."""
        sides = [
            sides
            for deck in self.decks.values()
            for sides in (*deck.sides.values(), *deck.again.values(), (deck.back,))
        ]
        known = self._wanted.known
        entries = [
            known.entry(side.made.key) for both in sides for side in both if side is not None and side.made.is_there
        ]
        return {known.use(name)[0] for name in {name for entry in entries if entry for name in entry.uses}}

    def finished(self) -> tuple[LaidOut, list[Problem]]:
        """Return the piece, and all findings of its layout."""
        findings = FaceFindings(self._language)
        faces: list[Face] = []
        for gathered in self.decks.values():
            if not gathered.is_given_up:
                gathered.tell(findings)
                faces += gathered.faces(self._wanted.copies)
        for _, problems in sorted(self._art, key=lambda met: met[0]):
            for problem in problems:
                findings.add(problem)
        for problem in (*too_much_art(taken for _, taken in sorted(self.taken)), *self.problems):
            findings.add(problem)
        piece = self._wanted.piece
        if piece.scale != 1:
            faces = [scaled(face, piece.scale) for face in faces]
        laid_out = LaidOut(
            piece, tuple(faces), self.drawings, self.pictures, tuple(findings.shrunk),
            decorations=frozenset(self.decorations), depends_on_cards=self._may_look_at_cards,
            has_common_sizes=any(deck.forced_pt for deck in self.decks.values()),
        )  # fmt: skip
        return laid_out, findings.problems()
