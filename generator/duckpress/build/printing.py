"""From a checked game to proven files in `output/`: lays out, imposes, renders, proves, and writes all or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from duckpress.build.checking import Checked, Loaded, named, typeset
from duckpress.problems import Problem, Source, has_errors
from duckpress.rules import check_game
from duckpress.sizes import PAPERS, Paper
from duckpress.workspace import Workspace

if TYPE_CHECKING:
    from duckpress.export import Output
    from duckpress.fonts import FontLibrary
    from duckpress.frame import Frame, Item
    from duckpress.impose import Leaf, Sheet
    from duckpress.layout import LaidOut
    from duckpress.model import Game

Step = Callable[[str], None]
"""Is told the name of each step as it begins."""

ALL_PIECES = "all"
_FOOTER_FAMILY = "Alegreya Sans"  # bundled, so it is there whatever fonts a game brings


@dataclass(frozen=True, slots=True)
class Request:
    """What to print, and how: names as on the command line."""

    papers: tuple[str, ...] = ("a4", "letter")
    backs: str = "duplex"
    turn: str = "long"
    ink: str = "color"
    language: str | None = None
    players: int | None = None
    pieces: tuple[str, ...] = ()
    is_forced: bool = False


class PieceSummary(NamedTuple):
    """What a piece came to: how many cards, and how many sheets of each paper."""

    piece: str
    title: str
    cards: int
    sheets: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build gave: findings, and (unless an error stopped it) the names of the files in `folder`.

    `sheets_in_all` counts by paper the sheets of everything but pieces that stand for another.
    """

    checked: Checked
    folder: Path
    files: tuple[str, ...] = ()
    pieces: tuple[PieceSummary, ...] = ()
    sheets_in_all: Mapping[str, int] = field(default_factory=dict)


def build(workspace: Workspace, loaded: Loaded, request: Request, out: Path, step: Step = lambda _name: None) -> Built:
    """Check a game, print what is asked for into `out/<game>/`, and prove it.

    An error stops it before anything is written; `is_forced` prints in spite of errors, but never an unproven file.
    Raises `MachineError` where the machine cannot write the files.
    """
    from duckpress.fonts import FontLibrary

    folder = out / loaded.game_id
    game = loaded.game
    if game is None or loaded.has_errors:
        return Built(Checked(loaded.game_id, game, loaded.problems), folder)
    step("checking")
    problems = [*loaded.problems, *check_game(game)]
    if has_errors(problems) and not request.is_forced:
        return Built(Checked(game.id, game, named(game.id, problems)), folder)
    step("laying out")
    fonts = FontLibrary(workspace)
    chosen = [piece for piece in game.pieces if not request.pieces or piece.id in request.pieces]
    pieces, found = typeset(
        workspace, game, fonts, chosen, players=request.players, language=request.language, ink=request.ink
    )
    problems += [*found, *_misfits(game, pieces, request)]
    if has_errors(problems) and not (request.is_forced and pieces):
        return Built(Checked(game.id, game, named(game.id, problems), tuple(pieces)), folder)
    press = _Press(workspace, game, request, fonts, is_draft=has_errors(problems), step=step)
    return press.print_all(pieces, problems, folder)


class _Press:
    """One game's build: pieces on papers, one PDF for each, and one with all of them for each paper."""

    def __init__(
        self, workspace: Workspace, game: Game, request: Request, fonts: FontLibrary, *, is_draft: bool, step: Step
    ) -> None:
        from duckpress.render import Renderer
        from duckpress.text import TextStyle, Typesetter

        self._workspace = workspace
        self._game = game
        self._request = request
        self._fonts = fonts
        self._note = "DRAFT" if is_draft else ""
        self._step = step
        self._language = request.language or game.languages[0].code
        self._renderer = Renderer(fonts)
        self._typesetter = Typesetter(fonts, lambda _name, _colour: None, self._language)
        self._footer_style = TextStyle(_FOOTER_FAMILY, colour="#333333")

    def print_all(self, pieces: Sequence[LaidOut], problems: Sequence[Problem], folder: Path) -> Built:
        """Impose, render and prove everything; only when all of it is proven is anything written."""
        outputs: list[Output] = []
        found: list[Problem] = []
        counts: dict[str, dict[str, int]] = {one.piece.id: {} for one in pieces}
        whole = [one for one in pieces if one.piece.instead_of is None]
        for name in self._request.papers:
            paper = PAPERS[name]
            sheets = {one.piece.id: self._impose(one, paper) for one in pieces}
            for one in pieces:
                counts[one.piece.id][name] = len(sheets[one.piece.id])
                self._add(outputs, found, one.piece.id, [one], sheets, paper)
            if whole and not self._request.pieces:
                self._add(outputs, found, ALL_PIECES, whole, sheets, paper)
        checked = Checked(self._game.id, self._game, named(self._game.id, [*problems, *found]), tuple(pieces))
        if has_errors(found):
            return Built(checked, folder)
        self._publish(outputs, pieces, folder)
        rows = tuple(
            PieceSummary(one.piece.id, one.piece.title, sum(face.copies for face in one.faces), counts[one.piece.id])
            for one in pieces
        )
        in_all = {name: sum(counts[one.piece.id][name] for one in whole) for name in self._request.papers}
        return Built(checked, folder, tuple(output.facts.name for output in outputs), rows, in_all)

    def _impose(self, one: LaidOut, paper: Paper) -> tuple[Sheet, ...]:
        from duckpress.impose import Backs, SheetLabel, Turn, impose_piece

        label = SheetLabel(self._game.title, one.piece.title, self._game.version, self._note)
        return impose_piece(
            _leaves(one), paper, Backs(self._request.backs), Turn(self._request.turn), label, self._typeset_line
        )

    def _typeset_line(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        weight = "bold" if is_bold else "regular"
        line = self._typesetter.line(text, self._footer_style._replace(size_pt=size_pt, weight=weight))
        return line.items, line.width_mm

    def _add(
        self,
        outputs: list[Output],
        found: list[Problem],
        name: str,
        pieces: Sequence[LaidOut],
        sheets: Mapping[str, Sequence[Sheet]],
        paper: Paper,
    ) -> None:
        """Render and prove one file; what the proof finds goes to `found`, what holds to `outputs`."""
        from duckpress.export import FileFacts, Output, file_name

        request, game = self._request, self._game
        self._step(f"printing {name} on {paper.name}")
        imposed = [sheet for one in pieces for sheet in sheets[one.piece.id]]
        duplex = request.turn if any(sheet.back is not None for sheet in imposed) else None
        pdf = self._render(name, pieces, sheets, duplex=duplex)
        file = file_name(game.id, name, paper.name, request.ink, self._language, game.languages[0].code)
        found += self._prove(pdf, pieces, paper, name, file, duplex=duplex)
        pages = len(imposed) * (1 if duplex is None else 2)
        facts = FileFacts(file, pages, len(imposed), paper.name, name, self._language, request.ink)
        outputs.append(Output(facts, pdf))

    def _render(
        self, name: str, pieces: Sequence[LaidOut], sheets: Mapping[str, Sequence[Sheet]], *, duplex: str | None
    ) -> bytes:
        from duckpress.render import Booklet, DocumentInfo

        booklets = [
            Booklet(one.piece.title, tuple(sheets[one.piece.id]), _frames(one), one.drawings, one.pictures)
            for one in pieces
        ]
        return self._renderer.render(
            booklets,
            DocumentInfo(
                title=self._title(name, pieces),
                author=self._game.designer,
                subject=f"Print-and-play file, version {self._game.version}. Print at 100 %.",
                language=self._language,
                duplex=duplex,
            ),
        )

    def _prove(
        self, pdf: bytes, pieces: Sequence[LaidOut], paper: Paper, name: str, file: str, *, duplex: str | None
    ) -> list[Problem]:
        """Hold the finished file against the cards themselves, not against the plan it was made by."""
        from duckpress.proof import Expected, ExpectedFace, prove_pdf

        self._step(f"proving {file}")
        is_backed = self._request.backs != "none"
        faces = tuple(
            ExpectedFace(face.deck, face.card, face.copies, face.front, face.back if is_backed else None)
            for one in pieces
            for face in one.faces
        )
        pictures = {key: picture for one in pieces for key, picture in one.pictures.items()}
        drawings = {key: drawing for one in pieces for key, drawing in one.drawings.items()}
        title = self._title(name, pieces)
        expected = Expected(faces, paper.size, paper.margin_mm, duplex, title, self._language, pictures, drawings)
        return prove_pdf(pdf, expected, Source(file))

    def _title(self, name: str, pieces: Sequence[LaidOut]) -> str:
        return self._game.title if name == ALL_PIECES else f"{self._game.title}: {pieces[0].piece.title}"

    def _publish(self, outputs: Sequence[Output], pieces: Sequence[LaidOut], folder: Path) -> None:
        from duckpress.export import CardFacts, Edition, publish, source_date

        self._step("writing")
        game = self._game
        edition = Edition(
            game.id, game.title, game.version, source_date(os.environ), tuple(piece.id for piece in game.pieces)
        )
        cards = [
            CardFacts(
                face.deck,
                face.card,
                face.front.hash,
                face.back.hash if face.back is not None else None,
                face.copies,
                one.piece.id,
                self._language,
                self._request.ink,
            )
            for one in pieces
            for face in one.faces
        ]
        publish(folder, edition, outputs, cards, protected=[self._workspace.root / "content"])


def _leaves(one: LaidOut) -> list[Leaf]:
    from duckpress.impose import Leaf

    return [
        Leaf(face.format, face.copies, face.front.hash, face.back.hash if face.back is not None else None)
        for face in one.faces
    ]


def _frames(one: LaidOut) -> dict[str, Frame]:
    """Give the frames of a piece by their hashes."""
    frames = {face.front.hash: face.front for face in one.faces}
    return frames | {face.back.hash: face.back for face in one.faces if face.back is not None}


def _misfits(game: Game, pieces: Sequence[LaidOut], request: Request) -> list[Problem]:
    """Give a problem for each deck whose size does not fit a paper asked for."""
    from duckpress.impose import check_fit

    formats = {face.deck: face.format for one in pieces for face in one.faces}
    found = (
        check_fit(format_, PAPERS[paper], f"a card of deck {deck!r}", game.decks[deck].at("size"))
        for deck, format_ in formats.items()
        for paper in request.papers
    )
    return [problem for problem in found if problem is not None]
