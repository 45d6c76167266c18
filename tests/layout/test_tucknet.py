"""Tuck boxes: as large as what they hold, and nets that close; their lines are in the golden frames."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content import load_game
from duckpress.core.geometry import Size
from duckpress.core.tuckbox import NET_MARGINS, PANELS, Net, box_for
from duckpress.model import BoxPlan, Deck
from workshop import MakeWorkspace, lay_out

POKER = Size(63.5, 88.9)
BOX = '<tucknet x="1" y="1" width="20" height="25" depth="6">{}</tucknet>'


@given(st.floats(20, 120), st.floats(30, 200), st.floats(5, 80), st.floats(0, 3))
def test_folds_are_marked_in_the_margins_at_both_ends(width: float, height: float, depth: float, bleed: float) -> None:
    net, margins = Net(width, height, depth), NET_MARGINS
    panels, marks = net.panels(), net.fold_marks(bleed)
    for x1, y1, x2, y2 in marks:
        inside = (x1, x2) if y1 == y2 else (y1, y2)
        most = net.across_mm + margins.width_mm if y1 == y2 else net.down_mm + margins.height_mm
        assert -margins.width_mm <= min(inside) <= max(inside) <= most
        assert max(inside) <= 0 or min(inside) >= (net.across_mm if y1 == y2 else net.down_mm)
    upright = sorted(x1 for x1, _, x2, _ in marks if x1 == x2)
    assert upright == pytest.approx(sorted(2 * [panels[name].x_mm for name in ("front", "right", "back", "left")]))
    flat = sorted({y1 for _, y1, _, y2 in marks if y1 == y2})
    back, lid, floor = panels["back"], panels["top"], panels["bottom"]
    assert flat == pytest.approx([lid.y_mm, back.y_mm, back.bottom_mm, floor.bottom_mm])


@given(st.floats(20, 120), st.floats(30, 200), st.floats(5, 80))
def test_the_walls_close(width: float, height: float, depth: float) -> None:
    net = Net(width, height, depth)
    panels = net.panels()
    assert set(panels) == set(PANELS)
    row = [panels[name] for name in ("front", "right", "back", "left")]
    assert all(one.right_mm == pytest.approx(other.x_mm) for one, other in pairwise(row))
    assert panels["front"][2:] == panels["back"][2:]
    assert panels["left"][2:] == panels["right"][2:] == (depth, height)
    assert panels["top"][2:] == panels["bottom"][2:] == (width, depth)
    assert panels["top"].bottom_mm == pytest.approx(panels["back"].y_mm)
    assert net.dust_mm < width / 2  # the dust flaps do not meet


def test_a_box_is_as_deep_as_its_cards() -> None:
    small, large = box_for(POKER, 54, 0.32, 1.0, is_sleeved=False), box_for(POKER, 108, 0.32, 1.0, is_sleeved=False)
    assert small.depth_mm == pytest.approx(54 * 0.32 + 1 + 1.08, abs=0.06)
    assert large.depth_mm - small.depth_mm == pytest.approx(54 * 0.32 + 1.08, abs=0.1)
    assert (small.width_mm, small.height_mm) == (64.5, 89.9)
    sleeved = box_for(POKER.turned(), 54, 0.32, 1.0, is_sleeved=True)
    assert sleeved.width_mm == pytest.approx(67.5)
    assert sleeved.depth_mm > small.depth_mm + 54 * 0.1


def test_what_is_no_box(make_workspace: MakeWorkspace) -> None:
    without_depth = '<tucknet x="1" y="1" width="20" height="25"/>'
    for element in (without_depth, BOX.format('<panel name="lid"/>'), BOX.format("<rect width='1' height='1'/>")):
        assert lay_out(make_workspace, element).codes == ["bad-box"]


GAME = {
    "content/pond/game.yaml": 'title: Pond\nversion: "1.0"\ndesigner: N\nplayers: 2-4\n'
    "pieces: [{id: cards, title: C, decks: [duck, own]}, {id: box, title: B, decks: [box]}]\n",
    "content/pond/decks/duck.yaml": "title: D\nsize: poker\nfront: f\n"
    "cards: [{id: a, copies: 30}, {id: b, copies: 4}]\n",
    "content/pond/decks/own.yaml": "title: O\nsize: poker\nfront: f\nper: player\ncards: [{id: a, copies: 5}]\n",
    "content/pond/boards/box.yaml": "title: Box\nbox: {holds: [duck, own], stock: 0.3mm}\n",
}


def box_of(make_workspace: MakeWorkspace, files: dict[str, str]) -> tuple[Deck, BoxPlan]:
    game, problems = load_game(make_workspace(files), "pond")
    assert [problem for problem in problems if problem.level == "error"] == []
    assert game is not None
    deck = game.decks["box"]
    assert deck.box is not None
    return deck, deck.box


def test_a_box_counts_what_it_holds(make_workspace: MakeWorkspace) -> None:
    deck, box = box_of(make_workspace, GAME)
    assert box.cards == 30 + 4 + 5 * 4
    assert deck.size.trim == box.net_size
    assert (deck.front, deck.is_component, [card.id for card in deck.cards]) == ("tuckbox", False, ["box"])
    # Dividers take room and are not counted.
    dividers = "title: Dividers\nsize: poker\nfront: f\ncomponent: no\ncards: [{id: a, copies: 6}]\n"
    holding = "title: Box\nbox: {holds: [duck, divider], stock: 0.5mm, room: 0mm}\n"
    files = GAME | {"content/pond/boards/divider.yaml": dividers, "content/pond/boards/box.yaml": holding}
    _, box = box_of(make_workspace, files)
    assert (box.cards, box.holds, box.depth_mm) == (34, (("duck", 34),), 20.0)


def test_a_hundred_cards_fit_a_sheet_of_a4_and_of_letter() -> None:
    net = box_for(POKER, 102, 0.3, 1.0, is_sleeved=False, dividers=2).net_size
    assert net.width_mm <= 266
    assert net.height_mm <= 190  # what a `full-page` is, lying


@pytest.mark.parametrize(
    ("held", "code"),
    [("[duck, drake]", "unknown-deck"), ("[duck, box]", "box-holds-box"), ("[duck, token]", "mixed-sizes")],
)
def test_what_a_box_cannot_hold(held: str, code: str, make_workspace: MakeWorkspace) -> None:
    token = "title: T\nsize: token-1in\nfront: f\ncards: [{id: a}]\n"
    box = f"title: Box\nbox: {{holds: {held}}}\n"
    files = GAME | {"content/pond/boards/token.yaml": token, "content/pond/boards/box.yaml": box}
    _, problems = load_game(make_workspace(files), "pond")
    assert [problem.code for problem in problems if problem.level == "error"] == [code]
