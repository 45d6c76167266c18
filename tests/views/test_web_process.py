"""The process that serves browsers ends with its session, in silence, in the midst of whatever it does."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from duckpress.pool.messages import received, send, written
from duckpress.views.live.web_process import Begin, Begun, Stocked

SERVE = "from duckpress.views.live.web_process import serve_session; serve_session()"


def test_it_says_nothing_when_nobody_listens_any_more(tmp_path: Path) -> None:
    answers, answering = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=answering, stderr=subprocess.PIPE
    )
    os.close(answering)
    assert process.stdin is not None
    begin = Begin(0, "key", str(tmp_path), str(tmp_path), (), "", (), opens_browser=False)
    send(process.stdin.fileno(), written(begin))
    assert not msgspec.msgpack.decode(next(received(answers)), type=Begun).failed
    os.close(answers)
    send(process.stdin.fileno(), written(Stocked()))
    _, said = process.communicate(timeout=20)
    assert said == b""
    assert process.returncode == 0


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended since
            if path.read_text().rpartition(")")[2].split()[1] == str(pid):
                found += [int(path.parent.name), *children(int(path.parent.name))]
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.soak  # a whole session for each; a process that ends by itself is tried above
@pytest.mark.usefixtures("loopback")
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("is_stuck", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_of_a_live_page_outlives_its_session(number: int, is_stuck: bool, tmp_path: Path) -> None:
    """A process that was stuck in one request stayed, at all of a core, and held the port."""
    (tmp_path / "content/g").mkdir(parents=True)
    (tmp_path / "content/g/game.yaml").write_text("title: none\n")  # the page of a broken game is a page
    session = subprocess.Popen(
        [sys.executable, "-m", "duckpress", "preview", "g", "--live", "--no-open"], cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 (`&` has it ignored)
    )  # fmt: skip
    assert session.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:(\d+)/", session.stdout.readline())
    assert address is not None
    started = children(session.pid)
    assert started
    if is_stuck:
        for pid in started:
            os.kill(pid, signal.SIGSTOP)
    session.send_signal(number)
    _, said = session.communicate(timeout=20)
    until = time.monotonic() + 5
    while any(map(is_alive, started)) and time.monotonic() < until:
        time.sleep(0.02)
    left = [pid for pid in started if is_alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
    assert "Traceback" not in said
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", int(address[1])))
