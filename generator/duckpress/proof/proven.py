"""What was proven before: things of a file, under hashes of their names, their bytes and what they show besides."""

from __future__ import annotations

from hashlib import blake2b

_BYTES = 16
_MOST_KEPT = 4  # times as many as the newest build used: older ones may be wanted again
_LEAST_KEPT = 10_000


def digest_of(*parts: object, data: bytes = b"") -> bytes:
    """Return the hash under which something of these plain values, and of these bytes, is proven."""
    digest = blake2b(data, digest_size=_BYTES)
    digest.update(repr((len(data), *parts)).encode("utf-8", "surrogatepass"))
    return digest.digest()


class Proven:
    """Remembers what was right: a thing of the same name and bytes is right again."""

    def __init__(self, data: bytes | None = None) -> None:
        """Take what `news` returned in an earlier run."""
        data = data or b""
        self._known = dict.fromkeys(data[at : at + _BYTES] for at in range(0, len(data) - _BYTES + 1, _BYTES))
        self._stored = frozenset(self._known)
        self._used: dict[bytes, None] = {}

    def holds(self, digest: bytes) -> bool:
        """Return whether it was proven."""
        if digest not in self._known:
            return False
        self._used[digest] = None
        return True

    def add(self, *digests: bytes) -> None:
        """Note that these are proven."""
        self._known |= dict.fromkeys(digests)
        self._used |= dict.fromkeys(digests)

    def begin(self) -> None:
        """Begin another build; of what is known only so much is kept as is worth it."""
        if self._used:
            self._known = dict.fromkeys(self._newest())
        self._used.clear()

    def branch(self) -> Proven:
        """Return what begins with all that is proven here; what is proven with it is its own."""
        return Proven(b"".join(self._known))

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes, what this build used last; empty where nothing is new."""
        if self._used.keys() <= self._stored:
            return b""
        self._stored = frozenset(kept := self._newest())
        return b"".join(kept)

    def _newest(self) -> list[bytes]:
        old = [digest for digest in self._known if digest not in self._used]
        most = max((_MOST_KEPT - 1) * len(self._used), _LEAST_KEPT)
        return [*old[-most:], *self._used]
