"""Faces laid out before, to be used again: each with what it is made of, as plain data.

A face is found by the hash of its finished XML (what included and imported templates, values, translations and macros
made of it) and of how it is laid out: size, ink, language, sizes set in common, the program itself. It is used only
where everything it uses besides (`uses`: colours, styles, fonts, files, icons) is answered today as it was then.
Asking is what laying out would do too, so files are read and what is wrong in them is told just the same. Faces with
anything to tell about them are never kept: they are laid out every time.

An entry is one line of JSON: [key, uses, hash of the frame, items, sizes set alike, texts that shrank]. JSON is data
and nothing else; what does not make the frame with the hash it states is no entry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from duckpress.frame import Frame, Group, Item, Outline, Paint, Picture, Placed, Text
from duckpress.geometry import Matrix
from duckpress.layout.uses import ORDER, Use
from duckpress.sizes import Format

_MOST_KEPT = 4  # times as many faces as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000

Answer = Callable[[Use], str]
"""Gives what is found today for a use."""

ShrunkText = tuple[str, float, float]
"""The style of a text that had to shrink, its size in points and the size it got."""


class KnownFace(NamedTuple):
    """A face as it was laid out: the frame, the sizes of texts to be set alike, the texts that shrank, its uses."""

    frame: Frame
    together: dict[str, float]
    shrunk: list[ShrunkText]
    uses: list[Use]


class KnownFaces:
    """The faces of one piece in one language and ink; `laid_out` counts those that had to be made."""

    def __init__(self, setting: str, data: bytes = b"") -> None:
        """Take what all faces depend on (the program's identity, language, ink), and the entries of earlier runs."""
        self.laid_out = 0
        self.is_changed = False
        self._setting = setting.encode()
        self._entries: dict[bytes, bytes] = {}
        self._wanted: dict[bytes, None] = {}
        self.add(data)

    def begin(self) -> None:
        """Begin another run: what it will use is wanted from now on."""
        self._wanted = {}

    def add(self, data: bytes) -> None:
        """Take entries in, one a line."""
        for line in data.split(b"\n"):
            if line.startswith(b'["') and len(line) > 34:
                self._entries[line[2:34]] = line

    def key(self, xml: str, format_: Format, forced_pt: dict[str, float], values: object) -> bytes:
        """Give the key of a face: `xml` without marks of places, `values` where its texts may name fields."""
        how = json.dumps([*format_.trim, *format_[2:], sorted(forced_pt.items()), values], default=repr)
        found = hashlib.sha256(b"\0".join((self._setting, how.encode(), xml.encode("utf-8", "surrogatepass"))))
        return found.hexdigest()[:32].encode()

    def find(self, key: bytes, format_: Format, answer: Answer) -> KnownFace | None:
        """Give a face that is still what it was, else None: it is to be laid out then."""
        line = self._entries.get(key)
        if line is None:
            return None
        try:
            _, uses, frame_hash, items, together, shrunk = json.loads(line)
            if any(answer(tuple(use)) != found for use, found in uses):
                return None
            frame = Frame(format_.trim, format_.bleed_mm, read_items(items))
            if frame.hash != frame_hash:
                return None
            asked = [tuple(use) for use, _ in uses]
            face = KnownFace(frame, _numbers(together), [_shrunk(one) for one in shrunk], asked)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return None  # it was not written by this program, or not in this way
        self._wanted[key] = None
        return face

    def keep(self, key: bytes, face: KnownFace, answer: Answer) -> None:
        """Remember a face that has been laid out."""
        self.laid_out += 1
        uses = [(use, answer(use)) for use in sorted(set(face.uses), key=_in_order)]
        entry = [key.decode(), uses, face.frame.hash, plain_items(face.frame.items), face.together, face.shrunk]
        try:
            line = json.dumps(entry, separators=(",", ":"), allow_nan=False).encode()
        except ValueError:
            return  # a number that is none: no proof will pass it either
        self._entries[key] = line
        self._wanted[key] = None
        self.is_changed = True

    def lines(self) -> bytes:
        """Give all that is worth keeping: what this run used last, before it what earlier ones used."""
        most = max(_MOST_KEPT * len(self._wanted), _LEAST_KEPT)
        old = [key for key in self._entries if key not in self._wanted]
        kept = [*old[-max(most - len(self._wanted), 0) :], *self._wanted] if most > len(self._wanted) else self._wanted
        return b"\n".join(self._entries[key] for key in kept)

    def fresh_lines(self, before: Iterable[bytes]) -> bytes:
        """Give the entries that were not there before."""
        known = set(before)
        return b"\n".join(line for key, line in self._entries.items() if key not in known)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of all entries."""
        return tuple(self._entries)


def _in_order(use: Use) -> tuple[int, Use]:
    return ORDER.index(use[0]), use


def _numbers(found: Any) -> dict[str, float]:
    if not isinstance(found, dict) or not all(isinstance(value, int | float) for value in found.values()):
        raise TypeError
    return found


def _shrunk(found: Any) -> ShrunkText:
    style, from_pt, to_pt = found
    if not isinstance(style, str) or not isinstance(from_pt, int | float) or not isinstance(to_pt, int | float):
        raise TypeError
    return style, from_pt, to_pt


def plain_items(items: Sequence[Item]) -> list[list[Any]]:
    """Give items as lists of numbers and texts, the kind of each in front."""
    found: list[list[Any]] = []
    for item in items:
        if isinstance(item, Group):
            found.append(["g", plain_items(item.items), item.matrix, item.clip, item.opacity])
        else:
            found.append([_KINDS[type(item)], *item])
    return found


_KINDS: dict[type, str] = {Outline: "o", Text: "t", Picture: "p", Placed: "d"}


def read_items(rows: list[list[Any]]) -> tuple[Item, ...]:
    """Give items from `plain_items`; raises `TypeError`, `ValueError` or `KeyError` for anything else."""
    items: list[Item] = []
    for kind, *fields in rows:
        if kind == "t":
            items.append(Text._make(fields))
        elif kind == "o":
            d, (*paint, dash, cap, join, even_odd) = fields
            items.append(Outline(d, Paint._make((*paint, tuple(dash), cap, join, even_odd))))
        elif kind == "d":
            key, matrix = fields
            items.append(Placed(key, Matrix._make(matrix)))
        elif kind == "p":
            items.append(Picture._make(fields))
        elif kind == "g":
            inner, matrix, clip, opacity = fields
            items.append(Group(read_items(inner), Matrix._make(matrix), clip, opacity))
        else:
            raise ValueError(kind)
    return tuple(items)
