"""Modules of packages whose own first module is not run, as it imports far more than is used of them."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType


def bare_module(package: str, name: str) -> ModuleType:
    """Return a module of a package that nobody in this program imports otherwise.

    segno, for one, writes codes in a dozen formats, and imports `urllib` and `xml.sax` for that: a twentieth of what a
    sheet of nine cards takes.
    """
    if package not in sys.modules:
        spec = find_spec(package)
        if spec is None:
            raise ModuleNotFoundError(package)
        sys.modules[package] = module_from_spec(spec)
    return import_module(f"{package}.{name}")
