"""A headless Chromium that a test drives: pages opened, scripts asked, keys pressed, pictures taken.

It is spoken to through two pipes (`--remote-debugging-pipe`): messages in JSON, each ended by a zero byte. No port is
opened. Source: https://chromedevtools.github.io/devtools-protocol/.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = "/usr/bin/chromium"
needs_chromium = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}")
PATIENCE_S = 30.0

_KEYS = {
    "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9,
}  # fmt: skip

# Chromium takes its pipes as 3 and 4, which are in use here.
_BE_CHROMIUM = """
import fcntl, os, sys
away = [fcntl.fcntl(int(handle), fcntl.F_DUPFD, 10) for handle in sys.argv[1:3]]
for number, handle in zip((3, 4), away):
    os.dup2(handle, number)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Page:
    """A page in the browser; `told` are exceptions and what the console was told as errors, such as blocked scripts."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.told: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")
        self._ask("Emulation.setFocusEmulationEnabled", enabled=True)  # as the only window of a person has it

    def resize(self, width: int, height: int = 800, *, scheme: str = "light") -> None:
        """Let the page be so many pixels wide and high, and the reader prefer a scheme of colours."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.wait(f"innerWidth === {width}")
        self.settle()

    def go(self, address: str) -> None:
        """Open an address, and wait until its document and scripts are there."""
        self._ask("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def ask(self, script: str) -> Any:
        """Return what an expression comes to, as JSON; a promise is waited for."""
        answer = self._ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = PATIENCE_S) -> Any:
        """Return what an expression comes to, once that is true."""
        until = time.monotonic() + seconds
        while not (value := self.ask(script)):
            assert time.monotonic() < until, f"not within {seconds} s: {script}; the page told: {self.told}"
            time.sleep(0.04)
        return value

    def settle(self) -> None:
        """Wait until what was changed has been laid out and painted."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key and let go of it, wherever the focus is."""
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        about = {"key": key, "windowsVirtualKeyCode": _KEYS.get(key, ord(key[0].upper())), "modifiers": 8 * shift}
        self._ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **about)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        self._ask("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"]))

    def _ask(self, method: str, **values: Any) -> dict[str, Any]:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        os.write(
            self._write,
            json.dumps({"id": self._number, "method": method, "params": values, **session}).encode() + b"\0",
        )
        while True:
            message = self._message()
            if message.get("id") == self._number:
                assert "error" not in message, f"{method}: {message['error']}"
                result: dict[str, Any] = message["result"]
                return result
            event, about = message.get("method"), message.get("params", {})
            if event == "Runtime.exceptionThrown":
                self.told.append(about["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif event == "Log.entryAdded" and about["entry"]["level"] == "error":
                self.told.append(about["entry"]["text"])

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            assert select.select([self._read], [], [], PATIENCE_S)[0], "Chromium says nothing"
            part = os.read(self._read, 1 << 20)
            assert part, "Chromium has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told


@contextmanager
def browsing(profile: Path, width: int = 1200, height: int = 800) -> Iterator[Page]:
    """Start Chromium with an empty profile, and yield a page of it."""
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()

    command = [
        sys.executable, "-c", _BE_CHROMIUM, str(their_read), str(their_write), CHROMIUM, "--headless", "--no-sandbox",
        "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", f"--user-data-dir={profile}", "about:blank",
    ]  # fmt: skip
    process = subprocess.Popen(command, pass_fds=(their_read, their_write), stderr=subprocess.DEVNULL)
    os.close(their_read)
    os.close(their_write)
    try:
        page = Page(our_write, our_read)
        page.resize(width, height)
        yield page
    finally:
        process.kill()
        process.wait()
        os.close(our_write)
        os.close(our_read)
