"""The net of a die, read from what is drawn and folded: it closes to a cube, and each open edge has one tab."""

from __future__ import annotations

import re

from workshop import MakeWorkspace, lay_out

Point = tuple[float, float]
Vector = tuple[int, ...]
EDGE = 10.0
TAB = 3.0
DIE = (
    f'<dicenet edge="{EDGE:g}" tab="{TAB:g}" x="5" y="5" bleed="1.5" halo="#ffffff" stroke="#aaaaaa" fold="#bbbbbb">'
    + "".join(f'<side fill="#00000{side}"/>' for side in range(1, 7))
    + "</dicenet>"
)


class Net:
    """The lines of a net: squares of the sides in the order written, the cut line, and the folds; in edges."""

    def __init__(self, make_workspace: MakeWorkspace, die: str = DIE) -> None:
        trial = lay_out(make_workspace, die)
        assert trial.problems == []
        self.lines = trial.lines
        squares = [re.search(r"fill #00000(\d): (\S+) (\S+) 10 10 re", line) for line in trial.lines]
        self.seats = {int(found[1]): _in_edges((float(found[2]), float(found[3]))) for found in squares if found}
        (cut,) = [line for line in trial.lines if "#aaaaaa" in line]
        (folds,) = [line for line in trial.lines if "#bbbbbb" in line]
        assert "dash" in folds
        assert "dash" not in cut
        self.cut = [_in_edges(point) for point in _points(cut)]
        ends = [_in_edges(point) for point in _points(folds)]
        self.folds = list(zip(ends[::2], ends[1::2], strict=True))


def _in_edges(point: Point) -> Point:
    left, top = 5 + TAB, 5 + TAB
    return round((point[0] - left) / EDGE, 4), round((point[1] - top) / EDGE, 4)


def _points(line: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+) [ml]", line.partition(": ")[2])]


Side = tuple[Vector, Vector, Vector, Vector]
"""A side folded into space: its upper left corner, its directions across and down, and its outer normal."""


def at(side: Side, x: float, y: float) -> Vector:
    """Return where a point of a side lies, counted from its upper left corner."""
    return tuple(int(c + round(x) * a + round(y) * d) for c, a, d in zip(*side[:3], strict=True))


def _sum(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _minus(one: Vector) -> Vector:
    return tuple(-a for a in one)


def folded(net: Net) -> dict[int, Side]:
    """Fold a net from its first side on, each side back by a right angle, along the folds that two sides share."""
    seats = {seat: number for number, seat in net.seats.items()}
    done: dict[int, Side] = {1: ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    waiting = [1]
    while waiting:
        number = waiting.pop()
        x, y = net.seats[number]
        corner, across, down, normal = done[number]
        around: dict[tuple[int, int], Side] = {
            (1, 0): (_sum(corner, across), _minus(normal), down, across),
            (-1, 0): (_sum(corner, _minus(normal)), normal, down, _minus(across)),
            (0, 1): (_sum(corner, down), across, _minus(normal), down),
            (0, -1): (_sum(corner, _minus(normal)), across, normal, _minus(down)),
        }
        for (dx, dy), side in around.items():
            other = seats.get((x + dx, y + dy))
            if other is not None and other not in done:
                done[other] = side
                waiting.append(other)
    return done


def edges_of(net: Net) -> dict[tuple[Point, Point], tuple[int, frozenset[Vector]]]:
    """Return for each side's edge in the net (either way round) its side, and the edge of the cube it becomes."""
    found = {}
    for number, side in folded(net).items():
        x, y = net.seats[number]
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            ends = frozenset((at(side, x1, y1), at(side, x2, y2)))
            for start, end in (((x1, y1), (x2, y2)), ((x2, y2), (x1, y1))):
                found[(x + start[0], y + start[1]), (x + end[0], y + end[1])] = (number, ends)
    return found


def test_the_sides_become_a_cube_on_twelve_folds_seven_of_which_have_a_tab(make_workspace: MakeWorkspace) -> None:
    net = Net(make_workspace)
    sides = folded(net)
    normals = {number: side[3] for number, side in sides.items()}
    assert len(sides) == len(set(normals.values())) == 6
    assert len({at(side, x, y) for side in sides.values() for x in (0, 1) for y in (0, 1)}) == 8
    for one, other in ((1, 6), (2, 5), (3, 4)):
        assert normals[one] == _minus(normals[other])
    # One, two, three run anticlockwise around their corner, seen from outside; y runs down in the net.
    (a, b, c), (d, e, f), (g, h, i) = (normals[number] for number in (1, 2, 3))
    assert a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == -1
    edges = edges_of(net)
    assert len(net.folds) == len({edges[fold][1] for fold in net.folds}) == 12
    assert sorted(_beside(net, fold) for fold in net.folds) == [1] * 7 + [2] * 5


def _beside(net: Net, fold: tuple[Point, Point]) -> int:
    """Return how many sides of the net have a line as an edge."""
    count = 0
    for x, y in net.seats.values():
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        edges = [frozenset(pair) for pair in zip(corners, [*corners[1:], corners[0]], strict=True)]
        count += frozenset(fold) in edges
    return count
