"""Modules that take long to import: whoever waits for other processes imports the next one that is going to be needed.

A command imports what it begins with, and functions of later stages import what only they need. While a game is read or
its cards are laid out by other processes, this one would stand idle instead.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module

_LAYOUT = ("duckpress.fonts", "duckpress.layout")
_PRINTING = ("pikepdf", "segno", "duckpress.impose", "duckpress.proof", "duckpress.render")

NEEDED_LATER: Mapping[str, tuple[str, ...]] = {
    "duckpress.press.checking": _LAYOUT,
    "duckpress.press.pipeline": (*_LAYOUT, *_PRINTING),
}
"""By a module that has been imported: the slow ones that will be needed after it, in the order in which they are."""


def import_next() -> bool:
    """Import the next module that will be needed; return whether there was one left."""
    for module, names in NEEDED_LATER.items():
        if module in sys.modules:
            for name in names:
                if name not in sys.modules:
                    import_module(name)
                    return True
    return False
