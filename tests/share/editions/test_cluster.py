"""A scheduler and two workers on this computer, as processes of their own: the same bytes, also where one is killed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'duckpress[cluster]'")

from bingo import FILES, files_in
from duckpress.core.problems import MachineError
from duckpress.files.workspace import Workspace
from duckpress.press.request import Request
from duckpress.share.editions import cluster
from duckpress.share.editions.inputs import differing_parts, program_parts
from duckpress.share.editions.shards import EditionJob, Shard
from running import MakeWorkspace as Make

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals")
COPIES = 8
PEOPLE = "id,name\n" + "".join(f"p{number},Person {number}\n" for number in range(COPIES))
_PATIENCE_S = 120.0


class Cluster:
    """A scheduler, and workers that can be killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._scheduler_file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._scheduler_file))
        wait_for(lambda: bool(self._addresses()))  # the file is there before it is written
        (self.address,) = self._addresses()
        self.workers = [self.add_worker(), self.add_worker()]

    def _addresses(self) -> list[str]:
        written = self._scheduler_file.read_text() if self._scheduler_file.exists() else ""
        return re.findall(r"tcp://127.0.0.1:\d+", written)

    def add_worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder))
        return self._start("worker", self.address, *options)

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, "--host", "127.0.0.1"]
        process = subprocess.Popen(command, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._processes.append(process)
        return process

    def end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()


def wait_for(is_so: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() - began < _PATIENCE_S
        time.sleep(0.02)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    running = Cluster(tmp_path / "dask")
    try:
        yield running
    finally:
        running.end()


@pytest.fixture
def workspace(make_workspace: Make) -> Workspace:
    return make_workspace({**FILES, "people.csv": PEOPLE})


def started(workspace: Workspace, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "duckpress", "edition", "bingo", "--for", "people.csv", "--seed", "a long seed"]
    command += ["--piece", "sheet", "--shard", "1", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=workspace.root, stdout=pipe, stderr=pipe, text=True)


def ran(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    said, told = process.communicate(timeout=_PATIENCE_S)
    return subprocess.CompletedProcess(process.args, process.returncode, said, told)


@pytest.mark.soak
@pytest.mark.parametrize(("where", "form"), [("--out", "bundle"), ("--to", "shard")])
def test_a_killed_worker_changes_no_byte(
    where: str, form: str, dask: Cluster, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")  # which the workers, that run already, do not have
    here, there = tmp_path / "here", tmp_path / "there"
    assert ran(started(workspace, "--as", form, "--out", str(here), "--jobs", "1")).returncode == 0
    edition = there / "bingo" / "edition"
    process = started(workspace, "--as", form, where, str(there), "--cluster", dask.address)
    wait_for(lambda: len(list(edition.glob("0*/manifest.json"))) >= 2 or process.poll() is not None)
    dask.workers[0].send_signal(signal.SIGKILL)
    dask.add_worker()
    done = ran(process)
    assert done.returncode == 0, done.stderr
    files = f"    8 files in 8 folders: {edition}\n    paper in all: 8 sheets of a4\n"
    assert done.stdout == f"bingo: 8 copies: no problems\n{files}"
    assert files_in(there) == files_in(here)
    again = ran(started(workspace, "--as", form, where, str(there), "--cluster", dask.address))
    assert "8 of them were there" in again.stdout


@pytest.mark.soak
def test_a_cluster_that_is_not_there_is_told(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    done = ran(started(workspace, "--cluster", "tcp://127.0.0.1:9"))
    assert done.returncode == 3
    assert done.stderr.startswith("duckpress: cannot reach the cluster at tcp://127.0.0.1:9")


def test_workers_that_are_otherwise_are_told() -> None:
    def client(parts: Mapping[str, Mapping[str, str]]) -> SimpleNamespace:
        return SimpleNamespace(run=lambda _ask: parts)

    own = program_parts()
    cluster._refuse_others(client({"tcp://a": own}), own)
    with pytest.raises(MachineError, match=r"no workers: start some"):
        cluster._refuse_others(client({}), own)
    others = {"tcp://a": own, "tcp://b": own | {"fonts": "0" * 64, "reportlab": "1.0"}, "tcp://c": {"program": "none"}}
    with pytest.raises(MachineError) as told:
        cluster._refuse_others(client(others), own)
    assert f"tcp://b has other fonts, reportlab 1.0 where {own['reportlab']} is asked for; tcp://c has none" in str(
        told.value
    )
    assert "tcp://a" not in str(told.value)


def test_a_worker_says_what_it_is_or_that_it_has_no_program() -> None:
    import cloudpickle

    asked = cloudpickle.dumps(cluster._probe())
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read())())"
    done = subprocess.run([sys.executable, "-c", code], input=asked, capture_output=True, check=True)
    assert differing_parts(program_parts(), eval(done.stdout)) == ""  # noqa: S307
    bare = "import sys; sys.modules['duckpress'] = None; " + code
    done = subprocess.run([sys.executable, "-c", bare], input=asked, capture_output=True, check=True)
    assert eval(done.stdout)["program"].startswith("none (")  # noqa: S307


def test_the_process_beside_a_worker_runs_nothing_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("msgspec", "json", "duckpress"):
        (tmp_path / f"{name}.py").write_text("open('taken', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    work = cluster.ShardWork(EditionJob("none", Request(), "", ""), str(tmp_path), {})
    with cluster.shard_process(work) as process, pytest.raises(MachineError, match="'none' cannot be read"):
        cluster.make_in(process, Shard("0001-0001", [], []))
    assert not (tmp_path / "taken").exists()
