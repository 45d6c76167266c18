"""Drawings that cannot be outlines -> their pixels, drawn by resvg in workers that may be killed, and cached.

A layout asks for them by what they show (`PictureData` of the kinds `svg`). What a worker answers is looked at like any
PNG file before it is believed.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from duckpress import pool
from duckpress.art import BadArt
from duckpress.art.picture_files import SVG_GREY, PictureData, read_picture
from duckpress.art.raster import read_png
from duckpress.art.svg.bare_svg import svg_pixels
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.paths import Record
from duckpress.core.problems import Problem, Source
from duckpress.layout import LaidOut, Taken, too_much_art
from duckpress.pool import Done, Handle, Lost, Note, ProcessPool, Work, jobs
from duckpress.press.build_cache import BuildCache
from duckpress.store import scratch_folder, write_file
from duckpress.text.fonts import FontLibrary

_NOTHING = b64decode(  # a PNG of one pixel that shows nothing, for a draft
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII="
)


class DrawingTask(Record, frozen=True):
    """A drawing to be drawn: the key of its picture, and its text from `bare_svg`."""

    key: str
    svg: bytes
    is_grey: bool


class DrawnPixels(Record, frozen=True):
    """The result of a drawing: a PNG file, or the reason for its failure."""

    png: bytes
    why: str = ""


class WordFonts(NamedTuple):
    """The font files for words in drawings, and the family for words in unknown families."""

    files: tuple[str, ...]
    family: str


def drawing_pixels(fonts: WordFonts) -> Handle[DrawingTask, DrawnPixels]:
    """Return the function that draws drawings with these fonts, inside a worker."""

    def draw(task: DrawingTask, note: Note) -> DrawnPixels:
        note(0)
        try:
            png = svg_pixels(task.svg.decode("utf-8"), fonts.files, fonts.family)
            return DrawnPixels(read_picture(task.key, png, is_grey=True)[0].data if task.is_grey else png)
        except ValueError as error:
            return DrawnPixels(b"", " ".join(str(error).split())[:200])

    return draw


def with_drawn_pictures(
    pieces: Sequence[LaidOut], fonts: FontLibrary, frames: BuildCache | None
) -> tuple[list[LaidOut], list[Problem]]:
    """Return pieces with the pixels of all drawings that cannot be outlines.

    One that cannot be drawn is the problem `bad-svg`, and an empty picture in its place.
    """
    wanted = {key: picture for one in pieces for key, picture in one.pictures.items() if not picture.is_drawn}
    if not wanted:
        return list(pieces), []
    drawn = {}
    for key, picture in wanted.items():
        known = frames.picture(key) if frames is not None else b""
        if (read := _checked_picture(picture, known)) is not None:
            drawn[key] = read
    problems: list[Problem] = []
    answers = dict(_drawn_pixels([picture for key, picture in wanted.items() if key not in drawn], fonts))
    for key, picture in wanted.items():
        if key not in answers:
            continue
        answer = answers[key]
        read = _checked_picture(picture, answer.png)
        if read is None:
            what = f"{picture.path!r} cannot be drawn as a picture: {answer.why or 'nothing came of it'}"
            raised = how_to_raise(pool.SECONDS if "longer" in answer.why else pool.MEMORY)
            fix = f"simplify its filters, or save it as PNG; {raised}"
            problems.append(Problem("bad-svg", Source(picture.path), what, fix))
            drawn[key] = replace(picture, data=_NOTHING, kind="png", width_px=1, height_px=1)
            continue
        drawn[key] = read
        if frames is not None:
            frames.keep_picture(key, answer.png)
    amounts = [Taken("art-bytes", key, len(picture.data), picture.path) for key, picture in drawn.items()]
    problems += too_much_art(amounts)
    return [
        one._replace(pictures={key: drawn.get(key, picture) for key, picture in one.pictures.items()}) for one in pieces
    ], problems


def _checked_picture(picture: PictureData, png: bytes) -> PictureData | None:
    """Return the picture of a PNG file, None if it is not of the expected kind and size."""
    try:
        bare = read_png(picture.path, png)
    except BadArt:
        return None
    if bare.must_convert or bare.colours or (bare.width, bare.height) != (picture.width_px, picture.height_px):
        return None
    return replace(picture, data=bare.data, kind="png")


def _drawn_pixels(pictures: Sequence[PictureData], fonts: FontLibrary) -> Iterator[tuple[str, DrawnPixels]]:
    """Yield the key and the result of each picture, in order of completion."""
    if not pictures:
        return
    tasks = [DrawingTask(picture.key, picture.data, picture.kind == SVG_GREY) for picture in pictures]
    with ExitStack() as until_done:
        words = WordFonts((), "")
        if any(b"<text" in picture.data for picture in pictures):
            words = _stored_fonts(fonts, until_done.enter_context(scratch_folder()))
        work = Work(drawing_pixels, words, DrawingTask, DrawnPixels)
        workers = until_done.enter_context(ProcessPool(work, min(max(1, jobs()), len(tasks))))
        workers.add(tasks)
        for event in workers.events():
            yield event.task.key, event.result if isinstance(event, Done) else DrawnPixels(b"", _why(event))


def _stored_fonts(fonts: FontLibrary, folder: Path) -> WordFonts:
    """Return all fonts as separate files, with the checked bytes, and the first fallback family."""
    files: list[str] = []
    for style in (style for _, family in sorted(fonts.families.items()) for style in family.styles):
        if (typeface := fonts.typeface_of(style)) is not None:
            files.append(str(folder / f"{len(files)}.ttf"))
            write_file(Path(files[-1]), typeface.file.data)
    return WordFonts(tuple(files), fonts.common_family)


def _why(lost: Lost[DrawingTask]) -> str:
    if lost.why in (pool.TOO_LONG, pool.ALL_TOO_LONG):
        return f"that took longer than {limit(pool.SECONDS)} seconds and was stopped"
    if lost.why == pool.TOO_LARGE:
        return f"that takes more than {written(limit(pool.MEMORY))} bytes of memory and was stopped"
    return f"the process that drew it broke down ({lost.words or 'it is gone'})"
