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
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


class Entry(NamedTuple):
    """A hostile input, and what comes of it."""

    what: str
    happens: str


LIST = {
    1: Entry(
        'code in a colour: `<font color="[[getattr(pow, ...)]]">`',
        "shown as the letters it is; colours are `#rrggbb` or a name of the theme",
    ),
    2: Entry(
        "pictures from the network: `http:`, `https:`, `ftp:`, a redirect",
        "`outside-workspace`; no socket is ever opened",
    ),
    3: Entry(
        "pictures by absolute path, `../`, `~`, `file:`, `data:`, UNC, drive letter",
        "`outside-workspace`, or `missing-art` where a card names it",
    ),
    4: Entry(
        "links that lead out of the workspace: files, folders, swapped while they are read",
        "`outside-workspace`; what is swapped in later is not found",
    ),
    5: Entry(
        "`/dev/zero`, a pipe, a folder, an empty file or a huge one as a picture",
        "`not-a-file`, `bad-picture` or `file-too-large`, at once",
    ),
    6: Entry(
        "PostScript named `.png`",
        "`bad-picture`: only PNG and JPEG, known by their bytes; no program is started",
    ),
    7: Entry(
        "a PNG of 20,000 x 20,000 pixels in 389 KB",
        "`bad-picture` with the number of pixels, read from the header",
    ),
    8: Entry(
        "a PNG of 9,400 x 9,400 pixels in 257 KB",
        "`bad-picture`: 50 million pixels are the most",
    ),
    9: Entry(
        "truncated pictures, wrong endings, CMYK, animated, 16 bits, turned by EXIF",
        "`bad-picture` for what is broken; turned, converted or the first frame with a warning",
    ),
    10: Entry(
        "YAML aliases that stand for aliases (9 x 9 levels)",
        "`yaml-size`: what an alias stands for counts each time",
    ),
    11: Entry(
        "YAML merge keys that multiply",
        "`merge-key`: there are none",
    ),
    12: Entry(
        "50,000 opening brackets in YAML",
        "`yaml-depth` at level 51",
    ),
    13: Entry(
        "a YAML alias inside itself",
        "`yaml-alias`",
    ),
    14: Entry(
        "YAML tags: `!!python/object/apply`, `!!binary`, `!!set`, `!!timestamp`, unknown ones",
        "`yaml-tag`",
    ),
    15: Entry(
        "a key that stands twice",
        "`repeated-key` with both places",
    ),
    16: Entry(
        "`no`, `on`, `012`, `12:30:45`, `1_000`, `=`, `2024-99-99`, 5,000 digits",
        "words and numbers as YAML 1.2 has them, typed by the schema; else an error at the place",
    ),
    17: Entry(
        "NUL, byte order marks, UTF-16, tabs, CRLF, half characters, overrides of direction, 10 MB in one value",
        "`bad-character`, `not-utf8`, `text-too-long`; a byte order mark and CRLF are welcome",
    ),
    18: Entry(
        "templates that reach for `__class__`, `attr`, a stored `format`, `cycler`",
        "`template-refused`, `unknown-name`",
    ),
    19: Entry(
        "templates that call methods: `card.delete()`, `path.read_text()`",
        "`template-refused`: the data are plain, there is nothing to call",
    ),
    20: Entry(
        "`9 ** (9 ** 8)` in a template",
        "`template-refused`; in any case the worker is killed after 20 seconds",
    ),
    21: Entry(
        "texts of a billion letters: `*`, `format`, `ljust`, `center`, `indent`",
        "`template-refused`: methods and filters are listed, texts have a length",
    ),
    22: Entry(
        "nested loops of 99,999, macros that call themselves",
        "`template-refused` or `template-failed`: a budget for each side of a card",
    ),
    23: Entry(
        "names that do not exist",
        "`unknown-name` with the nearest name",
    ),
    24: Entry(
        "`include` of `../../x`, of an absolute path, of a link",
        "`missing-template`: names only; a link out of the workspace is `outside-workspace`",
    ),
    25: Entry(
        "SVG with entities: XXE, an external DTD, a billion laughs",
        "`bad-svg`: no DOCTYPE that declares more than short words",
    ),
    26: Entry(
        "SVG `<image href>`: network, `file:`, absolute, `../..`, a link",
        "told at its line; nothing is opened, also where it is drawn as a picture",
    ),
    27: Entry(
        "SVG `<use>` in a circle, 10 million times, 3,000 groups in one another",
        "told for a circle, `bad-svg` for too many or too deep",
    ),
    28: Entry(
        "an SVG path of 600,000 segments, widths of nan and 1e400",
        "`bad-svg`, `bad-path`: segments are counted, numbers are finite",
    ),
    29: Entry(
        "sizes nan, 1e9 and -1, a card of 0 x 0, a million copies, a width of 1e12",
        "`bad-number`, `bad-length` with what is allowed",
    ),
    30: Entry(
        "200 kB of text without a space, 5,000 nested `<b>`",
        "`text-too-long` or `text-overflow` with the card and the box; tags are letters",
    ),
    31: Entry(
        "missing glyphs, unknown fonts, two fonts with one name, rubbish in OTF and variable fonts, WOFF",
        "`missing-glyph`, `unknown-family`, `duplicate-font-name`, `font-not-truetype` before anything is drawn",
    ),
    32: Entry(
        '`<a href="javascript:...">`',
        "no address gets into a PDF; the words are printed",
    ),
    33: Entry(
        "archives with `../../x`, `/abs`, links, 500 MB of zeros in 486 KB",
        "`unsafe-bundle`, `bad-bundle`; bytes are counted while they are unpacked",
    ),
    34: Entry(
        "tables with formulas, a million rows, odd encodings, a zip bomb inside",
        "values only; `table-file`, `table-value`, `too-many-cards`",
    ),
    35: Entry(
        "outputs onto a folder, a read-only one, a source file, a full disk; Ctrl-C",
        "one message and status 3; what lay there lies there still",
    ),
    36: Entry(
        "names of files: CON, trailing dots, emoji, NFD and NFC, large and small letters",
        "`bad-id`, `bad-name`: names of files are checked before anything is written",
    ),
    37: Entry(
        "a preview server: Host header, `..%2f`, cross-site POST, its address",
        "a written page loads its own files alone; the live one is attacked over real sockets in `tests/views`",
    ),
}

_NUMBER = re.compile(r"(?:\[|::test_)(\d\d)[-_]")
_NEW = re.compile(r"(?:\[|::test_)x[-_]")


_FOLDERS = ("tests/hostile", "tests/lost", "tests/fuzz")

collected: list[str] = []
"""The ids of all tests, where they are known from a run of all of them."""


@cache
def ids_of_tests() -> tuple[str, ...]:
    """Return the ids of all tests of this folder, of `tests/lost` and of the fuzzing."""
    if collected:
        return tuple(one for one in collected if one.startswith(tuple(f"{folder}/" for folder in _FOLDERS)))
    words = ["-m", "pytest", "--collect-only", "-m", "", "-p", "no:xdist", "-p", "no:cacheprovider", *_FOLDERS]
    ran = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(line for line in ran.stdout.splitlines() if "::" in line)


def those_of_the_list() -> dict[int, list[str]]:
    """Return the tests of each number of the list."""
    found: dict[int, list[str]] = {number: [] for number in LIST}
    for one in ids_of_tests():
        match = _NUMBER.search(one)
        if match is not None:
            found[int(match[1])].append(one)
    return found


def new_tests() -> list[str]:
    """Return the tests of inputs that are not in the list."""
    return [one for one in ids_of_tests() if _NEW.search(one)]


def kept_inputs() -> tuple[int, int]:
    """Return how many inputs the fuzzing begins with, and how many of those kept once broke a door."""
    corpus, crashes = (sum(1 for _ in (HERE.parent / "fuzz" / name).glob("*/*")) for name in ("corpus", "crashes"))
    return corpus, crashes


def table_of_the_list() -> str:
    """Return the list as the table of docs/security.md: what comes of each input, and which tests show it."""
    rows = ["| | input | what comes of it | tests |", "|---|---|---|---|"]
    for number, tests in those_of_the_list().items():
        entry = LIST[number]
        files = sorted({test.partition("::")[0].rpartition("/")[2] for test in tests})
        where = f"{len(tests)} in {', '.join(f'`{file}`' for file in files)}" if tests else "**none**"
        rows.append(f"| {number} | {entry.what} | {entry.happens} | {where} |")
    return "\n".join(rows)


def counts() -> str:
    """Return what there is to count, as the table of docs/security.md."""
    corpus, crashes = kept_inputs()
    rows = [
        "| | |",
        "|---|---|",
        f"| Tests of hostile inputs and of work that could be lost | {len(ids_of_tests())} |",
        f"| of these for the {len(LIST)} inputs of the list | {sum(map(len, those_of_the_list().values()))} |",
        f"| of these for inputs that were thought of since | {len(new_tests())} |",
        f"| Inputs that the fuzzing begins with, replayed by the tests | {corpus} |",
        f"| Inputs that once broke a door, replayed by the tests | {crashes} |",
    ]
    return "\n".join(rows)
