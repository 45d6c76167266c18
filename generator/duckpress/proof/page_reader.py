"""Pages of a document read and checked with everything on them: the readings are plain data, to be put together.

Several processes may each read a part of a document (`prove`). So nothing here is remembered of the document as a
whole but what was checked already, and that a thing was checked by another process as well does no harm.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.core.problems import Problem
from duckpress.core.units import MM_PER_PT
from duckpress.impose import Side
from duckpress.proof.around import Around, SheetCode
from duckpress.proof.around_reader import AroundMarks, AroundReader, Mark, rounded_box
from duckpress.proof.cutting import CUT, check_cuts
from duckpress.proof.expected import TOLERANCE_MM, Expected, FrameOfCard, fault
from duckpress.proof.face_proof import CheckedThing, FaceChecker
from duckpress.proof.font_proof import check_font
from duckpress.proof.ink_proof import check_grey_picture, check_greys
from duckpress.proof.opened import OpenedPdf, PageRead, Used
from duckpress.proof.page_proof import check_paint
from duckpress.proof.picture_proof import check_picture
from duckpress.proof.placing import FaceSeat, Lying, PageLayout, check_margins, check_page
from duckpress.proof.streams.item_differences import difference
from duckpress.proof.streams.item_reader import ItemReader
from duckpress.proof.streams.page_paint import BitMask, read_page
from duckpress.proof.streams.painted_marks import Drawn, marks_in, marks_on, mask_box
from duckpress.proof.streams.passages import DrawingState
from duckpress.proof.used_things import Called, Number


class PageReadings(Struct, frozen=True):
    """What several pages show, by their indices, and their problems; `layers` are those that they use.

    Faces and things (drawings, pictures, fonts) come with theirs where they were not checked before.
    """

    layouts: dict[int, PageLayout]
    problems: list[Problem]
    layers: list[Called]
    faces: dict[Called, CheckedThing]
    things: dict[Called, CheckedThing]
    complaints: tuple[str, ...]

    @property
    def checked(self) -> list[CheckedThing]:
        """Faces and things."""
        return [*self.faces.values(), *self.things.values()]


class PageReader:
    """Reads pages of one document; what recurs is checked once."""

    def __init__(
        self, document: OpenedPdf, expected: Expected, frames: dict[str, FrameOfCard], proven: Set[bytes]
    ) -> None:
        self._document = document
        self._expected = expected
        self._frames = frames
        self._proven = proven
        self._checker = FaceChecker(
            document, proven, expected.draws, measures_pictures=bool(expected.pictures), is_grey=expected.is_grey
        )
        self._around = AroundReader(document)
        self._seen: set[Called] = set()
        self._used = 0

    def read(self, pages: Sequence[int]) -> PageReadings:
        """Read some pages, by their indices, and check everything that lies on them."""
        calls: dict[Called, int] = {}
        layers: dict[Called, None] = {}
        layouts: dict[int, PageLayout] = {}
        problems: list[Problem] = []
        for index in pages:
            page = self._document.page(index)
            layout, on_page = self._layout(index + 1, page, calls)
            layouts[index] = layout
            problems += [*on_page, *check_page(index + 1, layout, self._expected.paper)]
            layers |= dict.fromkeys(page.used.layers.items())
        new = {call: page for call, page in calls.items() if call not in self._seen}
        self._checker.look_at_words((form, self._frames[name.removeprefix("C-")][0]) for name, form in new)
        faces = {call: self._face(call, page) for call, page in new.items()}
        things = {call: self.thing(*call) for call in self._new_things() if call not in self._seen}
        self._seen |= faces.keys() | things.keys()
        return PageReadings(layouts, problems, list(layers), faces, things, self._document.complaints())

    def fonts(self, called: Iterable[Called]) -> PageReadings:
        """Check fonts, whatever pages use them."""
        things = {call: self.thing(*call) for call in called}
        return PageReadings({}, [], [], {}, things, self._document.complaints())

    def _layout(self, number: int, page: PageRead, calls: dict[Called, int]) -> tuple[PageLayout, list[Problem]]:
        """Return where everything lies on a page, in mm from its top left, and what is wrong with its boxes and cuts.

        What is corrected for a printer is read as that printer prints it. Faces that no page before has called are
        entered in `calls`.
        """
        left, bottom, right, top = page.media
        size = Size(MM_PER_PT * (right - left), MM_PER_PT * (top - bottom))
        to_mm = Matrix(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -left * MM_PER_PT, top * MM_PER_PT)
        to_page, correction = to_mm, self._correction(number, size)
        if correction is not IDENTITY:
            to_mm = correction.inverse().after(to_mm)
        faces: list[Lying] = []
        beside: list[Mark] = []
        problems: list[Problem] = []
        paint = read_page(self._document, page.operators, page.used, Size(right - left, top - bottom))
        if self._expected.is_grey:
            problems += check_greys(page.operators, f"page {number}")
        if self._expected.pages:
            problems += check_paint(number, paint, self._expected.pages[number - 1].side, self._frames, to_page)
        for mark in marks_on(paint, to_mm):
            if not (isinstance(mark, Drawn) and mark.name.startswith("C-")):
                beside.append(mark)
            else:
                key, form = mark.name.removeprefix("C-"), page.used.objects.get(mark.name, 0)
                if key not in self._frames or form not in self._document.forms:
                    what = f"page {number} shows a face ({key}) that is on no card"
                    problems.append(fault("proof-copies", what))
                    continue
                calls.setdefault((mark.name, form), number)
                frame = self._frames[key][0]
                faces.append(Lying(key, _seat(mark.matrix, mark.clip, frame.trim, frame.bleed_mm)))
        rounded = Size(round(size.width_mm, 3), round(size.height_mm, 3))
        codes = tuple(_code(mask, to_mm.after(paint.matrix)) for mask in paint.masks)
        seen = self._around.read(beside, self._document.through_groups(page.used))
        around = Around(seen.runs, seen.paths, codes)
        layout = PageLayout(rounded, tuple(faces), seen.boxes, self._printable(rounded, correction), around)
        problems += _check_boxes(number, page, size, layout.seats, correction)
        strokes = [part.box for path in around.strokes(CUT) for part in path.parts]
        problems += self._check_cuts(number, faces, strokes)
        return layout, problems

    def with_own(self, pages: Mapping[int, PageLayout]) -> tuple[list[PageLayout], list[Problem]]:
        """Return pages with what their second streams paint, which only a copy of an edition has, and what is wrong.

        Such a stream is held against the side that was planned, whatever was proven before.
        """
        whole: list[PageLayout] = []
        problems: list[Problem] = []
        known: dict[tuple[object, ...], tuple[AroundMarks, str | None]] = {}
        for index, page in pages.items():
            side = self._expected.pages[index].side if self._expected.pages else Side((), ())
            own = self._document.own_stream(index)
            if own is None and not side.own:
                whole.append(page)
                continue
            operators, used = own or (b"", Used({}, {}))
            correction = self._correction(index + 1, page.size)
            matrix = side.map if correction is IDENTITY else correction.inverse().after(side.map)
            place = operators, *used.fonts.values(), matrix, id(side.own), page.size
            if place not in known:
                known[place] = self._own_marks(operators, used, side, matrix, page.size)
            seen, difference_ = known[place]
            if difference_ is not None:
                problems.append(fault("proof-page", f"page {index + 1} {difference_}"))
            if self._expected.is_grey:
                problems += check_greys(operators, f"page {index + 1}")
            problems += check_margins(index + 1, seen.boxes, page.printable)
            around = Around((*page.around.runs, *seen.runs), (*page.around.paths, *seen.paths), page.around.codes)
            whole.append(replace(page, marks=(*page.marks, *seen.boxes), around=around))
        return whole, problems

    def _own_marks(
        self, operators: bytes, used: Used, side: Side, matrix: Matrix, size: Size
    ) -> tuple[AroundMarks, str | None]:
        """Return what a stream paints that stands by itself, and how it differs from its side."""
        items = ItemReader(self._document, used, Rect(0.0, 0.0, *size), DrawingState()).items_of(operators)
        return self._around.read(marks_in(items, matrix), used), difference(items, side.own)

    def _check_cuts(self, number: int, faces: Sequence[Lying], strokes: Sequence[Rect]) -> Iterable[Problem]:
        """Check the marks and lines for all that is cut out; tiles are joined by marks of their own."""
        if self._expected.cut == "none":
            return ()
        trims = []
        for key, seat in faces:
            if self._frames[key][1].is_cut and seat.shown.holds(seat.trim_box, TOLERANCE_MM):
                trims.append(seat.trim_box)
        return check_cuts(trims, strokes, self._expected.cut, number)

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
        return rounded_box(correction.inverse().around(printer.printable(size, margin_mm)))

    def _face(self, call: Called, page: int) -> CheckedThing:
        name, form = call
        frame, face, side = self._frames[name.removeprefix("C-")]
        return self._checker.check(form, frame, f"the {side} of {face}", page)

    def _new_things(self) -> dict[Called, None]:
        """Return the drawings, pictures and fonts that were not read when this was last asked, by name."""
        # Equal resources are read once, so what many faces have in common comes by once.
        every = list(self._document.used.values())
        new, self._used = every[self._used :], len(every)
        things = (thing for used in new for thing in used.objects.items() if thing[0].startswith(("D-", "P-", "G-")))
        return dict.fromkeys((*things, *(font for used in new for font in used.fonts.items())))

    def thing(self, name: str, number: Number) -> CheckedThing:
        """Check a drawing, a picture or a font."""
        kind, _, key = name.partition("-")
        if kind == "D":
            drawing = self._expected.drawings.get(key)
            if drawing is None:
                return CheckedThing([fault("proof-art", f"the drawing {key} is one that nothing asks for")])
            return self._checker.check_drawing(number, drawing)
        font, image = self._document.fonts.get(number), self._document.images.get(number)
        seen = hashlib.sha256(msgspec.msgpack.encode((name, font, image))).digest()
        if seen in self._proven:
            return CheckedThing([])
        if font is not None:
            return CheckedThing([*check_font(key, font, self._expected.font_file)], (seen,))
        if kind == "P":
            problems = [*check_picture(key, image, self._expected.pictures.get(key))]
            if self._expected.is_grey and image is not None:
                problems += check_grey_picture(key, image)
            return CheckedThing(problems, (seen,))
        return CheckedThing([])


def _check_boxes(
    number: int, page: PageRead, size: Size, seats: tuple[FaceSeat, ...], correction: Matrix
) -> Iterator[Problem]:
    trim, bleed = _boxes_around(seats, correction) if seats else [Rect(0.0, 0.0, *size)] * 2
    for name, box, wanted in (("trim", page.trim, trim.edges), ("bleed", page.bleed, bleed.edges)):
        if box is None:
            yield fault("proof-boxes", f"page {number} has no {name} box")
            continue
        (left, _, _, top), (x1, y1, x2, y2) = page.media, box
        edges = tuple(edge * MM_PER_PT for edge in (x1 - left, top - y2, x2 - left, top - y1))
        if any(abs(edge - other) > TOLERANCE_MM for edge, other in zip(edges, wanted, strict=True)):
            what = f"the {name} box of page {number} is {_edges(edges)}, not {_edges(wanted)}"
            yield fault("proof-boxes", what)


@lru_cache(maxsize=4096)
def _seat(matrix: Matrix, clip: Rect | None, trim: Size, bleed_mm: float) -> FaceSeat:
    """Return where a face lies, to a thousandth of a mm so that equal places are equal."""
    shown = matrix.around(Rect(0.0, 0.0, *trim).grown(bleed_mm))
    a, b, c, d, e, f = matrix
    rounded = Matrix(round(a, 5), round(b, 5), round(c, 5), round(d, 5), round(e, 3), round(f, 3))
    return FaceSeat(rounded, trim, rounded_box(shown if clip is None else clip.shared(shown)))


@lru_cache(maxsize=64)
def _boxes_around(seats: tuple[FaceSeat, ...], correction: Matrix) -> tuple[Rect, Rect]:
    """Return the boxes around all trims, of which what is shown counts, and around all that is shown, as corrected."""
    trims = (seat.shown.shared(seat.trim_box) for seat in seats)
    return rect_around(map(correction.around, trims)), rect_around(correction.around(seat.shown) for seat in seats)


def _code(mask: BitMask, matrix: Matrix) -> SheetCode:
    rows = tuple([row.to_bytes(-(-mask.across // 8), "big") for row in mask.rows])
    return SheetCode(rounded_box(mask_box(mask, matrix)), rows, mask.across)


def _edges(edges: Iterable[float]) -> str:
    return " ".join(f"{edge:.2f}" for edge in edges)
