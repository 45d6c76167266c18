"""Pieces laid out -> finished files: imposed, rendered, proven, and then written all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duckpress.build.backs import emptied, has_backs, layer_titles, manner_of
from duckpress.build.checking import Checked, named
from duckpress.build.correcting import corrected
from duckpress.build.covers import COVER, Covers, wants_cover
from duckpress.build.ganging import Sharing, bundled, may_share
from duckpress.build.packet import Packet
from duckpress.build.proving import Printout, prove, untold
from duckpress.build.publishing import write_build
from duckpress.build.request import Built, PieceSummary, Request, Step
from duckpress.build.rulebooks import BOOKLET, impose_rules, page_faces
from duckpress.build.sheetcodes import SheetCodes
from duckpress.language import program
from duckpress.problems import Problem, has_errors
from duckpress.sizes import Paper
from duckpress.workspace import Workspace

if TYPE_CHECKING:
    from duckpress.export import Output, Outputs
    from duckpress.fonts import FontLibrary
    from duckpress.frame import Frame, Item
    from duckpress.geometry import Size
    from duckpress.impose import Leaf, Sheet, SheetLabel, Turn
    from duckpress.layout import Face, LaidOut
    from duckpress.model import Game
    from duckpress.render import Renderer

ALL_PIECES = "all"
_NOTE_PT = 11.0
_FOOTER_FAMILY = "Alegreya Sans"  # bundled, so it is there whatever fonts a game brings


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
        renderer: Renderer | None = None,
        jobs: int = 1,
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
        self._renderer = renderer or Renderer(fonts)
        self._jobs = jobs
        self._codes = SheetCodes(game.id, game.version, [piece.id for piece in game.pieces])
        self._covers: Covers | None = None
        self._is_cover_backed = False
        self._cover_sheets: dict[str, int] = {}
        self._cover_pages: dict[str, int] = {}
        self._typesetter = Typesetter(fonts, lambda _name, _colour: None, self._language)
        self._footer_style = TextStyle(_FOOTER_FAMILY, colour="#333333")

    def print_all(
        self, pieces: Sequence[LaidOut], problems: Sequence[Problem], folder: Path, packet: Packet, held: Outputs
    ) -> Built:
        """Impose, render and prove everything; only when all of it is proven is anything written."""
        outputs: list[Output] = []
        found: list[Problem] = list(packet.unproven)
        counts: dict[str, dict[str, int]] = {one.piece.id: {} for one in pieces}
        saved: dict[str, int] = {}
        shared: dict[str, int] = {}
        whole = [one for one in pieces if one.piece.instead_of is None]
        for name in self._request.papers:
            paper = self._request.paper(name)
            sheets: dict[str, tuple[Sheet, ...]] = {}
            sharing = self._share(pieces, paper, sheets, outputs, found)
            if sharing.pieces:
                saved[name], shared[name] = sharing.sheets_alone - sharing.sheets, sharing.sheets
            for one in pieces:
                if one in sharing.pieces:
                    continue
                sheets[one.piece.id] = self.impose(one, paper)
                is_blank = self._request.backs == "only" and not has_backs(one)
                counts[one.piece.id][name] = 0 if is_blank else len(sheets[one.piece.id])
                self.add(outputs, found, one.piece.id, [one], sheets, paper)
            if whole and not self._request.pieces and not self._request.is_ganged:
                bundle = self._covered(ALL_PIECES, whole, sheets, paper, outputs, found)
                if not self._is_all(bundle, outputs, paper):
                    self.add(outputs, found, ALL_PIECES, bundle, sheets, paper)
        every = (*pieces, *packet.pieces)
        checked = Checked(self._game.id, self._game, named(self._game.id, [*problems, *found]), every)
        if has_errors(found):
            return Built(checked, folder)
        files: tuple[str, ...] = ()
        if outputs or packet.outputs:
            self._step("writing")
            language = self._language
            files = write_build(
                held, outputs, pieces, packet, self._game, self._original_title, self._request, language
            )
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
        in_all = {
            name: shared.get(name, 0) + sum(counts[one.piece.id].get(name, 0) for one in whole)
            for name in self._request.papers
        }
        rows += tuple(
            PieceSummary(piece.id, piece.title, *packet.tally(piece.id))
            for piece in self._game.pieces
            if piece.id in packet.outputs
        )
        if self._cover_sheets:
            title = self._game.speech.program(program.COVER)
            rows = (PieceSummary(COVER, title, 0, self._cover_sheets, self._cover_pages), *rows)
            in_all = {name: count + self._cover_sheets[name] for name, count in in_all.items()}
        return Built(checked, folder, files, rows, in_all, saved, shared)

    def _share(
        self,
        pieces: Sequence[LaidOut],
        paper: Paper,
        sheets: dict[str, tuple[Sheet, ...]],
        outputs: list[Output],
        found: list[Problem],
    ) -> Sharing:
        """Print the pieces that share sheets, where that is asked for and there are two of them."""
        from duckpress.export import GANG
        from duckpress.impose import Backs, Share, Turn, impose_gang

        request = self._request
        sharing = tuple(one for one in pieces if may_share(one, paper)) if request.is_ganged else ()
        if len(sharing) < 2:
            return Sharing((), 0, 0)
        turn = Turn(request.turn)
        shares = [Share(one.piece.title, leaves_of(one)) for one in sharing]
        frames = {key: frame for one in sharing for key, frame in frames_of(one).items()}
        drawings = {key: drawing for one in sharing for key, drawing in one.drawings.items()}
        manner = manner_of(request, frames, drawings)
        gang = impose_gang(shares, paper, Backs(request.backs), turn, self._label(""), self._typeset_line, manner)
        bundle = []
        for one, imposed in bundled(sharing, gang, GANG):
            coded = self._codes.coded(imposed, GANG, paper, _trims(frames))
            sheets[one.piece.id] = self._corrected(coded, turn)
            bundle.append(one)
        if not request.pieces:
            bundle = self._covered(GANG, bundle, sheets, paper, outputs, found)
        self.add(outputs, found, GANG, bundle, sheets, paper)
        return Sharing(sharing, gang.sheets, gang.sheets_alone)

    def _file_name(self, name: str, paper: Paper) -> str:
        """Give the name of the file with a piece, or with a bundle of them."""
        from duckpress.export import file_name

        request, first = self._request, self._game.languages[0].code
        return file_name(
            self._game.id, name, paper.name, request.ink, self._language, first, run=request.run, backs=request.backs
        )

    def _covered(
        self,
        name: str,
        pieces: Sequence[LaidOut],
        sheets: dict[str, tuple[Sheet, ...]],
        paper: Paper,
        outputs: list[Output],
        found: list[Problem],
    ) -> list[LaidOut]:
        """Give a bundle's pieces, with a cover sheet before them where one is wanted; it gets a file of its own too."""
        if not wants_cover(self._game, self._request):
            return list(pieces)
        if self._covers is None:
            self._covers = Covers(self._workspace, self._game, self._request, self._fonts)
        made = self._covers.cover(pieces, sheets, paper, self._file_name(name, paper))
        found += [problem for problem in self._covers.problems if problem not in found]
        if made is None:
            return list(pieces)
        cover, self._is_cover_backed = made
        sheets[COVER] = self.impose(cover, paper)
        self._cover_sheets[paper.name] = len(sheets[COVER])
        self._cover_pages[paper.name] = len(cover.pages[paper.name])
        self.add(outputs, found, COVER, [cover], sheets, paper)
        return [cover, *pieces]

    def impose(self, one: LaidOut, paper: Paper) -> tuple[Sheet, ...]:
        """Lay the faces of a piece on sheets of a paper."""
        from duckpress.impose import Backs, Turn, impose_piece

        if one.piece.book:
            note = self._typeset_line(self._note, _NOTE_PT, True)[0] if self._note else ()
            turn = Turn(self._turn_of([one]))
            pages = impose_rules(one, paper, turn, note, is_double_sided=self._backs(one))
            if self._request.backs == "only":
                return self._corrected(emptied(pages), turn)
            return self._corrected(self._codes.coded_pages(pages, one, paper), turn)
        turn = Turn(self._request.turn)
        sheets = impose_piece(
            leaves_of(one),
            paper,
            Backs(self._request.backs),
            turn,
            self._label(one.piece.title),
            self._typeset_line,
            manner_of(self._request, frames_of(one), one.drawings),
        )
        return self._corrected(self._codes.coded(sheets, one.piece.id, paper, _trims(frames_of(one))), turn)

    def _label(self, title: str) -> SheetLabel:
        """Give what the footers say."""
        from duckpress.impose import SheetLabel

        printer = self._request.printer.name if self._request.printer is not None else ""
        return SheetLabel(self._game.title, title, self._game.version, self._note, self._game.speech, printer)

    def _corrected(self, sheets: tuple[Sheet, ...], turn: Turn) -> tuple[Sheet, ...]:
        """Give sheets as the printer has to be given them."""
        from duckpress.impose import Backs

        printer = self._request.printer
        return sheets if printer is None else corrected(sheets, printer, turn, Backs(self._request.backs))

    def _is_all(self, bundle: Sequence[LaidOut], outputs: list[Output], paper: Paper) -> bool:
        """Where everything is one piece, give its file a second name rather than print and prove the same once more."""
        if len(bundle) != 1:
            return False
        piece = bundle[0].piece.id
        alone = next((one for one in outputs if (one.facts.piece, one.facts.paper) == (piece, paper.name)), None)
        if alone is None:
            return False
        facts = alone.facts._replace(name=self._file_name(ALL_PIECES, paper), piece=ALL_PIECES)
        outputs.append(alone._replace(facts=facts))
        return True

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
        from duckpress.export import FileFacts, Output

        request = self._request
        if request.backs == "only" and not any(map(has_backs, pieces)):
            return  # not one of its pages would have anything on it
        self._step(f"printing {name} on {paper.name}")
        imposed = [sheet for one in pieces for sheet in sheets[one.piece.id]]
        duplex = self._turn_of(pieces) if any(sheet.back is not None for sheet in imposed) else None
        pdf = self._render(name, pieces, sheets, duplex=duplex)
        file = self._file_name(name, paper)
        self._step(f"proving {file}")
        printout = Printout(file, self._title(name, pieces), self._language, paper, duplex)
        held = [(one, self._faces(one, paper)) for one in pieces]
        found += untold(prove(pdf, printout, held, request, self._game.speech, self._jobs), found)
        pages = len(imposed) * (1 if duplex is None else 2)
        facts = FileFacts(file, pages, len(imposed), paper.name, name, self._language, request.ink, request.backs)
        outputs.append(Output(facts, pdf))

    def unproven(self, one: LaidOut, paper: Paper) -> bytes:
        """Give a piece's file as it is rendered, for measuring: what is not proven is never written."""
        sheets = {one.piece.id: self.impose(one, paper)}
        duplex = self._turn_of([one]) if any(sheet.back is not None for sheet in sheets[one.piece.id]) else None
        return self._render(one.piece.id, [one], sheets, duplex=duplex)

    def _render(
        self, name: str, pieces: Sequence[LaidOut], sheets: Mapping[str, Sequence[Sheet]], *, duplex: str | None
    ) -> bytes:
        from duckpress.render import Booklet, DocumentInfo

        booklets = [
            Booklet(
                self._spaced(one.piece.title), tuple(sheets[one.piece.id]), frames_of(one), one.drawings, one.pictures
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
                layers=layer_titles(self._game.speech),
                prints_layers=self._request.prints_cuts,
            ),
            self._jobs,
        )

    @property
    def _is_backed(self) -> bool:
        return self._request.backs == "duplex"

    def _backs(self, one: LaidOut) -> bool:
        """Tell whether a piece that is read is printed on both sides; a cover sheet is where its bundle is."""
        return self._is_cover_backed if one.piece.book == COVER else self._is_backed

    def _turn_of(self, pieces: Sequence[LaidOut]) -> str:
        """Give the edge that the sheets of a file are turned about; a booklet's is the one it is not folded along."""
        return "short" if all(one.piece.book == BOOKLET for one in pieces) else self._request.turn

    def _faces(self, one: LaidOut, paper: Paper) -> Sequence[Face]:
        """Give what must lie on the sheets of a paper: the cards of a piece, or the pages of one that is read."""
        return page_faces(one, paper, is_double_sided=self._backs(one)) if one.piece.book else one.faces

    def _title(self, name: str, pieces: Sequence[LaidOut]) -> str:
        from duckpress.export import GANG

        title = self._game.title
        if name == GANG:
            title = self._game.speech.program(
                program.TITLES, {"game": title, "piece": self._game.speech.program(program.SHARED_SHEETS)}
            )
        elif name != ALL_PIECES:
            title = self._game.speech.program(program.TITLES, {"game": title, "piece": pieces[0].piece.title})
        return self._spaced(title)

    def _spaced(self, text: str) -> str:
        """Give a text of the file's properties with the spaces and quotes of the language."""
        from duckpress.text import spaced

        return spaced(text, self._language)


def _trims(frames: Mapping[str, Frame]) -> dict[str, Size]:
    return {key: frame.trim for key, frame in frames.items()}


def leaves_of(one: LaidOut) -> list[Leaf]:
    """Give what imposing needs of a piece's faces."""
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


def frames_of(one: LaidOut) -> dict[str, Frame]:
    """Give the frames of a piece by their hashes."""
    frames = {face.front.hash: face.front for face in one.faces}
    frames |= {frame.hash: frame for pages in one.pages.values() for frame in pages}
    return frames | {face.back.hash: face.back for face in one.faces if face.back is not None}
