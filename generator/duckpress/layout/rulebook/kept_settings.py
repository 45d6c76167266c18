"""Settings of blocks and breaks of pages, kept for later runs: a changed word leaves most of a text as it was.

A setting is found by all that decides it but fonts and icons. Those are asked for again where it is taken, as setting
the words would do, and whoever keeps the whole keeps it with the files that they come from. A setting with a problem is
made every time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from duckpress.files.memo import Form, form_of
from duckpress.layout import ICON, ArtShelf
from duckpress.text.fonts import FontLibrary
from duckpress.text.styles import FONT, OTHERS, Use

T = TypeVar("T")
_MOST_WORDS = 10_000
_SETTING = form_of(tuple[bytes, list[Use]])


class Kept(Struct, frozen=True, array_like=True):
    """The settings of a text by their keys, each with its uses, and the places of hyphens in words."""

    settings: dict[bytes, bytes] = field(default_factory=dict)
    hyphens: dict[str, list[int]] = field(default_factory=dict)


KEPT = form_of(Kept)


class KeptSettings:
    """Takes settings from an earlier run; `news` has those that were used in this one."""

    def __init__(self, kept: Kept, fonts: FontLibrary, art: ArtShelf, uses: list[Use]) -> None:
        """Take the list in which the uses of a setting are noted while it is made."""
        self._known = kept.settings
        self._used: dict[bytes, bytes] = {}
        self._fonts = fonts
        self._art = art
        self._uses = uses
        self._asked: set[Use] = set()

    def once(self, parts: tuple[object, ...], form: Form[T], make: Callable[[], tuple[T, bool]]) -> T:
        """Return the setting that `parts` decide; `make` gives it, and whether it is to be kept."""
        key = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()
        with suppress(msgspec.MsgspecError, KeyError):
            body = self._known[key]
            written, uses = _SETTING.read(body)
            setting = form.read(written)
            self._ask_again(uses)
            self._used[key] = body
            return setting
        self._uses.clear()
        setting, is_kept = make()
        if is_kept:
            with suppress(ValueError):  # half a letter
                written = form.write(setting)
                self._known[key] = self._used[key] = _SETTING.write((written, list(dict.fromkeys(self._uses))))
        return setting

    def news(self, hyphens: dict[str, list[int]]) -> Kept:
        """Return what is to be kept for later runs."""
        return Kept(self._used, dict([*hyphens.items()][-_MOST_WORDS:]))

    def _ask_again(self, uses: list[Use]) -> None:
        for use in uses:
            if use in self._asked:
                continue
            self._asked.add(use)
            if use[0] == ICON:
                self._art.icon(use[1], use[2])
            elif use[0] == FONT:
                self._fonts.typeface(use[1], use[2], use[3] == "italic")
            else:
                self._fonts.fallbacks(use[1], use[2] == "italic", are_others=use[0] == OTHERS)
