"""Faces laid out before, to be used again: each with what it is made of, as plain data.

A face is found by the hash of its finished XML (what included and imported templates, values, translations and macros
made of it) and of how it is laid out: size, ink, language, sizes set in common, the program itself. It is used only
where everything it uses besides (`uses`: colours, styles, fonts, files, icons) is answered today as it was then.
Asking is what laying out would do too, so files are read and what is wrong in them is told just the same. Faces with
anything to tell about them are never kept: they are laid out every time.

A face is one line of JSON: [key, uses, hash of the frame, sizes set alike, texts that shrank, items]; its uses are
named by the first letters of the hash of a line of their own, [use, answer], as most faces of a deck use the same. The
items are the bytes that the hash was made of (MessagePack, in Base64), so whether they are those of the frame is known
before they are read. Both forms are data and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from duckpress.frame import Frame, hash_of_written, read_written
from duckpress.layout.itemrows import read_items
from duckpress.layout.uses import ORDER, Use
from duckpress.sizes import Format

_MOST_KEPT = 4  # times as many faces as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000
_KEY_LETTERS = 32
_USE_LETTERS = 16

_HEAD = re.compile(rb'\["[0-9a-f]{32}","([0-9a-f ]*)","([0-9a-f]{32})",')

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False, ensure_ascii=False).encode

Answer = Callable[[Use], str]
"""Gives what is found today for a use."""

ShrunkText = tuple[str, float, float]
"""The style of a text that had to shrink, its size in points and the size it got."""


class KnownFace(NamedTuple):
    """A face as it was laid out: the frame, the sizes of texts to be set alike, the texts that shrank."""

    frame: Frame
    together: dict[str, float]
    shrunk: list[ShrunkText]


class KnownFaces:
    """The faces of one piece in one language and ink; `laid_out` counts those that had to be made."""

    def __init__(self, setting: str, data: bytes = b"") -> None:
        """Take what all faces depend on (the program's identity, language, ink), and the entries of earlier runs."""
        self.laid_out = 0
        self.is_changed = False
        self._setting = setting.encode()
        self._entries: dict[bytes, bytes] = {}
        self._uses: dict[str, bytes] = {}
        self._formats: dict[Format, str] = {}
        self._names: dict[tuple[Use, str], str] = {}
        self._together: dict[tuple[Use, ...], str] = {}  # the names of what a face laid out in this run asked
        self._holding: dict[str, Use | None] = {}  # what came of asking in this run; None: it is answered otherwise
        self._wanted: dict[bytes, None] = {}
        self._read: dict[bytes, tuple[bytes, KnownFace]] = {}  # the lines that were read since this was opened
        self._news: list[bytes] = []
        self._fresh: set[bytes] = set()  # the keys of what was laid out in this process's time: it needs no proof
        self.add(data)

    def __reduce__(self) -> tuple[type[KnownFaces], tuple[str, bytes]]:
        """Give what a process that is started afresh needs: what all faces depend on, and the entries."""
        return KnownFaces, (self._setting.decode(), self._joined(list(self._entries.values())))

    def begin(self) -> None:
        """Begin another run: what it will use is wanted from now on, and everything is asked again."""
        self._wanted = {}
        self._holding = {}
        self._together = {}

    def take(self, data: bytes, made: int) -> None:
        """Take entries in that a worker made in this run, and how many faces it made."""
        self.is_changed = self.is_changed or bool(data)
        self.laid_out += made
        for line in self.add(data):
            self._fresh.add(line[2 : 2 + _KEY_LETTERS])

    def news(self) -> bytes:
        """Give the entries added since this was asked last, one a line."""
        data = b"\n".join(self._news)
        self._news.clear()
        return data

    def add(self, data: bytes) -> list[bytes]:
        """Take entries in, one a line; gives those of faces."""
        faces = []
        for line in data.split(b"\n"):
            if line.startswith(b'["'):
                self._entries[line[2 : 2 + _KEY_LETTERS]] = line
                faces.append(line)
            elif line.startswith(b"[["):
                self._uses[hashlib.sha256(line).hexdigest()[:_USE_LETTERS]] = line
        return faces

    def forget(self, keys: Iterable[bytes]) -> None:
        """Forget faces that turned out to be none."""
        for key in keys:
            self._entries.pop(key, None)

    def key(self, xml: str, format_: Format, forced_pt: dict[str, float], values: object) -> bytes:
        """Give the key of a face: `xml` without marks of places, `values` where its texts may name fields."""
        is_plain = not forced_pt and values is None
        how = self._formats.get(format_, "") if is_plain else ""
        if not how:
            how = repr((format_[1:], sorted(forced_pt.items()), values))
            if is_plain:
                self._formats[format_] = how
        found = hashlib.sha256(b"\0".join((self._setting, how.encode(), xml.encode("utf-8", "surrogatepass"))))
        return found.hexdigest()[:32].encode()

    def uses_held(self, key: bytes, answer: Answer) -> list[Use] | None:
        """Give what a face uses, where all of it is answered as it was; None: it is to be laid out then."""
        head = _HEAD.match(self._entries.get(key, b""))
        if head is None:
            return None
        uses = []
        try:
            for name in head[1].decode().split():
                use = self._still_holding(name, answer)
                if use is None:
                    return None
                uses.append(use)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return None  # it was not written by this program, or not in this way
        return uses

    def face(self, key: bytes, format_: Format) -> KnownFace | None:
        """Give a face of which nothing it uses has changed; None where there is none, or what is there is no face."""
        line = self._entries.get(key)
        if line is None:
            return None
        read = self._read.get(key)
        if read is None or read[0] is not line:
            try:
                face = _read_line(line, format_, is_sure=key in self._fresh)
            except (ValueError, TypeError, KeyError, IndexError, RecursionError):
                return None
            read = self._read[key] = line, face
        self._wanted[key] = None
        return read[1]

    def has(self, key: bytes) -> bool:
        """Tell whether there is a face with a key, whatever has become of what it uses."""
        return key in self._entries

    def frame_hash(self, key: bytes) -> str:
        """Give the hash of the frame of a face that there is, without reading the face."""
        head = _HEAD.match(self._entries[key])
        assert head is not None
        return head[2].decode()

    def keep(self, key: bytes, face: KnownFace, asked: Iterable[Use], answer: Answer) -> None:
        """Remember a face that has been laid out, with all that it asked for."""
        # Most faces of a deck ask the same things in the same order.
        asked = tuple(asked)
        uses = self._together.get(asked)
        if uses is None:
            names = [self._named(use, answer(use)) for use in sorted(set(asked), key=_in_order)]
            uses = self._together[asked] = " ".join(names)
        frame = face.frame
        try:
            items = frame.written()
            frame.__dict__["hash"] = found = hash_of_written(frame.trim, frame.bleed_mm, items)
            head = _encode((key.decode(), uses, found, face.together, face.shrunk)).encode()
        except ValueError:
            return  # half a letter, which no font has, or a number beyond all sense
        self._entries[key] = line = b"".join((head[:-1], b',"', b2a_base64(items, newline=False), b'"]'))
        self._wanted[key] = None
        self._news.append(line)
        self.is_changed = True

    def _still_holding(self, name: str, answer: Answer) -> Use | None:
        """Give a use that is answered as it was; None where it is not."""
        if name not in self._holding:
            asked, found = json.loads(self._uses[name])
            use = tuple(asked)
            self._holding[name] = use if answer(use) == found else None
        return self._holding[name]

    def _named(self, use: Use, answer: str) -> str:
        name = self._names.get((use, answer))
        if name is None:
            line = _encode((use, answer)).encode()
            name = self._names[use, answer] = hashlib.sha256(line).hexdigest()[:_USE_LETTERS]
            self._uses[name] = line
            self._news.append(line)
            self._holding[name] = use
        return name

    def lines(self) -> bytes:
        """Give all that is worth keeping: what this run used last, before it what earlier ones used."""
        most = max(_MOST_KEPT * len(self._wanted), _LEAST_KEPT)
        old = [key for key in self._entries if key not in self._wanted]
        kept = [*old[-max(most - len(self._wanted), 0) :], *self._wanted] if most > len(self._wanted) else self._wanted
        return self._joined([self._entries[key] for key in kept])

    def _joined(self, lines: list[bytes]) -> bytes:
        """Give lines with those of their uses before them."""
        named = {name for line in lines for name in _names_in(line)}
        return b"\n".join((*(self._uses[name] for name in sorted(named) if name in self._uses), *lines))

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of all entries."""
        return tuple(self._entries)


def read_face(frame_hash: Any, items: Any, together: Any, shrunk: Any, format_: Format) -> KnownFace:
    """Give a face from plain data; raises `ValueError`, `TypeError` or `IndexError` where it is none."""
    frame = Frame(format_.trim, format_.bleed_mm, read_items(items))
    if frame.hash != frame_hash:
        raise ValueError(frame_hash)
    return KnownFace(frame, _numbers(together), [_shrunk(one) for one in shrunk])


def _read_line(line: bytes, format_: Format, *, is_sure: bool) -> KnownFace:
    """Give the face of a line; raises what nonsense raises.

    `is_sure` says that the hash comes from where the frame was made just now, and need not be made again.
    """
    _, _, frame_hash, together, shrunk, packed = json.loads(line)
    items = a2b_base64(packed)
    if not isinstance(frame_hash, str) or not (
        is_sure or frame_hash == hash_of_written(format_.trim, format_.bleed_mm, items)
    ):
        raise ValueError(frame_hash)
    frame = Frame(format_.trim, format_.bleed_mm, read_items(read_written(items)))
    frame.__dict__["hash"] = frame_hash
    return KnownFace(frame, _numbers(together), [_shrunk(one) for one in shrunk])


def _names_in(line: bytes) -> list[str]:
    """Give the names of a face's uses, without reading all of it."""
    start = len(b'["') + _KEY_LETTERS + len(b'","')
    return line[start : line.index(b'"', start)].decode().split()


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
