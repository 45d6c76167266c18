"""A printer and a scanner: pages of a PDF as they come back from paper, turned, scaled, blurred, noisy and packed."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageFilter

PRINTED_DPI, SCANNED_DPI = 600, 300


def printed(pdf: bytes | Path, page: int = 0) -> Image.Image:
    """Return a page as a printer with 600 dots to the inch puts it on paper, in greys."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page].render(scale=PRINTED_DPI / 72, grayscale=True).to_pil().copy()  # type: ignore[no-any-return]


def any_way(rng: random.Random) -> dict[str, float]:
    """Return how a sheet may lie on a scanner, and what that makes of it."""
    return {
        "degrees": rng.uniform(-3, 3), "scale": rng.uniform(0.98, 1.02), "squeezed": rng.uniform(0.997, 1.003),
        "ink": rng.uniform(0.0, 1.2), "blur": rng.uniform(0.3, 1.1), "noise": rng.uniform(1, 8),
        "white": rng.uniform(200, 255),
    }  # fmt: skip


def scanned(sheet: Image.Image, way: Mapping[str, float], *, quality: int = 75, dpi: int = SCANNED_DPI) -> Image.Image:
    """Return a scan of a sheet in greys, as a JPEG of a quality (0: not packed) has it.

    `ink` is how far it spreads on the paper and `blur` how far the lens does, in pixels; `noise` is the grain of 255
    greys, `white` how light the paper is.
    """
    each = dpi / PRINTED_DPI
    width, height = round(sheet.width * each), round(sheet.height * each)
    turn, scale = math.radians(way.get("degrees", 0.0)), each * way.get("scale", 1.0)
    across, down = 1 / scale, 1 / (scale * way.get("squeezed", 1.0))
    a, b, c, d = (
        math.cos(turn) * across, math.sin(turn) * across, -math.sin(turn) * down, math.cos(turn) * down,
    )  # fmt: skip
    matrix = (
        a, b, sheet.width / 2 - a * width / 2 - b * height / 2,
        c, d, sheet.height / 2 - c * width / 2 - d * height / 2,
    )  # fmt: skip
    spread = sheet.filter(ImageFilter.GaussianBlur(way.get("ink", 0.0) + 0.4 / each))
    scan = spread.transform((width, height), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=255)
    scan = scan.filter(ImageFilter.GaussianBlur(way.get("blur", 0.5)))
    white = way.get("white", 255.0)
    scan = scan.point([round(25 + level * (white - 25) / 255) for level in range(256)])
    if way.get("noise"):
        scan = ImageChops.add(scan, Image.effect_noise(scan.size, way["noise"]), 1, -128)
    return opened(file_of(scan, "JPEG", quality=quality)) if quality else scan


def file_of(picture: Image.Image, kind: str, **options: Any) -> bytes:
    """Return a picture as a file."""
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    """Return the picture of a file."""
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        return picture.copy()
