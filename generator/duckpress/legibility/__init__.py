"""Frames -> what a reader cannot make out: words too faint on their ground, cards told apart by colour alone.

It looks at finished faces only, in whatever ink they were made, so it knows no theme and no layout.
"""

from duckpress.legibility.checks import CODES, Faint, Seen, check_legibility, faint_words
from duckpress.legibility.grounds import Grounds

__all__ = ["CODES", "Faint", "Grounds", "Seen", "check_legibility", "faint_words"]
