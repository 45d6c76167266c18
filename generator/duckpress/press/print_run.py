"""All files of a build: for each paper one of every piece, and one of everything; written once all are proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duckpress.core.problems import Problem, has_errors
from duckpress.core.sizes import Paper
from duckpress.files.recording import merged
from duckpress.files.workspace import Workspace
from duckpress.language import program
from duckpress.press.document_maker import Press
from duckpress.press.packets.packet import Packet
from duckpress.press.publishing import write_build
from duckpress.press.reading import Checked, named
from duckpress.press.request import Built, PieceSummary, Request, Step
from duckpress.press.sheets.backs import has_backs
from duckpress.press.sheets.covers import Covers, wants_cover
from duckpress.press.sheets.ganging import Sharing, bundled, may_share
from duckpress.store import ALL_PIECES, COVER, GANG

if TYPE_CHECKING:
    from duckpress.fonts import FontLibrary
    from duckpress.impose import Sheet
    from duckpress.layout import LaidOut
    from duckpress.model import Game
    from duckpress.store import Output, Outputs


class PrintRun:
    """One build of a game, through one press: what is proven gathers here until all of it is."""

    def __init__(
        self,
        workspace: Workspace,
        game: Game,
        request: Request,
        fonts: FontLibrary,
        press: Press,
        *,
        step: Step,
        original_title: str,
    ) -> None:
        self._workspace = workspace
        self._game = game
        self._original_title = original_title
        self._request = request
        self._fonts = fonts
        self._press = press
        self._step = step
        self._outputs: list[Output] = []
        self._found: list[Problem] = []
        self._covers: Covers | None = None
        self._cover_sheets: dict[str, int] = {}
        self._cover_pages: dict[str, int] = {}
        self._cover_pieces: list[LaidOut] = []

    def print_all(
        self, pieces: Sequence[LaidOut], problems: Sequence[Problem], folder: Path, packet: Packet, held: Outputs
    ) -> Built:
        """Impose, render and prove everything; only when all of it is proven is anything written."""
        self._found += packet.unproven
        counts: dict[str, dict[str, int]] = {one.piece.id: {} for one in pieces}
        saved: dict[str, int] = {}
        shared: dict[str, int] = {}
        whole = [one for one in pieces if one.piece.instead_of is None]
        for name in self._request.papers:
            paper = self._request.paper(name)
            sheets: dict[str, tuple[Sheet, ...]] = {}
            sharing = self._share(pieces, paper, sheets)
            if sharing.pieces:
                saved[name], shared[name] = sharing.sheets_alone - sharing.sheets, sharing.sheets
            for one in pieces:
                if one in sharing.pieces:
                    continue
                sheets[one.piece.id] = self._press.imposer.impose(one, paper)
                is_blank = self._request.backs == "only" and not has_backs(one)
                counts[one.piece.id][name] = 0 if is_blank else len(sheets[one.piece.id])
                self._print(one.piece.id, [one], sheets, paper)
            if whole and not self._request.pieces and not self._request.is_ganged:
                bundle = self._covered(ALL_PIECES, whole, sheets, paper)
                if not self._is_all(bundle, paper):
                    self._print(ALL_PIECES, bundle, sheets, paper)
        every = (*pieces, *packet.pieces)
        checked = Checked(self._game.id, self._game, named(self._game.id, [*problems, *self._found]), every)
        answers = merged(*(piece.answers for piece in (*pieces, *self._cover_pieces)))
        if has_errors(self._found):
            return Built(checked, folder, answers=answers)
        files = self._written(pieces, packet, held)
        in_all = {
            name: shared.get(name, 0)
            + sum(counts[one.piece.id].get(name, 0) for one in whole)
            + self._cover_sheets.get(name, 0)
            for name in self._request.papers
        }
        return Built(checked, folder, files, self._summaries(pieces, counts, packet), in_all, saved, shared, answers)

    def _print(self, name: str, pieces: Sequence[LaidOut], sheets: Mapping[str, Sequence[Sheet]], paper: Paper) -> None:
        self._press.add(self._outputs, self._found, name, pieces, sheets, paper)

    def _share(self, pieces: Sequence[LaidOut], paper: Paper, sheets: dict[str, tuple[Sheet, ...]]) -> Sharing:
        """Print the pieces that share sheets, where that is asked for and there are two of them."""
        request = self._request
        sharing = tuple(one for one in pieces if may_share(one, paper)) if request.is_ganged else ()
        if len(sharing) < 2:
            return Sharing((), 0, 0)
        gang = self._press.imposer.impose_shared(sharing, paper)
        bundle = []
        for one, imposed in bundled(sharing, gang, GANG):
            sheets[one.piece.id] = imposed
            bundle.append(one)
        if not request.pieces:
            bundle = self._covered(GANG, bundle, sheets, paper)
        self._print(GANG, bundle, sheets, paper)
        return Sharing(sharing, gang.sheets, gang.sheets_alone)

    def _covered(
        self, name: str, pieces: Sequence[LaidOut], sheets: dict[str, tuple[Sheet, ...]], paper: Paper
    ) -> list[LaidOut]:
        """Give a bundle's pieces, with a cover sheet before them where one is wanted; it gets a file of its own too."""
        if not wants_cover(self._game, self._request):
            return list(pieces)
        if self._covers is None:
            self._covers = Covers(self._workspace, self._game, self._request, self._fonts)
        made = self._covers.cover(pieces, sheets, paper, self._press.file_name(name, paper))
        self._found += [problem for problem in self._covers.problems if problem not in self._found]
        if made is None:
            return list(pieces)
        cover, is_double_sided = made
        self._cover_pieces.append(cover)
        sheets[COVER] = self._press.imposer.impose_cover(cover, paper, is_double_sided=is_double_sided)
        self._cover_sheets[paper.name] = len(sheets[COVER])
        self._cover_pages[paper.name] = len(cover.pages[paper.name])
        self._print(COVER, [cover], sheets, paper)
        return [cover, *pieces]

    def _is_all(self, bundle: Sequence[LaidOut], paper: Paper) -> bool:
        """Where everything is one piece, give its file a second name rather than print and prove the same once more."""
        if len(bundle) != 1:
            return False
        piece = bundle[0].piece.id
        alone = next((one for one in self._outputs if (one.facts.piece, one.facts.paper) == (piece, paper.name)), None)
        if alone is None:
            return False
        facts = alone.facts._replace(name=self._press.file_name(ALL_PIECES, paper), piece=ALL_PIECES)
        self._outputs.append(alone._replace(facts=facts))
        return True

    def _written(self, pieces: Sequence[LaidOut], packet: Packet, held: Outputs) -> tuple[str, ...]:
        """Write all files, and give their names; a build with none leaves everything as it is."""
        if not self._outputs and not packet.outputs:
            return ()
        self._step("writing")
        title, language = self._original_title, self._press.language
        return write_build(held, self._outputs, pieces, packet, self._game, title, self._request, language)

    def _summaries(
        self, pieces: Sequence[LaidOut], counts: Mapping[str, Mapping[str, int]], packet: Packet
    ) -> tuple[PieceSummary, ...]:
        """Give what the cover sheets, each piece and its packets came to; `counts` are sheets by piece and paper."""
        rows = [
            PieceSummary(
                one.piece.id,
                one.piece.title,
                sum(face.copies for face in one.faces),
                counts[one.piece.id],
                {name: len(one.pages[name]) for name in self._request.papers if name in one.pages},
            )
            for one in pieces
        ]
        rows += [
            PieceSummary(piece.id, piece.title, *packet.tally(piece.id))
            for piece in self._game.pieces
            if piece.id in packet.outputs
        ]
        if self._cover_sheets:
            title = self._game.speech.program(program.COVER)
            rows.insert(0, PieceSummary(COVER, title, 0, self._cover_sheets, self._cover_pages))
        return tuple(rows)
