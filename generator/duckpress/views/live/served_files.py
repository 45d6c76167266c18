"""What is there to be served, by name, and what is asked for and not there yet: between threads that answer browsers.

Names that are asked for wait here for the session to make them. Pictures are kept up to a number of bytes, those first
that were asked for last; whatever else is there is small. News are one state, not a row of messages: whoever was away,
or reads slowly, gets the newest, and nothing piles up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping

PICTURES = "pictures/"
_MOST_PICTURES = 96_000_000  # bytes
_MOST_WANTED = 256  # names that wait at once
MOST_LISTENERS = 16


class TooMany(Exception):
    """More is asked for at once than is served."""


class ServedFiles:
    """Files by name. A file that is `None` was asked for, and does not exist."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._files: dict[str, bytes | None] = {}
        self._picture_bytes = 0
        self._wanted: dict[str, None] = {}
        self._listeners = 0
        self._news = b""
        self._number = 0

    def put(self, files: Mapping[str, bytes | None], gone: Iterable[str] = (), news: bytes = b"") -> None:
        """Take files and news in, and let go of files that hold no more."""
        with self._changed:
            for name in gone:
                self._drop(name)
            for name, data in files.items():
                self._drop(name)
                self._files[name] = data
                self._wanted.pop(name, None)
                self._picture_bytes += _picture_size(name, data)
            while self._picture_bytes > _MOST_PICTURES:
                self._drop(next(name for name in self._files if name.startswith(PICTURES)))
            if news:
                self._news = news
                self._number += 1
            self._changed.notify_all()

    def get(self, name: str, seconds: float) -> bytes | None:
        """Return a file once it is there, None where there is no such file. Raises `TooMany` and `TimeoutError`."""
        until = time.monotonic() + seconds
        with self._changed:
            while name not in self._files:
                if name not in self._wanted and len(self._wanted) >= _MOST_WANTED:
                    raise TooMany
                self._wanted[name] = None
                self._changed.notify_all()
                if not self._changed.wait(until - time.monotonic()):
                    self._wanted.pop(name, None)
                    raise TimeoutError
            data = self._files[name]
            if data is None:
                del self._files[name]  # names that do not exist are not piled up
            elif name.startswith(PICTURES):
                self._files[name] = self._files.pop(name)
            return data

    def wanted(self, seconds: float) -> list[str]:
        """Return the names that are asked for and not there, as soon as there are any, or after some time."""
        with self._changed:
            if not self._wanted:
                self._changed.wait(seconds)
            return list(self._wanted)

    def listen(self) -> None:
        """Begin to listen to news. Raises `TooMany`."""
        with self._changed:
            if self._listeners >= MOST_LISTENERS:
                raise TooMany
            self._listeners += 1

    def stop_listening(self) -> None:
        """Make room for another listener."""
        with self._changed:
            self._listeners -= 1

    def news(self, seen: int, seconds: float) -> tuple[int, bytes]:
        """Return the newest news and their number, as soon as they are newer than seen; after some time none."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._number > seen, seconds):
                return seen, b""
            return self._number, self._news

    def _drop(self, name: str) -> None:
        self._picture_bytes -= _picture_size(name, self._files.pop(name, None))


def _picture_size(name: str, data: bytes | None) -> int:
    return len(data) if data is not None and name.startswith(PICTURES) else 0
