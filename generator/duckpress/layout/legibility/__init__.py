"""Frames -> problems of legibility: words too faint on their ground, cards that differ in colour alone.

It looks at finished faces only, in whatever ink they were made, so it knows no theme and no layout.
"""

from __future__ import annotations

from duckpress.layout.legibility.checks import (
    LEAST_DIFFERENCE,
    LOWEST_DPI,
    Faint,
    Seen,
    check_legibility,
    coarsest_dpi,
    difference,
    faint_words,
    largest_scale,
    light_of,
    words_said,
)
from duckpress.layout.legibility.grounds import Grounds
