"""What all tests share: the project's own workspace, and small workspaces made of text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from duckpress import limits, workers
from duckpress.workspace import Workspace, bundled_root

ROOT = Path(__file__).resolve().parent.parent

os.environ["DUCKPRESS_CACHE"] = "off"  # a test builds what it builds; those of the cache itself turn it on


@pytest.fixture(autouse=True)
def usual_limits() -> Iterator[None]:
    """Let the usual limits hold again after a test that set some; what is laid out in a test is laid out here.

    A process of tests holds much, and often threads, so that each worker would take long to start. Workers do the same
    (tests/incremental/test_workers.py), and every test that runs the program itself has them.
    """
    workers.use_jobs(0)
    yield
    limits.use({})


_NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse the network to everything that is tested; processes of one machine may talk over local sockets."""
    is_local = event in _NETWORK[:2] and isinstance(arguments[1], str | bytes)
    if (event in _NETWORK and not is_local) or (event == "socket.__new__" and arguments[1] not in (-1, 1)):
        raise OSError(f"the tests have no network: {event} {arguments!r}")


sys.addaudithook(_refuse_network)


@pytest.fixture(scope="session")
def project() -> Workspace:
    """The workspace of the bundled games."""
    return Workspace(ROOT)


@pytest.fixture
def make_workspace(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Workspace]:
    """Give a function that writes files (path -> text or bytes) and opens them as a workspace."""

    def make(files: Mapping[str, str | bytes]) -> Workspace:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Workspace(tmp_path, bundled_root())

    return make
