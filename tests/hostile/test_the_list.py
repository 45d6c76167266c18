"""Every input of the list in docs/security.md has a test in each file that the list names, by its number."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"(?m)^\| (\d+) \| .+ \| (.+) \| (`test_.+`) \|$", PAGE)


def test_every_number_has_a_test() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 38))
    known = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    for number, happens, files in ROWS:
        for name in re.findall("`([a-z_]+[.]py)`", files):
            (path,) = (ROOT / "tests").glob(f"*/{name}")
            assert re.search(rf'["_]{int(number):02}[-_]', path.read_text(encoding="utf-8")), (number, name)
        for code in re.findall(r"`([a-z]+(?:-[a-z0-9]+)+)`", happens):
            assert code in known, (number, code)


def test_the_page_names_every_door_that_is_fuzzed() -> None:
    page = PAGE.partition("<!-- fuzzed: begin -->")[2].partition("<!-- fuzzed: end -->")[0]
    doors = {path.name for path in (ROOT / "tests" / "fuzz" / "corpus").iterdir()}
    assert doors == set(re.findall(r"(?m)^\| ([a-z]+) \| [0-9,]+ \|", page))
