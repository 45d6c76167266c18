"""`<style>` sheets, presentation attributes and `style="..."` -> an SVG element's properties, inherited as in CSS.

A selector is `tag`, `*`, `.class` or `#id`; states such as `:hover` never hold on paper. Anything else is not
understood and reported. Source: SVG 1.1, chapters 6 and 11; CSS 2.1, chapter 5, 6.4.2 (`!important`) and 6.4.3
(specificity).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from duckpress.art import refuse_more
from duckpress.art.svg import SvgNode
from duckpress.core.backs import INKS

_TYPES = ("", "text/css")
_MEDIA = ("", "all", "print", "screen")  # `screen`: what a drawing program shows, and so what a designer means

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# Of another file, which no browser reads for a picture either.
_IMPORT = re.compile(r"\A(?:\s*@import [^;{}]*;)+")
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*+|[.#][\w-]++)(:[a-z-]++)?")
_WEIGHTS = {"#": 10_000, ".": 100, "*": 0}
_NEVER = (":hover", ":active", ":focus", ":focus-within", ":visited", ":target", ":link")


class Declared(NamedTuple):
    """One declaration, ordered by precedence: of two for one property the greater wins (`text` never decides)."""

    is_important: bool
    weight: int
    order: int
    text: str


Rules = Mapping[str, Mapping[str, Declared]]
"""Simple selector -> property -> what holds of all that its rules say."""


def read_rules(sheets: list[SvgNode]) -> tuple[Rules, list[tuple[SvgNode, str]]]:
    """Return the rules of `<style>` elements, and the unsupported rules with their elements. Raises `TooMuchArt`."""
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
            said = _declarations(body)
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
    """Yield the selectors and the declarations of each rule; for an unsupported one its beginning, and None.

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


def _declarations(text: str) -> dict[str, tuple[str, bool]]:
    """Return `name: value; name: value` as name -> (value, whether it is important), for supported names."""
    declared: dict[str, tuple[str, bool]] = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        name = name.strip().lower()
        if not colon or name not in _STYLED:
            continue
        plain, mark, _ = value.partition("!")
        said = plain.strip(), bool(mark)
        if said[1] or not declared.get(name, said)[1]:
            declared[name] = said
    return declared


INHERITED = {
    "fill": "#000000", "stroke": "none", "stroke-width": "1", "stroke-dasharray": "none", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "fill-opacity": "1", "stroke-opacity": "1",
    "fill-rule": "nonzero", "clip-rule": "nonzero", "color": "", "visibility": "visible", "paint-order": "normal",
    "stroke-dashoffset": "0", "font-family": "serif", "font-size": "16", "font-weight": "400", "font-style": "normal",
    "letter-spacing": "normal", "word-spacing": "normal", "text-anchor": "start", "white-space": "normal",
    "dominant-baseline": "auto", "repainted": "no",
}  # fmt: skip
RARE = ("mask", "marker", "marker-start", "marker-mid", "marker-end")
"""Properties that name an element which is not drawn here, as hardly any drawing has one."""
_OWN = {
    "opacity": "1", "display": "inline", "clip-path": "none", "overflow": "hidden", "stop-color": "#000000",
    "stop-opacity": "1", "font": "", **dict.fromkeys(RARE, "none"),
}  # fmt: skip
# Properties that change the picture in ways that are not drawn here, with the values that change nothing.
_REFUSED: dict[str, tuple[str, ...]] = {
    "filter": ("none",),
    "mix-blend-mode": ("normal",),
    "vector-effect": ("none",),
    "transform-origin": ("0", "0 0"),
    "transform-box": ("view-box",),
}
_REFUSED_OF_TEXT: dict[str, tuple[str, ...]] = {
    "writing-mode": ("lr", "lr-tb", "horizontal-tb"),
    "direction": ("ltr",),
    "baseline-shift": ("baseline", "0", "0%", "0px"),
    "alignment-baseline": ("auto", "baseline"),
    **dict.fromkeys(("text-decoration", "text-decoration-line", "text-transform"), ("none",)),
    **dict.fromkeys(("font-variant", "font-variant-caps"), ("normal",)),
    **dict.fromkeys(("inline-size", "shape-inside"), ("0", "auto", "none")),
}
# The same for what a style sheet can say and an attribute cannot, or says otherwise. Source: SVG 2, chapter 7.
_REFUSED_IN_STYLES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "d", "points"), ()),
    **dict.fromkeys(("transform", "translate", "rotate", "scale", "animation", "animation-name"), ("none",)),
    **dict.fromkeys(("mask-image", "-webkit-mask", "-webkit-mask-image", "clip"), ("none", "auto")),
    **dict.fromkeys(("offset", "offset-path", "-webkit-filter", "-webkit-clip-path", "all", "zoom"), ("none",)),
}
_KNOWN = {**INHERITED, **_OWN, **_REFUSED, **_REFUSED_OF_TEXT}
_STYLED = _KNOWN.keys() | _REFUSED_IN_STYLES.keys()


def declared_by(part: SvgNode, rules: Rules) -> dict[str, str]:
    """Return the properties that an element itself declares: attributes, then rules, then its `style`."""
    attributes = part.attrib
    declared = {name: value.strip() for name, value in attributes.items() if name in _KNOWN}
    important: set[str] = set()
    if rules:
        by_rules: dict[str, Declared] = {}
        selectors = ["*", part.tag, *(f".{name}" for name in attributes.get("class", "").split())]
        for selector in (*selectors, f"#{attributes.get('id', '')}"):
            for name, rule in rules.get(selector, {}).items():
                by_rules[name] = max(rule, by_rules.get(name, rule))
        important = {name for name, rule in by_rules.items() if rule.is_important}
        declared.update((name, rule.text) for name, rule in by_rules.items())
    if "style" in attributes:
        for name, (text, is_important) in _declarations(attributes["style"]).items():
            if is_important or name not in important:
                declared[name] = text
    return declared


def inherited(parent: dict[str, str], declared: dict[str, str]) -> dict[str, str]:
    """Return the inherited properties of an element, from its parent's and its own declarations."""
    if "font" in declared or "font-size" in declared:
        declared = _sized(declared, parent.get("font-size", "16"))
    changed = {name: value for name, value in declared.items() if name in INHERITED and value not in ("inherit", "")}
    return {**parent, **changed} if changed else parent


_SIZE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(em|ex|rem|%)")
_SHORTHAND = re.compile(
    r"(?P<how>(?>(?:(?:normal|italic|oblique|bold|bolder|lighter|[1-9]00)\s+){0,4}))(?P<size>[\d.]+[a-z%]*)"
    r"(?:\s*/\s*[\w.%]+)?\s+(?P<family>\S.*)"
)
_SIZES = {
    "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32,
}  # fmt: skip  # pixels; source: CSS Fonts 4, 2.5, at a medium of 16


def _sized(declared: dict[str, str], around: str) -> dict[str, str]:
    """Return properties with `font` split into its parts, and a relative `font-size` made absolute."""
    match = _SHORTHAND.fullmatch(declared.get("font", "").strip()[:1000])
    if match is not None:
        words = match["how"].split()
        weight = next((word for word in words if word[0].isdigit() or word.startswith(("bold", "light"))), "400")
        style = next((word for word in words if word in ("italic", "oblique")), "normal")
        parts = {"font-family": match["family"], "font-weight": weight, "font-style": style}
        declared = {**parts, "font-size": match["size"], **declared}
    size = declared.get("font-size", "")
    share, base = _SIZE.fullmatch(size), _SIZE_PX.fullmatch(around)
    if size in _SIZES:
        return {**declared, "font-size": str(_SIZES[size])}
    if share is None or base is None:
        return declared
    by = {"em": 1.0, "ex": 0.5, "%": 0.01}.get(share[2])
    pixels = float(share[1]) * (16 if by is None else float(base[1]) * by)
    return {**declared, "font-size": f"{pixels:g}{'' if by is None else base[2]}"}


_SIZE_PX = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(px|pt|mm|cm|in|pc|)")


def refused_by(part: SvgNode, declared: dict[str, str]) -> Iterator[str]:
    """Yield the unsupported declarations of an element. The size of the root does not matter here."""
    for name, value in declared.items():
        if part.tag in ("text", "tspan") and value not in _REFUSED_OF_TEXT.get(name, (value,)) and value != "inherit":
            yield f"{name}: {value[:40]}"
        harmless = _REFUSED.get(name) or _REFUSED_IN_STYLES.get(name)
        if harmless is None and name not in _REFUSED_IN_STYLES:
            continue
        if value not in (harmless or ()) and value != "inherit":
            yield f"{name}: {value[:40]}" + ("" if name in _REFUSED or name == "clip" else " in a style")
    if "\\" in part.attrib.get("style", ""):
        yield "an escape in a style"


_INK_CLASSES = frozenset(f"ink-{ink}" for ink in INKS)


def is_of_another_ink(classes: str, ink: str) -> bool:
    """Return whether an element shows in other inks only: class `ink-color` restricts it to that ink."""
    inks = _INK_CLASSES.intersection(classes.split())
    return bool(inks) and f"ink-{ink}" not in inks


def repainted(classes: str, repaint: Mapping[str, str]) -> dict[str, str]:
    """Return the properties of an element by its classes; `repaint` maps `class` or `class.stroke` to `#rrggbb`."""
    keys = (("", "fill"), (".fill", "fill"), (".stroke", "stroke"))
    names = classes.split() if repaint else ()
    return {said: repaint[name + key] for name in names for key, said in keys if name + key in repaint}
