"""A PDF's bytes -> what readers other than ours see: objects by pikepdf, pixels and text by PDFium."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium

LETTERS = {(255, 255, 255): ".", (255, 0, 0): "R", (0, 255, 0): "G", (0, 0, 255): "B", (0, 0, 0): "K"}


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def text_of(pdf: bytes, page: int = 0) -> str:
    """Return a page's text as a viewer copies it."""
    with pdfium.PdfDocument(pdf) as document:
        return document[page].get_textpage().get_text_bounded()


def pages_of(path: Path) -> list[str]:
    """Return what each page of a file says, in a line."""
    with pdfium.PdfDocument(path) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def letter_map(pdf: bytes, page: int = 0, step_mm: float = 10.0) -> list[str]:
    """Return a page as letters: the colour in the middle of each square of `step_mm`; `?` for any other colour."""
    with pdfium.PdfDocument(pdf) as document:
        bitmap = document[page].render(scale=25.4 / 72 * 4)
        image = bitmap.to_pil().convert("RGB")
    pixels = step_mm * 4
    rows, columns = round(image.height / pixels), round(image.width / pixels)
    colours = [
        [image.getpixel((int((column + 0.5) * pixels), int((row + 0.5) * pixels))) for column in range(columns)]
        for row in range(rows)
    ]
    return ["".join(_letter(colour) for colour in row) for row in colours]


def _letter(colour: object) -> str:
    assert isinstance(colour, tuple)
    near = [
        letter for known, letter in LETTERS.items() if all(abs(a - b) < 12 for a, b in zip(known, colour, strict=True))
    ]
    return near[0] if near else "?"
