"""The number of a copy -> the code that its dots say, and back: nobody reads or makes one without the edition's key.

The code is a keyed checksum of the number, then the number, which the checksum and the key hide, then check bytes. A
code that was read wrongly has the right checksum once in 2^40, whatever is read; so a number that is returned is right.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence

from duckpress.marks.correction import corrected, with_checks

NUMBERS = 1 << 24
"""So many copies can be told apart; the first number is 0."""

KEY_BYTES = 32
CODE_BYTES = 24

_NUMBER_BYTES, _TAG_BYTES = 3, 5

CHECK_BYTES = CODE_BYTES - _NUMBER_BYTES - _TAG_BYTES
"""So many bytes of a code may be missing."""


def code_of(number: int, key: bytes) -> bytes:
    """Return the code of a copy. Raises `ValueError` for a number that has none, and for a key of another length."""
    if not 0 <= number < NUMBERS:
        raise ValueError(f"a copy's number is 0 to {NUMBERS - 1}, not {number}")
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    plain = number.to_bytes(_NUMBER_BYTES, "big")
    tag = _hash(key, b"tag", plain)[:_TAG_BYTES]
    return with_checks(tag + _hidden(plain, tag, key), CHECK_BYTES)


def number_of(code: Sequence[int], missing: Collection[int], key: bytes) -> int | None:
    """Return the number of a copy from its code as it was read; None where it says none in this key.

    `missing` are the places of bytes that could not be read.
    """
    data = corrected(code, missing, CHECK_BYTES)
    if data is None:
        return None
    tag, hidden = data[:_TAG_BYTES], data[_TAG_BYTES:]
    plain = _hidden(hidden, tag, key)
    if not hmac.compare_digest(tag, _hash(key, b"tag", plain)[:_TAG_BYTES]):
        return None
    return int.from_bytes(plain, "big")


def _hidden(plain: bytes, tag: bytes, key: bytes) -> bytes:
    """Return a number hidden, or one that is hidden plain."""
    return bytes(one ^ other for one, other in zip(plain, _hash(key, b"pad", tag), strict=False))


def _hash(key: bytes, use: bytes, data: bytes) -> bytes:
    return hmac.digest(key, b"duckpress copy " + use + b":" + data, "sha256")


def halves(code: Sequence[int]) -> list[int]:
    """Return the numbers up to 15 that a code is made of, two for each byte."""
    return [half for byte in code for half in divmod(byte, 16)]
