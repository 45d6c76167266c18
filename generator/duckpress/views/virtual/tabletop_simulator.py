"""Decks and stacks -> the files of Tabletop Simulator: sheets of up to 70 cards, backs, and a saved table.

Sources: the program's knowledge base (custom decks, custom tiles) and its API pages on saved objects. A sheet is a grid
of at most 10 x 7 places of one size without gaps; the last place is free for a card because `BackIsHidden` is set: who
must not see a card sees its back. A card's number is the sheet's key times 100 plus its place, counted row by row. A
card alone is no deck but a `CardCustom`. What lies face down is at `rotZ` 180 and tells no name
(`HideWhenFaceDown`). Pictures are RGB, at most 4096 pixels a side unless more are asked for. Tokens and boards are
`Custom_Tile`s of two sides, several tokens in one stack a bag; a `HandTrigger` is the zone where a player's hand lies,
with its fronts up: others see backs there. What the setup leaves is in a bag of the game's name.

Dice are a cube of ours with the sides' pictures: the program's own take pictures whose places nobody publishes. A
`Custom_Model` of type 2 is a die with a mesh and a texture. The loader mirrors meshes in x, and its turns are those of
Unity: 90 about z brings up what was at x, 270 about x what was at z.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from duckpress.core.sizes import Format
from duckpress.model.setup import PlaceKind
from duckpress.views.export_files import Files, MadeFiles, json_bytes
from duckpress.views.virtual.sprites import painted_sheets
from duckpress.views.virtual.table_decks import TWO_ROWS, TableDeck, TableDie, TableThing
from duckpress.views.virtual.table_stacks import (
    UNIT_MM,
    TableCard,
    TableJob,
    TablePlan,
    TableSpot,
    TableStack,
    plan_of,
    spots_within,
)

MESH = "die.obj"
_DIE, _PLASTIC = 2, 0
# Of each side: where it looks, what is up on it, and the turn that brings it to the top.
_SIDES = (
    ((0, 0, 1), (0, 1, 0), (270, 0, 0)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 270)),
    ((0, 1, 0), (0, 0, -1), (0, 0, 0)),
    ((0, -1, 0), (0, 0, 1), (0, 0, 180)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, 90)),
    ((0, 0, -1), (0, 1, 0), (90, 0, 0)),
)


def die_record(die: TableDie, base: str) -> dict[str, Any]:
    """Return the keys that make an object a die: mesh, picture, and the value for each rotation."""
    addresses = {"MeshURL": base + MESH, "DiffuseURL": base + die.picture_name, "NormalURL": "", "ColliderURL": ""}
    kind = {"Convex": True, "MaterialIndex": _PLASTIC, "TypeIndex": _DIE, "CastShadows": True}
    turns = [dict(zip("xyz", map(float, turn), strict=True)) for _, _, turn in _SIDES]
    values = [{"Value": said, "Rotation": turn} for said, turn in zip(die.sides, turns, strict=True)]
    return {"CustomMesh": {**addresses, **kind}, "RotationValues": values}


def _mesh() -> str:
    """Return a cube of one unit as Wavefront OBJ: four corners a side, seen from outside counterclockwise."""
    lines = []
    for number, (out, up, _) in enumerate(_SIDES):
        right = [up[axis - 2] * out[axis - 1] - up[axis - 1] * out[axis - 2] for axis in range(3)]
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corner = [(out[axis] + across * right[axis] + along * up[axis]) / 2 for axis in range(3)]
            column, row = TWO_ROWS[number]
            u, v = (column + (across + 1) / 2) / 3, 1 - (row + (1 - along) / 2) / 2
            lines += [f"v {corner[0]:g} {corner[1]:g} {corner[2]:g}", f"vt {u:.6g} {v:.6g}"]
        lines.append(f"vn {out[0]} {out[1]} {out[2]}")
        corners = [f"{corner}/{corner}/{number + 1}" for corner in range(4 * number + 1, 4 * number + 5)]
        lines += [f"f {' '.join(corners[:3])}", f"f {corners[0]} {corners[2]} {corners[3]}"]
    return "\n".join(lines) + "\n"


CAPACITY = 70
RULES = "rules.pdf"
_CARD_MM = 88.9  # the height of a card at scale 1 on the table
_TILE = 2.0  # units that a tile at scale 1 measures
_PDF = 3.0
_COLOURS = ("White", "Red", "Yellow", "Green", "Blue", "Purple", "Orange", "Teal", "Pink", "Brown")
# Its numbers for shapes of cards, and for the same shapes of tiles.
_CARD_TYPES = {"rectangle": 1, "rounded": 0, "hexagon": 3, "circle": 4}
_TILE_TYPES = {"rectangle": 0, "hexagon": 1, "circle": 2, "rounded": 3}


class SheetRecords(NamedTuple):
    """A deck's cards on their sheets: their numbers, the records of the sheets, and the words."""

    numbers: Mapping[str, int]
    custom: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, tuple[str, str]]


def simulator_files(job: TableJob) -> MadeFiles:
    """Return the sheets, backs and saved table of a game, with its rules."""
    game, stacks, rules = job.game, job.stacks, job.rules()
    base = job.url or job.folder.resolve().as_uri() + "/"
    words = "the addresses are those of this machine: others see the pictures once they lie on the web (--url)"
    files: Files = {}
    shown: dict[str, SheetRecords] = {}
    key = 1
    for deck in job.decks:
        job.step(deck.name)
        shown[deck.name] = _shown(deck, job, key, base, files)
        key += len(shown[deck.name].custom)
    for die in job.dice:
        job.step(die.name)
        files |= {MESH: _mesh().encode()}
        files[die.picture_name] = die.sheet(job.fonts, job.grid.dpi, job.grid.max_px, TWO_ROWS)
    plan = plan_of(stacks)
    objects = [one for stack, spot in plan.stacks for one in _objects(stack, spot, shown, base)]
    left = [stack for stack in stacks if stack.is_away]
    if left:
        inside = [one for stack in left for one in _objects(stack, plan.bag, shown, base)]
        told = "\n".join(f"{stack.title}: {len(stack.cards)}" for stack in left)
        objects.append(_object("Bag", plan.bag, 1.0, game.title, told, is_face_up=True, ContainedObjects=inside))
    if rules is not None:
        files[RULES] = rules
        pdf = {"PDFUrl": base + RULES, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        objects.append(_object("Custom_PDF", plan.rules, _PDF, game.title, is_face_up=True, CustomPDF=pdf))
    snaps = [spot for stack, first in plan.stacks for _, spot in spots_within(stack, first)]
    saved: dict[str, Any] = {
        "SaveName": f"{game.title} {game.version}",
        "GameMode": game.title,
        "Date": "",
        "Table": "Table_RPG",
        "Sky": "",
        "Note": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ObjectStates": [*objects, *(_hand_zone(plan, seat) for seat in range(len(plan.hands)))],
        "SnapPoints": [
            {"Position": _at(spot, 1.0), "Rotation": {"x": 0.0, "y": _turn(spot), "z": 0.0}} for spot in snaps
        ],
    }
    _number(saved["ObjectStates"])
    files[f"{game.id}.json"] = json_bytes(saved)
    return MadeFiles(files, {"url": base, "max_px": job.grid.max_px}, [] if job.url else [words])


def _shown(deck: TableDeck, job: TableJob, key: int, base: str, files: Files) -> SheetRecords:
    """Return a deck's cards on its sheets, and add the pictures to the files."""
    numbers: dict[str, int] = {}
    custom: dict[str, Mapping[str, Any]] = {}
    is_card = deck.thing is TableThing.CARD
    sheets = painted_sheets(deck, job.grid, CAPACITY if is_card else 1, files, has_backs=is_card or deck.has_backs)
    for number, (sheet, front, back) in enumerate(sheets, key):
        custom[str(number)] = {
            "FaceURL": base + front,
            "BackURL": base + back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            "BackIsHidden": True,
            "UniqueBack": not deck.has_one_back,
            "Type": _CARD_TYPES[_shape(deck.faces[0].format)],
        }
        numbers |= {face.card: number * 100 + place for place, face in enumerate(sheet.faces)}
    return SheetRecords(numbers, custom, deck.words(job.game))


def _shape(format_: Format) -> str:
    if format_.is_round or format_.is_hex:
        return "circle" if format_.is_round else "hexagon"
    return "rounded" if format_.corner_mm else "rectangle"


def _objects(
    stack: TableStack, first: TableSpot, shown: Mapping[str, SheetRecords], base: str
) -> Iterator[dict[str, Any]]:
    """Yield the objects at a place: cards as a deck, tokens and boards as tiles, dice; singly if they are spread."""
    is_spread = stack.is_spread
    for top, spot in spots_within(stack, first):
        heap = [top] if is_spread else stack.cards
        cards = [card for card in heap if card.deck.thing is TableThing.CARD]
        if cards:
            yield _deck(stack, cards, spot, shown)
        loose = [one for card in heap for one in _loose(card, spot, shown, base)]
        if len(loose) > 1 and not is_spread:
            loose = [_object("Bag", spot, 1.0, stack.title, is_face_up=True, ContainedObjects=loose)]
        yield from loose


def _loose(card: TableCard, spot: TableSpot, shown: Mapping[str, SheetRecords], base: str) -> Iterator[dict[str, Any]]:
    """Yield a token or a board, or the dice of a net side by side; nothing for a card."""
    if card.deck.thing is TableThing.DIE:
        for number, die in enumerate(card.deck.dice[card.face.card]):
            beside = spot.beside(number * die.edge_mm / UNIT_MM)
            scale = round(die.edge_mm / UNIT_MM, 3)
            one = _object("Custom_Model", beside, scale, die.deck.title, is_face_up=True, **die_record(die, base))
            one["Transform"]["scaleY"] = scale
            yield one
    elif card.deck.thing is not TableThing.CARD:
        yield _tile(card, spot, shown)


def _deck(
    stack: TableStack, cards: Sequence[TableCard], spot: TableSpot, shown: Mapping[str, SheetRecords]
) -> dict[str, Any]:
    """Return cards as a deck on the table; a single card is no deck, but a card object."""
    is_face_up = stack.kind is PlaceKind.HAND or stack.is_face_up  # a hand shows its fronts to the player whose it is
    objects = [_card(card, spot, shown[card.deck.name], is_face_up=is_face_up) for card in cards]
    if len(objects) == 1:
        return {**objects[0], "Name": "CardCustom"}
    first = objects[0]["Transform"]
    return {
        **_object("DeckCustom", spot, first["scaleX"], stack.title, is_face_up=is_face_up),
        "HideWhenFaceDown": True,
        "DeckIDs": [card["CardID"] for card in objects],
        "CustomDeck": {key: one for card in objects for key, one in card["CustomDeck"].items()},
        "ContainedObjects": objects,
    }


def _card(card: TableCard, spot: TableSpot, shown: SheetRecords, *, is_face_up: bool) -> dict[str, Any]:
    number, trim = shown.numbers[card.face.card], card.face.front.trim
    name, more = shown.words[card.face.card]
    key = str(number // 100)
    return {
        **_object("Card", spot, trim.height_mm / _CARD_MM, name, more, is_face_up=is_face_up),
        "HideWhenFaceDown": True,
        "CardID": number,
        "SidewaysCard": trim.width_mm > trim.height_mm,
        "CustomDeck": {key: dict(shown.custom[key])},
    }


def _tile(card: TableCard, spot: TableSpot, shown: Mapping[str, SheetRecords]) -> dict[str, Any]:
    """Return a token or a board: a tile of two sides; a board is fixed."""
    known, thing = shown[card.deck.name], card.deck.thing
    sheet = known.custom[str(known.numbers[card.face.card] // 100)]
    name, more = known.words[card.face.card]
    scale = max(card.face.front.trim) / UNIT_MM / _TILE
    back = sheet["BackURL"] if card.face.back is not None else sheet["FaceURL"]
    picture = {"ImageURL": sheet["FaceURL"], "ImageSecondaryURL": back, "ImageScalar": 1.0, "WidthScale": 0.0}
    is_board = thing is TableThing.BOARD
    kind = {"Type": _TILE_TYPES[_shape(card.face.format)], "Thickness": 0.1, "Stackable": not is_board, "Stretch": True}
    return {
        **_object("Custom_Tile", spot, scale, name, more, is_face_up=True),
        "Locked": is_board,
        "CustomImage": {**picture, "CustomTile": kind},
    }


def _hand_zone(plan: TablePlan, number: int) -> dict[str, Any]:
    """Return the zone of a player's hand, visible to that player alone."""
    zone = _object("HandTrigger", plan.hands[number], 1.0, "", is_face_up=True)
    turn = (zone["Transform"]["rotY"] + 180.0) % 360.0
    sizes = {"scaleX": round(plan.hand.width_mm, 2), "scaleY": 6.0, "scaleZ": round(plan.hand.height_mm, 2)}
    zone["Transform"] |= {"posY": 3.0, "rotY": turn, **sizes}
    return {**zone, "Locked": True, "FogColor": _COLOURS[number % len(_COLOURS)]}


def _object(
    name: str, spot: TableSpot, scale: float, title: str, more: str = "", *, is_face_up: bool = False, **held: object
) -> dict[str, Any]:
    scale = round(scale, 3)
    turned = {"rotX": 0.0, "rotY": _turn(spot), "rotZ": 0.0 if is_face_up else 180.0}
    sizes = {"scaleX": scale, "scaleY": 1.0, "scaleZ": scale}
    place = {f"pos{axis.upper()}": value for axis, value in _at(spot, 1.0).items()}
    return {"Name": name, "Transform": {**place, **turned, **sizes}, "Nickname": title, "Description": more, **held}


def _turn(spot: TableSpot) -> float:
    return round((180.0 + spot.turn) % 360.0, 1)


def _at(spot: TableSpot, height: float) -> dict[str, float]:
    return {"x": round(spot.x, 2) + 0.0, "y": height, "z": round(spot.z, 2) + 0.0}


def _number(objects: Sequence[dict[str, Any]], *within: int) -> None:
    """Number every object with its six-digit id, the same for the same table."""
    for number, one in enumerate(objects):
        words = "/".join(map(str, (*within, number, one["Name"], one["Nickname"])))
        one["GUID"] = hashlib.sha256(words.encode()).hexdigest()[:6]
        _number(one.get("ContainedObjects", ()), *within, number)
