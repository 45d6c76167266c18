"""`duckpress export`: pictures of the printed faces, pixel for pixel as large as asked, and nothing else."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from duckpress.vendors import orders
from held_pond import Pond
from running import MakeWorkspace as Make
from running import write_files

FACE = (
    '<face><ground fill="{{ card.colour }}"/><rect x="0" y="0" width="10" height="10" fill="#000000"/>'
    '<text x="14" y="14" width="20" height="20">{{ card.name }}</text></face>'
)
POND: dict[str, str | bytes] = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "0.2"\ndesigner: Ann\nplayers: 2\nlanguages: [en]\n'
        "pieces:\n  - {id: cards, title: Cards, decks: [bird, own]}\n"
        "  - {id: grey, title: Grey, decks: [bird], instead_of: cards}\n"
    ),
    "content/pond/decks/bird.yaml": (
        "title: Birds\nsize: {width: 40mm, height: 50mm, bleed: 2mm, corner: 3mm}\nfront: card\nback: back\n"
        "fields: {name: text, text: {kind: text, optional: yes}, colour: colour}\ncards:\n"
        '  - {id: red, copies: 2, name: "The **Red**", colour: "#ff0000", text: "Worth {star} 3"}\n'
        '  - {id: green, copies: 1, name: Green, colour: "#00ff00"}\n'
        '  - {id: blue, copies: 1, name: Blue, colour: "#0000ff"}\n'
    ),
    "content/pond/decks/own.yaml": (
        "title: Own\nsize: {width: 30mm, height: 20mm, bleed: 1mm, corner: 0mm}\nfront: own\nback: own-back\n"
        "fields: {colour: colour}\ncards:\n"
        '  - {id: one-red, colour: "#ff0000"}\n  - {id: one-blue, colour: "#0000ff"}\n'
    ),
    "content/pond/boards/alone.yaml": "title: Alone\nsize: mini\nfront: plain\ncards: [{id: one}]\n",
    "content/pond/layouts/card.xml": FACE,
    "content/pond/layouts/own.xml": '<face><ground fill="{{ card.colour }}"/></face>',
    "content/pond/layouts/own-back.xml": '<face><ground fill="{{ card.colour }}"/><circle cx="5" cy="5" r="3"/></face>',
    "content/pond/layouts/back.xml": '<face><ground fill="#808080"/></face>',
    "content/pond/layouts/plain.xml": '<face><ground fill="#ffffff"/></face>',
    "content/pond/theme.yaml": "extends: base\n",
}
WITH_ALONE = {
    **POND,
    "content/pond/game.yaml": str(POND["content/pond/game.yaml"]) + "  - {id: alone, title: Alone, decks: [alone]}\n",
}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def colour_at(picture: Image.Image, x: int, y: int) -> tuple[int, ...]:
    found = picture.convert("RGB").getpixel((x, y))
    assert isinstance(found, tuple)
    return found


@pytest.fixture
def pond(make_workspace: Make) -> Pond:
    return Pond(make_workspace(WITH_ALONE))


def test_every_face_is_a_picture_of_its_size_and_listed(pond: Pond) -> None:
    told = pond.data("export", "pond", "--to", "png", "--dpi", "127")
    folder = pond.output / "png"
    assert told["folder"] == str(folder)
    assert set(names_in(folder)) == set(told["files"]) == {
        "bird-red-front.png", "bird-green-front.png", "bird-blue-front.png", "bird-back.png",
        "own-one-red-front.png", "own-one-red-back.png", "own-one-blue-front.png", "own-one-blue-back.png",
        "alone-one-front.png", "manifest.json",
    }  # fmt: skip
    with Image.open(folder / "bird-red-front.png") as picture:
        assert (picture.size, picture.mode) == ((200, 250), "RGB")
        assert picture.info["dpi"] == pytest.approx((127, 127), abs=0.01)
        assert colour_at(picture, 0, 0) == (0, 0, 0), "cut at the trim"
        assert colour_at(picture, 199, 249) == (255, 0, 0), "to the last pixel"
        assert colour_at(picture, 49, 49) == (0, 0, 0)
        assert colour_at(picture, 52, 52) == (255, 0, 0)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["export"], manifest["dpi"], manifest["bleed"], manifest["version"]) == ("png", 127, False, "0.2")
    cards = {(card["deck"], card["card"]): card for card in manifest["cards"]}
    assert (cards["bird", "red"]["copies"], cards["bird", "red"]["back"]) == (2, "bird-back.png")
    assert cards["own", "one-red"]["back"] == "own-one-red-back.png"
    assert cards["alone", "one"]["back"] is None
    for file in manifest["files"]:
        assert hashlib.sha256((folder / file["name"]).read_bytes()).hexdigest() == file["sha256"]


def test_a_deck_in_two_looks_has_two_sets_of_pictures_with_bleed_on_all_sides(pond: Pond) -> None:
    pond.done("export", "pond", "--to", "png", "--dpi", "127", "--bleed", "--piece", "cards,grey")
    expected = {"cards-bird-red-front.png", "grey-bird-red-front.png", "cards-bird-back.png", "grey-bird-back.png"}
    assert expected | {"own-one-red-front.png"} <= set(names_in(pond.output / "png"))
    with Image.open(pond.output / "png/grey-bird-blue-front.png") as picture:
        assert picture.size == (220, 270)
        assert colour_at(picture, 0, 0) == colour_at(picture, 219, 269) == colour_at(picture, 9, 9) == (0, 0, 255)
        assert colour_at(picture, 11, 11) == (0, 0, 0)


def test_names_that_would_meet_are_kept_apart(make_workspace: Make) -> None:
    deck = "title: D\nsize: mini\nfront: plain\nback: plain\ncards: [{id: %s}]\n"
    files = {path: text for path, text in POND.items() if "/decks/" not in path and "/boards/" not in path}
    game = str(POND["content/pond/game.yaml"]).replace("[bird, own]", "[a, a-b, a-b-c]").replace("[bird]", "[a]")
    decks = {
        f"content/pond/decks/{id_}.yaml": deck % card for id_, card in (("a", "b-c"), ("a-b", "c"), ("a-b-c", "d"))
    }
    pond = Pond(make_workspace({**files, "content/pond/game.yaml": game, **decks}))
    pond.done("export", "pond", "--to", "png", "--dpi", "40")
    assert names_in(pond.output / "png") == [
        "a--b-c-front.png", "a-b--c-front.png", "a-b-back.png", "a-b-c-back.png", "a-b-c-d-front.png", "a-back.png",
        "manifest.json",
    ]  # fmt: skip


def test_the_table_gets_sheets_and_cards_by_name_at_their_places(pond: Pond) -> None:
    pond.done("export", "pond", "--to", "tts", "--dpi", "127", "--url", "https://cards.example/pond")
    folder = pond.output / "tts"
    assert set(names_in(folder)) == {
        "bird-fronts.png", "bird-back.png", "alone-fronts.png", "alone-back.png", "pond.json", "manifest.json",
        "own-1-fronts.png", "own-1-backs.png", "own-2-fronts.png", "own-2-backs.png",
    }  # fmt: skip
    bird, own, alone = json.loads((folder / "pond.json").read_text())["ObjectStates"]
    assert [(card["CardID"], card["Nickname"], card["Description"]) for card in bird["ContainedObjects"]] == [
        (100, "The Red", ""), (100, "The Red", ""), (101, "Green", ""), (102, "Blue", ""),
    ]  # fmt: skip
    assert (own["Name"], [tile["Name"] for tile in own["ContainedObjects"]]) == ("Bag", ["Custom_Tile"] * 2)
    assert own["ContainedObjects"][0]["CustomImage"]["ImageSecondaryURL"].endswith("/pond/own-1-backs.png")
    # Without words it is called by its deck.
    assert (alone["Name"], alone["CardID"], alone["Nickname"]) == ("CardCustom", 400, "Alone")
    with Image.open(folder / "bird-fronts.png") as sheet:
        assert sheet.size == (400, 500)
        shown = [colour_at(sheet, x, y) for x, y in ((190, 240), (390, 240), (190, 490), (390, 490))]
        assert shown == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]


def test_a_sheet_keeps_to_the_pixels_allowed_and_a_large_deck_has_several(make_workspace: Make) -> None:
    cards = '  - {for: {n: 1-71}, id: "c-{{ n }}", name: "{{ n }}", colour: "#ff0000"}\n'
    text = str(POND["content/pond/decks/bird.yaml"])
    pond = Pond(make_workspace({**POND, "content/pond/decks/bird.yaml": text[: text.index("  - {id: red")] + cards}))
    pond.done("export", "pond", "--to", "tts", "--max-px", "700")
    sizes = []
    for number in (1, 2):
        with Image.open(pond.output / f"tts/bird-{number}-fronts.png") as picture:
            sizes.append(picture.size)
    first, second = sizes
    assert 650 < max(first) <= 700
    assert (first[0] % 9, first[1] % 8) == (0, 0)
    assert max(second) <= 700
    bird: dict[str, Any] = json.loads((pond.output / "tts/pond.json").read_text())["ObjectStates"][0]
    assert set(bird["CustomDeck"]) == {"1", "2"}
    assert (len(bird["DeckIDs"]), bird["DeckIDs"][69:]) == (71, [169, 200])
    assert {deck["BackURL"].rpartition("/")[2] for deck in bird["CustomDeck"].values()} == {"bird-back.png"}


@pytest.fixture
def sized(make_workspace: Make) -> Pond:
    """A pond whose birds have a size of the trade."""
    pond = Pond(make_workspace(POND))
    pond.edit("decks/bird.yaml", ("{width: 40mm, height: 50mm, bleed: 2mm, corner: 3mm}", "poker"))
    return pond


def test_an_order_for_a_vendor_lies_in_a_folder_of_its_name(sized: Pond) -> None:
    told = sized.data("export", "pond", "--for", "tgc")
    folder = sized.output / "tgc"
    assert (told["folder"], told["order"]["vendor"]) == (str(folder), "tgc")
    assert told["order"]["unverified"]
    assert sum("[face," in name for name in told["files"]) == 3
    assert all((folder / name).is_file() for name in told["files"])
    assert {problem["code"] for problem in told["problems"]} >= {"vendor-size"}, "the other deck is left out"
    assert "not verified: " in sized.done("export", "pond", "--for", "tgc")


def test_a_wrong_order_is_not_written(sized: Pond, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "on_canvas", lambda face, *size: Image.new(face.mode, size, "#ffffff"))
    told = sized.done("export", "pond", "--for", "tgc", status=1)
    assert "tgc/bird:1:1: error[proof-order]: bird/red[face,2].png does not show the front of" in told
    assert not (sized.output / "tgc").exists()


def test_what_cannot_be_exported_is_said(pond: Pond) -> None:
    for arguments, words in (
        ((), "either --to"),
        (("--for", "tgcc"), "did you mean 'tgc'?"),
        (("--to", "bmp"), "'bmp' is not one of"),
        (("--to", "png", "--dpi", "5000"), "5000"),
        (("--to", "png", "--piece", "card"), "did you mean 'cards'?"),
        (("--to", "png", "--lang", "fr"), "no language 'fr'"),
        (("--to", "png", "--url", "https://cards.example"), "--url says nothing for --to png"),
        (("--to", "tts", "--bleed"), "--bleed says nothing for --to tts"),
        (("--for", "tgc", "--dpi", "300"), "--dpi says nothing for --for tgc"),
    ):
        assert words in pond.done("export", "pond", *arguments, status=2)
    pond.edit("decks/own.yaml", ("width: 30mm", "width: 900mm"))
    assert "use at most 338 dpi" in pond.done("export", "pond", "--to", "png", "--dpi", "600", status=2)
    pond.edit("layouts/back.xml", ("ground", "grund"))
    assert "nothing exported: 1 error" in pond.done("export", "pond", "--to", "png", status=1)
    assert not pond.output.exists()


def test_a_foreign_manifest_is_not_overwritten(pond: Pond) -> None:
    write_files(pond.output / "png", {"manifest.json": '{"name": "another program"}'})
    assert "was not written by duckpress" in pond.done("export", "pond", "--to", "png", "--dpi", "40", status=3)
    assert names_in(pond.output / "png") == ["manifest.json"]
