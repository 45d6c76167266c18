"""Places of dots on a turned, scaled and slightly bent sheet -> the lattice that they stand on.

Dots of a lattice stand in step along its rows and columns: a wave as long as a cell has the same height at all of them,
nearly so for their places in a cell. So the turn and the scale are those at which the waves of all dots add up most,
first of waves as long as a cell, then of waves as long as a step. What is no dot adds up to nothing.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from cmath import exp, phase
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from duckpress.core.geometry import Point
from duckpress.core.units import added
from duckpress.marks.dot_lattice import PITCH_MM, PLACES, STEP_MM, STEPS

_TURN = 2j * math.pi
_MOST_LOOKED_AT = 240  # dots: more would not find a turn better
_LIKELIEST = 3
_MIDDLE = (PLACES - 1) / 2  # of the places in a cell, in steps
_HIGH = math.cos(2.5 * 2 * math.pi / STEPS)  # of a wave: a step beyond the places in a cell
_NEAR_STEPS = 0.35
_FINEST = 2e-5  # of a turn or a scale: over a large sheet less than a tenth of a step
_FEWEST = 12
_SLIM = 0.01
_BESIDE_STEPS = 2 * STEPS
_AROUND = range(-3, 4)  # quarters of a step, at the ends of the sheet: so far may waves as long as a cell be off

_Wave = tuple[float, float]
"""How many waves there are to the mm, across and down."""


class _Pose(NamedTuple):
    """How a sheet lies: its turn in radians, and how large it is across and down."""

    angle: float
    across: float
    down: float

    def waves(self, each: int) -> tuple[_Wave, _Wave]:
        """Return waves along its rows and down its columns, so many for each cell."""
        cosine, sine = each * math.cos(self.angle) / PITCH_MM, each * math.sin(self.angle) / PITCH_MM
        return (cosine / self.across, sine / self.across), (-sine / self.down, cosine / self.down)


class LatticeAxis(NamedTuple):
    """A direction of the lattice: how many steps a point lies along it, of mm across and down."""

    across: float
    down: float
    start: float

    def at(self, point: Point) -> float:
        """Return where a point lies along it, in steps: the first place of a cell is a multiple of `STEPS`."""
        return self.across * point[0] + self.down * point[1] + self.start


class Lattice(NamedTuple):
    """Two axes; which of them are the rows of the code is left open, and which way round they are."""

    across: LatticeAxis
    down: LatticeAxis

    def places(self, points: Sequence[Point]) -> list[Point]:
        """Return where points lie on it, in steps."""
        return [(self.across.at(point), self.down.at(point)) for point in points]


def lattices_of(points: Sequence[Point], *, most_degrees: float, most_scale: float) -> Iterator[Lattice]:
    """Yield the likeliest lattices of points, turned by so much at most, and larger or smaller by so many parts."""
    chosen = points if len(points) <= _MOST_LOOKED_AT else random.Random(1).sample(points, _MOST_LOOKED_AT)
    sides = ([point[at] for point in chosen] for at in (0, 1))
    reach_mm = max(1.0, *(max(side) - min(side) for side in sides))
    for angle, scale in _turns(chosen, reach_mm, math.radians(most_degrees), most_scale):
        pose, near = _Pose(angle, scale, scale), points
        for parts_mm in (0.6, 0.3):
            pose = _climbed(near, pose, 1, parts_mm / reach_mm)
            near = _near(points, pose)
        part = STEP_MM / 4 / reach_mm
        pose = _climbed(near, _stepped(near, pose, part), STEPS, part)
        yield Lattice(*(_squared(near, axis) for axis in _axes(near, pose)))


def upright_lattice(points: Sequence[Point]) -> Lattice:
    """Return the lattice of points that lie as they were planned."""
    return Lattice(*_axes(points, _Pose(0.0, 1.0, 1.0)))


def _turns(
    points: Sequence[Point], reach_mm: float, most: float, most_scale: float
) -> Iterator[tuple[float, float]]:  # fmt: skip
    """Yield the turn, in radians, and the scale at which the waves of points add up most; then the next best."""
    each = PITCH_MM / (4 * reach_mm)  # a quarter of a wave from end to end
    turns, scales = (range(-math.ceil(span / each), math.ceil(span / each) + 1) for span in (most, most_scale))
    heights: list[tuple[float, float, float]] = []
    for turn in turns:
        across, down = math.cos(turn * each), math.sin(turn * each)
        sums = [0.0] * len(scales)
        for a, d in ((across, down), (-down, across)):
            angles = [_TURN * (a * x + d * y) / PITCH_MM for x, y in points]
            waves = [exp(angle * (1 + scales[0] * each)) for angle in angles]
            steps = [exp(angle * each) for angle in angles]
            for at in range(len(scales)):
                sums[at] += abs(sum(waves)) ** 2
                waves = [wave * step for wave, step in zip(waves, steps, strict=True)]
        heights += [(height, turn * each, 1 / (1 + scale * each)) for height, scale in zip(sums, scales, strict=True)]
    best: list[tuple[float, float]] = []
    for _, angle, scale in sorted(heights, reverse=True):
        if all(abs(angle - other) > 3 * each or abs(scale - size) > 3 * each for other, size in best):
            best.append((angle, scale))
            yield angle, scale
        if len(best) == _LIKELIEST:
            return


def _height(points: Sequence[Point], wave: _Wave) -> complex:
    """Return what a wave adds up to at all points."""
    across, down = _TURN * wave[0], _TURN * wave[1]
    return sum([exp(across * x + down * y) for x, y in points])


def _height_of(points: Sequence[Point], pose: _Pose, each: int) -> float:
    """Return what the waves of a pose, so many for each cell, add up to in both directions."""
    across, down = pose.waves(each)
    return abs(_height(points, across)) + abs(_height(points, down))


def _climbed(points: Sequence[Point], pose: _Pose, each: int, step: float) -> _Pose:
    """Return the pose near another in which the waves of points, so many for each cell, add up most."""
    best = _height_of(points, pose, each)
    while step > _FINEST:
        angle, across, down = pose
        around = [_Pose(angle + off, across, down) for off in (step, -step)]
        around += [_Pose(angle, across + off, down) for off in (step, -step)]
        around += [_Pose(angle, across, down + off) for off in (step, -step)]
        heights = [_height_of(points, pose, each) for pose in around]
        if max(heights) > best:
            best = max(heights)
            pose = around[heights.index(best)]
        else:
            step /= 2
    return pose


def _stepped(points: Sequence[Point], pose: _Pose, part: float) -> _Pose:
    """Return the pose around another in which waves as long as a step add up most."""
    heights: list[tuple[float, _Pose]] = []
    for turn in _AROUND:
        angle, best = pose.angle + turn * part, list[tuple[float, float]]()
        for axis, size in enumerate(pose[1:]):
            sizes = [size + off * part for off in _AROUND]
            waves = [_Pose(angle, size, size).waves(STEPS)[axis] for size in sizes]
            best.append(max((abs(_height(points, wave)), size) for wave, size in zip(waves, sizes, strict=True)))
        (high, across), (other, down) = best
        heights.append((high + other, _Pose(angle, across, down)))
    return max(heights)[1]


def _near(points: Sequence[Point], pose: _Pose) -> list[Point]:
    """Return the points at which waves as long as a cell are high: where dots stand, and few other things."""
    tops = [(wave, _height(points, wave)) for wave in pose.waves(1)]
    return [
        (x, y)
        for x, y in points
        if all(
            (exp(_TURN * (across * x + down * y)) * top.conjugate()).real > _HIGH * abs(top)
            for (across, down), top in tops
        )
    ]


def _axes(points: Sequence[Point], pose: _Pose) -> Iterator[LatticeAxis]:
    """Yield the axes of a pose, which begin where its waves are highest."""
    for cell, step in zip(pose.waves(1), pose.waves(STEPS), strict=True):
        turn = phase(_height(points, cell)) / (2 * math.pi)  # that of the middle of the places in a cell
        rest = phase(_height(points, step)) / (2 * math.pi)
        yield LatticeAxis(*step, round(_MIDDLE - STEPS * turn + rest) - rest)


def _squared(points: Sequence[Point], axis: LatticeAxis) -> LatticeAxis:
    """Return an axis fitted to the points that lie near its steps, by least squares."""
    for _ in range(3):
        offs = []
        for x, y in points:
            at = axis.at((x, y))
            if abs(round(at) - at) < _NEAR_STEPS and round(at) % STEPS < PLACES:
                offs.append((x, y, round(at) - at))
        if len(offs) < _FEWEST:
            return axis
        axis = _fitted(axis, offs)
    return axis


def _fitted(axis: LatticeAxis, offs: Sequence[tuple[float, float, float]]) -> LatticeAxis:
    """Return an axis moved, turned and scaled so that points are least off their steps."""
    mx, my, mo = (added(off[at] for off in offs) / len(offs) for at in range(3))
    offs = [(x - mx, y - my, off - mo) for x, y, off in offs]
    xx, xy, yy, xo, yo = (
        added(off[one] * off[other] for off in offs) for one, other in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2))
    )
    size = xx * yy - xy * xy
    if size < _SLIM * max(xx, yy) ** 2:  # nearly all in one line
        return axis._replace(start=axis.start + mo)
    across, down = (xo * yy - yo * xy) / size, (yo * xx - xo * xy) / size
    return LatticeAxis(axis.across + across, axis.down + down, axis.start + mo - across * mx - down * my)


def straightened(places: Sequence[Point]) -> list[Point]:
    """Return places on a lattice, in steps, without what paper that was fed unevenly has moved them by.

    It moves all dots alike that lie as far along its way, and those before and behind them nearly so.
    """
    return list(zip(*(_fed_evenly([place[at] for place in places]) for at in (0, 1)), strict=True))


def _fed_evenly(along: Sequence[float]) -> list[float]:
    """Return how far dots lie along the way of the paper, moved to whole steps as those around them are."""
    order = sorted(range(len(along)), key=lambda at: along[at])
    ordered, even = [along[at] for at in order], [0.0] * len(along)
    waves = [0j, *accumulate(exp(_TURN * place) for place in ordered)]
    move = 0.0
    for at, place in zip(order, ordered, strict=True):
        first, last = bisect(ordered, place - _BESIDE_STEPS), bisect(ordered, place + _BESIDE_STEPS)
        part = phase(waves[last] - waves[first]) / (2 * math.pi)
        move = part + round(move - part)
        even[at] = place - move
    return even
