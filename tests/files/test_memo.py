"""Results are taken again only where the program, what was given and every answer are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from duckpress.files.memo import Form, Memo, Pack, form_of, key_of
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.store.cache import Cache

KEY = bytes(range(32))
SLOT = "stage", "game"
TEXT = form_of(str)


class Reader:
    """Makes a result of a file, and counts how often."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.count = 0
        (root / "content").mkdir()
        self.write("one")

    def write(self, text: str) -> None:
        (self.root / "content/a.txt").write_text(text)

    def make(self, workspace: RecordingWorkspace) -> str:
        self.count += 1
        return workspace.read("content/a.txt").decode()

    def memo(self, program: str = "program", key: bytes = KEY) -> Memo:
        return Memo(Cache(self.root / "cache", key), program)


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def test_a_result_is_taken_while_all_is_the_same(reader: Reader) -> None:
    memo, workspace = reader.memo(), Workspace(reader.root)
    for _ in range(2):
        assert memo.once(SLOT, "key", workspace, reader.make, TEXT) == "one"
        assert reader.memo().once(SLOT, "key", workspace, reader.make, TEXT) == "one"
    assert reader.count == 1


def test_what_was_asked_for_it_counts_as_asked(reader: Reader) -> None:
    asked = []
    for _ in range(2):
        workspace = RecordingWorkspace(Workspace(reader.root))
        reader.memo().once(SLOT, "key", workspace, reader.make, TEXT)
        asked.append(workspace.answers)
    assert asked[0] == asked[1] != {}


def test_whatever_else_makes_it_anew(reader: Reader) -> None:
    memo, workspace = reader.memo(), Workspace(reader.root)
    memo.once(SLOT, "key", workspace, reader.make, TEXT)
    reader.write("two")
    assert memo.once(SLOT, "key", workspace, reader.make, TEXT) == "two"
    for other, slot, key in (
        (memo, SLOT, "other key"),
        (memo, SLOT, ""),
        (memo, ("stage", "other game"), "key"),
        (memo.apart("shelf"), SLOT, "other key"),
        (reader.memo("other program"), SLOT, "other key"),
        (reader.memo(key=bytes(32)), SLOT, "other key"),
    ):
        count = reader.count
        other.once(slot, key, workspace, reader.make, TEXT)
        assert reader.count == count + 1


def test_what_cannot_be_written_is_made_every_time(reader: Reader) -> None:
    memo, workspace = reader.memo(), Workspace(reader.root)

    def refuse(_result: str) -> bytes:
        raise ValueError

    for _ in range(2):
        memo.once(SLOT, "key", workspace, reader.make, Form(refuse, TEXT.read))
    assert reader.count == 2


def test_sealed_nonsense_counts_for_nothing(reader: Reader) -> None:
    workspace = Workspace(reader.root)
    reader.memo().once(SLOT, "key", workspace, reader.make, TEXT)
    (entry,) = (reader.root / "cache").glob("stage-*")
    for count, body in enumerate((b"", b"\x94\xa7program\xa3key\x80\xa1x", b"\xff" * 99), 2):
        Cache(reader.root / "cache", KEY).write(entry.name, body)
        assert (reader.memo().once(SLOT, "key", workspace, reader.make, TEXT), reader.count) == ("one", count)


def test_records_without_a_text_of_their_own_have_no_key() -> None:
    assert key_of(object()) == ""
    assert key_of(1) != key_of(True) != key_of(1.0) != key_of("1")


def test_a_patient_memo_writes_when_it_is_told_to(reader: Reader) -> None:
    memo, workspace = reader.memo(), Workspace(reader.root)
    memo.is_patient = True
    memo.once(SLOT, "key", workspace, reader.make, TEXT)
    assert not (reader.root / "cache").exists()
    memo.write_due()
    reader.memo().once(SLOT, "key", workspace, reader.make, TEXT)
    assert reader.count == 1


def test_small_results_are_there_in_the_next_run(reader: Reader) -> None:
    memo = reader.memo()
    memo.pack(*SLOT).put(b"key", b"result")
    memo.save(*SLOT)
    assert reader.memo().pack(*SLOT).get(b"key") == b"result"
    assert reader.memo("other program").pack(*SLOT).get(b"key") is None
    for damaged in (b"", b"\x92", b"\x92\xa7program\x81\xa1x\x05"):
        assert Pack(damaged, "program").get(b"key") is None


def test_small_results_that_were_not_used_for_long_go_first() -> None:
    pack = Pack()
    for number in range(3000):
        pack.put(b"old-%d" % number)
    pack.begin()
    pack.put(b"new")
    kept = Pack(pack.news())
    assert kept.get(b"new") is not None
    assert kept.get(b"old-2999") is not None
    assert kept.get(b"old-1") is None
    assert kept.news() == b"", "nothing is new"
