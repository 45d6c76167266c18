"""The faces in the file held against their frames: everything that they paint, and what their words say.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, filterfalse
from unicodedata import bidirectional, combining

from msgspec import Struct

from duckpress.core.frame import Drawing, Frame, Group, Item, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.problems import Level, Problem
from duckpress.core.units import MM_PER_INCH
from duckpress.proof.expected import NOWHERE, fault
from duckpress.proof.ink_proof import check_greys
from duckpress.proof.opened import FormRead, OpenedPdf
from duckpress.proof.streams.item_differences import difference
from duckpress.proof.streams.item_reader import read_form
from duckpress.proof.streams.operators import glyphs_of
from duckpress.proof.streams.painted_marks import Drawn, marks_in
from duckpress.proof.turned_words import TURNED, is_turned, turned
from duckpress.proof.used_things import Number

LOWEST_DPI = 150.0
# A group that opens with a matrix other than a shift; what is placed at once ends in `Do`.
_SCALED = re.compile(rb"^q (?!1 0 0 1 )\S+ \S+ \S+ \S+ \S+ \S+ cm(?! /)", re.MULTILINE)

# Stands between runs, as a glyph and in words, so that words cannot move from one run to the next unseen.
_BETWEEN_RUNS = "\uffff"
_BETWEEN_BODIES = "<FFFF>"


class CheckedThing(Struct, frozen=True):
    """A face, a drawing, a picture or a font that was checked: its problems, and what of it is proven if it has none.

    Of a face, `page` is the first that calls it.
    """

    problems: list[Problem]
    proven: tuple[bytes, ...] = ()
    page: int = 0


class FaceChecker:
    """Checks faces; keeps what fonts say. Only with `measures_pictures` it looks how finely pictures are printed.

    What a font `draws` with the glyphs of other letters cannot say what it is: it is right as it is.
    With `is_grey` everything is to be in greys. What is among `proven` was proven in another document, and is not
    looked at again.
    """

    def __init__(
        self,
        document: OpenedPdf,
        proven: Set[bytes],
        draws: Callable[[str, str, Sequence[int], Sequence[str]], bool] | None = None,
        *,
        measures_pictures: bool,
        is_grey: bool = False,
    ) -> None:
        self._document = document
        self._draws = draws
        self._is_grey = is_grey
        self._proven = proven
        self._measures_pictures = measures_pictures
        self._sayings: dict[Number, _Sayings] = {}
        self._are_words_right = False
        self._names: dict[tuple[int, str], tuple[bytes, bytes]] = {}
        self._items: dict[str, tuple[Item, ...]] = {}  # of the faces whose words were looked at last

    def look_at_words(self, faces: Iterable[tuple[Number, Frame]]) -> None:
        """Read the words of many faces at once: where they are right, no face is asked for its own."""
        fonts: dict[str, Number] = {}
        self._items = {}
        for number, frame in faces:
            form = self._document.forms[number]
            if self._names_of(form, frame.hash)[1] not in self._proven:
                fonts |= self._document.through_groups(form.used).fonts
                self._items[frame.hash] = frame.items
        items = chain.from_iterable(self._items.values())
        self._are_words_right = not any(self._check_words(fonts, items, ""))

    def check(self, number: Number, frame: Frame, name: str, page: int) -> CheckedThing:
        """Hold a form against the frame it should show, `name` being what the face is."""
        form = self._document.forms[number]
        problems, proven = self._check_form(form, frame.hash, frame, name)
        problems += _check_box(form, frame, name)
        if self._measures_pictures:
            problems += self._check_resolution(form, name)
        return CheckedThing(problems, proven, page)

    def check_drawing(self, number: Number, drawing: Drawing) -> CheckedThing:
        """Hold a form against the drawing it should show."""
        name = f"the drawing {drawing.key}"
        form = self._document.forms.get(number)
        if form is None:
            return CheckedThing([fault("proof-art", f"{name} is no form")])
        return CheckedThing(*self._check_form(form, drawing.key, drawing, name))

    def _check_form(
        self, form: FormRead, key: str, shown: Frame | Drawing, name: str
    ) -> tuple[list[Problem], tuple[bytes, ...]]:
        """Return in what a form differs from what goes by a key, and under which names that is proven."""
        drawn, said = self._names_of(form, key)
        problems: list[Problem] = []
        if drawn in self._proven and said in self._proven:
            return problems, (drawn, said)
        items = self._items.get(key) or shown.items
        if drawn not in self._proven:
            other = difference(read_form(self._document, form), items)
            problems += [fault("proof-art", f"{name} {other}")] if other is not None else []
            problems += check_greys(self._identity(form), name) if self._is_grey else ()
        if said not in self._proven and not self._are_words_right:
            problems += self._check_words(self._document.through_groups(form.used).fonts, items, name)
        return problems, (drawn, said)

    def _names_of(self, form: FormRead, key: str) -> tuple[bytes, bytes]:
        """Return the names under which it is proven that a form shows what goes by a key, and that it says so."""
        known = self._names.get((id(form), key))
        if known is None:
            fonts = self._document.through_groups(form.used).fonts.values()
            drawn = hashlib.sha256(key.encode() + self._identity(form)).digest()
            said = hashlib.sha256(drawn + b"".join([self._saying(number).identity for number in fonts])).digest()
            known = self._names[id(form), key] = drawn, said
        return known

    def _identity(self, form: FormRead) -> bytes:
        """Return what tells a form from others that paint something else: its operators and those of its groups."""
        inner = [self._document.forms[number] for number in (*form.used.groups, *form.used.masks.values())]
        parts = [
            repr((form.box, form.is_transparent, sorted(form.used.states.items()), [*form.used.masks])).encode(),
            form.operators,
        ]
        return b"\n".join((*parts, *map(self._identity, inner)))

    def _check_words(self, fonts: Mapping[str, Number], items: Iterable[Item], name: str) -> Iterator[Problem]:
        """Yield a `proof-words` where glyphs do not say in the file what the texts say."""
        runs: dict[str, tuple[list[str], list[str]]] = {}
        for text in _texts(items):
            of_font = runs.get(text.font)
            if of_font is None:
                of_font = runs[text.font] = [], []
            of_font[0].append(text.glyphs)
            of_font[1].append(text.text)
        for font, (glyphs, words) in runs.items():
            sayings = self._saying(fonts.get(f"F-{font}", 0))
            said, wanted = _said(glyphs, sayings), _BETWEEN_RUNS.join(words)
            if said == wanted and not TURNED.search(wanted):
                continue
            pairs = zip(said.split(_BETWEEN_RUNS), wanted.split(_BETWEEN_RUNS), glyphs, strict=False)
            wrong = (pair for pair in pairs if not _is_said(*pair, sayings))
            other = next((pair for pair in wrong if not self._is_drawn(font, *pair[1:], sayings)), None)
            if other is not None:
                yield fault("proof-words", f"{name} says {_shown(other[0])} in the file, not {_shown(other[1])}")

    def _is_drawn(self, font: str, words: str, glyphs: str, sayings: _Sayings) -> bool:
        numbers = _numbers(glyphs)
        said = [sayings[number] for number in numbers]
        return self._draws is not None and self._draws(font, words.replace("\u00ad", "-"), numbers, said)

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
        objects = self._document.through_groups(form.used).objects
        for mark in marks_in(read_form(self._document, form), matrix):
            if not isinstance(mark, Drawn):
                continue
            number = objects[mark.name]
            image, inner = self._document.images.get(number), self._document.forms.get(number)
            if image is not None:
                a, b, c, d, _, _ = mark.matrix
                across_mm, down_mm = math.hypot(a, b), math.hypot(c, d)
                yield min(image.width / across_mm, image.height / down_mm) * MM_PER_INCH
            elif inner is not None:
                yield from self._dpis(inner, mark.matrix)

    def _saying(self, number: Number) -> _Sayings:
        known = self._sayings.get(number)
        if known is None:
            font = self._document.fonts.get(number)
            known = self._sayings[number] = _Sayings(font.texts if font is not None else {})
        return known


def _check_box(form: FormRead, frame: Frame, name: str) -> Iterator[Problem]:
    bleed_mm = frame.bleed_mm
    wanted = (-bleed_mm, -bleed_mm, frame.trim.width_mm + bleed_mm, frame.trim.height_mm + bleed_mm)
    if any(abs(edge - other) > 0.001 for edge, other in zip(form.box, wanted, strict=True)):
        yield fault("proof-face-box", f"{name} is cut off at {form.box}, not at its bleed {wanted}")


class _Sayings(dict[int, str]):
    """What the glyphs of a font say; a glyph that the font's map lacks says U+FFFD."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        super().__init__(texts)
        self.identity = hashlib.sha256(repr(sorted(texts.items())).encode("utf-8", "surrogatepass")).digest()
        self[0xFFFF] = _BETWEEN_RUNS
        self.is_wide = any(0xD800 <= glyph <= 0xDFFF for glyph in texts)

    def __missing__(self, glyph: int) -> str:
        return "\ufffd"


def _said(bodies: Sequence[str], sayings: _Sayings) -> str:
    """Return what runs of one font say."""
    numbers = glyphs_of(_BETWEEN_BODIES.join(bodies))
    if not sayings.is_wide:
        # Read as letters, glyph numbers can be translated in one go; from U+D800 on they would be read in pairs.
        return numbers.decode("utf-16-be", "surrogatepass").translate(sayings)
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return "".join(sayings[high << 8 | low] for high, low in pairs)


def _is_said(said: str, wanted: str, glyphs: str, sayings: _Sayings) -> bool:
    """Return whether glyphs say what is wanted: from right to left where it has letters that are written so.

    What has no letters at all may stand either way, as its line asks for.
    """
    has_turned = any(map(is_turned, wanted))
    if not has_turned and (said == wanted or _folded(said) == _folded(wanted)):
        return True
    if not has_turned and any(bidirectional(letter) == "L" for letter in wanted):
        return False
    said, wanted = _folded(turned([sayings[number] for number in _numbers(glyphs)])), _folded(wanted)
    if said == wanted:
        return True
    # A mark on the first letter of a ligature is drawn beside the whole of it.
    both = [("".join(filterfalse(combining, text)), sorted(filter(combining, text))) for text in (said, wanted)]
    return both[0] == both[1]


def _numbers(glyphs: str) -> list[int]:
    pairs = glyphs_of(glyphs)
    return [high << 8 | low for high, low in zip(pairs[::2], pairs[1::2], strict=True)]


def _texts(items: Iterable[Item]) -> Iterator[Text]:
    """Yield the texts that are painted, in order."""
    for item in items:
        if isinstance(item, Text):
            yield item
        elif isinstance(item, Group) and item.opacity > 0:
            yield from _texts(item.items)


def _folded(text: str) -> str:
    """Return the letters alone: no-break spaces are drawn as spaces, é as one letter or two.

    A soft hyphen in a run is one that is drawn, with the glyph of the hyphen, and is read back as that.
    """
    text = text.replace("\u00ad", "-")
    kept = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) != "Cf")
    return unicodedata.normalize("NFKC", "".join(kept))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:79]}…")
