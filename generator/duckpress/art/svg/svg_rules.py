"""`<style>` sheets -> what their rules say of elements.

A selector is of `tag`, `*`, `.class`, `#id`, `[attribute]`, `[attribute=value]`, `:root`, `:first-child` and
`:last-child`, within others (`a b`, `a > b`); states such as `:hover` never hold on paper. Anything else is not
understood and reported.
Source: CSS 2.1, chapter 5 and 6.4.3 (specificity).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from duckpress.art.bad_art import TooMuchArt, refuse_more
from duckpress.art.svg.svg_reader import SvgNode

_TYPES = ("", "text/css")
_MEDIA = ("", "all", "print", "screen")  # `screen`: what a drawing program shows, and so what a designer means
_MOST_MATCHES = 2_000_000  # parts of rules times elements

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# Of another file, which no browser reads for a picture either.
_IMPORT = re.compile(r"\A(?:\s*@import [^;{}]*;)+")
_SELECTOR = re.compile(r"\*|[A-Za-z][\w-]*|\.[\w-]+|#[\w-]+")
_COMBINATOR = re.compile(r"\s*(>)\s*|\s+")
_FEATURE = re.compile(
    r"\*|(?P<tag>[A-Za-z][\w-]*+)|\.(?P<class>[\w-]++)|#(?P<id>[\w-]++)|:(?P<state>[a-z-]++)"
    r"|\[\s*(?P<name>[\w:-]++)\s*(?:=\s*(?P<value>[\w-]++|\"[^\"]*+\"|'[^']*+')\s*)?\]"
)
_WEIGHTS = {"id": 10_000, "class": 100, "state": 100, "name": 100, "tag": 1, None: 0}
_NEVER = ("hover", "active", "focus", "focus-within", "visited", "target", "link")
_STATES = ("root", "first-child", "last-child", *_NEVER)
_LONGEST_SELECTOR = 200


class Declared(NamedTuple):
    """What one declaration says; of two for one element the greater one holds (`text` never decides)."""

    is_important: bool
    weight: int
    order: int
    text: str


Rules = Mapping[str | SvgNode, Mapping[str, Declared]]
"""Simple selector, or element -> property -> what holds of all that its rules say."""


class _Compound(NamedTuple):
    """What one element has to be: features with their values, and whether it has to be a child of the one before."""

    features: tuple[tuple[str, str, str], ...]
    is_child: bool


class _Complex(NamedTuple):
    """A selector of several parts, outermost first, and what its rule says."""

    compounds: tuple[_Compound, ...]
    said: dict[str, Declared]


def read_rules(root: SvgNode, sheets: list[SvgNode], names: Collection[str]) -> tuple[Rules, list[tuple[SvgNode, str]]]:
    """Return the rules of `<style>` elements, and what is not understood, each with its element.

    `names` are the properties that matter. Raises `TooMuchArt`.
    """
    rules: dict[str | SvgNode, dict[str, Declared]] = {}
    others: list[_Complex] = []
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
                compounds = _compounds(selector)
                if compounds is None or "\\" in body:
                    misread.append((sheet, " ".join(selector[:1000].split())[:60] or "an empty selector"))
                    continue
                kinds = [kind for compound in compounds for kind, _, _ in compound.features]
                weight = sum([_WEIGHTS[kind or None] for kind in kinds])
                declared = {name: Declared(flag, weight, order, text) for name, (text, flag) in said.items()}
                if _SELECTOR.fullmatch(selector):
                    _add(rules.setdefault(selector, {}), declared)
                else:
                    others.append(_Complex(compounds, declared))
    if others:
        _match(root, others, rules)
    return rules, misread


def _add(known: dict[str, Declared], said: Mapping[str, Declared]) -> None:
    for name, declared in said.items():
        known[name] = max(declared, known.get(name, declared))


def _compounds(selector: str) -> tuple[_Compound, ...] | None:
    """Return the parts of a selector, outermost first, None where it is not understood."""
    if not selector or len(selector) > _LONGEST_SELECTOR:
        return None
    compounds: list[_Compound] = []
    features: list[tuple[str, str, str]] = []
    is_child, position = False, 0
    while position < len(selector):
        match = _FEATURE.match(selector, position)
        between = None if match else _COMBINATOR.match(selector, position)
        if match is not None:
            kind = match.lastgroup or ""
            name, value = match[kind] if kind else "", match["value"] or ""
            if kind == "value":
                kind, name = "name", match["name"]
            if (kind == "state" and name not in _STATES) or (kind in ("", "tag") and features):
                return None
            features.append((kind, name, value.strip("'\"")))
            position = match.end()
        elif between is not None and features:
            compounds.append(_Compound(tuple(features), is_child))
            features, is_child, position = [], between[1] is not None, between.end()
        else:
            return None
    return (*compounds, _Compound(tuple(features), is_child)) if features else None


def _match(root: SvgNode, others: list[_Complex], rules: dict[str | SvgNode, dict[str, Declared]]) -> None:
    """Add to each element what rules of several parts say of it; raises `TooMuchArt`.

    For each element on the way down it is known which parts of a selector end there, and which ended above.
    """
    ended: dict[SvgNode, list[int]] = {}
    seen: dict[SvgNode, list[int]] = {}
    none = [0] * len(others)
    waiting: list[tuple[SvgNode, SvgNode | None, bool, bool]] = [(root, None, True, True)]
    count, length = 0, sum([len(compounds) for compounds, _ in others])
    while waiting:
        part, parent, is_first, is_last = waiting.pop()
        count += length
        if count > _MOST_MATCHES:
            raise TooMuchArt("its style rules take too long on so many elements", "simplify them")
        above, around = (none, none) if parent is None else (ended[parent], seen[parent])
        ended[part], seen[part] = own, along = [], []
        traits = _Traits(part, frozenset(part.attrib.get("class", "").split()), parent is None, is_first, is_last)
        for number, (compounds, said) in enumerate(others):
            bits = 0
            for index, compound in enumerate(compounds):
                fits = index == 0 or (above if compound.is_child else around)[number] >> (index - 1) & 1
                if fits and all(traits.has(*feature) for feature in compound.features):
                    bits |= 1 << index
            own.append(bits)
            along.append(around[number] | bits)
            if bits >> (len(compounds) - 1) & 1:
                _add(rules.setdefault(part, {}), said)
        children = [child for child in part.children if child.tag]
        for index, child in enumerate(children):
            waiting.append((child, part, index == 0, index == len(children) - 1))


class _Traits(NamedTuple):
    """What selectors can ask of an element."""

    part: SvgNode
    classes: frozenset[str]
    is_root: bool
    is_first: bool
    is_last: bool

    def has(self, kind: str, name: str, value: str) -> bool:
        """Return whether the element has a feature."""
        if kind == "tag":
            return self.part.tag == name
        if kind == "class":
            return name in self.classes
        if kind == "id":
            return self.part.attrib.get("id") == name
        if kind == "name":
            own = self.part.attrib.get(name)
            return own is not None and value in ("", own)
        if kind == "state":
            return {"root": self.is_root, "first-child": self.is_first, "last-child": self.is_last}.get(name, False)
        return True


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
