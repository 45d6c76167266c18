"""Runs the steps in order and gathers their problems: text -> Game -> checked Game -> Frames -> Sheets -> PDF."""

from duckpress.build.checking import Checked, Loaded, check, load, tables, variants_of
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
