"""A process that makes shards runs nothing that lies in the folder where its worker was started."""

from __future__ import annotations

from pathlib import Path

import pytest

from duckpress.core.problems import MachineError
from duckpress.press.request import Request
from duckpress.printrun.shard_process import ShardProcess, ShardWork
from duckpress.printrun.shards import EditionJob, Shard


def test_modules_in_the_folder_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("msgspec", "json", "duckpress"):
        (tmp_path / f"{name}.py").write_text("open('taken', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    process = ShardProcess(ShardWork(EditionJob("none", Request(), "", ""), str(tmp_path), {}))
    try:
        with pytest.raises(MachineError, match="'none' cannot be read"):
            process.make(Shard("0001-0001", [], []))
    finally:
        process.end()
    assert not (tmp_path / "taken").exists()
