"""What virtual tables load: the structure of published files, the cards of a deal where its steps put them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from PIL import Image

import running
from duckpress import cli
from duckpress.cli.export import _UNUSED
from duckpress.core.geometry import Size
from duckpress.core.sizes import FORMATS
from duckpress.views.pictures import cut_out
from duckpress.views.virtual.table_stacks import in_rows
from duckpress.views.virtual.virtual_tables import TABLES
from running import MakeWorkspace as Make

FACE = (
    '<face><ground fill="#eeeeee"/>'
    '<text x="6" y="6" width="50" height="60">{{ card.name }}. {{ card.text }}</text></face>'
)
SIDES = (
    '<side fill="#ff0000"><text>Rain</text></side><side fill="#00ff00"/><side fill="#0000ff"/><side fill="#ffff00"/>'
    '<side fill="#00ffff"/><side fill="#ff00ff"><text>Sun</text></side>'
)
POND: dict[str, str | bytes] = {
    "content/pond/game.yaml": (
        'title: Pond\nversion: "0.2"\ndesigner: Ann\nplayers: [2, 3]\npieces:\n'
        "  - {id: cards, title: Cards, decks: [bird]}\n"
        "  - {id: rest, title: Rest, decks: [disc, board, die]}\n"
        "  - {id: forms, title: Forms, decks: [form]}\n"
    ),
    "content/pond/decks/bird.yaml": (
        "title: Birds\nsize: poker\nfront: card\nback: back\n"
        "fields: {name: text, points: whole, text: {kind: text, optional: yes}, artist: {kind: text, optional: yes}}\n"
        "cards:\n"
        '  - {id: teal, copies: 6, name: "**Teal**", points: 3, text: "Worth {=points} {star}, *now*.", artist: Bo}\n'
        "  - {id: smew, copies: 4, name: Smew, points: 5}\n"
    ),
    "content/pond/decks/disc.yaml": (
        "title: Discs\nsize: {width: 25mm, height: 25mm, round: yes}\nfront: plain\nback: back\n"
        "cards: [{id: disc, copies: 4}]\n"
    ),
    "content/pond/boards/board.yaml": (
        "title: Board\nsize: {width: 180mm, height: 120mm}\nfront: plain\ncards: [{id: board}]\n"
    ),
    "content/pond/decks/die.yaml": (
        "title: Die\nsize: {width: 80mm, height: 60mm}\nfront: net\ncards: [{id: die, copies: 2}]\n"
    ),
    "content/pond/boards/form.yaml": ("title: Form\nsize: poker\nfront: plain\ncomponent: no\ncards: [{id: form}]\n"),
    "content/pond/setup.yaml": (
        "setup:\n  - {slot: board, take: {board: 1}}\n"
        "  - {hand: hand, take: {bird: 2}}\n  - {row: market, take: {bird: 2}}\n"
        "  - {pile: supply, take: {disc: all}}\n"
    ),
    "content/pond/layouts/card.xml": FACE,
    "content/pond/layouts/back.xml": '<face><ground fill="#808080"/></face>',
    "content/pond/layouts/plain.xml": '<face><ground fill="#ffffff"/></face>',
    "content/pond/layouts/net.xml": f'<face><dicenet edge="10" x="5" y="5">{SIDES}</dicenet></face>',
    "content/pond/theme.yaml": "extends: base\nicons: {star: star.svg}\n",
    "content/pond/star.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0H2V2Z"/></svg>',
}


@pytest.fixture
def root(make_workspace: Make) -> Path:
    return make_workspace(POND).root


def edit(root: Path, name: str, *changes: tuple[str, str]) -> None:
    """Change places of a file of the game."""
    path = root / "content/pond" / name
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


def export(root: Path, to: str, *more: str) -> Result:
    return running.run(root, "export", "pond", "--to", to, *more)


def folder(root: Path, to: str, *more: str) -> Path:
    done = export(root, to, *more)
    assert done.exit_code == cli.DONE, done.output
    return root / "output" / "pond" / to


def saved(root: Path, *more: str) -> list[dict[str, Any]]:
    text = (folder(root, "tts", "--dpi", "50", *more) / "pond.json").read_text()
    objects: list[dict[str, Any]] = json.loads(text)["ObjectStates"]
    return objects


def room(root: Path, *more: str) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    with zipfile.ZipFile(folder(root, "pcio", "--dpi", "50", *more) / "pond.pcio") as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    return json.loads(files.pop("widgets.json")), files


def named(objects: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [one for one in objects if one["Name"] == kind]


def test_every_table_is_a_choice() -> None:
    assert set(_UNUSED) == {"png", "showcase", "vendor", *TABLES}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("to", TABLES)
def test_forms_and_nets_that_are_not_found_stay_away_and_it_is_said(to: str, root: Path) -> None:
    turned = ("<dicenet", '<g transform="rotate(5)"><dicenet'), ("</dicenet>", "</dicenet></g>")
    edit(root, "layouts/net.xml", *turned)
    done = export(root, to, *(() if to == "tabletopia" else ("--dpi", "50")))
    assert "left out, as no net of dice is found on them: Die (die)" in done.output
    written = json.loads((root / "output" / "pond" / to / "manifest.json").read_text())["files"]
    assert not [one["name"] for one in written if "die" in one["name"] or "form" in one["name"]]


def test_a_form_comes_where_it_is_asked_for(root: Path) -> None:
    assert (folder(root, "sprites", "--piece", "forms", "--dpi", "50") / "form-fronts.png").is_file()


def test_a_card_tells_what_can_be_read_on_it_boards_lie_fast_and_tokens_in_a_bag(root: Path) -> None:
    done = export(root, "tts", "--dpi", "50")
    assert "others see the pictures once they lie on the web (--url)" in done.output
    written = root / "output/pond/tts"
    text = (written / "pond.json").read_text()
    assert "example" not in text
    objects = json.loads(text)["ObjectStates"]
    (deck,) = named(objects, "DeckCustom")
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["FaceURL"] == (written / "bird-fronts.png").as_uri(), "without an address those just written"
    told = {(card["Nickname"], card["Description"]) for card in deck["ContainedObjects"]}
    assert told == {("Teal", "Worth 3 star, now."), ("Smew", "")}, "and not who drew it"
    assert deck["HideWhenFaceDown"]
    assert all(card["HideWhenFaceDown"] for card in deck["ContainedObjects"])
    assert {card["SidewaysCard"] for card in deck["ContainedObjects"]} == {False}
    (bag,), (board,) = named(objects, "Bag"), named(objects, "Custom_Tile")
    assert (bag["Nickname"], len(bag["ContainedObjects"])) == ("Discs", 4)
    disc = bag["ContainedObjects"][0]["CustomImage"]
    assert (disc["CustomTile"]["Type"], disc["ImageSecondaryURL"] != disc["ImageURL"]) == (2, True)
    assert (board["Locked"], board["CustomImage"]["CustomTile"]["Stackable"]) == (True, False)
    assert board["CustomImage"]["ImageSecondaryURL"] == board["CustomImage"]["ImageURL"], "it has no back"
    disc_mm, board_mm = (
        one["Transform"]["scaleX"] / side for one, side in ((bag["ContainedObjects"][0], 25.0), (board, 180.0))
    )
    assert disc_mm == pytest.approx(board_mm, rel=0.01)


def test_a_card_that_is_wider_than_high_lies_sideways(root: Path) -> None:
    edit(root, "decks/bird.yaml", ("size: poker", "size: poker-landscape"))
    wide = {card["SidewaysCard"] for card in named(saved(root), "DeckCustom")[0]["ContainedObjects"]}
    assert wide == {True}


def test_the_table_is_set_as_the_cards_are_dealt(root: Path) -> None:
    dealt = running.run_json(root, "deal", "pond", "--players", "3", "--seed", "7")
    objects = saved(root, "--players", "3", "--seed", "7")
    loose = list(named(objects, "CardCustom"))
    in_row = [one for one in loose if abs(one["Transform"]["posZ"]) < 9 and abs(one["Transform"]["posX"]) < 15]
    in_hands = [one for one in loose if one not in in_row]
    assert {one["Transform"]["rotZ"] for one in loose} == {0.0}, "open, and in hands, where others see backs"
    held = {place["place"]: [] for place in dealt["places"]}
    for place in dealt["places"]:
        held[place["place"]] += [card["card"].capitalize() for card in place["cards"]]
    assert Counter(one["Nickname"] for one in in_hands) == Counter(held["hand"])
    assert [one["Nickname"] for one in in_row] == held["market"]
    assert len(named(objects, "HandTrigger")) == 3
    (box,) = [bag for bag in named(objects, "Bag") if bag["Nickname"] == "Pond"]
    (rest,) = box["ContainedObjects"]
    assert (len(rest["ContainedObjects"]), box["Description"]) == (10 - 6 - 2, "Birds: 2"), "what is left is in the box"


def test_every_hand_lies_in_its_zone_and_nothing_on_anything(root: Path) -> None:
    objects = saved(root, "--players", "2")
    zones = [one["Transform"] for one in named(objects, "HandTrigger")]
    cards = [one["Transform"] for one in named(objects, "CardCustom")]
    hands = [card for card in cards if abs(card["posZ"]) > 15]  # not the market
    assert len(hands) == 4
    for card in hands:
        assert any(abs(card["posX"] - zone["posX"]) < 7 and abs(card["posZ"] - zone["posZ"]) < 2.5 for zone in zones)
    spots = [(one["Transform"]["posX"], one["Transform"]["posZ"]) for one in objects if one["Name"] != "HandTrigger"]
    assert len(set(spots)) == len(spots)


def test_a_hand_that_only_others_are_told_lies_face_down_in_one_heap(root: Path) -> None:
    edit(root, "setup.yaml", ("setup:\n", "seats: {relations: {left: seat + 1}, knows: {hand: [left]}}\nsetup:\n"))
    heaps = [one for one in named(saved(root, "--players", "3"), "DeckCustom") if len(one["ContainedObjects"]) == 2]
    assert [(one["Nickname"], one["Transform"]["rotZ"]) for one in heaps] == [(f"Hand {n}", 180.0) for n in (1, 2, 3)]


def test_every_card_of_a_row_has_a_point_to_snap_to_and_places_are_called_as_in_the_setup_table(root: Path) -> None:
    take, more = "take: {bird: 2}}\n  - {pile", "take: {bird: 3}}\n  - {pile: rest, take: {bird: all}}\n  - {pile"
    titles = "table: {rest: {title: Draw pile, shows: rest}}\n"
    edit(root, "setup.yaml", (take, more), ("setup:\n", f"{titles}setup:\n"))
    words = ["tts", "--dpi", "50", "--players", "2"]
    save = json.loads((folder(root, *words) / "pond.json").read_text())
    row = [one for one in named(save["ObjectStates"], "CardCustom") if abs(one["Transform"]["posZ"]) < 9]
    points = {(one["Position"]["x"], one["Position"]["z"]) for one in save["SnapPoints"]}
    assert len(row) == 3
    assert {(one["Transform"]["posX"], one["Transform"]["posZ"]) for one in row} <= points
    assert "Draw pile" in {one["Nickname"] for one in named(save["ObjectStates"], "DeckCustom")}


def test_a_deal_that_cannot_be_made_is_no_table(root: Path) -> None:
    edit(root, "setup.yaml", ("take: {bird: 2}}\n  - {row", "take: {bird: 20}}\n  - {row"))
    done = export(root, "tts", "--players", "3")
    assert (done.exit_code, "not-enough" in done.output) == (cli.CONTENT_ERROR, True), done.output
    assert not (root / "output/pond/tts").exists()


def test_a_room_has_the_widgets_of_a_published_one(root: Path) -> None:
    widgets, assets = room(root)
    kinds = Counter(one["type"] for one in widgets)
    assert kinds == {"hand": 1, "cardDeck": 2, "cardPile": 2, "card": 14, "board": 1, "spinner": 2}
    dice = [one for one in widgets if one["type"] == "spinner"]
    assert [one["options"] for one in dice] == [["Rain", "2", "3", "4", "5", "Sun"]] * 2
    assert len({one["x"] for one in dice}) == 2
    for one in widgets:
        if one["type"] == "cardDeck":
            assert set(one) == {
                "id", "type", "parent", "x", "y", "z", "cardWidth", "cardHeight", "enlarge", "faceTemplate",
                "backTemplate", "cardTypes",
            }  # fmt: skip
    with Image.open(io.BytesIO(assets["userassets/disc--disc-front.png"])) as disc:
        alpha = disc.getchannel("A")
        assert (alpha.getpixel((0, 0)), alpha.getpixel((disc.width // 2, disc.height // 2))) == (0, 255)


def test_a_room_is_set_above_the_hand(root: Path) -> None:
    widgets, _ = room(root, "--players", "3")
    piles = {one["label"]: one for one in widgets if one["type"] == "cardPile"}
    assert set(piles) == {"Hand 1", "Hand 2", "Hand 3", "Discs"}
    loose = [one for one in widgets if one["type"] == "card" and "parent" not in one]
    assert [one["faceup"] for one in loose] == [True, True]
    assert len({one["x"] for one in loose}) == 2
    assert all(one["y"] + one.get("height", 0) <= 820 for one in widgets if one["type"] != "hand")
    assert min(one["y"] for one in piles.values()) >= 40, "their labels stand above them"
    byseat = [piles[f"Hand {seat}"] for seat in (1, 2, 3)]
    assert [one["x"] + one["width"] for one in byseat] == sorted(one["x"] + one["width"] for one in byseat)


def test_a_package_has_the_keys_of_a_published_one(root: Path) -> None:
    made = folder(root, "ttpg", "--dpi", "50") / "pond"
    found = [json.loads(path.read_text()) for path in sorted((made / "Templates").iterdir())]
    templates = {one["Name"]: one for one in found}
    assert set(templates) == {"Birds", "Discs", "Board", "Die"}
    die = templates.pop("Die")
    assert (die["Type"], [face["Name"] for face in die["Faces"]]) == ("Dice", ["Rain", "2", "3", "4", "5", "Sun"])
    with Image.open(made / "Textures" / die["Models"][0]["Texture"]) as picture:
        third = picture.width // 3
        at = {(column, row): picture.getpixel((column * third + third // 2, row * third + third * 7 // 8))
              for column in range(3) for row in range(3)}  # fmt: skip
    assert (at[1, 0], at[0, 1], at[2, 1]) == ((255, 0, 0), (0, 255, 0), (255, 0, 255))
    birds = templates["Birds"]
    assert birds["Indices"] == [0] * 6 + [1] * 4
    assert (birds["CardNames"], birds["CardMetadata"]) == ({"0": "Teal", "1": "Smew"}, {"0": "Worth 3 star, now."})
    assert (birds["Width"], birds["Height"], birds["Model"], birds["BackIndex"]) == (6.35, 8.89, "Rounded", -2)
    assert templates["Discs"]["Model"] == "Round"
    assert all((made / "Templates" / f"{one['GUID']}Card.json").is_file() for one in templates.values())


def test_pictures_have_ten_pixels_a_millimetre_and_a_list_of_copies(root: Path) -> None:
    made = folder(root, "tabletopia")
    rows = list(csv.DictReader(io.StringIO((made / "cards.csv").read_text())))
    assert [(row["card"], row["copies"]) for row in rows][:2] == [("bird/teal", "6"), ("bird/smew", "4")]
    with Image.open(made / rows[0]["front"]) as front, Image.open(made / rows[0]["back"]) as back:
        assert front.size == back.size == (635, 889)


@pytest.mark.parametrize("to", ["screentop", "sprites"])
def test_grids_have_no_gaps_and_say_what_to_type_in(to: str, root: Path) -> None:
    made = folder(root, to, "--dpi", "1200", "--max-px", "400")
    rows = list(csv.DictReader(io.StringIO((made / "sheets.csv").read_text())))
    teal = rows[0]
    assert (teal["sheet"], teal["columns"], teal["rows"], teal["place"]) == ("bird-fronts.png", "2", "1", "1")
    with Image.open(made / teal["sheet"]) as sheet:
        assert 380 < max(sheet.size) <= 400
        assert sheet.width % 2 == 0


def test_a_seed_or_a_number_of_players_that_means_nothing_is_refused(root: Path) -> None:
    for words, said in ((("--seed", "4"), "give --players as well"), (("--players", "7"), "7")):
        done = export(root, "tts", *words)
        assert (done.exit_code, said in done.output) == (cli.USAGE_ERROR, True), done.output


def test_rows_begin_anew_where_the_width_ends() -> None:
    sizes = [Size(4.0, 2.0), Size(4.0, 5.0), Size(4.0, 1.0)]
    assert in_rows(sizes, 10.0, 1.0) == ([(0.0, 0.0), (5.0, 0.0), (0.0, 6.0)], 7.0)


@pytest.mark.parametrize("name", ["poker", "hex-3.75in"])
def test_corners_are_transparent(name: str) -> None:
    picture = cut_out(Image.new("RGB", (100, 100), "#ff0000"), FORMATS[name])
    assert picture.getchannel("A").getpixel((0, 0)) == 0


@pytest.mark.parametrize(
    ("name", "text"), [("בַּז", "שלפו 3 קלפים (או Duck), **מיד**."), ("بَطّ", "مرر {=name} ثم **قل** (3) duck.")]
)
def test_words_that_run_from_right_to_left_are_told_as_they_are_written(name: str, text: str, root: Path) -> None:
    """Points of Arabic stand in texts of their own on a face."""
    edit(root, "decks/bird.yaml", ("**Teal**", name), ("Worth {=points} {star}, *now*.", text))
    (heap,) = named(saved(root), "DeckCustom")
    told = {(card["Nickname"], card["Description"]) for card in heap["ContainedObjects"]}
    assert (name, text.replace("{=name}", name).replace("**", "")) in told


def test_ids_of_lists_and_icons_are_said_as_players_read_them(root: Path) -> None:
    edit(root, "game.yaml", ("pieces:\n", "lists: {kinds: {t: {name: Diving duck}}}\npieces:\n"))
    teal = 'name: "**Teal**", points: 3, text: "Worth {=points} {star}, *now*."'
    told = "name: Teal, kind: t, points: 3, text: 'Two stars {star} for a duck; {star} here'"
    fields = ("fields: {name: text,", "fields: {name: text, kind: text,")
    edit(root, "decks/bird.yaml", fields, (teal, told), ("name: Smew,", "name: Smew, kind: smew,"))
    edit(root, "layouts/card.xml", ("{{ card.text }}", "{{ card.text }} Diving duck"))
    (heap,) = named(saved(root), "DeckCustom")
    told_of = {card["Nickname"]: card["Description"] for card in heap["ContainedObjects"]}
    assert told_of == {"Teal": "Diving duck\nTwo stars for a duck; star here", "Smew": ""}
    discs = next(bag for bag in named(saved(root), "Bag"))["ContainedObjects"]
    assert {disc["Nickname"] for disc in discs} == {"Discs"}
