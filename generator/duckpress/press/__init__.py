"""Runs the steps in order and gathers their problems: text -> Game -> checked Game -> Frames -> Sheets -> PDF.

What stands here is imported when it is first asked for: a build that still stands needs next to nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duckpress.core.lazy_exports import from_modules

if TYPE_CHECKING:
    from duckpress.press.checking import Checked, Loaded, as_read, check, load, tables, variants_of
    from duckpress.press.packets.packet import Dealt, deal, has_packet
    from duckpress.press.printing import build
    from duckpress.press.request import Built, PieceSummary, Request
    from duckpress.press.translate import file_names, languages_of, spoken

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
            "packets.packet": ("Dealt", "deal", "has_packet"),
            "printing": ("build",),
            "request": ("Built", "PieceSummary", "Request"),
            "translate": ("file_names", "languages_of", "spoken"),
        },
    )
