"""What a live page takes: from its start to the first card, and from a saved card to the card in the browser's hands.

    python benchmarks/live.py                      1,200 synthetic cards, 20 saves
    python benchmarks/live.py --cards 10000 --saves 5

The command is started as a designer does it, and asked over its address as a browser does: `start` ends with the first
card's picture, of a game that was never laid out and of one that was; `save` begins with one card of the deck changed
on the disk and ends with the news, the new data and the picture of that card. CPU is that of all processes together,
as a ratio to a cold `preview` of the same deck.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from incremental import BUILD, change_a_card, clear
from synthetic import make_workspace


class Browser:
    """Asks for what a page asks for, as one that was let in."""

    def __init__(self, address: str) -> None:
        self._host, path = address.removeprefix("http://").split("/", 1)
        line = http.client.HTTPConnection(self._host, timeout=120)
        line.request("GET", f"/{path}")
        answer = line.getresponse()
        self._room = answer.headers["Location"]
        self._cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}

    def _asked(self, name: str) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection(self._host, timeout=120)
        line.request("GET", f"{self._room}{name}", headers=self._cookie)
        answer = line.getresponse()
        assert answer.status == 200, (name, answer.status)
        return answer

    def get(self, name: str) -> bytes:
        """Return a file."""
        return self._asked(name).read()

    def pictures(self) -> list[str]:
        """Return the names of all pictures, in the order of the cards."""
        return list(dict.fromkeys(re.findall(r"pictures/\w+\.jpg", self.get("data/cards.js").decode())))

    def wait(self) -> None:
        """Wait until all cards are laid out, and not the first ones alone."""
        while b'"begun":true' in self.get("data/cards.js"):
            time.sleep(0.02)

    def news(self) -> Iterator[dict[str, str]]:
        """Yield the versions of all data, whenever there are new ones."""
        for line in self._asked("events"):
            if line.startswith(b"data: "):
                yield json.loads(line[6:])["made"]


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that a process, and all that it has started, took until now."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == pid or int(fields[1]) == pid:
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


def started(folder: Path) -> tuple[subprocess.Popen[str], Browser, float, float]:
    """Return the running command, a browser at its page, and the seconds, also of CPU, until that had a first card."""
    began = time.perf_counter()
    command = [*BUILD, "preview", "bench", "--live", "--no-open"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    browser = Browser(process.stdout.readline().split()[1])
    browser.get("")
    browser.get(browser.pictures()[0])
    return process, browser, time.perf_counter() - began, cpu_s(process.pid)


def stop(process: subprocess.Popen[str]) -> None:
    """End the command."""
    process.terminate()
    process.communicate()


def measure(count: int, saves: int, rest_s: float) -> None:
    """Print what starts and saves took."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_workspace(folder, count)
        clear(folder)
        before = os.times()
        subprocess.run([*BUILD, "preview", "bench"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        cold_s = after.children_user + after.children_system - before.children_user - before.children_system
        clear(folder)
        process, browser, first_s, first_cpu_s = started(folder)
        browser.wait()  # a later start takes over what was laid out
        time.sleep(rest_s)
        stop(process)
        process, browser, again_s, again_cpu_s = started(folder)
        print(f"{count} cards: first card {first_s:.2f} s ({first_cpu_s:.2f} s of CPU) after the first start, "
              f"{again_s:.2f} s ({again_cpu_s:.2f} s) after another")  # fmt: skip
        browser.wait()
        news, known = browser.news(), set(browser.pictures())
        next(news)
        walls, used = [], []
        for number in range(saves):
            time.sleep(rest_s)  # pictures made ahead are no part of it
            spent, began = cpu_s(process.pid), time.perf_counter()
            change_a_card(folder / "content/bench/decks/cards.yaml", number)
            next(news)
            (changed,) = set(browser.pictures()) - known
            browser.get(changed)
            walls.append(time.perf_counter() - began)
            used.append(cpu_s(process.pid) - spent)
            known.add(changed)
        stop(process)
        print(f"a saved card: {statistics.median(walls):.3f} s (slowest {max(walls):.3f} s), "
              f"{statistics.median(used) / cold_s:.4f} of the CPU of a cold preview")  # fmt: skip


def main() -> None:
    """Measure what was asked for."""
    options = argparse.ArgumentParser()
    options.add_argument("--cards", type=int, default=1200)
    options.add_argument("--saves", type=int, default=20)
    options.add_argument("--rest", type=float, default=0.3, help="seconds between two saves")
    chosen = options.parse_args()
    measure(chosen.cards, chosen.saves, chosen.rest)


if __name__ == "__main__":
    sys.exit(main())
