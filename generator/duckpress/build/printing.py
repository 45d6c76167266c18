"""From a checked game to proven files in `output/`: lays out, imposes, renders, proves, and writes all or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from duckpress.build.checking import Checked, Loaded, named, typeset
from duckpress.build.packet import Packet, print_packet, write_packet
from duckpress.build.rulebooks import BOOKLET, impose_rules, page_cards, page_faces
from duckpress.build.speaking import spoken
from duckpress.language import program
from duckpress.problems import Problem, Source, has_errors
from duckpress.rules import check_game, deal_cards
from duckpress.sizes import Paper, paper_of
from duckpress.workspace import Workspace

if TYPE_CHECKING:
    from duckpress.export import Output
    from duckpress.fonts import FontLibrary
    from duckpress.frame import Frame, Item
    from duckpress.impose import Leaf, Sheet
    from duckpress.layout import Face, LaidOut
    from duckpress.model import Game

Step = Callable[[str], None]
"""Is told the name of each step as it begins."""

ALL_PIECES = "all"
_NOTE_PT = 11.0
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
    seed: str | None = None  # of the deal whose packet is printed too
    variant: str | None = None  # of that deal


class PieceSummary(NamedTuple):
    """What a piece came to: how many cards, and how many sheets of each paper."""

    piece: str
    title: str
    cards: int
    sheets: Mapping[str, int]
    pages: Mapping[str, int] = {}  # of a piece that is read, by paper


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
    original = game
    game, found = spoken(workspace, game, request.language)
    problems += found
    step("laying out")
    fonts = FontLibrary(workspace)
    wanted = (piece for piece in game.pieces if not request.pieces or piece.id in request.pieces)
    chosen = [piece for piece in wanted if game.dealt_to(piece) is None]
    pieces, found = typeset(
        workspace, game, fonts, chosen, players=request.players, language=request.language, ink=request.ink,
        papers=request.papers,
    )  # fmt: skip
    problems += [*found, *_misfits(game, pieces, request)]
    packet = Packet()
    players = request.players or max(game.players)
    # What a setup with an error would deal means nothing, forced or not; its errors are listed.
    if request.seed is not None and not has_errors(check_game(original, players, request.variant)):
        dealt = deal_cards(original, players, request.seed, request.variant)
        was_draft = has_errors(problems)

        def own_press(has_faults: bool) -> Press:
            return Press(workspace, game, request, fonts, is_draft=was_draft or has_faults, step=step)

        packet = print_packet(workspace, game, dealt, request, fonts, own_press)
        problems += [*packet.problems, *_misfits(game, packet.pieces, request)]
    if has_errors(problems) and not (request.is_forced and (pieces or packet.pieces)):
        return Built(Checked(game.id, game, named(game.id, problems), (*pieces, *packet.pieces)), folder)
    is_draft = has_errors(problems)
    press = Press(workspace, game, request, fonts, is_draft=is_draft, step=step, original_title=original.title)
    return press.print_all(pieces, problems, folder, packet)


class Press:
    """One game's build: pieces on papers, one PDF for each, and one with all of them for each paper."""

    def __init__(
        self,
        workspace: Workspace,
        game: Game,
        request: Request,
        fonts: FontLibrary,
        *,
        is_draft: bool,
        step: Step,
        original_title: str = "",
    ) -> None:
        from duckpress.render import Renderer
        from duckpress.text import TextStyle, Typesetter

        self._workspace = workspace
        self._game = game
        self._original_title = original_title or game.title
        self._request = request
        self._fonts = fonts
        self._note = game.speech.program(program.DRAFT) if is_draft else ""
        self._step = step
        self._language = request.language or game.languages[0].code
        self._renderer = Renderer(fonts)
        self._typesetter = Typesetter(fonts, lambda _name, _colour: None, self._language)
        self._footer_style = TextStyle(_FOOTER_FAMILY, colour="#333333")

    def print_all(
        self, pieces: Sequence[LaidOut], problems: Sequence[Problem], folder: Path, packet: Packet
    ) -> Built:
        """Impose, render and prove everything; only when all of it is proven is anything written."""
        outputs: list[Output] = []
        found: list[Problem] = list(packet.unproven)
        counts: dict[str, dict[str, int]] = {one.piece.id: {} for one in pieces}
        whole = [one for one in pieces if one.piece.instead_of is None]
        for name in self._request.papers:
            paper = paper_of(name)
            sheets = {one.piece.id: self.impose(one, paper) for one in pieces}
            for one in pieces:
                counts[one.piece.id][name] = len(sheets[one.piece.id])
                self.add(outputs, found, one.piece.id, [one], sheets, paper)
            if whole and not self._request.pieces:
                self.add(outputs, found, ALL_PIECES, whole, sheets, paper)
        every = (*pieces, *packet.pieces)
        checked = Checked(self._game.id, self._game, named(self._game.id, [*problems, *found]), every)
        if has_errors(found):
            return Built(checked, folder)
        files = tuple(output.facts.name for output in outputs)
        if packet.outputs:
            files += write_packet(folder, packet, self._game, protected=[self._workspace.root / "content"])
        if pieces:
            self._publish(outputs, pieces, folder)
        rows = tuple(
            PieceSummary(
                one.piece.id,
                one.piece.title,
                sum(face.copies for face in one.faces),
                counts[one.piece.id],
                {name: len(one.pages[name]) for name in self._request.papers if name in one.pages},
            )
            for one in pieces
        )
        in_all = {name: sum(counts[one.piece.id][name] for one in whole) for name in self._request.papers}
        rows += tuple(
            PieceSummary(piece.id, piece.title, *packet.tally(piece.id))
            for piece in self._game.pieces
            if piece.id in packet.outputs
        )
        return Built(checked, folder, files, rows, in_all)

    def impose(self, one: LaidOut, paper: Paper) -> tuple[Sheet, ...]:
        """Lay the faces of a piece on sheets of a paper."""
        from duckpress.impose import Backs, SheetLabel, Turn, impose_piece

        if one.piece.book:
            note = self._typeset_line(self._note, _NOTE_PT, True)[0] if self._note else ()
            turn = Turn(self._turn_of([one]))
            return impose_rules(one, paper, turn, note, is_double_sided=self._is_backed)
        label = SheetLabel(self._game.title, one.piece.title, self._game.version, self._note, self._game.speech)
        return impose_piece(
            _leaves(one), paper, Backs(self._request.backs), Turn(self._request.turn), label, self._typeset_line
        )

    def _typeset_line(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        weight = "bold" if is_bold else "regular"
        line = self._typesetter.line(text, self._footer_style._replace(size_pt=size_pt, weight=weight))
        return line.items, line.width_mm

    def add(
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
        duplex = self._turn_of(pieces) if any(sheet.back is not None for sheet in imposed) else None
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
            Booklet(
                self._spaced(one.piece.title), tuple(sheets[one.piece.id]), _frames(one), one.drawings, one.pictures
            )
            for one in pieces
        ]
        return self._renderer.render(
            booklets,
            DocumentInfo(
                title=self._title(name, pieces),
                author=self._game.designer,
                subject=self._spaced(self._game.speech.program(program.SUBJECT, {"version": self._game.version})),
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
        is_backed = self._is_backed
        faces = tuple(
            ExpectedFace(
                face.deck, face.card, face.copies, face.front, face.back if is_backed else None, face.overlap_mm
            )
            for one in pieces
            for face in self._faces(one, paper)
        )
        pictures = {key: picture for one in pieces for key, picture in one.pictures.items()}
        drawings = {key: drawing for one in pieces for key, drawing in one.drawings.items()}
        title = self._title(name, pieces)
        expected = Expected(faces, paper.size, paper.margin_mm, duplex, title, self._language, pictures, drawings)
        return prove_pdf(pdf, expected, Source(file))

    @property
    def _is_backed(self) -> bool:
        return self._request.backs != "none"

    def _turn_of(self, pieces: Sequence[LaidOut]) -> str:
        """Give the edge that the sheets of a file are turned about; a booklet's is the one it is not folded along."""
        return "short" if all(one.piece.book == BOOKLET for one in pieces) else self._request.turn

    def _faces(self, one: LaidOut, paper: Paper) -> Sequence[Face]:
        """Give what must lie on the sheets of a paper: the cards of a piece, or the pages of one that is read."""
        return page_faces(one, paper, is_double_sided=self._is_backed) if one.piece.book else one.faces

    def _title(self, name: str, pieces: Sequence[LaidOut]) -> str:
        title = self._game.title
        if name != ALL_PIECES:
            title = self._game.speech.program(program.TITLES, {"game": title, "piece": pieces[0].piece.title})
        return self._spaced(title)

    def _spaced(self, text: str) -> str:
        """Give a text of the file's properties with the spaces and quotes of the language."""
        from duckpress.text import spaced

        return spaced(text, self._language)

    def _publish(self, outputs: Sequence[Output], pieces: Sequence[LaidOut], folder: Path) -> None:
        from duckpress.export import CardFacts, Edition, publish, source_date

        self._step("writing")
        game = self._game
        pieces_in_order = tuple(piece.id for piece in game.pieces)
        edition = Edition(game.id, self._original_title, game.version, source_date(os.environ), pieces_in_order)
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
        cards += [card for one in pieces for card in page_cards(one, self._language, self._request.ink)]
        publish(folder, edition, outputs, cards, protected=[self._workspace.root / "content"])


def _leaves(one: LaidOut) -> list[Leaf]:
    from duckpress.impose import Leaf

    return [
        Leaf(
            face.format,
            face.copies,
            face.front.hash,
            face.back.hash if face.back is not None else None,
            face.overlap_mm,
        )
        for face in one.faces
    ]


def _frames(one: LaidOut) -> dict[str, Frame]:
    """Give the frames of a piece by their hashes."""
    frames = {face.front.hash: face.front for face in one.faces}
    frames |= {frame.hash: frame for pages in one.pages.values() for frame in pages}
    return frames | {face.back.hash: face.back for face in one.faces if face.back is not None}


def _misfits(game: Game, pieces: Sequence[LaidOut], request: Request) -> list[Problem]:
    """Give a problem for each deck whose size does not fit a paper asked for."""
    from duckpress.impose import Turn, check_fit, check_tiles

    turn = None if request.backs == "none" else Turn(request.turn)
    found = []
    for deck, format_, overlap_mm in {
        (face.deck, face.format, face.overlap_mm): None for one in pieces for face in one.faces
    }:
        who, source = f"a card of deck {deck!r}", game.decks[deck].at("size")
        for paper in map(paper_of, request.papers):
            if overlap_mm is None:
                found.append(check_fit(format_, paper, who, source))
            else:
                found.append(check_tiles(format_, paper, overlap_mm, turn, who, source))
    return [problem for problem in found if problem is not None]
