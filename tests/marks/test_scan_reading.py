"""Scans of marked sheets: of hundreds that are turned, scaled, blurred and packed nearly all are read, none wrongly."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from PIL import Image

from crews import UseWorkers
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.marks import NUMBERS
from duckpress.marks.dot_reading import DotReading
from duckpress.marks.scan_pages import ScanFile
from duckpress.marks.scan_reading import ScanReading, read_scan
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import render_file
from duckpress.press.reading import load
from duckpress.press.request import CopyMark, Request
from duckpress.press.sheets.copy_marks import CopyMarker
from duckpress.press.sheets.imposition import impose
from duckpress.press.typeset_task import TypesetTask
from duckpress.press.typesetting import lay_out_faces
from duckpress.render import Renderer
from scanner import any_way, file_of, printed, scanned

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))
Sheets = Callable[[random.Random, int], bytes]
"""Returns a PDF with a sheet of some game, of the copy with a number."""


def sheets_of(project: Workspace, games: Sequence[str]) -> Sheets:
    files: list[tuple[PrintJob, CopyMarker, ImposedFile]] = []
    for name in games:
        game = load(project, name).game
        assert game is not None
        request = Request(papers=("a4", "letter"), has_cover=False)
        job = PrintJob(game, request, FontLibrary(project))
        pieces = [piece for piece in game.pieces if game.dealt_to(piece) is None]
        papers = tuple(map(request.paper, request.papers))
        laid_out, _ = lay_out_faces(TypesetTask(project, game, job.fonts, pieces, None, None, "color", papers, None))
        files += [(job, CopyMarker(job), file) for file in impose(job, laid_out, None, is_draft=False).files]

    def sheet(rng: random.Random, number: int) -> bytes:
        job, marker, file = rng.choice(files)
        piece = rng.choice(file.pieces)
        one = replace(file, pieces=(replace(piece, sheets=(rng.choice(piece.sheets),)),))
        return render_file(job, marker.marked(one, CopyMark(number, NUMBERS, "Ann", KEY)), Renderer(job.fonts))

    return sheet


@pytest.fixture(scope="module")
def sheet(project: Workspace) -> Sheets:
    return sheets_of(project, ["ducks-in-a-row"])


def read(data: bytes, keys: Sequence[bytes] = (KEY,)) -> list[ScanReading]:
    return sorted(read_scan(ScanFile("scan", data), keys))


def only(data: bytes, keys: Sequence[bytes] = (KEY,)) -> DotReading:
    (page,) = read(data, keys)
    assert page.why == ""
    return page.reading


def front(pdf: bytes) -> Image.Image:
    return printed(pdf)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(8))
def test_scans_are_read(sheet: Sheets, seed: int) -> None:
    rng = random.Random(seed)
    number = rng.randrange(NUMBERS)
    scan = file_of(scanned(front(sheet(rng, number)), any_way(rng)), "JPEG", quality=75, dpi=(300, 300))
    assert only(scan, (OTHER_KEY, KEY))[:2] == (number, KEY)
    other = only(scan, (OTHER_KEY,))
    assert other.number is None
    assert other.is_marked


@pytest.mark.soak
def test_of_a_hundred_nearly_all_are_read_and_none_wrongly(project: Workspace) -> None:
    sheet = sheets_of(project, [name for name in project.games() if name in BUNDLED])
    rng, missed, count = random.Random(20), list[str](), 100
    for _ in range(count):
        number, before, way = rng.randrange(NUMBERS), rng.getstate(), any_way(rng)
        scan = file_of(scanned(front(sheet(rng, number)), way), "PNG", dpi=(300, 300))
        reading = only(scan)
        assert reading.number in (number, None), (before, way)
        if reading.number is None:
            missed.append(f"{way} {reading}")
        assert only(scan, (OTHER_KEY,)).number is None
    assert len(missed) <= count // 100, missed


BUNDLED = ("blind-mans-draft", "canardage", "duck-blind", "duck-pens", "ducks-in-a-row")


def test_a_pdf_is_read_page_by_page(sheet: Sheets, use_workers: UseWorkers) -> None:
    use_workers(2)
    pages = read(sheet(random.Random(1), 4711))
    assert [page.page for page in pages] == [*range(len(pages))]
    assert {page.reading.number for page in pages} <= {4711, None}
    assert pages[0].reading.number == 4711


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "JPEG", "WEBP", "pdf", "1"])
def test_files_of_all_kinds_are_read(sheet: Sheets, kind: str) -> None:
    scan = scanned(front(sheet(random.Random(2), 99)), {"degrees": 1.0, "noise": 3.0})
    if kind == "1":
        data = file_of(scan.point([255 * (level > 140) for level in range(256)]).convert("1"), "TIFF", dpi=(300, 300))
    elif kind == "pdf":
        data = file_of(scan, "PDF", resolution=300.0)
    else:
        data = file_of(scan.convert("RGB"), kind, **({} if kind == "WEBP" else {"dpi": (300, 300)}))
    assert only(data).number == 99


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("dpi", "said"), [(150, 0), (200, 72), (400, 0), (600, 600), (300, 96)])
def test_the_size_of_pixels_is_found_out(sheet: Sheets, dpi: int, said: int) -> None:
    scan = scanned(front(sheet(random.Random(2), 99)), {"degrees": 1.0, "noise": 3.0}, dpi=dpi)
    assert only(file_of(scan, "PNG", **({"dpi": (said, said)} if said else {}))).number == 99


@pytest.mark.sweep(3)
@pytest.mark.parametrize("quarter", [90, 180, 270])
def test_sheets_lie_in_any_way(sheet: Sheets, quarter: int) -> None:
    scan = scanned(front(sheet(random.Random(3), 5)), {"degrees": 2.0}).rotate(quarter, expand=True)
    assert only(file_of(scan, "PNG", dpi=(300, 300))).number == 5


def test_a_part_of_a_sheet_is_enough(sheet: Sheets) -> None:
    scan = scanned(front(sheet(random.Random(4), 6)), {"degrees": -1.0})
    for box in ((0, 0, scan.width * 6 // 10, scan.height), (0, scan.height // 2, scan.width, scan.height)):
        assert only(file_of(scan.crop(box), "PNG", dpi=(300, 300))).number == 6


@pytest.mark.sweep(2)
@pytest.mark.parametrize("kind", ["a lattice of dots", "noise", "nothing", "one pixel"])
def test_other_pictures_say_nothing(kind: str) -> None:
    picture = Image.new("L", (1, 1) if kind == "one pixel" else (620, 880), 255)
    if kind == "noise":
        picture = Image.effect_noise((600, 800), 60)
    elif kind != "nothing":
        for place in itertools.product(range(10, 600, 30), range(10, 860, 30)):
            picture.paste(0, (*place, place[0] + 2, place[1] + 2))
    reading = only(file_of(picture, "PNG", dpi=(300, 300)))
    assert reading.number is None
    assert not reading.is_marked
