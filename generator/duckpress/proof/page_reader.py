"""Pages of a document read and checked with everything on them: the readings are plain data, to be put together.

Several processes may each read a part of a document (`prove`). So nothing here is remembered of the document as a
whole but what was checked already, and that a thing was checked by another process as well does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.core.problems import Problem, Source
from duckpress.core.units import added, mm_from_pt
from duckpress.proof.cutting import CUT, FOLD, check_cuts
from duckpress.proof.expected import Expected, ExpectedFace
from duckpress.proof.face_proof import FaceChecker
from duckpress.proof.font_proof import check_font
from duckpress.proof.opened import FontRead, Number, OpenedPdf, PageRead
from duckpress.proof.placing import TOLERANCE_MM, Lying, PageLayout, check_page, trim_on_page
from duckpress.proof.proof_findings import ProofFindings
from duckpress.proof.resolution import check_resolution
from duckpress.proof.stream_operators import glyphs_of, kerning_of
from duckpress.proof.streams import Drawn, Lettering, Mark, Painted, read_marks

Called = tuple[str, Number]
"""A thing by the name that it is called by (`C-` a face, `D-` a drawing, `P-` a picture) and its number."""


class CheckedFace(Struct, frozen=True):
    """A face that was checked: its problems, and the hash of how it is drawn."""

    problems: list[Problem]
    drawn: bytes


class PageReadings(Struct, frozen=True):
    """What several pages show, and their problems.

    `calls` are the faces that are called and the page that first does; `things` the drawings and pictures, `layers` the
    layers that pages use. `problems` are those of reading pages, `page_problems` those of each page alone; faces,
    things and fonts come with theirs where they were not checked before.
    """

    layouts: list[PageLayout]
    problems: list[Problem]
    page_problems: list[Problem]
    calls: dict[Called, int]
    things: list[Called]
    layers: list[Called]
    faces: dict[Called, CheckedFace]
    shared: dict[Called, list[Problem]]
    fonts: dict[Number, list[Problem]]
    complaints: tuple[str, ...]


FrameOfCard = tuple[Frame, ExpectedFace, str]
"""A frame, the card that it belongs to, and which side of it."""


class PageReader:
    """Reads pages of one document; what recurs is checked once."""

    def __init__(self, document: OpenedPdf, expected: Expected, frames: dict[str, FrameOfCard], source: Source) -> None:
        self._document = document
        self._expected = expected
        self._frames = frames
        self._shapes = {key: frame for key, (frame, _, _) in frames.items()}
        self._source = source
        self._findings = ProofFindings(source)
        self._checker = FaceChecker(document)
        self._lettered: dict[tuple[Lettering, int], Rect] = {}  # footers say the same on every page
        self._seen: set[Called] = set()
        self._fonts: set[Number] = set()
        self._used = 0

    def read(self, pages: Sequence[int]) -> PageReadings:
        """Read some pages, by their indices, and check everything that lies on them."""
        findings = self._findings = ProofFindings(self._source)
        calls: dict[Called, int] = {}
        layers: dict[Called, None] = {}
        layouts = []
        for index in pages:
            page = self._document.page(index)
            layouts.append(self._layout(index + 1, page, calls))
            layers |= dict.fromkeys(page.used.layers.items())
        page_findings = ProofFindings(self._source)
        for index, layout in zip(pages, layouts, strict=True):
            check_page(index + 1, layout, self._shapes, self._expected, page_findings)
        faces = {call: self._face(call) for call in calls if call not in self._seen}
        self._seen |= faces.keys()
        things = self._new_things()
        shared = {call: self._thing(call) for call in things if call not in self._seen}
        self._seen |= shared.keys()
        new_fonts = {number: font for number, font in self._document.fonts.items() if number not in self._fonts}
        fonts = {number: check_font(font, self._source) for number, font in new_fonts.items()}
        self._fonts |= fonts.keys()
        return PageReadings(
            layouts,
            findings.drained(),
            page_findings.drained(),
            calls,
            things,
            list(layers),
            faces,
            shared,
            fonts,
            self._document.complaints(),
        )

    def _layout(self, number: int, page: PageRead, calls: dict[Called, int]) -> PageLayout:
        """Return where everything lies on a page, in mm from its top left, and check its boxes.

        What is corrected for a printer is read as that printer prints it.
        """
        left, bottom, right, top = page.media
        size = Size(mm_from_pt(right - left), mm_from_pt(top - bottom))
        to_mm = Matrix(mm_from_pt(1), 0.0, 0.0, -mm_from_pt(1), -mm_from_pt(left), mm_from_pt(top))
        correction = self._correction(number, size)
        if correction is not IDENTITY:
            to_mm = correction.inverse().after(to_mm)
        faces: list[Lying] = []
        marks: list[Rect] = []
        strokes: dict[str, list[Rect]] = {CUT: [], FOLD: []}
        for mark in read_marks(page.operators, to_mm):
            if isinstance(mark, Drawn) and mark.name.startswith("C-"):
                lying = self._lying(number, page, mark, calls)
                if lying is not None:
                    faces.append(lying)
            else:
                marks.append(self._box(page, mark))
                if isinstance(mark, Painted) and mark.layer in strokes:
                    strokes[mark.layer] += mark.parts
        self._check_boxes(number, page, size, faces, correction)
        rounded = Size(round(size.width_mm, 3), round(size.height_mm, 3))
        self._check_cuts(number, faces, strokes[CUT])
        layers = (tuple(strokes[CUT]), tuple(strokes[FOLD]))
        return PageLayout(rounded, tuple(faces), tuple(marks), self._printable(rounded, correction), *layers)

    def _check_cuts(self, number: int, faces: Sequence[Lying], strokes: Sequence[Rect]) -> None:
        """Check the marks and lines for all that is cut out; tiles are joined by marks of their own."""
        if self._expected.cut == "none":
            return
        trims = []
        for face in faces:
            trim = trim_on_page(face.matrix, self._frames[face.frame][0].trim)
            if self._frames[face.frame][1].is_cut and face.shown.holds(trim, TOLERANCE_MM):
                trims.append(trim)
        check_cuts(trims, strokes, self._expected.cut, number, self._findings)

    def _correction(self, number: int, size: Size) -> Matrix:
        """Return how a page was corrected; its sides change places as the document is printed."""
        printer, duplex, backs_turn = self._expected.printer, self._expected.duplex, self._expected.backs_turn
        if printer is None:
            return IDENTITY
        is_back = backs_turn is not None or (duplex is not None and number % 2 == 0)
        is_upright = size.width_mm <= size.height_mm
        flips = is_upright is ((duplex or backs_turn) == "long")
        return printer.correction(size, is_back=is_back, turns_left_right=flips)

    def _printable(self, size: Size, correction: Matrix) -> Rect:
        """Return what a printer reaches of a page: the margins are those of the file, the places those on paper."""
        margin_mm, printer = self._expected.margin_mm, self._expected.printer
        if printer is None:
            return Rect(0.0, 0.0, *size).grown(-margin_mm)
        return _rounded_box(correction.inverse().around(printer.printable(size, margin_mm)))

    def _lying(self, number: int, page: PageRead, mark: Drawn, calls: dict[Called, int]) -> Lying | None:
        key = mark.name.removeprefix("C-")
        form = page.used.objects.get(mark.name, 0)
        if key not in self._frames or form not in self._document.forms:
            self._findings.add("proof-copies", f"page {number} shows a face ({key}) that is on no card")
            return None
        calls.setdefault((mark.name, form), number)
        frame = self._frames[key][0]
        return Lying(key, *_seat(mark.matrix, mark.clip, frame.trim, frame.bleed_mm))

    def _box(self, page: PageRead, mark: Mark) -> Rect:
        """Return the box of something painted around the faces."""
        if isinstance(mark, Painted):
            return _rounded_box(mark.box)
        if isinstance(mark, Lettering):
            number = page.used.fonts[mark.font]
            box = self._lettered.get((mark, number))
            if box is None:
                box = self._lettered[mark, number] = _rounded_box(_lettering_box(mark, self._document.fonts[number]))
            return box
        form = self._document.forms.get(page.used.objects[mark.name])
        x1, y1, x2, y2 = form.box if form is not None else (0.0, 0.0, 1.0, 1.0)
        box = mark.matrix.around(Rect(x1, y1, x2 - x1, y2 - y1))
        return _rounded_box(box if mark.clip is None else mark.clip.shared(box))

    def _check_boxes(
        self, number: int, page: PageRead, size: Size, faces: list[Lying], correction: Matrix = IDENTITY
    ) -> None:
        seats = tuple([(face.shown, face.matrix, self._shapes[face.frame].trim) for face in faces])
        trim, bleed = _boxes_around(seats, correction) if seats else [Rect(0.0, 0.0, *size)] * 2
        for name, box, wanted in (("trim", page.trim, trim.edges), ("bleed", page.bleed, bleed.edges)):
            if box is None:
                self._findings.add("proof-boxes", f"page {number} has no {name} box")
                continue
            x1, y1, x2, y2 = box
            top = page.media[3]
            found = tuple(mm_from_pt(edge) for edge in (x1 - page.media[0], top - y2, x2 - page.media[0], top - y1))
            if any(abs(one - other) > TOLERANCE_MM for one, other in zip(found, wanted, strict=True)):
                what = f"the {name} box of page {number} is {_edges(found)}, not {_edges(wanted)}"
                self._findings.add("proof-boxes", what)

    def _face(self, call: Called) -> CheckedFace:
        name, form = call
        frame, face, side = self._frames[name.removeprefix("C-")]
        findings, shown = ProofFindings(self._source), f"the {side} of {face}"
        drawn = self._checker.check(form, frame, shown, findings)
        if self._expected.pictures:
            check_resolution(self._document, form, shown, findings)
        return CheckedFace(findings.drained(), drawn)

    def _new_things(self) -> list[Called]:
        """Return the drawings and pictures that were not read when this was last asked, by name."""
        # Equal resources are read once, so what many faces have in common comes by once.
        every = list(self._document.used.values())
        new, self._used = every[self._used :], len(every)
        found = (item for used in new for item in used.objects.items() if item[0].startswith(("D-", "P-")))
        return list(dict.fromkeys(found))

    def _thing(self, call: Called) -> list[Problem]:
        """Check a drawing or a picture."""
        name, number = call
        key = name[2:]
        findings = ProofFindings(self._source)
        if name.startswith("P-"):
            self._check_picture(key, number, findings)
        elif key in self._expected.drawings:
            self._checker.check_drawing(number, self._expected.drawings[key], findings)
        return findings.drained()

    def _check_picture(self, key: str, number: int, findings: ProofFindings) -> None:
        """Compare a picture's pixels with its file's: a picture in the file is never a smaller copy."""
        image = self._document.images.get(number)
        picture = self._expected.pictures.get(key)
        found = None if image is None else (image.width_px, image.height_px)
        wanted = None if picture is None else (picture.width_px, picture.height_px)
        if found != wanted:
            findings.add("proof-picture", f"picture {key} has {found} pixels in the file, not {wanted}")


@lru_cache(maxsize=4096)
def _seat(matrix: Matrix, clip: Rect | None, trim: Size, bleed_mm: float) -> tuple[Matrix, Rect]:
    """Return the matrix and the shown part of a face, to a thousandth of a mm so that equal places are equal."""
    shown = matrix.around(Rect(0.0, 0.0, *trim).grown(bleed_mm))
    a, b, c, d, e, f = matrix
    rounded = Matrix(round(a, 5), round(b, 5), round(c, 5), round(d, 5), round(e, 3), round(f, 3))
    return rounded, _rounded_box(shown if clip is None else clip.shared(shown))


@lru_cache(maxsize=64)
def _boxes_around(seats: tuple[tuple[Rect, Matrix, Size], ...], correction: Matrix) -> tuple[Rect, Rect]:
    """Return the boxes around all trims, of which what is shown counts, and around all that is shown, as corrected."""
    trims = [shown.shared(trim_on_page(matrix, trim)) for shown, matrix, trim in seats]
    bleeds = [shown for shown, _, _ in seats]
    return rect_around(map(correction.around, trims)), rect_around(map(correction.around, bleeds))


def _lettering_box(mark: Lettering, font: FontRead) -> Rect:
    numbers = glyphs_of(mark.body)
    glyphs = (high << 8 | low for high, low in zip(numbers[::2], numbers[1::2], strict=True))
    width = (added(font.widths.get(glyph, 1000.0) for glyph in glyphs) - kerning_of(mark.body)) * mark.size / 1000
    low, high = font.descent * mark.size / 1000, font.ascent * mark.size / 1000
    return mark.matrix.around(Rect(0.0, low, width, high - low))


def _rounded_box(box: Rect) -> Rect:
    return Rect(*(round(edge, 3) for edge in box))


def _edges(edges: Iterable[float]) -> str:
    return " ".join(f"{edge:.2f}" for edge in edges)
