"""A golden frame for each element of the layout language, with the attributes that only it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.layout import ELEMENTS
from workshop import MakeWorkspace, lay_out

GOLDEN = Path(__file__).parent / "golden"
DUCK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
<rect class="body" width="10" height="10" fill="#335577"/><circle cx="15" cy="5" r="4" fill="#cc8800"/></svg>"""
RED = '<rect fill="#aa0000"/>'
SIDE = '<side fill="#aa0000"><circle fill="#ffffff"/></side>'
BOARD = '<squaregrid x="8" y="8" cell="10" columns="3" rows="2">'
TUCK = '<tucknet x="2" y="2" width="15" height="20" depth="6">'
BOX = 'x="10" y="12" width="40" height="30"'
TEMPLATES = {
    "face": '<face><circle cx="30" cy="40" r="5" fill="accent"/></face>',
    "ground": '<ground fill="#224466" fill-opacity="0.5"/>',
    "rect": f'<rect {BOX} rx="4" ry="2" fill="none" stroke="#112233" stroke-width="0.5" stroke-dasharray="2 1"/>',
    "circle": '<circle cx="20" cy="30" r="8" fill="#aa0000" transform="rotate(30)"/>',
    "ellipse": '<ellipse cx="30" cy="30" rx="12" ry="6" fill="#00aa00" opacity="0.4"/>',
    "line": '<line x1="5" y1="6" x2="50" y2="70" stroke="#000000" stroke-width="1"/>',
    "polyline": '<polyline points="5,5 20,30 35,5" fill="none" stroke="#000000"/>',
    "polygon": '<polygon points="5,5 20,30 35,5" fill="#0000aa" fill-rule="evenodd"/>',
    "path": '<path d="M5 5h20v10a5 5 0 0 1-10 0q-5 10-10 0z" fill="#446688"/>',
    "g": (
        '<g transform="translate(5 6) rotate(90)" opacity="0.5" clip="M0 0H20V20H0Z">'
        '<rect width="30" height="8" fill="#00aa00"/></g>'
    ),
    "image": f'<image href="art/duck.svg" {BOX} fit="cover" align="right" rx="3" paint="body: #ff0000" opacity="0.8"/>',
    "text": f'<text {BOX} align="center" valign="bottom" size="9">Two **grey**<br/>herons {{arrow}}</text>',
    "br": f"<text {BOX}>Wade<br/>and fish</text>",
    "icon": '<icon name="heart" x="8" y="9" width="20" height="14" size="10" align="right" fill="#cc0000"/>',
    "pips": f'<pips count="5" icon="heart" {BOX} size="6" fill="#cc0000"/>',
    "qr": '<qr text="WADE" x="10" y="10" size="25" error="m" quiet="2" fill="#000000" ground="#ffffff"/>',
    "card": '<card of="cards" side="back" x="10" y="12" width="30" turn="15" stroke-width="0.4" opacity="0.9"/>',
    "row": f'<row {BOX} gap="2" padding="1"><rect width="10" fill="#aa0000"/><rect grow="2" fill="#00aa00"/></row>',
    "column": f'<column {BOX} gap="1" fill="#dddddd" rx="2"><rect height="8" fill="#00aa00"/>{RED}</column>',
    "grid": f'<grid columns="3" rows="2" {BOX} gap="1">{RED * 5}</grid>',
    "stack": f'<stack {BOX} turn="90"><rect fill="#aa0000"/><circle fill="#00aa00"/></stack>',
    "squaregrid": '<squaregrid x="8" y="8" cell="10" columns="3" rows="2" labels="cells" stroke="#000000"/>',
    "hexgrid": '<hexgrid x="8" y="8" cell="12" top="side" columns="3" rows="2" stroke="#000000"/>',
    "space": f'{BOARD}<space at="B2"><circle fill="#00aa00"/></space></squaregrid>',
    "point": f'{BOARD}<point at="B2" size="4"><circle fill="#00aa00"/></point></squaregrid>',
    "edge": f'{BOARD}<edge from="B1" to="B2" stroke="#cc0000"/></squaregrid>',
    "area": f'{BOARD}<area at="A1 B1 B2" fill="#cc0000"/></squaregrid>',
    "track": f'<track way="ring" columns="4" rows="3" {BOX} first="0" step="5" every="2"/>',
    "slot": '<slot of="round-1in" x="5" y="5" room="1" rx="2" label="Pile" stroke="#000000"/>',
    "polyomino": '<polyomino rows="##. .##" x="8" y="8" cell="9" fill="#88aacc" inner="#335577" inner-width="0.3"/>',
    "dicenet": f'<dicenet x="3" y="3" edge="12" tab="3" bleed="1" halo="#fff" stroke="#000">{"<side/>" * 6}</dicenet>',
    "side": f'<dicenet x="3" y="3" edge="12" tab="3" bleed="1.5" halo="#ffffff">{SIDE * 6}</dicenet>',
    "tucknet": (
        '<tucknet x="2" y="2" width="15" height="20" depth="6" stroke="#000000" fill="#aaaaaa" flap-fill="#bbbbbb"'
        ' fold="#dddddd" marks="#eeeeee" halo="#999999" bleed="1.5"/>'
    ),
    "panel": f'{TUCK}<panel name="front" fill="#aa0000"><circle fill="#ffffff"/></panel></tucknet>',
}


def test_every_element_has_one() -> None:
    assert set(TEMPLATES) == set(ELEMENTS)


@pytest.mark.parametrize("element", TEMPLATES)
def test_an_element_draws_what_it_drew(
    element: str, make_workspace: MakeWorkspace, golden: Callable[[Path, str], None]
) -> None:
    files = {"content/trial/art/duck.svg": DUCK}
    trial = lay_out(make_workspace, TEMPLATES[element], back='<face><ground fill="#aa0000"/></face>', files=files)
    assert [str(problem) for problem in trial.problems] == []
    assert trial.lines, "nothing is drawn"
    golden(GOLDEN / f"{element}.txt", "".join(f"{line}\n" for line in trial.lines))
