"""The process that serves browsers ends with its session, in silence, in the midst of whatever it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from duckpress.live.exchange import Begin, Begun, Stocked
from duckpress.pool.messages import received, send, written

SERVE = "from duckpress.live.web_process import serve_session; serve_session()"


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
