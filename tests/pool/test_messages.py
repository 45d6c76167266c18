"""Messages between processes: whatever their pieces and letters; and where a process finds its modules."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec import msgpack

from duckpress.pool.messages import NOT_READ, Finished, Incoming, Noted, reading, written
from duckpress.pool.starting import own_python


class Answer(msgspec.Struct, array_like=True):
    words: list[str]
    known: dict[str, bytes] = {}


@pytest.mark.parametrize("step", [1, 2, 7, 8, 9, 1000])
def test_messages_come_whole_however_they_are_cut(step: int) -> None:
    sent = [b"", b"a", b"twelve bytes", bytes(300)]
    stream = b"".join(len(data).to_bytes(8, "little") + data for data in sent)
    incoming = Incoming()
    heard = [data for at in range(0, len(stream), step) for data in incoming.feed(stream[at : at + step])]
    assert heard == sent


def test_no_more_is_taken_in_than_may_come_at_once() -> None:
    with pytest.raises(ValueError, match="at once"):
        list(Incoming(most=99).feed((100).to_bytes(8, "little")))


def test_half_a_letter_comes_as_its_escape() -> None:
    """Names of files in another encoding hold such; MessagePack has no way to write them."""
    data = written(Finished(Answer(["a\ud800b", "teal"], {"\udcff": b"\xff"})))
    assert reading(Answer)(data) == Finished(Answer(["a\\ud800b", "teal"], {"\\udcff": b"\xff"}))


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {"type": "Gone", "why": "died"},
        {"type": "Finished"},
        {"type": "Finished", "result": [["words", 1]]},
        {"type": "Failed", "why": "all too long"},
        {"type": "Noted", "count": "1", "number": 2},
    ],
    ids=repr,
)
def test_what_has_another_shape_is_not_read(plain: object) -> None:
    with pytest.raises(NOT_READ):
        reading(Answer)(msgpack.encode(plain))
    assert reading(Answer)(msgpack.encode({"type": "Noted", "count": 1, "number": 2})) == Noted(1, 2)


def test_modules_in_the_folder_are_not_run(tmp_path: Path) -> None:
    for name in ("json", "sys", "msgspec", "duckpress"):
        (tmp_path / f"{name}.py").write_text("open('taken', 'w').close()\n")
    code = "import duckpress.pool, msgspec; print(duckpress.pool.__file__)"
    ran = subprocess.run(own_python(code), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "duckpress" in ran.stdout
    assert not (tmp_path / "taken").exists()
