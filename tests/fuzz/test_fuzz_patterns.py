"""One sign sixty thousand times: a pattern that tries all ways to read it would take minutes, and is killed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from targets import TARGETS
from test_fuzz_doors import alarm

MANY = 60_000
SIGNS = (" ", "\n ", "1 ", "-", "{{", "*", '"', "'", "\\", ".a", "/*", "0.")
SECONDS = 10  # of computing, for what takes a few tenths; all ways to read it would take far more


def svg(inside: str) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>'.encode()


def quoted(sign: str) -> str:
    return (sign * MANY)[:MANY].replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


DOORS: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "svg-points": ("svg", lambda one: svg(f'<polyline points="1 2 {quoted(one)} 3"/>')),
    "svg-path": ("svg", lambda one: svg(f'<path d="M0 0 {quoted(one)} 3"/>')),
    "svg-transform": ("svg", lambda one: svg(f'<g transform="scale(1{quoted(one)}2)"><circle r="1"/></g>')),
    "svg-style": ("svg", lambda one: svg(f'<rect width="1" height="1" style="fill:red;{quoted(one)}"/>')),
    "svg-sheet": ("svg", lambda one: svg(f"<style>.a{{fill:red}}{quoted(one)}</style>")),
    "svg-length": ("svg", lambda one: svg(f'<rect width="1{quoted(one)}" stroke-dasharray="{quoted(one)}"/>')),
    "csv-cell": ("csv", lambda one: f'id,name\n"{one * MANY}\na,{one * MANY}\n'.encode()),
    "yaml-value": ("yaml", lambda one: f"a: {one * MANY}\n".encode()),
    "yaml-block": ("yaml", lambda one: f'a: |\n  {one * MANY}\nb: "{one * MANY}"\n'.encode()),
    "face": ("facexml", lambda one: f"<face><text>{one * MANY}</text></face>".encode()),
    "expression": ("expression", lambda one: f"{{{{ {one * MANY}"[:4000].encode()),
    "template": ("template", lambda one: f'<face><path d="M0 0{quoted(one)}"/></face>'.encode()),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("door", DOORS, ids="x-endless-{}".format)
def test_one_sign_without_end(door: str) -> None:
    target, made = DOORS[door]
    for sign in SIGNS:
        with alarm(SECONDS):
            TARGETS[target](made(sign))
