"""What the files that every bundle has are called, and how its checksums are written."""

from __future__ import annotations

from collections.abc import Mapping

FORMAT = 1
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"


def sums_of(digests: Mapping[str, str]) -> bytes:
    """Return the list of checksums of files by name, as `sha256sum -c` reads it."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()
