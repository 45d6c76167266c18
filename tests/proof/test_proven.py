"""What is proven is known by a hash of all its parts."""

from __future__ import annotations

import zlib

from duckpress.files.memo import Pack
from duckpress.proof.file_proof import digest_of, uses_of
from duckpress.proof.opened import Resources, StreamRead


def test_parts_do_not_run_into_each_other() -> None:
    assert digest_of(b"ab", b"c") != digest_of(b"a", b"bc")
    assert digest_of("a") != digest_of(b"a")
    assert digest_of(b"a", "b") == digest_of(b"a", "b")
    assert len(digest_of("thing")) == 16


def test_what_a_stream_uses_is_known_by_its_bytes() -> None:
    first, second = Pack(), Pack()
    for pack in (first, second, first):
        for key, glyph in (("a", 0x12), ("b", 0x12), ("a", 0x13)):
            packed = zlib.compress(f"BT /F-{key} 3 Tf [<{glyph:04X}>] TJ ET /O500-500 gs".encode(), 0)
            uses = uses_of(StreamRead(packed, Resources(1, {})), pack)
            assert uses == ([f"F-{key}", "O500-500"], {key: bytes([0, glyph])})
