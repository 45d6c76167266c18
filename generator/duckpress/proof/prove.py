"""A finished PDF held against the data it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from duckpress.frame import Frame
from duckpress.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.problems import Problem, Source
from duckpress.proof.cutting import CUT, FOLD, check_cuts, check_layers
from duckpress.proof.expected import Expected, ExpectedFace
from duckpress.proof.faces import FaceChecker
from duckpress.proof.findings import Findings
from duckpress.proof.fonts import check_fonts
from duckpress.proof.opened import DocumentRead, FontRead, PageRead, UnreadableError, read_pdf
from duckpress.proof.placing import TOLERANCE_MM, Lying, PageLayout, check_copies, check_pages, trim_on_page
from duckpress.proof.resolution import check_resolution
from duckpress.proof.streams import (
    Drawn,
    Lettering,
    Mark,
    Painted,
    StrangeStreamError,
    glyphs_of,
    kerning_of,
    mapped,
    read_marks,
    shared_box,
)
from duckpress.units import mm_from_pt

_DUPLEX = {None: "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}


def prove_pdf(pdf: bytes, expected: Expected, source: Source) -> list[Problem]:
    """Give everything in which a PDF differs from the cards it was made from, placed at `source`.

    Problems: `proof-unreadable`, `proof-document`, `proof-page-size`, `proof-page-count`, `proof-boxes`,
    `proof-placement`, `proof-margin`, `proof-copies`, `proof-back`, `proof-tiles`, `proof-words`, `proof-art`,
    `proof-fold`, `proof-cut`, `proof-layer`, `proof-face-repeated`, `proof-face-mixed`, `proof-face-box`,
    `proof-picture`, `proof-font`; and the warning `picture-resolution`.
    """
    findings = Findings(source)
    try:
        document = read_pdf(pdf)
        _Proof(document, expected, findings).run()
    except (UnreadableError, StrangeStreamError) as error:
        findings.add("proof-unreadable", f"the finished PDF cannot be read back: {error}")
    except KeyError as error:
        findings.add("proof-unreadable", f"the finished PDF calls {error}, which is not in it")
    return findings.problems()


class _Proof:
    """One document and what it must hold; `_names` are the cards behind a frame."""

    def __init__(self, document: DocumentRead, expected: Expected, findings: Findings) -> None:
        self._document = document
        self._expected = expected
        self._findings = findings
        self._frames: dict[str, tuple[Frame, ExpectedFace, str]] = {}
        for face in expected.faces:
            self._frames.setdefault(face.front.hash, (face.front, face, "front"))
            if face.back is not None:
                self._frames.setdefault(face.back.hash, (face.back, face, "back"))
        self._number_of: dict[str, int] = {}
        self._lettered: dict[tuple[Lettering, int], Rect] = {}  # footers say the same on every page

    def run(self) -> None:
        """Check everything."""
        self._check_document()
        check_fonts(self._document, self._findings)
        check_layers(self._document, self._expected, self._findings)
        pages = [self._layout(number, page) for number, page in enumerate(self._document.pages, 1)]
        frames = {key: frame for key, (frame, _, _) in self._frames.items()}
        check_pages(pages, frames, self._expected, self._findings)
        check_copies(pages, frames, self._expected, self._findings)
        self._check_faces()

    def _check_document(self) -> None:
        document, expected = self._document, self._expected
        facts = {
            "the title": (document.title, expected.title),
            "the language": (document.language, expected.language),
            "print scaling": (document.preferences.get("PrintScaling"), "/None"),
            "duplex printing": (document.preferences.get("Duplex"), _DUPLEX[expected.duplex]),
        }
        for name, (found, wanted) in facts.items():
            if found != wanted:
                self._findings.add("proof-document", f"{name} is {found!r} in the file, not {wanted!r}")
        for complaint in document.complaints:
            self._findings.add("proof-document", f"the file is damaged: {complaint}")

    def _layout(self, number: int, page: PageRead) -> PageLayout:
        """Give where everything lies on a page, in mm from its top left, and check its boxes.

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
                lying = self._lying(number, page, mark)
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
        """Give how a page was corrected; its sides change places as the document is printed."""
        printer, duplex, backs_turn = self._expected.printer, self._expected.duplex, self._expected.backs_turn
        if printer is None:
            return IDENTITY
        is_back = backs_turn is not None or (duplex is not None and number % 2 == 0)
        is_upright = size.width_mm <= size.height_mm
        flips = is_upright is ((duplex or backs_turn) == "long")
        return printer.correction(size, is_back=is_back, turns_left_right=flips)

    def _printable(self, size: Size, correction: Matrix) -> Rect:
        """Give what a printer reaches of a page: the margins are those of the file, the places those on paper."""
        margin_mm, printer = self._expected.margin_mm, self._expected.printer
        if printer is None:
            return Rect(0.0, 0.0, *size).grown(-margin_mm)
        return _rounded_box(correction.inverse().around(printer.printable(size, margin_mm)))

    def _lying(self, number: int, page: PageRead, mark: Drawn) -> Lying | None:
        key = mark.name.removeprefix("C-")
        form = page.used.objects.get(mark.name, 0)
        if key not in self._frames or form not in self._document.forms:
            self._findings.add("proof-copies", f"page {number} shows a face ({key}) that is on no card")
            return None
        if self._number_of.setdefault(key, form) != form:
            self._findings.add("proof-face-mixed", f"page {number} calls another form by the name of face {key}")
        frame = self._frames[key][0]
        return Lying(key, *_seat(mark.matrix, mark.clip, frame.trim, frame.bleed_mm))

    def _box(self, page: PageRead, mark: Mark) -> Rect:
        """Give the box of something painted around the faces."""
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
        box = mapped(mark.matrix, Rect(x1, y1, x2 - x1, y2 - y1))
        return _rounded_box(box if mark.clip is None else shared_box(mark.clip, box))

    def _check_boxes(
        self, number: int, page: PageRead, size: Size, faces: list[Lying], correction: Matrix = IDENTITY
    ) -> None:
        whole = Rect(0.0, 0.0, *size)
        trims = [shared_box(face.shown, trim_on_page(face.matrix, self._frames[face.frame][0].trim)) for face in faces]
        for name, box, rects in (("trim", page.trim, trims), ("bleed", page.bleed, [face.shown for face in faces])):
            wanted = (0.0, 0.0, whole.right_mm, whole.bottom_mm)
            if rects:
                wanted = _around([correction.around(rect) for rect in rects])
            if box is None:
                self._findings.add("proof-boxes", f"page {number} has no {name} box")
                continue
            x1, y1, x2, y2 = box
            top = page.media[3]
            found = tuple(mm_from_pt(edge) for edge in (x1 - page.media[0], top - y2, x2 - page.media[0], top - y1))
            if any(abs(one - other) > TOLERANCE_MM for one, other in zip(found, wanted, strict=True)):
                what = f"the {name} box of page {number} is {_edges(found)}, not {_edges(wanted)}"
                self._findings.add("proof-boxes", what)

    def _check_faces(self) -> None:
        checker = FaceChecker(self._document, self._findings)
        for key, form in self._number_of.items():
            checker.check(form, *self._frames[key])
            if self._expected.pictures:
                _, face, side = self._frames[key]
                check_resolution(self._document, form, f"the {side} of {face}", self._findings)
        for name, number in self._shared_things().items():
            key = name[2:]
            if name.startswith("P-"):
                self._check_picture(key, number)
            elif key in self._expected.drawings:
                checker.check_drawing(number, self._expected.drawings[key])

    def _shared_things(self) -> dict[str, int]:
        """Give the drawings and pictures of the document by name; one name must mean one thing everywhere."""
        found: dict[str, int] = {}
        # Equal resources are read once, so the same record comes by for every face that has them.
        pages, forms = self._document.pages, self._document.forms.values()
        everything = [*(page.used for page in pages), *(form.used for form in forms)]
        for used in {id(used): used for used in everything}.values():
            for name, number in used.objects.items():
                if name.startswith(("D-", "P-")) and found.setdefault(name, number) != number:
                    self._findings.add("proof-face-mixed", f"two different things go by the name {name}")
        return found

    def _check_picture(self, key: str, number: int) -> None:
        """Compare a picture's pixels with its file's: a picture in the file is never a smaller copy."""
        image = self._document.images.get(number)
        picture = self._expected.pictures.get(key)
        found = None if image is None else (image.width_px, image.height_px)
        wanted = None if picture is None else (picture.width_px, picture.height_px)
        if found != wanted:
            self._findings.add("proof-picture", f"picture {key} has {found} pixels in the file, not {wanted}")


@lru_cache(maxsize=4096)
def _seat(matrix: Matrix, clip: Rect | None, trim: Size, bleed_mm: float) -> tuple[Matrix, Rect]:
    """Give the matrix and the shown part of a face, to a thousandth of a millimetre so that equal places are equal."""
    shown = mapped(matrix, Rect(0.0, 0.0, *trim).grown(bleed_mm))
    a, b, c, d, e, f = matrix
    rounded = Matrix(round(a, 5), round(b, 5), round(c, 5), round(d, 5), round(e, 3), round(f, 3))
    return rounded, _rounded_box(shown if clip is None else shared_box(clip, shown))


def _lettering_box(mark: Lettering, font: FontRead) -> Rect:
    numbers = glyphs_of(mark.body)
    glyphs = (high << 8 | low for high, low in zip(numbers[::2], numbers[1::2], strict=True))
    width = (sum(font.widths.get(glyph, 1000.0) for glyph in glyphs) - kerning_of(mark.body)) * mark.size / 1000
    low, high = font.descent * mark.size / 1000, font.ascent * mark.size / 1000
    return mapped(mark.matrix, Rect(0.0, low, width, high - low))


def _around(rects: Sequence[Rect]) -> tuple[float, float, float, float]:
    """Give left, top, right and bottom of all rectangles together."""
    lefts, tops = (rect.x_mm for rect in rects), (rect.y_mm for rect in rects)
    return (min(lefts), min(tops), max(rect.right_mm for rect in rects), max(rect.bottom_mm for rect in rects))


def _rounded_box(box: Rect) -> Rect:
    return Rect(*(round(edge, 3) for edge in box))


def _edges(edges: Iterable[float]) -> str:
    return " ".join(f"{edge:.2f}" for edge in edges)
