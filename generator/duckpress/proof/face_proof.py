"""The faces in the file held against their frames: the right words, the right art, each face a stream of its own.

Words are read the way a viewer's search does: glyph numbers through the font's map in the file. So the proof covers
the fonts' maps as well as the faces.

`layout` warns of a coarse picture at its element (`low-resolution`), but what makes it larger afterwards (a transform
around it, a piece that is printed larger) it cannot see there. So faces with anything enlarged are measured here, by
the matrices that their pictures have in the file.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import Path, canonical_text
from duckpress.core.problems import Level, Problem
from duckpress.core.units import MM_PER_INCH
from duckpress.proof.expected import NOWHERE, fault
from duckpress.proof.opened import FontRead, FormRead, Number, OpenedPdf
from duckpress.proof.stream_operators import glyphs_of, painted_paths
from duckpress.proof.streams import Drawn, read_marks

LOWEST_DPI = 150.0
# A group that opens with a matrix other than a shift; what is placed at once ends in `Do`.
_SCALED = re.compile(rb"^q (?!1 0 0 1 )\S+ \S+ \S+ \S+ \S+ \S+ cm(?! /)", re.MULTILINE)

# Stands between runs, as a glyph and in words, so that words cannot move from one run to the next unseen.
_BETWEEN_RUNS = "\uffff"
_BETWEEN_BODIES = b"<FFFF>"

# The lines of a face that set a font, draw a run or call a form or picture, as `render` writes them.
_LINES = re.compile(
    rb"^(?:/(F-\S+) \S+ Tf|1 0 0 -1 \S+ \S+ Tm \[(.+)\]TJ|q [^/\n]*/(?:\S+ gs /)?([DPG]-\S+) Do Q)$", re.MULTILINE
)


class _Content(Struct, frozen=True):
    """What a face holds: its words (runs apart), the drawings and pictures it calls in order, all its operators."""

    words: str
    called: tuple[str, ...]
    operators: bytes


class CheckedFace(Struct, frozen=True):
    """A face that was checked: its problems, the hash of how it is drawn, and the first page that calls it."""

    problems: list[Problem]
    drawn: bytes
    page: int


class FaceChecker:
    """Checks faces; keeps what fonts say. Only with `measures_pictures` it looks how finely pictures are printed."""

    def __init__(self, document: OpenedPdf, *, measures_pictures: bool) -> None:
        self._document = document
        self._measures_pictures = measures_pictures
        self._sayings: dict[Number, _Sayings] = {}

    def check(self, number: Number, frame: Frame, name: str, page: int) -> CheckedFace:
        """Hold a form against the frame it should show, `name` being what the face is."""
        form = self._document.forms[number]
        content = self._content(form)
        problems = [*_check_content(content, frame.items, name), *_check_box(form, frame, name)]
        if self._measures_pictures:
            problems += self._check_resolution(form, name)
        return CheckedFace(problems, hashlib.sha256(content.operators).digest(), page)

    def check_drawing(self, number: Number, drawing: Drawing) -> Iterable[Problem]:
        """Hold a form against the drawing it should show."""
        name = f"the drawing {drawing.key}"
        form = self._document.forms.get(number)
        if form is None:
            return [fault("proof-art", f"{name} is no form")]
        return _check_content(self._content(form), drawing.items, name)

    def _check_resolution(self, form: FormRead, name: str) -> Iterator[Problem]:
        """Yield a warning `picture-resolution` for the coarsest picture of a face."""
        if form.operators.count(b" cm") == form.operators.count(b" cm /") or not _SCALED.search(form.operators):
            return
        coarsest = min(self._dpis(form, IDENTITY), default=LOWEST_DPI)
        # Matrices are rounded: a picture of just so many pixels is not told of.
        if coarsest < LOWEST_DPI - 0.5:
            what = f"{name}: a picture is printed at {coarsest:.0f} dpi; below {LOWEST_DPI:.0f} it looks coarse"
            fix = "use a larger picture, or print it smaller"
            yield Problem("picture-resolution", NOWHERE, what, fix, Level.WARNING)

    def _dpis(self, form: FormRead, matrix: Matrix) -> Iterator[float]:
        """Yield the dots per inch of each picture of a form, in the direction in which they are fewer."""
        for mark in read_marks(form.operators, matrix):
            if not isinstance(mark, Drawn):
                continue
            number = form.used.objects[mark.name]
            image, inner = self._document.images.get(number), self._document.forms.get(number)
            if image is not None:
                a, b, c, d, _, _ = mark.matrix
                across_mm, down_mm = math.hypot(a, b), math.hypot(c, d)
                yield min(image[0] / across_mm, image[1] / down_mm) * MM_PER_INCH
            elif inner is not None:
                yield from self._dpis(inner, mark.matrix)

    def _content(self, form: FormRead) -> _Content:
        """Read a form, through the forms of groups too; the runs of one font are turned into words at once."""
        objects = form.used.objects
        order: list[bytes | str] = []  # the font of each run, and between them the words of groups
        bodies: dict[bytes, list[bytes]] = {b"": []}
        called: list[str] = []
        streams = [form.operators]
        font = b""
        for set_font, body, name in _LINES.findall(form.operators):
            if body:
                order.append(font)
                bodies[font].append(body)
            elif set_font:
                font = set_font
                if font not in bodies:
                    bodies[font] = []
            else:
                key = name.decode()
                number = objects[key]
                if not key.startswith("G-"):
                    called.append(key)
                    continue
                inner = self._content(self._document.forms[number])
                order += [inner.words] if inner.words else []
                called += inner.called
                streams.append(inner.operators)
        fonts = form.used.fonts
        said = {font: iter(_said(runs, self._saying(fonts.get(font.decode(), 0)))) for font, runs in bodies.items()}
        words = [entry if isinstance(entry, str) else next(said[entry]) for entry in order]
        return _Content(_BETWEEN_RUNS.join(words), tuple(called), b"\n".join(streams))

    def _saying(self, number: Number) -> _Sayings:
        known = self._sayings.get(number)
        if known is None:
            font = self._document.fonts.get(number)
            known = self._sayings[number] = _Sayings(font.texts if font is not None else {})
        return known


def check_font(font: FontRead) -> Iterator[Problem]:
    """Yield a `proof-font` for a font that is not in the file, or whose text cannot be searched and copied."""
    name = font.name or "a font without a name"
    if not font.is_embedded:
        yield fault("proof-font", f"the font {name} ({font.kind}) is not embedded")
    elif not font.widths:
        yield fault("proof-font", f"the font {name} has no widths")
    if not font.has_map:
        yield fault("proof-font", f"the font {name} does not say what its glyphs mean (no ToUnicode map)")


def _check_content(content: _Content, items: Iterable[Item], name: str) -> Iterator[Problem]:
    """Compare words, and what is called for (drawings, pictures), in order; find every path in the stream."""
    words: list[str] = []
    keys: list[str] = []
    paths: list[Path] = []
    for item in _seen(items):
        if isinstance(item, Text):
            words.append(item.text)
        elif isinstance(item, Outline):
            paths.append(item.path)
        else:
            keys.append(f"{'P' if isinstance(item, Picture) else 'D'}-{item.key}")
    said, expected = content.words, _BETWEEN_RUNS.join(words)
    if said != expected and _folded(said) != _folded(expected):
        yield fault("proof-words", f"{name} says {_shown(said)} in the file, not {_shown(expected)}")
    called, wanted = content.called, tuple(keys)
    if called != wanted:
        odd = next((key for key in (*wanted, *called) if wanted.count(key) != called.count(key)), "their order")
        what = f"{name} shows {len(called)} drawings and pictures, not {len(wanted)}; they differ in {odd}"
        yield fault("proof-art", what)
    painted = set(painted_paths(content.operators))
    missing = next((path for path in paths if (path.kinds, path.numbers) not in painted), None)
    if missing is not None:
        yield fault("proof-art", f"{name} lacks the path {canonical_text(missing)[:60]!r}")


def _check_box(form: FormRead, frame: Frame, name: str) -> Iterator[Problem]:
    bleed_mm = frame.bleed_mm
    wanted = (-bleed_mm, -bleed_mm, frame.trim.width_mm + bleed_mm, frame.trim.height_mm + bleed_mm)
    if any(abs(edge - other) > 0.001 for edge, other in zip(form.box, wanted, strict=True)):
        yield fault("proof-face-box", f"{name} is cut off at {form.box}, not at its bleed {wanted}")


class _Sayings(dict[int, str]):
    """What the glyphs of a font say; a glyph that the font's map lacks says U+FFFD."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        super().__init__(texts)
        self[0xFFFF] = _BETWEEN_RUNS
        self.is_wide = any(0xD800 <= glyph <= 0xDFFF for glyph in texts)

    def __missing__(self, glyph: int) -> str:
        return "\ufffd"


def _said(bodies: list[bytes], sayings: _Sayings) -> list[str]:
    """Return what each of the runs of one font says."""
    if not bodies:
        return []
    numbers = glyphs_of(_BETWEEN_BODIES.join(bodies))
    if not sayings.is_wide:
        # Read as letters, glyph numbers can be translated in one go; from U+D800 on they would be read in pairs.
        words = numbers.decode("utf-16-be", "surrogatepass").translate(sayings)
    else:
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        words = "".join(sayings[high << 8 | low] for high, low in pairs)
    return words.split(_BETWEEN_RUNS)


def _seen(items: Iterable[Item]) -> Iterator[Text | Outline | PlacedDrawing | Picture]:
    """Yield what a frame shows, in painting order."""
    for item in items:
        if isinstance(item, Group):
            if item.opacity > 0:
                yield from _seen(item.items)
        elif (
            not isinstance(item, Outline)
            or item.paint.fill is not None
            or (item.paint.stroke and item.paint.stroke_mm > 0)
        ):
            yield item


def _folded(text: str) -> str:
    """Return the letters alone: no-break spaces are drawn as spaces, é as one letter or two.

    A soft hyphen in a run is one that is drawn, with the glyph of the hyphen, and is read back as that.
    """
    text = text.replace("\u00ad", "-")
    kept = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", "".join(kept))


def _shown(text: str) -> str:
    words = text.replace(_BETWEEN_RUNS, " ")
    return repr(words if len(words) <= 80 else f"{words[:79]}…")
