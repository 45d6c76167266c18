"""How an SVG element is painted: presentation attributes, `<style>` rules and `style="..."`, inherited as CSS says.

Rules may select by `tag`, `.class`, `#id` or `*`, and lists of these; anything finer is not understood and reported.
Source: SVG 1.1, chapters 6 and 11; CSS 2.1, 6.4.3 (specificity).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

INHERITED = {
    "fill": "black",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-dasharray": "none",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "fill-opacity": "1",
    "stroke-opacity": "1",
    "fill-rule": "nonzero",
    "clip-rule": "nonzero",
    "color": "",
    "visibility": "visible",
    "repainted": "no",
}
OWN = {"opacity": "1", "display": "inline", "clip-path": "none"}
# Properties that change the picture in ways that are not drawn here, with the values that change nothing.
REFUSED = {
    "filter": ("none",),
    "mask": ("none",),
    "marker": ("none",),
    "marker-start": ("none",),
    "marker-mid": ("none",),
    "marker-end": ("none",),
    "mix-blend-mode": ("normal",),
    "paint-order": ("normal", "fill", "fill stroke", "fill stroke markers", "fill markers stroke"),
    "vector-effect": ("none",),
    "stroke-dashoffset": ("0", "0px"),
    "transform-origin": ("0", "0 0"),
    "transform-box": ("view-box",),
}
_KNOWN = {**INHERITED, **OWN, **REFUSED}
MAX_RULES = 2_000

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*)|\.([\w-]+)|#([\w-]+)")


class Rule(NamedTuple):
    """One selector with what it declares; of two that fit, the weightier wins, then the later one."""

    weight: int
    order: int
    tag: str
    class_: str
    id: str
    declared: dict[str, str]

    def fits(self, tag: str, classes: list[str], id_: str | None) -> bool:
        """Tell whether an element is selected."""
        if self.class_:
            return self.class_ in classes
        return id_ == self.id if self.id else self.tag in ("*", tag)


def read_rules(css: str, misread: list[str]) -> list[Rule]:
    """Give the rules of a style sheet, weakest first; what is not understood is added to `misread`."""
    css = _COMMENT.sub(" ", css)
    rules: list[Rule] = []
    end = 0
    for match in _RULE.finditer(css):
        end = match.end()
        for selector in match[1].split(","):
            selector = selector.strip()
            found = _SELECTOR.fullmatch(selector)
            if found is None or len(rules) >= MAX_RULES:
                misread.append(" ".join(selector.split())[:60] or "an empty selector")
                continue
            tag, class_, id_ = (part or "" for part in found.groups())
            weight = 100 if id_ else 10 if class_ else 1 if tag != "*" else 0
            rules.append(Rule(weight, len(rules), tag, class_, id_, declarations(match[2])))
    if css[end:].strip():
        misread.append(css[end:].strip()[:60])
    return sorted(rules, key=lambda rule: (rule.weight, rule.order))


def declarations(text: str) -> dict[str, str]:
    """Give `name: value; name: value` as a mapping; `!important` is dropped (nothing here needs its strength)."""
    declared = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            declared[name.strip().lower()] = value.replace("!important", "").strip()
    return declared


def declared_by(element: Element, tag: str, rules: Iterable[Rule]) -> dict[str, str]:
    """Give the properties that an element itself declares: attributes, then rules, then its `style`."""
    attributes = element.attrib
    declared = {name: value.strip() for name, value in attributes.items() if name in _KNOWN}
    classes, id_ = attributes.get("class", "").split(), attributes.get("id")
    for rule in rules:
        if rule.fits(tag, classes, id_):
            declared.update(rule.declared)
    if "style" in attributes:
        declared.update(declarations(attributes["style"]))
    return declared


def inherited(parent: dict[str, str], declared: dict[str, str]) -> dict[str, str]:
    """Give the inherited properties of an element from its parent's and what it declares itself."""
    changed = {name: value for name, value in declared.items() if name in INHERITED and value not in ("inherit", "")}
    return {**parent, **changed} if changed else parent
