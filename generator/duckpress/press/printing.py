"""Imposed files -> their bytes, proven against the game and its cards.

What draws and what proves is imported late: while workers lay out, if nobody needs it before (`pool.process_pool`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from duckpress import pool
from duckpress.core.backs import GREY, Backs
from duckpress.core.frame import Frame
from duckpress.core.language import Speech, program
from duckpress.core.problems import MachineError, Problem, Source, UnusableContent, has_errors
from duckpress.core.sizes import Paper, paper_of
from duckpress.files.memo import Pack
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Side
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.build_cache import BuildCache, MadeFile
from duckpress.press.print_job import ImposedFile, ImposedPiece, PrintJob
from duckpress.press.sheets.margin_codes import margin_name
from duckpress.press.sheets.piece_sheets import Imposer, frames_of
from duckpress.store import ALL_PIECES, GANG, FileFacts, Output, read_whole
from duckpress.store.manifest import digest

if TYPE_CHECKING:
    from duckpress.proof import ExpectedFace, ExpectedPage
    from duckpress.render import Renderer

_encode = msgspec.msgpack.Encoder().encode


class RenderedFile(NamedTuple):
    """A file and its bytes, or the reason for its failure; `is_proven`: an earlier build made and proved the same."""

    file: ImposedFile
    pdf: bytes
    problems: tuple[Problem, ...] = ()
    is_proven: bool = False


class KeptFiles:
    """The files that earlier builds left in an output folder, proven and without a finding."""

    def __init__(self, job: PrintJob, folder: Path, files: Sequence[ImposedFile], frames: BuildCache | None) -> None:
        self._folder, self._frames = folder, None if job.request.is_forced else frames
        self._made = {} if self._frames is None else self._frames.made(str(folder))
        self._keys = {} if self._frames is None else {file.name: file_key(job, file) for file in files}

    def pdf(self, file: ImposedFile) -> bytes:
        """Return the bytes of a file that is there as it would be made; empty if it is not."""
        made = self._made.get(file.name)
        if made is None or made.key != self._keys[file.name]:
            return b""
        with suppress(OSError):
            data = read_whole(self._folder / file.name)
            return data if digest(data) == made.sha256 else b""
        return b""

    def store(self, files: ProvenFiles) -> None:
        """Note those files of a build that were proven without a finding."""
        if self._frames is not None:
            found = {problem.source.file for problem in files.problems}
            clean = {facts.name: pdf for facts, pdf in files.outputs if facts.name not in found}
            made = {name: MadeFile(digest(pdf), len(pdf), self._keys[name]) for name, pdf in clean.items()}
            self._frames.store_made(str(self._folder), self._made | made)


def file_key(job: PrintJob, file: ImposedFile) -> str:
    """Return the hash of all that a file is drawn from and proven against, but the cards that must be in it."""
    pieces = [(job.bookmark(one), one.sheets, [*map(_told, one.faces)], one.owner) for one in file.pieces]
    game = job.game.title, job.game.version, job.game.designer, job.game.finish, job.game.language
    told = file.title, file.paper, file.duplex, pieces, game, _layer_titles(job.game.speech), repr(job.request)
    return hashlib.sha256(_encode(told)).hexdigest()


def _told(face: Face) -> tuple[object, ...]:
    sides = (face.front.hash, face.back and face.back.hash)
    return (face.deck, face.card, face.copies, *sides, face.format, face.overlap_mm, face.code, face.changed)


@contextmanager
def draw(job: PrintJob, pieces: Sequence[LaidOut], frames: BuildCache | None) -> Iterator[Renderer]:
    """Yield a renderer with the faces of pieces: other processes draw them until its first file.

    Whoever leaves it early ends those processes. Faces that `frames` has from earlier builds are not drawn again.
    """
    from duckpress.render import Renderer

    renderer = Renderer(job.fonts) if frames is None else frames.renderer(job.game.id, job.fonts)
    faces = [face for piece in pieces for face in piece.faces if face.copies]
    printed: list[Frame | None] = [face.front for face in faces] if job.request.backs.has_fronts else []
    printed += [face.back for face in faces] if job.request.backs.has_backs else []
    with renderer.drawing({frame.hash: frame for frame in printed if frame is not None}, pool.jobs()):
        yield renderer


def render(
    job: PrintJob, files: Iterable[ImposedFile], renderer: Renderer, jobs: int = 1, kept: KeptFiles | None = None
) -> Iterator[RenderedFile]:
    """Yield the files with their bytes, drawn by up to `jobs` processes; a second name has the bytes of the first.

    Those that are `kept` are not drawn again.
    """
    rendered: dict[str, RenderedFile] = {}
    for file in files:
        one = rendered.get(file.second_name_of)
        pdf = b"" if kept is None or one is not None else kept.pdf(file)
        if pdf:
            one = rendered[file.name] = RenderedFile(file, pdf, is_proven=True)
        elif one is None:
            job.step(f"printing {file.piece} on {file.paper.name}")
            try:
                one = RenderedFile(file, render_file(job, file, renderer, jobs))
            except UnusableContent as unusable:  # other files may have other fonts that are damaged
                one = RenderedFile(file, b"", unusable.problems)
            rendered[file.name] = one
        yield one._replace(file=file)


def render_file(job: PrintJob, file: ImposedFile, renderer: Renderer, jobs: int = 1) -> bytes:
    """Return the bytes of a file."""
    from duckpress.render import Booklet, DocumentInfo

    booklets = [
        Booklet(job.bookmark(one), one.sheets, frames_of(one.laid_out), one.laid_out.drawings, one.laid_out.pictures)
        for one in file.pieces
    ]
    info = DocumentInfo(
        title=file.title,
        author=job.spaced(job.game.designer),
        subject=job.spaced(job.game.speech.program(program.SUBJECT, {"version": job.game.version})),
        language=job.language,
        duplex=file.duplex,
        layers=_layer_titles(job.game.speech),
        prints_layers=job.request.prints_cuts,
    )
    return renderer.render(booklets, info, jobs)


def _layer_titles(speech: Speech) -> dict[str, str]:
    return {CUT_LAYER: speech.program(program.CUT_LAYER), FOLD_LAYER: speech.program(program.FOLD_LAYER)}


def mark_copy(job: PrintJob, files: list[ImposedFile]) -> tuple[list[ImposedFile], list[Problem]]:
    """Return files with the marks of the printed copy, if there is one, and notes for sides without room."""
    if job.request.copy is None:
        return files, []
    from duckpress.press.sheets.copy_marks import CopyMarker  # most builds begin sooner without it

    marker, problems = CopyMarker(job), dict[Problem, None]()
    for file in files:
        problems |= dict.fromkeys(marker.problems(file, job.request.copy))
    return [marker.marked(file, job.request.copy) for file in files], list(problems)


class ProvenFiles(Struct, frozen=True):
    """Files, and the problems of their proofs: a file with an error is `unproven`."""

    outputs: tuple[Output, ...]
    problems: tuple[Problem, ...]


def prove(
    job: PrintJob, rendered: Iterable[RenderedFile], proven: Pack | None = None, *, is_doubted: bool = False
) -> ProvenFiles:
    """Return files with the findings of their proofs.

    Files that could not be drawn are left out; why is among the problems. At what is `proven` from other files nobody
    looks again. With `is_doubted` no file is proven, whatever it holds.
    """
    outputs: list[Output] = []
    problems: list[Problem] = []
    unproven: set[str] = set()
    proven = Pack() if proven is None else proven
    for file, pdf, unusable, is_proven in rendered:
        problems += unusable
        if unusable:
            continue
        if not file.second_name_of:
            if not is_proven:
                job.step(f"proving {file.name}")
            findings = _proof_findings(job, file, None if is_proven else pdf, proven)
            unproven |= {file.name} if is_doubted or has_errors(findings) else set()
            problems += findings
        is_unproven = (file.second_name_of or file.name) in unproven or UNSET
        ways = job.language, job.request.ink, job.request.backs, job.game.finish or UNSET, is_unproven
        outputs.append(Output(FileFacts(file.name, file.pages, file.sheets, file.paper.name, file.piece, *ways), pdf))
    return ProvenFiles(tuple(outputs), tuple(problems))


def as_unproven(
    job: PrintJob, files: ProvenFiles, impose: Callable[[], Sequence[ImposedFile]], renderer: Renderer, jobs: int = 1
) -> ProvenFiles:
    """Return the files of a forced build, with the unproven ones made again by `impose`, with a note."""
    unproven = {facts.name: facts for facts, _ in files.outputs if facts.unproven is True}
    if not unproven or not job.request.is_forced:
        return files
    outputs = [output for output in files.outputs if output.facts.name not in unproven]
    for file, pdf, unusable, _ in render(job, [file for file in impose() if file.name in unproven], renderer, jobs):
        facts = replace(unproven[file.name], pages=file.pages, sheets=file.sheets)
        outputs += [] if unusable else [Output(facts, pdf)]
    return ProvenFiles(tuple(outputs), files.problems)


def _proof_findings(job: PrintJob, file: ImposedFile, pdf: bytes | None, proven: Pack) -> list[Problem]:
    """Return all differences between a file and its requirements, or the failure of the proof itself.

    Of a file that was proven before (None) only the cards in it are held against the game.
    """
    try:
        return _differences(job, file, pdf, proven)
    except (MachineError, MemoryError, OSError):
        raise
    except Exception as error:
        from duckpress.proof import proof_stopped

        return [proof_stopped(error, Source(file.name))]


def _differences(job: PrintJob, file: ImposedFile, pdf: bytes | None, proven: Pack) -> list[Problem]:
    """Return all differences between a file and its requirements: the faces of each piece, or its pages.

    What is `proven` in another file is not held against it again.
    """
    from duckpress.proof import Expected, prove_pdf

    source = Source(file.name)
    wrong_cards = [problem._replace(source=source) for problem in _wrong_cards(job, file)]
    if pdf is None:
        return wrong_cards
    request, paper = job.request, file.paper
    faces = tuple(face for _, own in faces_by_piece(job, file) for face in own)
    pictures = {key: picture for one in file.pieces for key, picture in one.laid_out.pictures.items()}
    drawings = {key: drawing for one in file.pieces for key, drawing in one.laid_out.drawings.items()}
    expected = Expected(
        faces,
        paper.size,
        paper_of(paper.name).margin_mm,  # what a printer whose margins are not known cannot reach
        file.duplex,
        file.title,
        job.language,
        pictures,
        drawings,
        request.printer,
        backs_turn=request.turn if not request.backs.has_fronts and request.printer is not None else None,
        fold_turn=request.turn if request.backs.is_folded else None,
        cut=request.cut,
        layers={f"L-{name}": title for name, title in _layer_titles(job.game.speech).items()},
        prints_layers=request.prints_cuts,
        is_grey=request.ink == GREY,
        pages=tuple(_pages(file)),
        font_file=lambda key: None if (typeface := job.fonts.load_key(key)) is None else typeface.file,
    )
    return [*wrong_cards, *prove_pdf(pdf, expected, source, proven)]


def _wrong_cards(job: PrintJob, file: ImposedFile) -> Iterator[Problem]:
    """Yield the wrong cards of a file, compared with the game, or with each copy's game if there are several."""
    from duckpress.proof import check_own_faces, deck_copies

    for _, group in groupby(file.pieces, lambda one: one.owner):
        pieces = [one for one in group if not one.laid_out.piece.book]
        game = next((one.game for one in pieces if one.game is not None), job.game)
        copies = {} if job.copies is None or not pieces else job.copies
        if job.copies is None:
            copies = deck_copies(game, _decks(job, game, file, pieces), job.request.players)
        faces = [face for one in pieces for face in one.faces]
        yield from check_own_faces(game, faces, copies, may_lack=job.request.is_forced)


def _decks(job: PrintJob, game: Game, file: ImposedFile, pieces: Sequence[ImposedPiece]) -> Iterable[str]:
    """Return the decks that a file prints, repeated as often as they are printed."""
    wanted = job.request.pieces
    if file.piece == ALL_PIECES:
        chosen = (one for one in game.chosen_pieces(wanted) if wanted or one.instead_of is None)
        return chain.from_iterable(one.decks for one in chosen if not one.book and game.dealt_to(one) is None)
    by_id = {piece.id: piece.decks for piece in game.pieces}
    own = chain.from_iterable(by_id.get(one.laid_out.piece.id, ()) for one in pieces)
    # Of faces that share sheets, or are a player's: as often as their cards are there.
    bundle = next((one.faces for one in pieces if one.laid_out.piece.id not in by_id), ())
    sets: Counter[str] = Counter()
    for (deck, _), count in Counter((face.deck, face.card) for face in bundle).items():
        sets[deck] = max(sets[deck], count)
    return chain(own, sets.elements())


def _pages(file: ImposedFile) -> Iterator[ExpectedPage]:
    """Yield the planned side of each page; if other sheets have backs, a missing back is an empty page."""
    from duckpress.proof import ExpectedPage

    for sheet in (sheet for one in file.pieces for sheet in one.sheets):
        yield ExpectedPage(sheet.front, sheet.paper)
        if file.duplex is not None:
            yield ExpectedPage(sheet.back or Side((), ()), sheet.paper)


def faces_by_piece(job: PrintJob, file: ImposedFile) -> Iterator[tuple[ImposedPiece, list[ExpectedFace]]]:
    """Yield each piece of a file, with its expected faces."""
    game, request = job.game, job.request
    own = {piece.id for piece in game.pieces}  # the others of a bundle are sheets that pieces share
    for one in file.pieces:
        piece, is_read = one.laid_out.piece, bool(one.laid_out.piece.book)
        is_shared = file.piece in (GANG, ALL_PIECES) and not is_read and piece.id not in own
        if is_read or is_shared or any(face.copies for face in one.faces):
            faces = [_expected_face(face, request.backs, game, is_read=is_read) for face in one.faces]
            yield one, [face for face in faces if face is not None]


def _expected_face(face: Face, backs: Backs, game: Game, *, is_read: bool) -> ExpectedFace | None:
    """Return a face as it must be in the file; None if no side of it is printed."""
    from duckpress.proof import ExpectedFace

    front, back = face.front, face.back
    if not backs.has_fronts:
        if is_read or back is None:
            return None
        front, back = back, None
    elif not backs.has_backs or (is_read and not backs.has_back_sides):
        back = None
    shape = "round" if face.format.is_round else "hexagonal" if face.format.is_hex else ""
    name = margin_name(face, game.version) if game.finish and backs.has_fronts else ""
    return ExpectedFace(
        face.deck, face.card, face.copies, front, back, face.overlap_mm, is_cut=not is_read, shape=shape, name=name
    )


class Press:
    """Prints pieces of one game one by one; common parts are drawn once."""

    def __init__(self, job: PrintJob, *, is_draft: bool = False, is_unproven: bool = False) -> None:
        from duckpress.render import Renderer

        self.job = job
        self._imposer = Imposer(job, is_draft=is_draft, is_unproven=is_unproven)
        self._renderer = Renderer(job.fonts)

    def impose(self, one: LaidOut, paper: Paper) -> ImposedFile:
        """Return the file of a piece."""
        sheets = {one.piece.id: self._imposer.impose(one, paper)}
        (file,), _ = mark_copy(self.job, [self.job.file(one.piece.id, [one], sheets, paper)])
        return file

    def unproven(self, one: LaidOut, paper: Paper) -> bytes:
        """Return a piece's rendered file, for measuring: it is not proven, and never written."""
        return render_file(self.job, self.impose(one, paper), self._renderer)

    def print(self, file: ImposedFile, *, is_doubted: bool = False) -> ProvenFiles:
        """Return a file rendered and proven; none if only backs are printed, and it has none."""
        files = [] if self.job.is_blank([one.laid_out for one in file.pieces]) else [file]
        return prove(self.job, render(self.job, files, self._renderer), is_doubted=is_doubted)

    def print_piece(self, one: LaidOut, paper: Paper, *, is_doubted: bool) -> ProvenFiles:
        """Return a piece's file; a forced one that is unproven carries a note."""
        files = self.print(self.impose(one, paper), is_doubted=is_doubted)
        marked = Press(self.job, is_unproven=True)
        return as_unproven(self.job, files, lambda: [marked.impose(one, paper)], marked._renderer)
