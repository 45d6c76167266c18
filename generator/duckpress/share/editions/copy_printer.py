"""A copy's pieces -> its files, proven: one PDF for each paper, and the packet of its own deal.

For a print shop, copies lie one behind the other in one PDF for each paper, each with its own marks. What they share is
in it once. It is proven as a whole; where something is wrong with it, each copy is proven by itself, and those that
fail are left out.

A bundle of a copy has its PDF, and what a tester needs who does not know the program. What shows cards without saying
whose copy they are of (the page of all cards, update packs) is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy as shallow_copy
from itertools import groupby
from pathlib import PurePath
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.check.copy_games import Dealt, copy_seed
from duckpress.core.problems import Problem, has_errors
from duckpress.files.memo import Memo, Pack
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.model.game import Copy
from duckpress.press.packet import deal_packet, print_packet
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import ProvenFiles, file_key, prove, render
from duckpress.press.publishing import card_facts
from duckpress.press.reading import Loaded, named
from duckpress.press.request import CopyMark, Request, silent
from duckpress.press.sheets.copy_marks import CopyMarker
from duckpress.press.sheets.kept_sheets import KeptSheets
from duckpress.press.sheets.piece_sheets import Imposer, oversize_pieces
from duckpress.press.sheets.sleeving import fit_to_sleeve
from duckpress.press.typesetting import TypesetPieces
from duckpress.render import Renderer
from duckpress.share.bundle_pages import FORM, Contents, bundle_bytes, licence_text, write_lists
from duckpress.share.editions.copy_pieces import CopyPieces
from duckpress.share.editions.draws import Copier, CopyDraw
from duckpress.share.feedback_form import feedback_form, has_own_form
from duckpress.store import ALL_PIECES, Output
from duckpress.store.manifest import digest
from duckpress.text.fonts import FontLibrary

_SAMPLE = "sample"


class CopyFile(Struct, frozen=True):
    """A file of a copy, or its pages in a joint file of several copies, from the `first` on.

    Of a file in a packet no hash is told, which a guess could be tried against.
    """

    name: str
    paper: str
    pages: int
    sheets: int
    bytes: int | None = None
    sha256: str | None = None
    first: int = 1


def file_of(output: Output, name: str, *, is_secret: bool = False) -> CopyFile:
    """Return a file as manifests list it."""
    facts, data = output
    told = () if is_secret else (len(data), digest(data))
    return CopyFile(name, facts.paper, facts.pages, facts.sheets, *told)


class PrintedCopy(NamedTuple):
    """A copy with its files, relative to the folder of its shard, and its problems; with an error no files."""

    copy: Copy
    outputs: dict[str, Output]
    secret: frozenset[str]  # files of a packet: nothing but their names is told of them
    problems: tuple[Problem, ...]
    pages: Sequence[CopyFile] = ()  # in files that it shares with other copies

    @property
    def files(self) -> list[CopyFile]:
        """Its files as the manifest of its shard lists them."""
        own = (file_of(output, name, is_secret=name in self.secret) for name, output in self.outputs.items())
        return [*self.pages, *own]


class ImposedCopy(NamedTuple):
    """A copy with the sheets of its files, one for each paper; the files of its packet are printed already."""

    copy: Copy
    job: PrintJob
    files: list[ImposedFile]
    packet: dict[str, Output]
    problems: list[Problem]

    def name(self, file: ImposedFile) -> str:
        return self.job.file_name(self.copy.id, file.paper)

    def printed(self, outputs: dict[str, Output], problems: Sequence[Problem]) -> PrintedCopy:
        """Return the copy with its printed files and its packet; no files if there is an error."""
        every = [one._replace(what=f"copy {self.copy.id!r}: {one.what}") for one in (*self.problems, *problems)]
        outputs = {} if has_errors(every) else {**outputs, **self.packet}
        return PrintedCopy(self.copy, outputs, frozenset(self.packet), named(self.job.game.id, every))


class CopyPrinter:
    """Prints the copies of one edition in one language; shared parts are laid out, drawn and proven once."""

    def __init__(self, workspace: Workspace, copier: Copier, request: Request, drawn: Sequence[Dealt]) -> None:
        """Lay out, draw and prove the shared parts, with the drawn cards; `problems` are those of the shared parts."""
        self._copier, self._request = copier, request
        self._fonts = FontLibrary(workspace)
        self._pieces = CopyPieces(workspace, copier, request, self._fonts)
        self._workspace = workspace
        self._renderer, self._proven = Renderer(self._fonts), Pack()
        self._last: dict[str, tuple[str, ProvenFiles]] = {}  # by paper: copies may be the same to the last byte
        sample_job = PrintJob(self._pieces.sample, request, self._fonts)
        self._sheets = KeptSheets(workspace, sample_job, Memo())
        self._marker = CopyMarker(sample_job)
        shared = list(self._pieces.shared.values())
        problems = [*self._pieces.problems, *oversize_pieces(self._pieces.sample, shared, request)]
        if not has_errors(problems):
            copy = Copy(_SAMPLE, 1, 1, {})
            sample = self._imposed(copy, self._pieces.sample, TypesetPieces(shared, []), self._mark(copy, ""))
            problems += sample.problems
            problems += self.prove(sample.job, sample.files).problems
        if not has_errors(problems):
            games, findings = self._pieces.lay_out_pool(drawn)
            problems += findings
            for game, cards in games:  # what fails is met again
                job = PrintJob(game, request, self._fonts)
                pieces, misfitting = fit_to_sleeve(job, cards)
                if not has_errors(misfitting):
                    self.prove(job, self._files(job, pieces))
        self.problems: tuple[Problem, ...] = named(copier.games.game.id, problems)

    def branch(self) -> CopyPrinter:
        """Return an independent printer with the same drawings and proofs, to keep memory bounded."""
        other = shallow_copy(self)
        other._marker = CopyMarker(PrintJob(self._pieces.sample, self._request, self._fonts))
        other._renderer, other._proven = self._renderer.branch(), self._proven.branch()
        other._sheets, other._last = self._sheets.branch(), {}
        return other

    def imposed(self, copies: Sequence[tuple[Copy, CopyDraw]]) -> Iterator[ImposedCopy]:
        """Yield copies with their sheets, each by the draw with its number."""
        games, marks, broken = dict[str, Game](), dict[str, CopyMark | None](), {}
        for copy, draw in copies:
            game, problems = self._copier.game(copy, draw)
            name, findings = self._copier.name(copy, draw)
            if has_errors([*problems, *findings]):
                job = PrintJob(self._copier.games.game, self._request, self._fonts)
                broken[copy.id] = ImposedCopy(copy, job, [], {}, [*problems, *findings])
            else:
                games[copy.id] = game
                marks[copy.id] = self._mark(copy, name)
        typeset = self._pieces.of(list(games.values()))
        for copy, _ in copies:
            yield broken.get(copy.id) or self._imposed(copy, games[copy.id], next(typeset), marks[copy.id])

    def print(self, one: ImposedCopy) -> PrintedCopy:
        """Return a copy printed into its own files."""
        if has_errors(one.problems):
            return one.printed({}, ())
        proven = self.prove(one.job, one.files)
        outputs = (output.renamed(name) for name, output in zip(map(one.name, one.files), proven.outputs, strict=False))
        return one.printed({output.facts.name: output for output in outputs}, proven.problems)

    def prove(self, job: PrintJob, files: Sequence[ImposedFile]) -> ProvenFiles:
        """Return files rendered and proven."""
        outputs: list[Output] = []
        problems: list[Problem] = []
        for file in files:
            key = file_key(job, file)
            last, proven = self._last.get(file.paper.name, ("", ProvenFiles((), ())))
            if last != key:
                self._proven.begin()
                proven = prove(job, render(job, [file], self._renderer), self._proven)
                self._last[file.paper.name] = key, proven
            outputs += proven.outputs
            problems += proven.problems
        return ProvenFiles(tuple(outputs), tuple(problems))

    def _mark(self, copy: Copy, name: str) -> CopyMark | None:
        """Return the mark of a copy for its sheets, or None."""
        edition = self._copier.games.game.edition
        plan = edition.marks if edition is not None else None
        return None if plan is None else CopyMark(copy.number, copy.count, name, plan.has_line)

    def _imposed(self, copy: Copy, game: Game, typeset: TypesetPieces, mark: CopyMark | None) -> ImposedCopy:
        request = replace(self._request, copy=mark)
        request = request if not copy.paper else replace(request, papers=(copy.paper,))
        job = PrintJob(game, request, self._fonts)
        pieces, problems = fit_to_sleeve(job, typeset.pieces)
        problems = [*typeset.problems, *problems]
        if has_errors(problems):
            return ImposedCopy(copy, job, [], {}, problems)
        files = self._files(job, [piece for piece in pieces if request.pieces or piece.piece.instead_of is None])
        if mark is not None:
            for file in files if copy.id == _SAMPLE else ():
                problems += self._marker.problems(file, mark)
            files = [self._marker.marked(file, mark) for file in files]
        packet, findings = self._packet(game, copy, request)
        return ImposedCopy(copy, job, files, packet, [*problems, *findings])

    def _files(self, job: PrintJob, pieces: Sequence[LaidOut]) -> list[ImposedFile]:
        """Return one file for each paper, with all pieces, before it is marked for a copy."""
        if not pieces or job.is_blank(pieces):
            return []
        # As for all copies.
        imposer = Imposer(replace(job, request=replace(job.request, copy=None)), kept=self._sheets)
        files = []
        for paper in map(job.request.paper, job.request.papers):
            sheets = {piece.piece.id: imposer.impose(piece, paper) for piece in pieces}
            files.append(job.file(pieces[0].piece.id if len(pieces) == 1 else ALL_PIECES, pieces, sheets, paper))
        return files

    def _packet(self, game: Game, copy: Copy, request: Request) -> tuple[dict[str, Output], list[Problem]]:
        """Return the files of the packet of a copy's own deal, in its own folder; none without dealt pieces."""
        if all(game.dealt_to(piece) is None for piece in game.chosen_pieces(request.pieces)):
            return {}, []
        request = replace(request, seed=copy_seed(self._copier.seed, game.id, copy.id))
        deal = deal_packet(game, request)
        if isinstance(deal, Problem):
            return {}, [deal]
        packet = print_packet(self._workspace, PrintJob(game, request, self._fonts), deal)
        every = [output for outputs in packet.outputs.values() for output in outputs]
        return {f"{copy.id}/{output.facts.name}": output for output in every}, [*packet.problems, *packet.unproven]


def print_joint(
    printer: CopyPrinter, copies: Sequence[tuple[Copy, CopyDraw]], name: str
) -> tuple[list[PrintedCopy], dict[str, Output]]:
    """Print copies into one file for each paper, named `name`; return the copies, and the files.

    Packets stay files of their own.
    """
    imposed = list(printer.imposed(copies))
    sound = [one for one in imposed if not has_errors(one.problems)]
    joint, proven = _proven(printer, sound, name)
    failed: dict[str, PrintedCopy] = {}
    if has_errors(proven.problems):
        alone = {one.copy.id: printer.print(one) for one in sound}
        failed = {id_: printed for id_, printed in alone.items() if has_errors(printed.problems)}
        sound = [one for one in sound if one.copy.id not in failed]
        joint, proven = _proven(printer, sound, name)
    is_sound = not has_errors(proven.problems)
    of_all = {one.copy.id: proven.problems for one in (sound[:1] if is_sound else sound)}  # warnings are told once
    printed = [failed.get(one.copy.id) or one.printed({}, of_all.get(one.copy.id, ())) for one in imposed]
    if not is_sound:
        return printed, {}
    pages: dict[str, list[CopyFile]] = {}  # of each copy in the joint files, by its id
    for file, output in zip(joint, proven.outputs, strict=True):
        first, each, whole = 1, file.pages // file.sheets, file_of(output, output.facts.name)
        for owner, pieces in groupby(file.pieces, lambda piece: piece.owner):
            sheets = sum(len(piece.sheets) for piece in pieces)
            pages.setdefault(owner, []).append(replace(whole, pages=sheets * each, sheets=sheets, first=first))
            first += sheets * each
    printed = [one._replace(pages=pages.get(one.copy.id, ())) for one in printed]
    return printed, {output.facts.name: output for output in proven.outputs}


def _proven(printer: CopyPrinter, copies: Sequence[ImposedCopy], name: str) -> tuple[list[ImposedFile], ProvenFiles]:
    """Return the files of copies, joined by paper, and their proofs."""
    papers: dict[str, dict[str, tuple[Game, ImposedFile]]] = {}
    for one in copies:
        for file in one.files:
            papers.setdefault(file.paper.name, {})[one.copy.id] = one.job.game, file
    joint = [copies[0].job.joined(files, name) for files in papers.values()]
    proven = printer.prove(copies[0].job, joint) if joint else ProvenFiles((), ())
    return joint, proven


class CopyBundler:
    """Makes the bundles of copies in one language; `problems` are those of their shared parts."""

    def __init__(self, workspace: Workspace, loaded: Loaded, request: Request, created: str | None) -> None:
        """Write the licence, and print the form for testers if the game wants one and brings none."""
        assert loaded.game is not None
        self._language = request.language or loaded.game.language
        self._workspace, self._loaded, self._request, self._created = workspace, loaded, request, created
        self._game = replace(loaded.game, bundle=replace(loaded.game.bundle, languages=(self._language,)))
        self._licence = licence_text(workspace, self._game).encode()
        self._forms: dict[str, tuple[Sequence[Output], Sequence[Problem]]] = {}
        self.problems = [problem for paper in request.papers for problem in self._form(paper)[1]]

    def bundled(self, one: ImposedCopy, printed: PrintedCopy) -> PrintedCopy:
        """Return a printed copy with bundles instead of its PDFs; its secret packet stays separate."""
        request, problems = self._request, list[Problem]()
        outputs = {name: printed.outputs[name] for name in printed.secret if name in printed.outputs}
        for file in one.files if printed.outputs else ():
            (facts, data), paper = printed.outputs[one.name(file)], file.paper.name
            contents = Contents({"LICENCE.txt": self._licence})
            backs = "none" if facts.piece == FORM else request.backs
            contents.add(facts, data, "+".join(request.pieces) or facts.piece, backs)
            forms, found = self._form(paper)
            problems += found
            form_name = one.job.file_name(f"{one.copy.id}-{FORM}", file.paper)
            for form in forms:
                contents.add(*form.renamed(form_name), FORM, "none")
            cards = card_facts(one.job, [piece.laid_out for piece in file.pieces])
            contents.cards += [msgspec.to_builtins(card) for card in cards if card.paper in (None, paper)]
            write_lists(self._workspace, self._game, contents, self._created, one.copy.id)
            name = str(PurePath(facts.name).with_suffix(".zip"))
            outputs[name] = Output(replace(facts, name=name), bundle_bytes(self._game, contents.files))
        if has_errors(problems):
            return printed._replace(outputs={}, problems=(*printed.problems, *problems))
        return printed._replace(outputs=outputs)

    def _form(self, paper: str) -> tuple[Sequence[Output], Sequence[Problem]]:
        """Return the form on a paper, if there is one, and its problems."""
        if paper not in self._forms:
            is_wanted = self._game.bundle.has_form and not has_own_form(self._game)
            ways = self._language, (paper,), self._request.ink, silent
            self._forms[paper] = feedback_form(self._workspace, self._loaded, *ways) if is_wanted else ((), ())
        return self._forms[paper]
