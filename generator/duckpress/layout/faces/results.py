"""What workers answered -> a piece: faces in the order of their cards, whoever made them and whenever they came.

So nothing here may depend on the order in which answers come. What is told once is told of the first card in the order
of the deck; so is what is wrong with a face that several cards have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from duckpress.art.picture_files import PictureData, remember_checked
from duckpress.core.frame import Drawing
from duckpress.core.problems import Level, Problem, Source
from duckpress.files.recording import Answers, merged
from duckpress.layout.dependencies import Use
from duckpress.layout.elements.art_shelf import ArtSum, Taken
from duckpress.layout.elements.layout_context import Shrunk
from duckpress.layout.face import Face, LaidOut, scaled
from duckpress.layout.faces import answers
from duckpress.layout.faces.face_findings import FaceFindings
from duckpress.layout.faces.face_maker import MadeSide, back_of_all, wanted_cards
from duckpress.layout.faces.layout_task import PieceJob
from duckpress.model import Card, Deck, Game

_At = tuple[int, bool, int]
"""When art was met: the deck's place, whether its texts were set in common then, and the card's number."""

Sides = tuple[MadeSide, MadeSide | None]


class DeckGathered:
    """The sides of a deck's cards as they come in, by the cards' numbers."""

    def __init__(self, deck: Deck, copies: Mapping[tuple[str, str], int]) -> None:
        self.deck = deck
        self.cards: tuple[Card, ...] = wanted_cards(deck, copies)
        self.is_given_up = False
        self.forced_pt: dict[str, float] = {}
        self._opened: list[Problem] | None = None
        self._back: MadeSide | None = None
        self._sides: dict[int, Sides] = {}
        self._again: dict[int, Sides] = {}  # made a second time, in sizes set in common

    def take(
        self, numbers: list[int], opened: list[Problem], back: MadeSide | None, sides: list[Sides], *, is_again: bool
    ) -> None:
        """Take in what came of a task."""
        if self._opened is None:
            self._opened = opened
        if self._back is None or (self._back.is_there and self._back.face is None):
            self._back = back
        (self._again if is_again else self._sides).update(zip(numbers, sides, strict=False))

    def to_be_set_together(self) -> list[int]:
        """Return the cards whose texts stand together with smaller ones of other cards, once all have been made."""
        common: dict[str, float] = {}
        for front, back in self._sides.values():
            for name, size_pt in (*_together(front), *_together(back)):
                common[name] = min(size_pt, common.get(name, size_pt))
        self.forced_pt = dict(sorted(common.items()))
        return [
            number
            for number, (front, back) in sorted(self._sides.items())
            if any(size_pt != common[name] for name, size_pt in (*_together(front), *_together(back)))
        ]

    def tell(self, findings: FaceFindings, once: set[tuple[str, Source]], shrunk: list[Shrunk], language: str) -> None:
        """Add what was found to what was found before."""
        for problem in self._opened or ():
            findings.add(problem)
        told: tuple[set[str], set[str]] = set(), set()
        if self._back is not None:
            _tell(self._back, back_of_all(self.deck), "", self.deck.id, told[0], findings, once, shrunk, language)
        for number, card in enumerate(self.cards):
            is_again = number in self._again
            for side in self._again.get(number) or self._sides.get(number) or ():
                if side is not None:
                    subject = f"card {card.id!r} ({card.source})"
                    _tell(side, subject, card.id, self.deck.id, told[is_again], findings, once, shrunk, language)

    def faces(self, copies: Mapping[tuple[str, str], int]) -> Iterable[Face]:
        """Yield the faces of the cards that could be made."""
        deck = self.deck
        for number, card in enumerate(self.cards):
            sides = self._again.get(number) or self._sides.get(number)
            if sides is None:
                continue
            front, back = sides[0], sides[1] or self._back
            if front.face is None or (deck.back is not None and (back is None or back.face is None)):
                continue
            behind = back.face.frame if back is not None and back.face is not None else None
            count = copies.get((deck.id, card.id), card.copies)
            face = Face(deck.id, card.id, count, front.face.frame, behind, deck.size, deck.overlap_mm)
            bare = back.bare if back is not None else None
            yield face if front.bare is bare is None else face._replace(bare_front=front.bare, bare_behind=bare)


def _together(side: MadeSide | None) -> Iterable[tuple[str, float]]:
    return side.face.together.items() if side is not None and side.face is not None else ()


def _tell(
    side: MadeSide, subject: str, card: str, deck: str, told: set[str], findings: FaceFindings,
    once: set[tuple[str, Source]], shrunk: list[Shrunk], language: str,
) -> None:  # fmt: skip
    same = side.same or (side.key if side.face is not None and not side.problems and not side.once else "")
    if same and same in told:
        return
    told.add(same)
    for problem in side.problems:
        findings.add(problem, subject)
    for use in side.once:
        problem = _once(use, subject)
        if (problem.code, problem.source) not in once:
            once.add((problem.code, problem.source))
            findings.add(problem)
    if side.face is not None:
        shrunk += [Shrunk(deck, card, *one, language) for one in side.face.shrunk]


def _once(use: Use, subject: str) -> Problem:
    _, code, file, line, column, what, fix, level = use
    told = f"{subject}: {what}" if file.endswith(".xml") else what  # a place in the theme is no one card's
    return Problem(code, Source(file, int(line), int(column)), told, fix, Level(level))


class PieceGathered:
    """A piece as its cards come in."""

    def __init__(self, game: Game, job: PieceJob, language: str) -> None:
        self.job = job
        self.decks = {deck_id: DeckGathered(game.decks[deck_id], job.copies) for deck_id in job.piece.decks}
        self.problems: list[Problem] = []  # of workers that were lost
        self._language = language
        self._drawings: dict[str, Drawing] = {}
        self._pictures: dict[str, PictureData] = {}
        self._decorations: set[tuple[str, str]] = set()
        self._answers: list[Answers] = []
        self._art: list[tuple[_At, list[Problem]]] = []
        self._taken: list[tuple[_At, Taken]] = []

    def take(self, task: bytes, answer: bytes) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        """Take in what came of a task.

        Gives the report, and of each card that has to be made again, as what is known of it is no face, the number
        and the key of the face. Raises `Nonsense`.
        """
        try:
            return self._take(task, answer)
        except answers.Nonsense:
            raise
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise answers.Nonsense(str(error)) from error

    def _take(self, task: bytes, answer: bytes) -> tuple[dict[str, Any], list[tuple[int, str]]]:
        _, deck_id, forced_pt, numbers, _ = answers.read_task(task)
        entries, report, pictures = answers.read(answer)
        gathered, known = self.decks[deck_id], self.job.known
        known.take(entries, int(report["made"]))
        bad: list[tuple[int, str]] = []

        def side_of(found: Any, number: int) -> MadeSide | None:
            side = answers.read_side(found, gathered.deck.size)
            if side is None or not side.is_there or side.face is not None:
                return side
            face = known.face(side.key, gathered.deck.size)
            if face is None:
                bad.append((number, side.key))
            return side._replace(face=face)

        back = side_of(report["back"], -1)
        sides, taken = [], []
        for number, (front, behind) in zip(numbers, report["cards"], strict=False):
            count = len(bad)
            made, made_behind = side_of(front, number), side_of(behind, number)
            if made is None:
                raise answers.Nonsense(number)
            if len(bad) == count:
                taken.append(number)
                sides.append((made, made_behind))
        opened = [answers.read_problem(one) for one in report["opened"]]
        gathered.take(taken, opened, back, sides, is_again=bool(forced_pt))
        drawings = [answers.read_drawing(one) for one in report["drawings"]]
        self._drawings.update((drawing.key, drawing) for drawing in drawings)
        self._pictures.update(pictures)
        remember_checked(pictures)  # for workers that are forked later on
        self._decorations.update((str(words), str(colour)) for words, colour in report["decorations"])
        self._answers.append({str(question): str(answer) for question, answer in report["files"].items()})
        place = list(self.decks).index(deck_id)
        for number, problems, taken_art in report["art"]:
            at = (place, bool(forced_pt), int(number))
            self._art.append((at, [answers.read_problem(one) for one in problems]))
            self._taken += [(at, answers.read_taken(one)) for one in taken_art]
        return report, bad

    def finished(self) -> tuple[LaidOut, list[Problem]]:
        """Return the piece, and all that was found in laying it out."""
        findings, once, shrunk = FaceFindings(), set[tuple[str, Source]](), list[Shrunk]()
        faces: list[Face] = []
        for gathered in self.decks.values():
            if gathered.is_given_up:
                continue
            gathered.tell(findings, once, shrunk, self._language)
            faces += gathered.faces(self.job.copies)
        for _, problems in sorted(self._art, key=lambda found: found[0]):
            for problem in problems:
                findings.add(problem)
        art_sum, counted = ArtSum(), set[tuple[str, str]]()
        for _, one in sorted(self._taken):
            over = art_sum.over(one) if one[:2] not in counted else None
            counted.add(one[:2])
            if over is not None:
                findings.add(over)
        for problem in self.problems:
            findings.add(problem)
        piece = self.job.piece
        if piece.scale != 1:
            faces = [scaled(face, piece.scale) for face in faces]
        laid_out = LaidOut(
            piece, tuple(faces), self._drawings, self._pictures, tuple(shrunk),
            decorations=frozenset(self._decorations), answers=merged(*self._answers),
        )  # fmt: skip
        return laid_out, findings.problems()
