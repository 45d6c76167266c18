"""`<style>` sheets -> what their rules say of elements.

A selector is `tag`, `*`, `.class` or `#id`; states such as `:hover` never hold on paper. Anything else is not
understood and reported. Source: CSS 2.1, chapter 5 and 6.4.3 (specificity).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from duckpress.art.bad_art import refuse_more
from duckpress.art.svg.svg_reader import SvgNode

_TYPES = ("", "text/css")
_MEDIA = ("", "all", "print", "screen")  # `screen`: what a drawing program shows, and so what a designer means

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# Of another file, which no browser reads for a picture either.
_IMPORT = re.compile(r"\A(?:\s*@import [^;{}]*;)+")
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*+|[.#][\w-]++)(:[a-z-]++)?")
_WEIGHTS = {"#": 10_000, ".": 100, "*": 0}
_NEVER = (":hover", ":active", ":focus", ":focus-within", ":visited", ":target", ":link")


class Declared(NamedTuple):
    """What one declaration says; of two for one element the greater one holds (`text` never decides)."""

    is_important: bool
    weight: int
    order: int
    text: str


Rules = Mapping[str, Mapping[str, Declared]]
"""Simple selector -> property -> what holds of all that its rules say."""


def read_rules(sheets: list[SvgNode], names: Collection[str]) -> tuple[Rules, list[tuple[SvgNode, str]]]:
    """Return the rules of `<style>` elements, and what is not understood, each with its element.

    `names` are the properties that matter. Raises `TooMuchArt`.
    """
    rules: dict[str, dict[str, Declared]] = {}
    misread: list[tuple[SvgNode, str]] = []
    order = 0
    for sheet in sheets:
        if sheet.attrib.get("media", "").strip() not in _MEDIA or sheet.attrib.get("type", "") not in _TYPES:
            misread.append((sheet, "of a style element with another type or medium"))
        for selectors, body in _blocks(sheet.words):
            if body is None:
                misread.append((sheet, selectors))
                continue
            said = declarations(body, names)
            for written in selectors.split(","):
                selector = written.strip()
                order += 1
                refuse_more(order, "svg-rules", "its styles have more than {most} rules")
                match = _SELECTOR.fullmatch(selector)
                if match is None or (match[2] and match[2] not in _NEVER) or "\\" in body:
                    misread.append((sheet, " ".join(selector[:1000].split())[:60] or "an empty selector"))
                elif not match[2]:
                    known, weight = rules.setdefault(selector, {}), _WEIGHTS.get(selector[0], 1)
                    for name, (text, flag) in said.items():
                        declared = Declared(flag, weight, order, text)
                        known[name] = max(declared, known.get(name, declared))
    return rules, misread


def _blocks(css: str) -> Iterator[tuple[str, str | None]]:
    """Yield the selectors and the declarations of each rule; for what is none its beginning, and None.

    Every letter is looked at once, whatever is in it.
    """
    *blocks, rest = _IMPORT.sub("", _COMMENT.sub(" ", css)).split("}")
    for block in blocks:
        selectors, _, body = block.partition("{")
        if not block.strip() or selectors.strip() == "@font-face":
            continue  # fonts are those of the project
        if "{" in body:
            yield " ".join(selectors[:1000].split())[:60], None
        else:
            yield selectors, body
    if rest.strip():
        yield rest.strip()[:60], None


def declarations(text: str, names: Collection[str]) -> dict[str, tuple[str, bool]]:
    """Return `name: value; name: value` as name -> (value, whether it is important); of these names only."""
    declared: dict[str, tuple[str, bool]] = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        name = name.strip().lower()
        if not colon or name not in names:
            continue
        plain, mark, _ = value.partition("!")
        said = plain.strip(), bool(mark)
        if said[1] or not declared.get(name, said)[1]:
            declared[name] = said
    return declared
