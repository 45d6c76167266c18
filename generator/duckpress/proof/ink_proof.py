"""The inks that a file asks for: what is printed in greys has no other colours, in any stream and in any picture."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duckpress.core.problems import Problem
from duckpress.proof.expected import fault
from duckpress.proof.used_things import ImageRead

_COLOURED = re.compile(rb"(?<!\S)(\S+) (?!\1 \1 (?:rg|RG)\b)\S+ \S+ (?:rg|RG)\b")
_PALETTE = re.compile(r"/Indexed /DeviceRGB \d+ (?:([0-9a-f]{2})\1\1)*").fullmatch


def check_greys(operators: bytes, name: str) -> Iterator[Problem]:
    """Yield a `proof-ink` for a colour in a stream that is to be printed in greys."""
    coloured = _COLOURED.search(operators)
    if coloured is not None:
        yield fault("proof-ink", f"{name} is to be in greys, and sets the colour {coloured[0].decode('latin-1')!r}")


def check_grey_picture(key: str, image: ImageRead) -> Iterator[Problem]:
    """Yield a `proof-ink` for a picture with colours among those that are to be printed in greys."""
    if image.space != "/DeviceGray" and not _PALETTE(image.space):
        yield fault("proof-ink", f"picture {key} is to be in greys, and has colours ({image.space[:40]})")
