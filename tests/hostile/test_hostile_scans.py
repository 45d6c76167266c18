"""Files given to `whose` come from whoever had a copy: pictures and PDFs that lie, burst, or are none."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import pytest
from harness import needs_posix, run_command, run_here
from PIL import Image
from test_hostile_images import drawn_png, jpeg, sized

from duckpress.store.edition_keys import keep_key


def pdf(box: bytes = b"[0 0 595 842]", content: bytes = b"", pages: int = 1, more: bytes = b"") -> bytes:
    """Return a PDF of empty pages, or with this content on each; `more` stands in each page."""
    kids, packed = b" ".join([b"3 0 R"] * pages), zlib.compress(content)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, kids),
        b"<</Type/Page/Parent 2 0 R/MediaBox %b/Contents 4 0 R/Resources<<>>%b>>" % (box, more),
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(packed), packed),
    ]
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % at for at in places))
    out.write(b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def tiff() -> bytes:
    out = io.BytesIO()
    Image.new("L", (64, 64), 200).save(out, "TIFF", compression="tiff_lzw")
    return out.getvalue()


UNREADABLE = {
    "x-empty": b"",
    "x-text": b"copy 17 of 40\n",
    "x-program": b"#!/bin/sh\ntouch /tmp/x\n",
    "x-postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n(pwned) run\n",
    "x-cut-off-png": drawn_png(300, 300)[:60],
    "x-cut-off-jpeg": jpeg()[:400],
    "x-cut-off-tiff": tiff()[:60],
    "x-huge-png": drawn_png(60_000, 60_000),
    "x-lying-jpeg": sized(jpeg(), 65_000, 65_000),
    "x-cut-off-pdf": pdf()[:200],
    "x-huge-page": pdf(b"[0 0 14400000 14400000]"),
}
HARMLESS = {
    "x-page-of-nothing": pdf(b"[0 0 0 0]"),
    "x-pdf": pdf(),
    "x-pages-in-a-ring": pdf().replace(b"3 0 R]", b"2 0 R]"),
    "x-scripts": pdf(more=b"/AA<</O<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1/'\\))>>>>"),
    "x-many-pages": pdf(pages=40, box=b"[0 0 30 30]"),
    "x-deep-page": pdf(content=b"q " * 200_000),
    "x-tiff": tiff(),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    keep_key(tmp_path / "output" / "g" / "edition", bytes(32))
    return tmp_path


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_scan_is_told(folder: Path, name: str) -> None:
    (folder / "scan.png").write_bytes(UNREADABLE[name])
    ran = run_here(folder, "whose", str(folder / "scan.png"))
    assert ran.status == 1
    assert ran.codes() == ["unreadable-scan"]
    assert "Traceback" not in ran.err
    assert ran.written == []


@pytest.mark.parametrize("name", HARMLESS)
def test_what_shows_nothing_is_nobodys(folder: Path, name: str) -> None:
    (folder / "scan.pdf").write_bytes(HARMLESS[name])
    ran = run_here(folder, "whose", str(folder / "scan.pdf"))
    assert ran.status == 1
    assert set(ran.codes()) <= {"unreadable-scan"}
    assert "Traceback" not in ran.err
    assert ran.written == []


@needs_posix
@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("scan.pdf", pdf(content=b"0 0 m 1 1 l S\n" * 3_000_000), id="x-page-that-takes-long"),
        pytest.param("scan.png", drawn_png(9_000, 5_500), id="x-large-scan"),
        pytest.param("scan.pdf", pdf(pages=3, more=b"/Contents[4 0 R 4 0 R]"), id="x-whole-process"),
    ],
)
def test_it_ends_in_time_and_writes_nothing(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    ran = run_command(folder, "--limit", "layout-seconds=4", "whose", name)
    assert ran.status == 1
    assert ran.written == []
    assert ran.sockets == []
    assert ran.programs == []
    assert not ran.survivors


@pytest.mark.parametrize("name", ["missing.png", ".", "output"])
def test_x_what_is_no_file_is_told(folder: Path, name: str) -> None:
    ran = run_here(folder, "whose", str(folder / name))
    assert ran.status == 1
    assert ran.codes() == ["not-a-file"]


def test_x_a_key_that_is_none_reads_nothing(folder: Path) -> None:
    for text in ("", "00" * 31, "x" * 64, "\0" * 500):
        (folder / "output" / "g" / "edition.key").write_text(text)
        (folder / "scan.tif").write_bytes(tiff())
        assert run_here(folder, "whose", str(folder / "scan.tif"), form=None).status == 2
