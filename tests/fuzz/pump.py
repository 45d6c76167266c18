"""Every pattern of the program on 2,000 letters that make it try all ways: which of them take long?

    .venv/bin/python tests/fuzz/pump.py

Each pattern is given the beginning of something that it matches, then letters that it reads, repeated, then an end that
it cannot read. Two repeats of the same letter take the square of them, which is some milliseconds; what takes a second
is told. `tests/test_patterns.py` reads the patterns and runs nothing: this is what it may have overlooked.
"""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "kit"))

from program_patterns import program_patterns
from regex_doubts import example_of, letters_of

LETTERS = 2_000
SECONDS = 1.0
MOST = 14  # kinds of letters of a pattern that are tried by themselves; of two at a time, half of them


class TooLong(Exception):
    """A pattern still at work after its time."""


def pumped(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Yield texts for a pattern; those for bytes hold letters below 256 alone."""
    kinds = [min(letters, key=lambda one: (not one.isprintable(), one)) for letters in letters_of(pattern) if letters]
    apart = list(dict.fromkeys(kinds))[:MOST]
    pumps = [*apart, *map("".join, product(apart[: MOST // 2], repeat=2))]
    written = [example_of(pattern, is_full=is_full) for is_full in (False, True)]
    beginnings = dict.fromkeys(one[:length] for one in written for length in range(min(len(one), 24) + 1))
    for beginning, pump in product(beginnings, [*pumps, *written]):
        yield beginning + (pump * LETTERS)[:LETTERS] + "\x01"


def slowest(pattern: re.Pattern[Any]) -> tuple[float, str]:
    """Return the seconds of computing that the worst text took, and that text."""
    worst = 0.0, ""
    for text in pumped(pattern):
        data = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS)
        try:
            pattern.search(data)
            pattern.fullmatch(data)
        except TooLong:
            return 2 * SECONDS, text
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        worst = max(worst, (time.process_time() - began, text))
    return worst


def main() -> int:
    """Tell which patterns take long. Returns 1 where there are any."""

    def stop(_number: int, _frame: object) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    timed = sorted(((*slowest(one.pattern), one.name) for one in program_patterns()), reverse=True)
    for seconds, text, name in timed[:5]:
        sys.stdout.write(f"{seconds:6.3f} s  {name}  {text[:30]!r}...{text[-3:]!r}\n")
    slow = [name for seconds, _, name in timed if seconds >= SECONDS]
    sys.stdout.write(f"{len(timed)} patterns, {len(slow)} slow\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
