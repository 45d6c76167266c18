"""What all tests share: the project's own workspace, and small workspaces made of text."""

from __future__ import annotations

import builtins
import gc
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from crews import UseWorkers, use
from duckpress import pool
from duckpress.core import limits
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built
from running import MakeWorkspace, write_files
from shared import once, request_of, with_faces

ROOT = Path(__file__).resolve().parent.parent

os.environ["DUCKPRESS_CACHE"] = "off"  # a test builds what it builds; those of the cache itself turn it on


# The program collects no garbage while it works, and thousands of collected tests are none: they would be walked again
# and again, and every forked process would copy their pages.
gc.set_threshold(100_000, 10, 10)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a function that compares a text with a golden file, or writes the file where that is asked for."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        told = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        differences = list(unified_diff(told, text.splitlines(), "as it was", "as it is", lineterm="", n=0))
        assert not differences, "\n".join([f"{path.name}: where this is meant, pytest --update-golden", *differences])

    return compare


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave most cases of each sweep to `make soak`, and begin with the longest test, which is last by its name.

    A sweep of n keeps the first case of a test function and every n-th after it; the others are marked `soak` before
    pytest chooses by `-m`. `DUCKPRESS_SOAK_PART=n` (`make soak PART=n`) keeps a fixed n-th of all tests, chosen by
    their names, so that a new test does not change which of the others run.
    """
    part = int(os.environ.get("DUCKPRESS_SOAK_PART", "1"))
    left_out = [item for item in items if crc32(item.nodeid.encode()) % part]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not crc32(item.nodeid.encode()) % part]
    numbers = Counter[str]()
    for item in items:
        sweep = item.get_closest_marker("sweep")
        if sweep is not None:
            function = item.nodeid.partition("[")[0]
            if numbers[function] % sweep.args[0]:
                item.add_marker("soak")
            numbers[function] += 1
    items.sort(key=lambda item: item.path.name != "test_wheel.py")


def pytest_collection_finish() -> None:
    """Take all that is there before the first test out of what the collector walks, and let no workers start."""
    gc.collect()
    gc.freeze()
    pool.use_jobs(0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Return each worker a half of the tests, one after the other, and what the others have left once it is done.

    Handed out by turns, as `-n` alone does, the tests of a module come to all workers, and each makes its fixtures.
    """
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    """Let the usual limits hold again after a test that set some; what is laid out for a test is laid out here.

    A process of tests holds much, and often threads, so that each worker would take long to start. Workers do the same
    (tests/press/test_workers.py), and every test that runs the program itself has them.
    """
    yield
    limits.use({})
    pool.use_jobs(0)


_NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")

_on_loopback: list[bool] = []


@pytest.fixture
def loopback() -> Iterator[None]:
    """Let a test talk to a server that it starts on this computer, by number; everything else stays refused."""
    _on_loopback.append(True)
    yield
    _on_loopback.pop()


def _host(event: str, arguments: tuple[object, ...]) -> object:
    place = arguments[1] if event in _NETWORK[:2] else arguments[:1]
    return place[0] if isinstance(place, tuple) else None


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse the network to everything that is tested; processes of one machine may talk over local sockets."""
    if _on_loopback and (event == "socket.__new__" or _host(event, arguments) in ("127.0.0.1", "::1")):
        return
    is_local = event in _NETWORK[:2] and isinstance(arguments[1], str | bytes)
    if (event in _NETWORK and not is_local) or (event == "socket.__new__" and arguments[1] not in (-1, 1)):
        raise OSError(f"the tests have no network: {event} {arguments!r}")


sys.addaudithook(_refuse_network)

_sum = sum


def _sum_of_whole(values: Iterable[Any], /, start: Any = 0) -> Any:
    """Add up as `sum` does; refuse the program's own sums of floats, which differ between Pythons (`units.added`)."""
    total = _sum(values, start)
    if type(total) is float and sys._getframe(1).f_globals.get("__name__", "").startswith("duckpress"):
        raise AssertionError(f"a sum of floats, {total}, differs between Pythons: use duckpress.core.geometry.added")
    return total


builtins.sum = _sum_of_whole  # type: ignore[assignment]


@pytest.fixture(scope="session")
def project() -> Workspace:
    """The workspace of the bundled games."""
    return Workspace(ROOT)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run have in common."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"


@pytest.fixture(scope="session")
def whole(run_folder: Path, project: Workspace) -> Callable[[str], Built]:
    """Return a function that builds a bundled game once a run, only to look at."""

    @cache
    def built(game_id: str) -> Built:
        loaded = with_faces(run_folder, load(project, game_id))
        return once(run_folder, game_id, lambda out: build(project, loaded, request_of(game_id), out))

    return built


@pytest.fixture
def use_workers(monkeypatch: pytest.MonkeyPatch) -> UseWorkers:
    """Return a function that has pieces laid out by so many workers for the rest of a test."""
    return partial(use, monkeypatch)


@pytest.fixture
def make_workspace(tmp_path: Path) -> MakeWorkspace:
    """Return a function that writes files (path -> text or bytes) and opens them as a workspace."""
    return lambda files: Workspace(write_files(tmp_path, files), bundled_root())
