"""What builds leave of proven faces: damaged, foreign or of another program it counts for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.core.problems import Problem, has_errors
from duckpress.files.memo import Memo
from duckpress.files.workspace import Workspace
from duckpress.press.build_cache import BuildCache
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.proof import file_proof
from duckpress.store.cache import Cache
from kinds import FILES, MakeWorkspace

KEY = bytes(range(32))
DECK = "content/kinds/decks/kind.yaml"


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def built(workspace: Workspace, out: Path, key: bytes = KEY, program: str = "program") -> dict[str, bytes]:
    """Return the files of a build."""
    store = BuildCache(Memo(Cache(workspace.root / "cache", key), program))
    done = build(workspace, replace(load(workspace, "kinds"), frames=store), Request(papers=("a5",)), out)
    assert not has_errors(done.checked.problems)
    return {path.name: path.read_bytes() for path in sorted(out.rglob("*.pdf"))}


def entries(workspace: Workspace) -> list[Path]:
    return [path for path in (workspace.root / "cache").iterdir() if path.name.startswith("proven-")]


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note each face that is held against its frame."""
    noted: list[str] = []
    form_problems = file_proof._FileProof._form_problems

    def noting(*args: Any) -> Iterator[Problem]:
        noted.append("read")
        yield from form_problems(*args)

    monkeypatch.setattr(file_proof._FileProof, "_form_problems", noting)
    return noted


def test_a_second_build_reads_no_face(workspace: Workspace, tmp_path: Path, work: list[str]) -> None:
    first = built(workspace, tmp_path / "one")
    assert {*work} == {"read"}
    assert len(entries(workspace)) == 1
    work.clear()
    assert built(workspace, tmp_path / "two") == first
    assert work == []


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def changed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def exchanged(path: Path) -> None:
    other = next(one for one in path.parent.iterdir() if one != path and not one.name.startswith("proven-"))
    path.write_bytes(other.read_bytes())


def sealed_nonsense(path: Path) -> None:
    Cache(path.parent, KEY).write(path.name, b"\x92\x81\xa1x\xc0\x80")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("damage", [cut_off, changed, exchanged, sealed_nonsense])
def test_what_is_damaged_is_made_again(
    damage: Callable[[Path], None], workspace: Workspace, tmp_path: Path, work: list[str]
) -> None:
    first = built(workspace, tmp_path / "one")
    (path,) = entries(workspace)
    damage(path)
    work.clear()
    assert built(workspace, tmp_path / "two") == first
    assert {*work} == {"read"}
    work.clear()
    assert built(workspace, tmp_path / "three") == first
    assert work == []


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("key", "program"), [(bytes(32), "program"), (KEY, "another program")])
def test_what_somebody_else_or_another_program_left_is_not_taken(
    key: bytes, program: str, workspace: Workspace, tmp_path: Path, work: list[str]
) -> None:
    first = built(workspace, tmp_path / "one")
    pages = sorted(work)
    work.clear()
    assert built(workspace, tmp_path / "two", key, program) == first
    assert sorted(work) == pages


def test_without_a_cache_nothing_is_left(workspace: Workspace, tmp_path: Path) -> None:
    build(workspace, load(workspace, "kinds"), Request(papers=("a5",)), tmp_path / "one")
    assert not (workspace.root / "cache").exists()
