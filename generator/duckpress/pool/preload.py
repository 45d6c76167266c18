"""Modules that take long to import: whoever waits for other processes imports the next one that is going to be needed.

Functions of later stages import what only they need. While cards are laid out by other processes, this one would stand
idle instead.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module

NEEDED_LATER: Mapping[str, tuple[str, ...]] = {
    "duckpress.press.pipeline": ("pikepdf", "segno"),
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
