"""What the session and the process that serves browsers say to each other: records in MessagePack, in turns.

The session speaks first: what it has made. The other answers with the names that browsers ask for and that are not
there, at once or as soon as there are any. So the session needs no thread, and waits for browsers and files alike.
"""

from __future__ import annotations

from msgspec import Struct

ENDED = "the process that serves the page has ended"


class Begin(Struct, frozen=True):
    """What to serve, and how: the first thing said. `build` is the command that prints, as arguments."""

    port: int
    key: str
    root: str
    out: str
    editor: tuple[str, ...]
    editor_address: str
    build: tuple[str, ...]
    opens_browser: bool


class Begun(Struct, frozen=True):
    """The port that browsers come to; `failed` says why there is none."""

    port: int = 0
    failed: str = ""


class Stocked(Struct, frozen=True):
    """Files that were made (None: there is no such file), names that hold no more, and news for all pages."""

    files: dict[str, bytes | None] = {}
    gone: list[str] = []
    news: bytes = b""
    wait_s: float = 0.0


class WantedNames(Struct, frozen=True):
    """Names that browsers ask for, the oldest first."""

    names: list[str]
