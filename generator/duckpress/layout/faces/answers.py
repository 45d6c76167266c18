"""What a worker answers, as bytes: plain data, read with care, for a template may have taken over who wrote it.

An answer holds the entries of new known faces (see `face_cache`), what came of the task as JSON, and pictures.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, items_of_plain, plain_items
from duckpress.core.geometry import Rect
from duckpress.core.limits import LIMITS
from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import Format
from duckpress.layout.elements.art_shelf import Taken
from duckpress.layout.faces.face_cache import KnownFace, read_face
from duckpress.layout.faces.face_maker import MadeSide

_encode_parts = msgspec.msgpack.Encoder().encode
_decode_parts = msgspec.msgpack.Decoder(tuple[bytes, bytes, list[PictureData]]).decode
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, ensure_ascii=False).encode


class Nonsense(ValueError):
    """An answer that is none."""


def task_of(job: int, deck: str, forced_pt: dict[str, float], numbers: list[int], forget: list[str]) -> bytes:
    """Return a task: cards of a deck of a piece by their numbers, sizes in common, known faces to be forgotten."""
    return json.dumps((job, deck, forced_pt, numbers, forget)).encode()


def read_task(task: bytes) -> tuple[int, str, dict[str, float], list[int], list[str]]:
    """Return the parts of a task."""
    job, deck, forced_pt, numbers, forget = json.loads(task)
    return job, deck, forced_pt, numbers, forget


def written(entries: bytes, report: dict[str, Any], pictures: list[PictureData]) -> bytes:
    """Return an answer as bytes."""
    text = _encode(report).encode("utf-8", "surrogatepass")
    return _encode_parts((entries, text, pictures))


def read(answer: bytes) -> tuple[bytes, dict[str, Any], dict[str, PictureData]]:
    """Return the entries, the report and the pictures of an answer; raises `Nonsense`."""
    try:
        entries, text, pictures = _decode_parts(answer)
        report = json.loads(text.decode("utf-8", "surrogatepass"))
    except (msgspec.MsgspecError, MemoryError, ValueError, RecursionError) as error:
        raise Nonsense(str(error)) from error
    return entries, report, {picture.key: picture for picture in pictures}


def plain_problem(problem: Problem) -> list[Any]:
    """Return a problem as plain data."""
    return [problem.code, *problem.source, problem.what, problem.fix, problem.level.value]


def read_problem(found: Any) -> Problem:
    """Return a problem of plain data; raises `ValueError` or `TypeError` where it is none."""
    code, file, line, column, what, fix, level = found
    if not all(isinstance(text, str) for text in (code, file, what, fix)):
        raise TypeError(code)
    return Problem(code, Source(file, int(line), int(column)), what, fix, Level(level))


def plain_side(side: MadeSide | None) -> Any:
    """Return a side as plain data: in most cases only the key of its face."""
    if side is None:
        return None
    if side.is_there and side.face is None and side.bare is None:
        return side.key
    found: dict[str, Any] = {"key": side.key, "bare": side.bare, "there": side.is_there}
    if side.face is not None:
        frame, together, shrunk = side.face
        found["face"] = (frame.hash, plain_items(frame.items), together, shrunk)
    if side.problems:
        found["problems"] = [plain_problem(problem) for problem in side.problems]
    if side.once:
        found["once"] = side.once
    if side.same:
        found["same"] = side.same
    return found


def read_side(found: Any, format_: Format) -> MadeSide | None:
    """Return a side of plain data; `face` is None for one that is among the known ones. Raises what nonsense raises."""
    if found is None:
        return None
    if isinstance(found, str):
        return MadeSide(found)
    face: KnownFace | None = None
    if "face" in found:
        frame_hash, items, together, shrunk = found["face"]
        face = read_face(frame_hash, items, together, shrunk, format_)
    once = tuple(tuple(map(str, use)) for use in found.get("once", ()))
    problems = tuple(map(read_problem, found.get("problems", ())))
    bare = found["bare"]
    if not (bare is None or isinstance(bare, str)):
        raise TypeError(bare)
    key, same = str(found["key"]), str(found.get("same", ""))
    return MadeSide(key, found["there"] is True, face, problems, once, same, bare)


def read_taken(found: Any) -> Taken:
    """Return what art takes, of plain data; raises what nonsense raises."""
    limited_by, what, amount, path = found
    if limited_by not in LIMITS:
        raise Nonsense(limited_by)
    return Taken(limited_by, str(what), int(amount), str(path))


def plain_drawing(drawing: Drawing) -> list[Any]:
    """Return a drawing as plain data."""
    return [drawing.key, drawing.box, plain_items(drawing.items)]


def read_drawing(found: Any) -> Drawing:
    """Return a drawing of plain data; raises what nonsense raises."""
    key, box, items = found
    drawing = Drawing(Rect(*box), items_of_plain(items))
    if drawing.key != key:
        raise Nonsense(key)
    return drawing
