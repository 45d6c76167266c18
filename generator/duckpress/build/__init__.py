"""Runs the steps in order and gathers their problems: text -> Game -> checked Game -> Frames -> Sheets -> PDF.

What stands here is imported when it is first asked for: a build that still stands needs next to nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duckpress.lazily import from_modules

if TYPE_CHECKING:
    from duckpress.build.checking import Checked, Loaded, as_read, check, load, tables, variants_of
    from duckpress.build.packet import Dealt, deal, has_packet
    from duckpress.build.printing import build
    from duckpress.build.request import Built, PieceSummary, Request
    from duckpress.build.speaking import file_names, languages_of, spoken

__all__ = [
    "Built",
    "Checked",
    "Dealt",
    "Loaded",
    "PieceSummary",
    "Request",
    "as_read",
    "build",
    "check",
    "deal",
    "file_names",
    "has_packet",
    "languages_of",
    "load",
    "spoken",
    "tables",
    "variants_of",
]

if not TYPE_CHECKING:  # to the type checker every name is there, and no other
    __getattr__ = from_modules(
        __name__,
        {
            "checking": ("Checked", "Loaded", "as_read", "check", "load", "tables", "variants_of"),
            "packet": ("Dealt", "deal", "has_packet"),
            "printing": ("build",),
            "request": ("Built", "PieceSummary", "Request"),
            "speaking": ("file_names", "languages_of", "spoken"),
        },
    )
