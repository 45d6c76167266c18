"""What was proven before: things of a file, under hashes of their names, their bytes and what they show besides."""

from __future__ import annotations

from hashlib import blake2b

from duckpress.files.memo import Pack

_BYTES = 16


def digest_of(*parts: object, data: bytes = b"") -> bytes:
    """Return the hash under which something of these plain values, and of these bytes, is proven."""
    digest = blake2b(data, digest_size=_BYTES)
    digest.update(repr((len(data), *parts)).encode("utf-8", "surrogatepass"))
    return digest.digest()


class Proven:
    """Remembers what was right: a thing of the same name and bytes is right again."""

    def __init__(self, known: Pack | None = None) -> None:
        self._known = Pack() if known is None else known

    def holds(self, digest: bytes) -> bool:
        """Return whether it was proven."""
        return self._known.get(digest) is not None

    def add(self, *digests: bytes) -> None:
        """Note that these are proven."""
        for digest in digests:
            self._known.put(digest)

    def begin(self) -> None:
        """Begin another build."""
        self._known.begin()

    def branch(self) -> Proven:
        """Return what begins with all that is proven here; what is proven with it is its own."""
        return Proven(self._known.branch())
