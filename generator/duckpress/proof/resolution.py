"""How finely pictures are printed, measured on the finished faces.

`layout` warns of a coarse picture at its element (`low-resolution`), but what makes it larger afterwards (a transform
around it, a piece that is printed larger) it cannot see there. So faces with anything enlarged are measured here, by
the matrices that their pictures have in the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.units import MM_PER_INCH
from duckpress.proof.opened import FormRead, OpenedPdf
from duckpress.proof.proof_findings import ProofFindings
from duckpress.proof.streams import Drawn, read_marks

LOWEST_DPI = 150.0
FIX = "use a larger picture, or print it smaller"
# A group that opens with a matrix other than a shift; what is placed at once ends in `Do`.
_SCALED = re.compile(rb"^q (?!1 0 0 1 )\S+ \S+ \S+ \S+ \S+ \S+ cm(?! /)", re.MULTILINE)


def check_resolution(document: OpenedPdf, number: int, name: str, findings: ProofFindings) -> None:
    """Return a warning `picture-resolution` for the coarsest picture of a face, `name` being what the face is."""
    form = document.forms[number]
    if form.operators.count(b" cm") == form.operators.count(b" cm /") or not _SCALED.search(form.operators):
        return
    coarsest = min(_dpis(document, form, IDENTITY), default=LOWEST_DPI)
    # Matrices are rounded: a picture of just so many pixels is not told of.
    if coarsest < LOWEST_DPI - 0.5:
        what = f"{name}: a picture is printed at {coarsest:.0f} dpi; below {LOWEST_DPI:.0f} it looks coarse"
        findings.warn("picture-resolution", what, FIX)


def _dpis(document: OpenedPdf, form: FormRead, matrix: Matrix) -> Iterator[float]:
    """Yield the dots per inch of each picture of a form, in the direction in which they are fewer."""
    for mark in read_marks(form.operators, matrix):
        if not isinstance(mark, Drawn):
            continue
        number = form.used.objects[mark.name]
        image, inner = document.images.get(number), document.forms.get(number)
        if image is not None:
            a, b, c, d, _, _ = mark.matrix
            across_mm, down_mm = math.hypot(a, b), math.hypot(c, d)
            yield min(image.width_px / across_mm, image.height_px / down_mm) * MM_PER_INCH
        elif inner is not None:
            yield from _dpis(document, inner, mark.matrix)
