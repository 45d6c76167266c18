"""Every reference within a virtual table's files leads somewhere, and nothing is larger than its reader takes."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
from PIL import Image
from tests.views.test_virtual_tables import POND, Make

import running
from duckpress.views.virtual.tabletop_simulator import MESH
from duckpress.views.virtual.virtual_tables import TABLES

REPOSITORY = Path(__file__).parents[2]
GAMES = {"duck-blind": "2", "canardage": "2", "blind-mans-draft": "10", "duck-pens": "2", "ducks-in-a-row": "3"}
MOST_PX = {"tts": 4096, "ttpg": 8192, "tabletopia": 4000, "screentop": 2048, "sprites": 4096}


def made(workspace: Path, out: Path, game: str, to: str, *more: str) -> Path:
    dpi = () if to == "tabletopia" else ("--dpi", "40")
    running.run(workspace, "export", game, "--to", to, "--out", str(out), *dpi, *more, status=0)
    return out / game / to


def size_of(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def whole_save(folder: Path, game: str) -> None:
    saved = json.loads((folder / f"{game}.json").read_text())
    assert {"SaveName", "GameMode", "Table", "Sky", "Note", "LuaScript", "XmlUI", "ObjectStates"} <= set(saved)
    assert saved["Hands"]["Enable"], "VirtualTabletop's reader asks for it"
    objects = list(within(saved["ObjectStates"]))
    assert len({one["GUID"] for one in objects}) == len(objects)
    used = set()
    for one in objects:
        assert {"Name", "Transform", "Nickname", "GUID"} <= set(one)
        assert set(one["Transform"]) == {a + b for a in ("pos", "rot", "scale") for b in "XYZ"}
        for address in addresses(one):
            used.add(Path(unquote(urlparse(address).path)))
        for key, sheet in one.get("CustomDeck", {}).items():
            assert 1 <= sheet["NumWidth"] <= 10
            assert 1 <= sheet["NumHeight"] <= 7
            width, height = size_of(Path(unquote(urlparse(sheet["FaceURL"]).path)))
            assert (width % sheet["NumWidth"], height % sheet["NumHeight"]) == (0, 0)
            if one["Name"] != "DeckCustom":
                assert one["CardID"] // 100 == int(key)
                assert one["CardID"] % 100 < sheet["NumWidth"] * sheet["NumHeight"]
        if one["Name"] == "DeckCustom":
            assert one["DeckIDs"] == [card["CardID"] for card in one["ContainedObjects"]]
            assert len(one["DeckIDs"]) > 1, "a card alone is no deck"
            assert {str(number // 100) for number in one["DeckIDs"]} == set(one["CustomDeck"])
    there = {path for path in folder.iterdir() if path.suffix != ".json"}
    assert used == there


def within(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in objects:
        yield one
        yield from within(one.get("ContainedObjects", []))


def addresses(one: Any) -> Iterator[str]:
    for value in one.values() if isinstance(one, dict) else one:
        if isinstance(value, str) and "://" in value:
            yield value
        elif isinstance(value, dict | list):
            yield from addresses(value)


def whole_room(folder: Path, game: str) -> None:
    with zipfile.ZipFile(folder / f"{game}.pcio") as packed:
        names = set(packed.namelist()) - {"widgets.json"}
        widgets = json.loads(packed.read("widgets.json"))
        assert all(name.startswith("userassets/") and packed.getinfo(name).file_size < 2**21 for name in names)
    byid = {one["id"]: one for one in widgets}
    assert len(byid) == len(widgets) <= 1200
    used = set()
    for one in widgets:
        assert one["type"] in {"hand", "cardPile", "cardDeck", "card", "board", "spinner"}
        assert all(isinstance(one[key], int) for key in "xyz")
        assert "parent" not in one or byid[one["parent"]]["type"] == "cardPile"
        if one["type"] == "card":
            assert one["cardType"] in byid[one["deck"]]["cardTypes"]
        elif one["type"] == "cardDeck":
            used |= {kind[side] for kind in one["cardTypes"].values() for side in ("face", "back")}
            assert all(isinstance(value, str) for kind in one["cardTypes"].values() for value in kind.values())
            assert {one[f"{side}Template"]["objects"][0]["value"] for side in ("face", "back")} == {"face", "back"}
        elif one["type"] == "board":
            used.add(one["boardImage"])
    assert used == {f"package://{name}" for name in names}


def whole_package(folder: Path, game: str) -> None:
    package = folder / game
    assert set(json.loads((package / "Manifest.json").read_text())) == {"Name", "Version", "GUID"}
    used, guids = set(), set()
    for path in (package / "Templates").iterdir():
        one = json.loads(path.read_text())
        guids.add(one["GUID"])
        assert len(one["GUID"]) == 32
        assert int(one["GUID"], 16)
        assert {"Type", "GUID", "Name", "Metadata", "CollisionType", "SurfaceType", "Models", "Tags"} <= set(one)
        if one["Type"] == "Dice":
            used |= {model["Texture"] for model in one["Models"]}
            assert len({tuple(face[axis] for axis in "XYZ") for face in one["Faces"]}) == 6
            continue
        places = one["NumHorizontal"] * one["NumVertical"]
        assert (one["Type"], places <= 100, one["BackIndex"] in (-2, -3)) == ("Card", True, True)
        assert set(map(str, one["Indices"])) == set(one["CardNames"]) >= set(one["CardMetadata"])
        assert max(one["Indices"]) < places
        used |= {one["FrontTexture"], one["BackTexture"]}
    assert len(guids) == len(list((package / "Templates").iterdir()))
    assert used == {path.name for path in (package / "Textures").iterdir()}


def whole_list(folder: Path, name: str, columns: tuple[str, ...]) -> None:
    rows = list(csv.DictReader(io.StringIO((folder / name).read_text())))
    used = {row[column] for row in rows for column in columns} - {""}
    assert used == {str(path.relative_to(folder)) for path in folder.rglob("*.png")}
    for row in rows:
        if "place" in row:
            width, height = size_of(folder / row["sheet"])
            assert (width % int(row["columns"]), height % int(row["rows"])) == (0, 0)
            assert 1 <= int(row["place"]) <= int(row["columns"]) * int(row["rows"])
    if name == "cards.csv":
        for deck in {path.parent for path in folder.rglob("*.png")}:
            assert len({size_of(path) for path in deck.iterdir()}) == 1, "all of a deck are equally large"


def all_whole(workspace: Path, out: Path, game: str, players: str) -> None:
    for more in ((), ("--players", players)):
        whole_save(made(workspace, out, game, "tts", *more), game)
        whole_room(made(workspace, out, game, "pcio", *more), game)
    whole_package(made(workspace, out, game, "ttpg"), game)
    whole_list(made(workspace, out, game, "tabletopia"), "cards.csv", ("front", "back"))
    for to in ("screentop", "sprites"):
        whole_list(made(workspace, out, game, to), "sheets.csv", ("sheet", "back"))
    for to, most in MOST_PX.items():
        assert TABLES[to].max_px == most
        pictures = list((out / game / to).rglob("*.png"))
        assert pictures
        assert all(max(size_of(path)) <= most for path in pictures)


def test_a_small_game_is_whole_on_every_table(make_workspace: Make, tmp_path: Path) -> None:
    all_whole(make_workspace(POND).root, tmp_path / "out", "pond", "3")


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_bundled_games_are_whole_on_every_table(game: str, tmp_path: Path) -> None:
    all_whole(REPOSITORY, tmp_path, game, GAMES[game])


def test_a_die_reads_the_side_that_is_up(make_workspace: Make, tmp_path: Path) -> None:
    """Each turn brings the side that it names to the top; the program mirrors meshes in x and turns as Unity does."""
    folder = made(make_workspace(POND).root, tmp_path / "out", "pond", "tts")
    saved = json.loads((folder / "pond.json").read_text())
    dice = [one for one in saved["ObjectStates"] if one["Name"] == "Custom_Model"]
    assert [one["CustomMesh"]["TypeIndex"] for one in dice] == [2, 2]
    lines = [line.split() for line in (folder / MESH).read_text().splitlines()]
    normals = [tuple(map(float, words)) for kind, *words in lines if kind == "vn"]
    corners = [tuple(map(float, words)) for kind, *words in lines if kind == "vt"]
    values = dice[0]["RotationValues"]
    assert [one["Value"] for one in values] == ["Rain", "2", "3", "4", "5", "Sun"]
    for (x, y, z), turn in zip(normals, (one["Rotation"] for one in values), strict=True):
        about_z = complex(-x, y) * 1j ** (turn["z"] // 90)
        about_x = complex(about_z.imag, z) * 1j ** (turn["x"] // 90)
        assert (round(about_z.real), round(about_x.real)) == (0, 1)
    middles = [
        tuple(sum(axis) / 4 for axis in zip(*corners[start : start + 4], strict=True)) for start in range(0, 24, 4)
    ]
    with Image.open(folder / "die-sides.png") as sheet:
        found = [
            sheet.getpixel((round(u * sheet.width), round((1 - v) * sheet.height) + sheet.height // 6))
            for u, v in middles
        ]
    assert found == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255), (255, 0, 255)]
