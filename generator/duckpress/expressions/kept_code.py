"""The code of templates, compiled once: for all sandboxes of a process that know the same names, and for later runs.

Later runs get it from `Codes`, where only a process writes that has compiled the templates itself: what workers answer
is never code.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Hashable
from types import CodeType
from typing import Protocol

from jinja2.utils import LRUCache

_KEPT: LRUCache = LRUCache(128)  # a game's layouts are the same in each of its languages


class Codes(Protocol):
    """Compiled templates of earlier runs, by their digests."""

    def get(self, key: bytes) -> bytes | None:
        """Return a compiled template; None if there is none."""

    def put(self, key: bytes, result: bytes) -> None:
        """Keep a compiled template."""


def code_once(key: Hashable, codes: Codes | None, compile_it: Callable[[], CodeType]) -> CodeType:
    """Return the code of a template, compiled where neither this process nor an earlier run has done so.

    `key` is all that decides it; its `repr` is the same in every run.
    """
    code: CodeType | None = _KEPT.get(key)
    if code is None:
        digest = hashlib.sha256(repr(key).encode("utf-8", "surrogatepass")).digest()
        known = None if codes is None else codes.get(digest)
        code = _KEPT[key] = compile_it() if known is None else marshal.loads(known)  # our own
        if codes is not None and known is None:
            codes.put(digest, marshal.dumps(code))
    return code
