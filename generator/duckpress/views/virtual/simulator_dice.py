"""Dice for Tabletop Simulator: a cube of ours with the sides' pictures, and what it reads when it lies.

The program's own dice take pictures whose places nobody publishes; a `Custom_Model` of type 2 is a die with a mesh and
a texture that are known. Its loader mirrors meshes in x, and its turns are those of Unity: 90 about z brings up what
was at x, 270 about x what was at z.
"""

from __future__ import annotations

from typing import Any

from duckpress.art.quick_png import quick_png
from duckpress.fonts import FontLibrary
from duckpress.views.export_files import Files
from duckpress.views.virtual.table_dice import TWO_ROWS, TableDie, sheet_of
from duckpress.views.virtual.table_job import SpriteGrid

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


def die_files(die: TableDie, grid: SpriteGrid, fonts: FontLibrary) -> Files:
    """Return the mesh, which all dice share, and the picture of a die's sides."""
    sheet = sheet_of(die.pictures(fonts, grid.dpi, grid.max_px), TWO_ROWS)
    return {MESH: _mesh().encode(), die.picture_name: quick_png(sheet, grid.dpi)}


def die_record(die: TableDie, base: str) -> dict[str, Any]:
    """Return what makes an object a die: its mesh, its picture, and what it reads at each turn."""
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
