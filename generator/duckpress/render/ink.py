"""Faces and drawings as finished forms: deflated operators, and what these name. An ink knows no document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import IDENTITY, Matrix, Rect, box_of_points

_named = re.compile(r"/FormXob\.(\S+) Do|/(O\S+) gs|/OC /L-(\S+) BDC").findall


class Uses(NamedTuple):
    """What operators name: forms and images, graphics states, layers; sorted, each once."""

    objects: tuple[str, ...]
    states: tuple[str, ...]
    layers: tuple[str, ...]


class Ink(Struct, frozen=True):
    """A form: its box, its deflated operators and what they name; the glyphs drawn of each font, two bytes each.

    `groups` are forms of its own.
    """

    box: Rect
    data: bytes
    uses: Uses
    glyphs: Mapping[str, bytes]
    groups: Mapping[str, Ink]


def uses_of(code: str) -> Uses:
    """Return what operators name: read off them, so that nothing has to be noted where they are written."""
    found = [{*names} - {""} for names in zip(*_named(code), strict=True)] or [set[str]()] * 3
    return Uses(*(tuple(sorted(names)) for names in found))


def seen_through(matrix: Matrix, box: Rect) -> Rect:
    """Return the smallest upright box, in the coordinates inside a matrix, that covers a box outside it."""
    if matrix == IDENTITY:
        return box
    points = [point for corner in box.corners if (point := matrix.undo(*corner)) is not None]
    return box_of_points(points) if points else box
