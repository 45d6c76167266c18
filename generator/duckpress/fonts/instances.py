"""Variable fonts -> the one instance that a style of a family is: a value of each axis, pinned.

A style names its instance after its file, `Inter.ttf @ Condensed Bold` or `Inter.ttf @ wdth=75 opsz=14`; what it does
not name follows from the style's own weight and slant. Source: OpenType specification 1.9, `fvar`, registered axes;
Adobe Technical Note 5902 (names of instances).
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import uharfbuzz as hb

from duckpress.core.problems import did_you_mean
from duckpress.fonts.opentype import Unusable

MARK = " @ "
"""Stands between a font file and its instance."""


class FontFile(NamedTuple):
    """The bytes of a font file, and the value of each axis of a variable one, by its tag."""

    data: bytes
    pins: tuple[tuple[str, float], ...] = ()

    def digest(self) -> str:
        """Return what names this instance of this file alone."""
        pins = "".join(f"{tag}={value:g} " for tag, value in self.pins)
        return hashlib.sha256(self.data + pins.encode()).hexdigest()

    def font(self, face: hb.Face) -> hb.Font:
        """Return the instance of the file's face, to measure and draw with."""
        font = hb.Font(face)
        if self.pins:
            font.set_variations(dict(self.pins))
        return font


def pinned(face: hb.Face, wanted: str, weight: int, is_italic: bool) -> tuple[tuple[str, float], ...] | Unusable:
    """Return the value of each axis for a style (none for a static font), or why there is no such instance.

    `wanted` is what stands after the file: the name of an instance, values of axes, or nothing.
    """
    try:
        listed = list(face.axis_infos)
    except UnicodeDecodeError:
        return Unusable("not-a-font", "is damaged: one of its axes has no name", "get the whole file again")
    axes = {axis.tag: axis for axis in listed}
    if len(axes) < len(listed):
        return Unusable("not-a-font", "is damaged: two of its axes have one name", "get the whole file again")
    if not axes:
        fix = f"write its file without `{MARK.strip()} ...`"
        return _unusable("is not variable, and has no instances", fix) if wanted else ()
    pins = {tag: axis.default_value for tag, axis in axes.items()}
    if wanted and "=" not in wanted:
        named = {(face.get_name(one.subfamily_name_id) or "").lower(): one for one in face.named_instances}
        instance = named.get(wanted.lower())
        if instance is None:
            fix = did_you_mean(wanted, named, else_say="it has") or "write values of its axes, as `wght=600`"
            return _unusable(f"has no instance {wanted!r}", fix)
        pins = dict(zip(pins, map(float, instance.design_coords), strict=True))
    else:
        pins |= _own_values(axes, weight, is_italic)
        for word in wanted.split():
            tag, _, value = word.partition("=")
            if tag not in axes:
                return _unusable(f"has no axis {tag!r}", did_you_mean(tag, axes, else_say="its axes are"))
            try:
                pins[tag] = float(value)
            except ValueError:
                return _unusable(f"cannot have {value!r} on its axis {tag!r}", "write a number")
    for tag, axis in axes.items():
        if not axis.min_value <= pins[tag] <= axis.max_value:  # also of what is no number
            reach = f"from {axis.min_value:g} to {axis.max_value:g}"
            what = f"goes {reach} on its axis {tag!r}, and {pins[tag]:g} is asked for"
            return _unusable(what, f"write `FILE{MARK}{tag}={axis.max_value:g}`, or take the style out")
    return tuple(pins.items())


def _own_values(axes: dict[str, hb.OTVarAxisInfo], weight: int, is_italic: bool) -> dict[str, float]:
    """Return what the name of a style says of the axes that there are."""
    values: dict[str, float] = {"wght": float(weight)} if "wght" in axes else {}
    if is_italic and "ital" in axes:
        values["ital"] = axes["ital"].max_value
    elif is_italic and "slnt" in axes:
        values["slnt"] = axes["slnt"].min_value
    return values


def _unusable(what: str, fix: str) -> Unusable:
    return Unusable("font-variable", what, fix)


def name_of(face: hb.Face, pins: tuple[tuple[str, float], ...]) -> str:
    """Return the PostScript name of an instance: with each axis that is not at its default."""
    own = face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or ""
    usual = {axis.tag: axis.default_value for axis in face.axis_infos}
    moved = "".join(f"_{value:g}{tag.strip()}" for tag, value in pins if value != usual[tag])
    if not moved:
        return own
    return (face.get_name(hb.OTNameIdPredefined.VARIATIONS_PS_PREFIX) or own.partition("-")[0]) + moved.replace(
        ".", "p"
    )
