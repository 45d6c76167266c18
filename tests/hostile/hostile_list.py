"""The list of hostile inputs that this program was measured against, and the tests that stand for each of them.

A test says which input it is by its name or id: `[06-eps-named-png]` or `test_06_...` for number 6 of the list, and
`[x-...]` or `test_x_...` for what was thought of since.
"""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

LIST = {
    1: 'code in a colour: `<font color="[[getattr(pow, ...)]]">`',
    2: "pictures from the network: `http:`, `https:`, `ftp:`, a redirect",
    3: "pictures by absolute path, `../`, `~`, `file:`, `data:`, UNC, drive letter",
    4: "links that lead out of the workspace: files, folders, swapped while they are read",
    5: "`/dev/zero`, a pipe, a folder, an empty file or a huge one as a picture",
    6: "PostScript named `.png`",
    7: "a PNG of 20,000 x 20,000 pixels in 389 KB",
    8: "a PNG of 9,400 x 9,400 pixels in 257 KB",
    9: "truncated pictures, wrong endings, CMYK, animated, 16 bits, turned by EXIF",
    10: "YAML aliases that stand for aliases (9 x 9 levels)",
    11: "YAML merge keys that multiply",
    12: "50,000 opening brackets in YAML",
    13: "a YAML alias inside itself",
    14: "YAML tags: `!!python/object/apply`, `!!binary`, `!!set`, `!!timestamp`, unknown ones",
    15: "a key that stands twice",
    16: "`no`, `on`, `012`, `12:30:45`, `1_000`, `=`, `2024-99-99`, 5,000 digits",
    17: "NUL, byte order marks, UTF-16, tabs, CRLF, half characters, overrides of direction, 10 MB in one value",
    18: "templates that reach for `__class__`, `attr`, a stored `format`, `cycler`",
    19: "templates that call methods: `card.delete()`, `path.read_text()`",
    20: "`9 ** (9 ** 8)` in a template",
    21: "texts of a billion letters: `*`, `format`, `ljust`, `center`, `indent`",
    22: "nested loops of 99,999, macros that call themselves",
    23: "names that do not exist",
    24: "`include` of `../../x`, of an absolute path, of a link",
    25: "SVG with entities: XXE, an external DTD, a billion laughs",
    26: "SVG `<image href>`: network, `file:`, absolute, `../..`, a link",
    27: "SVG `<use>` in a circle, 10 million times, 3,000 groups in one another",
    28: "an SVG path of 600,000 segments, widths of nan and 1e400",
    29: "sizes nan, 1e9 and -1, a card of 0 x 0, a million copies, a width of 1e12",
    30: "200 kB of text without a space, 5,000 nested `<b>`",
    31: "missing glyphs, unknown fonts, two fonts with one name, OTF, WOFF",
    32: '`<a href="javascript:...">`',
    33: "archives with `../../x`, `/abs`, links, 500 MB of zeros in 486 KB",
    34: "tables with formulas, a million rows, odd encodings, a zip bomb inside",
    35: "outputs onto a folder, a read-only one, a source file, a full disk; Ctrl-C",
    36: "names of files: CON, trailing dots, emoji, NFD and NFC, large and small letters",
    37: "a preview server: Host header, `..%2f`, cross-site POST, its address",
}

_NUMBER = re.compile(r"(?:\[|::test_)(\d\d)[-_]")
_NEW = re.compile(r"(?:\[|::test_)x[-_]")


@cache
def ids_of_tests() -> tuple[str, ...]:
    """Give the ids of all tests of this folder and of the fuzzing."""
    words = [
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "tests/hostile",
        "tests/fuzz",
    ]
    ran = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(line for line in ran.stdout.splitlines() if "::" in line)


def those_of_the_list() -> dict[int, list[str]]:
    """Give the tests of each number of the list."""
    found: dict[int, list[str]] = {number: [] for number in LIST}
    for one in ids_of_tests():
        match = _NUMBER.search(one)
        if match is not None:
            found[int(match[1])].append(one)
    return found


def new_tests() -> list[str]:
    """Give the tests of inputs that are not in the list."""
    return [one for one in ids_of_tests() if _NEW.search(one)]


def kept_inputs() -> tuple[int, int]:
    """Give how many inputs the fuzzing begins with, and how many of those kept once broke a door."""
    corpus, crashes = (sum(1 for _ in (HERE.parent / "fuzz" / name).glob("*/*")) for name in ("corpus", "crashes"))
    return corpus, crashes
