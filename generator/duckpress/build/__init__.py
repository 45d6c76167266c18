"""Runs the steps in order and gathers their problems: text -> Game -> checked Game -> Frames -> Sheets -> PDF."""

from duckpress.build.checking import Checked, Loaded, check, load, tables, variants_of
from duckpress.build.printing import Built, PieceSummary, Request, build

__all__ = [
    "Built",
    "Checked",
    "Loaded",
    "PieceSummary",
    "Request",
    "build",
    "check",
    "load",
    "tables",
    "variants_of",
]
