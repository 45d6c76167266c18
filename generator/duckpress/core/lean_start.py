"""What keeps a start short: patterns that are compiled at their first use, and libraries without what they bring along.

Most runs need few of the patterns that there are, and of some libraries one module: the `__init__` of their packages
imports many more.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "flags", "fullmatch", "groups", "match", "pattern", "search", "split", "sub", "subn")


class _Pattern:
    """A regular expression that is compiled at its first use, and from then on as fast as any."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled: Any = re.compile(*self._given)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return self.__dict__[name]


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression with the methods of a compiled one."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


def import_bare(package: str, module: str) -> Any:
    """Return a module of a package whose own `__init__` is not run; who imports the package later gets all of it."""
    name = f"{package}.{module}"
    if package in sys.modules:
        return import_module(name)
    spec = find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(package)
    sys.modules[package] = module_from_spec(spec)
    try:
        return import_module(name)
    except ImportError:  # the package says where the module finds its libraries, as on Windows
        pass
    finally:
        del sys.modules[package]
    return import_module(name)
