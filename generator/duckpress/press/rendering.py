"""Files to be -> their bytes; faces are drawn once for all files of a build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from duckpress import pool
from duckpress.language import program
from duckpress.layout import LaidOut
from duckpress.press.faces.frame_store import FrameStore
from duckpress.press.print_job import PrintJob
from duckpress.press.sheets.backs import layer_titles, printed_frames
from duckpress.press.sheets.imposed_file import ImposedFile
from duckpress.press.sheets.imposing import frames_of
from duckpress.render import Booklet, DocumentInfo, Renderer


class RenderedFile(NamedTuple):
    """A file and its bytes."""

    file: ImposedFile
    pdf: bytes


@contextmanager
def draw(job: PrintJob, pieces: Sequence[LaidOut], frames: FrameStore | None = None) -> Iterator[Renderer]:
    """Yield a renderer that has the faces of pieces: other processes draw them until it is asked for a file.

    Whoever leaves it early ends those processes. Faces that `frames` has from earlier builds are not drawn again.
    """
    renderer = Renderer(job.fonts) if frames is None else frames.renderer(job.fonts)
    with renderer.drawing(printed_frames(pieces, job.request.backs), pool.jobs()):
        yield renderer


def render(job: PrintJob, files: Iterable[ImposedFile], renderer: Renderer, jobs: int = 1) -> Iterator[RenderedFile]:
    """Yield the files with their bytes, drawn by up to `jobs` processes; a second name has the bytes of the first."""
    rendered: dict[str, bytes] = {}
    for file in files:
        pdf = rendered.get(file.second_name_of)
        if pdf is None:
            job.step(f"printing {file.piece} on {file.paper.name}")
            pdf = rendered[file.name] = render_file(job, file, renderer, jobs)
        yield RenderedFile(file, pdf)


def render_file(job: PrintJob, file: ImposedFile, renderer: Renderer, jobs: int = 1) -> bytes:
    """Return the bytes of a file."""
    game = job.game
    booklets = [
        Booklet(job.spaced(one.piece.title), sheets, frames_of(one), one.drawings, one.pictures)
        for one, sheets in ((piece.laid_out, piece.sheets) for piece in file.pieces)
    ]
    info = DocumentInfo(
        title=file.title,
        author=game.designer,
        subject=job.spaced(game.speech.program(program.SUBJECT, {"version": game.version})),
        language=job.language,
        duplex=file.duplex,
        layers=layer_titles(game.speech),
        prints_layers=job.request.prints_cuts,
    )
    return renderer.render(booklets, info, jobs)
