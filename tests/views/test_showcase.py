"""Pictures to show a game with: cards of all decks on a transparent ground, the box with its front and its sides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

import running
from duckpress.views.showcase import _spread
from kit.page_game import ducks

BOX = (
    '<face><tucknet x="{{ box.left }}" y="{{ box.top }}" width="{{ box.width }}" height="{{ box.height }}" '
    'depth="{{ box.depth }}"><panel name="front" fill="#ff0000"/><panel name="right" fill="#0000ff"/>'
    '<panel name="top" fill="#00ff00"/></tucknet></face>'
)
PIECES = "{id: cards, title: Cards, decks: [duck]}, {id: box, title: Box, decks: [box]}"
POND = {
    **ducks("{for: {n: 1-9}, id: 'b-{{ n }}', colour: '#0000{{ n }}{{ n }}'}", "colour: colour", PIECES),
    "boards/box.yaml": "title: Box\nbox: {holds: [duck]}\nfront: net\n",
    "layouts/duck.xml": '<face><ground fill="{{ card.colour }}"/></face>',
    "layouts/net.xml": BOX,
}
Pixel = tuple[int, ...]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("showcase")
    running.write_files(root / "content/pond", POND)
    running.run(root, "export", "pond", "--to", "showcase", "--max-px", "400", status=0)
    return root / "output/pond/showcase"


def pixels(path: Path) -> list[Pixel]:
    with Image.open(path) as picture:
        assert picture.mode == "RGBA"
        assert max(picture.size) <= 400
        return list(picture.get_flattened_data())


def test_each_picture_is_there_on_a_transparent_ground(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {"fan.png", "row.png", "spread.png", "box.png", "manifest.json"}
    for name in ("fan.png", "row.png", "spread.png", "box.png"):
        assert pixels(folder / name)[0][3] < 255


def test_cards_differ_and_the_row_begins_with_a_back(folder: Path) -> None:
    blues: dict[str, set[int]] = {}
    for name in ("fan.png", "row.png", "spread.png"):
        counts = Counter(one[2] for one in pixels(folder / name) if one[3] == 255 and one[:2] == (0, 0))
        blues[name] = {blue for blue, often in counts.items() if often > 200}  # no mere edges
    cards = {17 * number for number in range(1, 10)}
    assert len(blues["fan.png"] & cards) == 7
    assert len(blues["row.png"] & cards) == 5
    assert blues["spread.png"] >= cards
    with Image.open(folder / "row.png") as row:
        assert row.getpixel((row.width // 12, row.height // 2)) == (128, 128, 128, 255)


def test_a_box_stands_with_its_front_before_its_side_and_lid(folder: Path) -> None:
    with Image.open(folder / "box.png") as box:
        width = box.width
    places: dict[int, list[tuple[int, int]]] = {0: [], 1: [], 2: []}
    for number, pixel in enumerate(pixels(folder / "box.png")):
        if pixel[3] == 255 and max(pixel[:3]) > 100:
            places[max(range(3), key=pixel.__getitem__)].append((number % width, number // width))
    (red_x, red_y), (lid_x, lid_y), (side_x, side_y) = (
        [sorted(axis)[len(found) // 2] for axis in zip(*found, strict=True)] for found in places.values()
    )
    assert lid_y < side_y <= red_y, "the side leans up as it goes back"
    assert red_x < lid_x < side_x


def test_dark_cards_on_each_other_have_a_light_edge(folder: Path) -> None:
    """A fan of them would be one dark field: down its middle every card begins with lighter pixels."""
    with Image.open(folder / "fan.png") as fan:
        across = [fan.getpixel((x, fan.height // 2)) for x in range(fan.width)]
    assert sum(pixel[3] == 255 and pixel[0] > 20 for pixel in across if isinstance(pixel, tuple)) >= 5


def test_cards_of_a_size_lie_in_rows_of_their_own() -> None:
    small, large = Image.new("RGB", (40, 60), "#ff0000"), Image.new("RGB", (80, 30), "#0000ff")
    spread = _spread([small, large, small, small], 2)
    rows = [spread.getpixel((spread.width // 2, y)) for y in range(spread.height)]
    blue = [y for y, pixel in enumerate(rows) if isinstance(pixel, tuple) and pixel[:3] == (0, 0, 255)]
    assert blue  # the only one of its size lies below the others, in the middle
    assert min(blue) > 60
    reds = sum(pixel[:3] == (255, 0, 0) for pixel in spread.get_flattened_data() if isinstance(pixel, tuple))
    assert reds == 3 * (40 - 4) * (60 - 4)  # all three, without their edges
