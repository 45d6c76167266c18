"""A copy's pieces -> its files, proven: one PDF for each paper, and the packet of its own deal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.problems import Problem, has_errors
from duckpress.editions.card_pools import copy_seed, edition_key
from duckpress.editions.people import Copy
from duckpress.editions.planning import Copier, CopyDraw
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.kept_sheets import KeptSheets
from duckpress.press.packet import print_packet
from duckpress.press.packet_deal import deal_packet
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import prove, render
from duckpress.press.reading import named
from duckpress.press.request import CopyMark, Request
from duckpress.press.sheets.copy_marks import CopyMarker
from duckpress.press.sheets.piece_sheets import Imposer, misfits
from duckpress.press.sheets.sleeving import fit_to_sleeve
from duckpress.printrun.copy_pieces import CopyGame, CopyLaidOut, CopyPieces
from duckpress.proof import Proven
from duckpress.render import Renderer
from duckpress.store import ALL_PIECES, Output

_SAMPLE = "sample"


class PrintedCopy(NamedTuple):
    """A copy with its files, by their places in the folder of its shard, and its problems; with an error no files."""

    copy: Copy
    outputs: dict[str, Output]
    secret: frozenset[str]  # files of a packet: nothing but their names is told of them
    problems: tuple[Problem, ...]


class CopyPrinter:
    """Prints the copies of one edition in one language; what copies share is laid out, drawn and proven by then."""

    def __init__(self, workspace: Workspace, copier: Copier, request: Request) -> None:
        """Lay out, draw and prove all that copies share; `problems` is what is wrong with that."""
        self._copier, self._request = copier, request
        self._fonts = FontLibrary(workspace)
        self._pieces = CopyPieces(workspace, copier, request, self._fonts)
        self._workspace = self._pieces.workspace
        self._renderer, self._proven, self._kept = Renderer(self._fonts, b""), Proven(b""), KeptSheets()
        self._renderer.keeps_documents = True
        self._marker = CopyMarker(PrintJob(self._pieces.sample, request, self._fonts))
        shared = list(self._pieces.shared.values())
        problems = [*self._pieces.problems, *misfits(self._pieces.sample, shared, request)]
        if not has_errors(problems):
            copy = Copy(_SAMPLE, 1, 1, {})
            laid_out = CopyLaidOut(copy, self._pieces.sample, shared, [])
            problems += self._print(laid_out, replace(request, copy=self._mark(copy, ""))).problems
        self.problems: tuple[Problem, ...] = named(copier.games.game.id, problems)

    def branch(self) -> CopyPrinter:
        """Return the same, to go on by itself from what is drawn and proven now: so memory stays what it is."""
        other = object.__new__(CopyPrinter)
        vars(other).update(vars(self))
        other._pieces, other._kept = self._pieces.branch(), KeptSheets()
        other._marker = CopyMarker(PrintJob(self._pieces.sample, self._request, self._fonts))
        other._renderer, other._proven = self._renderer.branch(), self._proven.branch()
        return other

    def print_all(self, copies: Sequence[tuple[Copy, CopyDraw]]) -> list[PrintedCopy]:
        """Return copies printed, each as the draw of its number has it."""
        games, marks, broken = [], dict[str, CopyMark | None](), {}
        for copy, draw in copies:
            game, problems = self._copier.game(copy, draw)
            name, found = self._copier.name(copy, draw)
            if has_errors([*problems, *found]):
                broken[copy.id] = (*problems, *found)
            else:
                games.append(CopyGame(copy, game))
                marks[copy.id] = self._mark(copy, name)
        printed = {one.copy.id: self._printed(one, marks[one.copy.id]) for one in self._pieces.of(games)}
        return [printed.get(copy.id) or PrintedCopy(copy, {}, frozenset(), broken[copy.id]) for copy, _ in copies]

    def _mark(self, copy: Copy, name: str) -> CopyMark | None:
        """Return what the sheets of a copy say of it; None where they say nothing."""
        game = self._copier.games.game
        plan = game.edition.marks if game.edition is not None else None
        if plan is None:
            return None
        key = edition_key(self._copier.seed, game.id) if plan.has_dots else b""
        return CopyMark(copy.number, copy.count, name, key, plan.has_line)

    def _printed(self, one: CopyLaidOut, mark: CopyMark | None) -> PrintedCopy:
        request = replace(self._request, copy=mark)
        request = request if not one.copy.paper else replace(request, papers=(one.copy.paper,))
        printed = self._print(one, request)
        problems = [one._replace(what=f"copy {printed.copy.id!r}: {one.what}") for one in printed.problems]
        return printed._replace(problems=named(one.game.id, problems))

    def _print(self, one: CopyLaidOut, request: Request) -> PrintedCopy:
        copy, game = one.copy, one.game
        job = PrintJob(game, request, self._fonts)
        pieces, problems = fit_to_sleeve(job, one.pieces)
        problems = [*one.problems, *problems]
        secret: frozenset[str] = frozenset()
        outputs: dict[str, Output] = {}
        if not has_errors(problems):
            whole = [piece for piece in pieces if request.pieces or piece.piece.instead_of is None]
            outputs, found = self._files(job, copy, whole)
            problems += found
            packet, found = self._packet(game, copy, request)
            problems += found
            outputs, secret = {**outputs, **packet}, frozenset(packet)
        is_sound = not has_errors(problems)
        return PrintedCopy(copy, outputs if is_sound else {}, secret, tuple(problems))

    def _files(self, job: PrintJob, copy: Copy, pieces: Sequence[LaidOut]) -> tuple[dict[str, Output], list[Problem]]:
        """Return one file for each paper, with everything."""
        outputs: dict[str, Output] = {}
        problems: list[Problem] = []
        if not pieces or job.is_blank(pieces):
            return outputs, problems
        plain = replace(job, request=replace(job.request, copy=None))  # as which sheets of all copies are planned
        imposer = Imposer(plain, kept=self._kept)
        for paper in map(job.request.paper, job.request.papers):
            sheets = {piece.piece.id: imposer.impose(piece, paper) for piece in pieces}
            of = pieces[0].piece.id if len(pieces) == 1 else ALL_PIECES
            file = job.file(of, pieces, sheets, paper)
            if job.request.copy is not None:
                problems += self._marker.problems(file, job.request.copy) if copy.id == _SAMPLE else ()
                file = self._marker.marked(file, job.request.copy)
            self._proven.begin()
            proven = prove(job, render(job, [file], self._renderer), problems, proven=self._proven)
            problems += proven.problems
            for output in proven.outputs:
                facts = replace(output.facts, name=job.file_name(copy.id, paper))
                outputs[facts.name] = output._replace(facts=facts)
        return outputs, problems

    def _packet(self, game: Game, copy: Copy, request: Request) -> tuple[dict[str, Output], list[Problem]]:
        """Return the files of the packet of a copy's own deal, in a folder of their own; none without pieces for it."""
        if all(game.dealt_to(piece) is None for piece in game.chosen_pieces(request.pieces)):
            return {}, []
        request = replace(request, seed=copy_seed(self._copier.seed, game.id, copy.id))
        deal = deal_packet(game, request)
        if isinstance(deal, Problem):
            return {}, [deal]
        packet = print_packet(self._workspace, PrintJob(game, request, self._fonts), deal)
        every = [output for outputs in packet.outputs.values() for output in outputs]
        return {f"{copy.id}/{output.facts.name}": output for output in every}, [*packet.problems, *packet.unproven]
