"""The XML of faces -> nodes, quickly: a deck's faces consist of the same few tags over and over.

A tag is read by the XML parser when it is first met and remembered as it stands; a face is then cut at its tags and
put together from them. Whatever is out of the ordinary (comments, CDATA, a tag that does not close) goes through
the one door for XML as a whole, which also finds the words for what is malformed.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from duckpress.core.inks import INKS
from duckpress.core.limits import limit
from duckpress.layout.templates.xml_reader import MARK, Malformed, find_excess, mark_of, read_xml, too_many_elements

# A tag with the blanks behind it, or words; those end at a tag, and at control characters and the like, which XML 1.0
# does not allow.
_PIECES = re.compile(
    r"""<[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>[ \t\n]*"""
    "|[^<\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]+"
)
_OPENS, _CLOSES, _EMPTY, _OPENS_UNSEEN, _EMPTY_UNSEEN = range(5)
_INK = "ink"
_BLANKS = " \t\n"


class FaceNode:
    """An element of a face: its name, its attributes, its place in the template (`at`), and what stands in it.

    `content` has words and elements in their order, `children` the elements alone. An element with nothing in it is
    one and the same node wherever its tag is written the same, so it must never be changed.
    """

    __slots__ = ("at", "attrib", "children", "content", "tag")

    def __init__(self, tag: str, attrib: dict[str, str], at: int | None) -> None:
        self.tag = tag
        self.attrib = attrib
        self.at = at
        self.content: list[str | FaceNode] = []
        self.children: list[FaceNode] = []


class FaceReader:
    """Reads faces; the tags of one help with the next.

    An element whose `ink` names other inks than the one at hand is left out as if it was not written. `misread` has
    the elements, each once, whose `ink` is none: they are kept.
    """

    def __init__(self, ink: str = "color") -> None:
        self.misread: dict[int | None, str] = {}
        self._ink = ink
        self._tags: dict[str, tuple[int, FaceNode, str]] = {}
        self._empty: dict[tuple[object, ...], FaceNode] = {}

    def read(self, xml: str) -> FaceNode | Malformed:
        """Return the root of a face, or why there is none."""
        if xml.count("<") > limit("face-elements") < xml.count("<") - xml.count("</") - xml.count("<!"):
            return too_many_elements()
        is_usual = "<!" not in xml and "<?" not in xml and "]]>" not in xml
        root = self._put_together(xml) if is_usual else None
        if root is not None:
            return root
        element = read_xml(xml)
        if isinstance(element, Malformed):
            return element
        return find_excess(element) or self._tree(element)

    def _put_together(self, xml: str) -> FaceNode | None:
        """Return the root of a face of ordinary pieces; None where anything is odd about it."""
        pieces = _PIECES.findall(xml)
        if sum(map(len, pieces)) != len(xml):
            return None
        top = node = FaceNode("", {}, None)
        opened: list[FaceNode] = []
        tags = self._tags
        for piece in pieces:
            if piece[0] != "<":
                if (node.tag == "text" or not piece.isspace()) and not _takes(node, piece):
                    return None
                continue
            known = tags.get(piece) or self._new_tag(piece)
            if known is None:
                return None
            kind, model, blanks = known
            if kind == _EMPTY:
                node.content.append(model)
                node.children.append(model)
            elif kind in (_OPENS, _OPENS_UNSEEN):
                inner = FaceNode(model.tag, model.attrib, model.at)
                if kind == _OPENS:
                    node.content.append(inner)
                    node.children.append(inner)
                opened.append(node)
                node = inner
            elif kind == _EMPTY_UNSEEN:
                pass
            elif node.tag != model.tag or not opened:
                return None
            else:
                node = opened.pop()
            if blanks and node.tag == "text":
                node.content.append(blanks)
        return top.children[0] if not opened and len(top.content) == len(top.children) == 1 else None

    def _tree(self, element: Element) -> FaceNode:
        """Return an element and all in it as nodes; `find_excess` has made sure that it is not too deep."""
        node = _bare_node(element)
        node.attrib.pop(_INK, None)
        if element.text and (node.tag == "text" or not element.text.isspace()):
            node.content.append(_behind_a_tag(node, element.text))
        for child in element:
            if self._shows(child.attrib.get(_INK), child.attrib.get(MARK, "")):
                inner = self._tree(child)
                node.content.append(inner)
                node.children.append(inner)
            if child.tail and (node.tag == "text" or not child.tail.isspace()):
                node.content.append(_behind_a_tag(node, child.tail))
        if node.content:
            return node
        return self._empty.setdefault((node.tag, node.at, *node.attrib.items()), node)

    def _new_tag(self, piece: str) -> tuple[int, FaceNode, str] | None:
        """Return a tag that is met for the first time with these blanks behind it: its kind, its node, the blanks."""
        tag = piece.rstrip(_BLANKS)
        if tag not in self._tags:
            read = self._read_tag(tag)
            if read is None:
                return None
            self._tags[tag] = *read, ""
        kind, model, _ = self._tags[tag]
        self._tags[piece] = known = kind, model, piece[len(tag) :]
        return known

    def _read_tag(self, piece: str) -> tuple[int, FaceNode] | None:
        """Return a tag's kind and its node, read by the XML parser; None where it is not one."""
        if piece.startswith("</"):
            name = piece[2:-1].rstrip()
            return (_CLOSES, FaceNode(name, {}, None)) if name else None
        is_empty = piece.endswith("/>")
        try:
            element = ElementTree.fromstring(piece if is_empty else f"{piece[:-1]}/>")
        except (ElementTree.ParseError, ValueError):
            return None
        if self._shows(element.attrib.pop(_INK, None), element.attrib.get(MARK, "")):
            return (_EMPTY if is_empty else _OPENS), _bare_node(element)
        return (_EMPTY_UNSEEN if is_empty else _OPENS_UNSEEN), _bare_node(element)

    def _shows(self, inks: str | None, mark: str) -> bool:
        """Return whether an element with such an `ink` is there in the ink at hand."""
        if inks is None or self._ink in (named := inks.split()):
            return True
        if named and set(named) <= set(INKS):
            return False
        self.misread[mark_of(mark)] = inks
        return True


def _behind_a_tag(node: FaceNode, words: str) -> str:
    return words if node.tag == "text" else words.lstrip(_BLANKS)


def _takes(node: FaceNode, words: str) -> bool:
    plain = words if "&" not in words else _unescaped(words)
    if plain is None:
        return False
    if node.content and isinstance(node.content[-1], str):
        node.content[-1] += plain  # blanks behind a tag come with the tag
    else:
        node.content.append(plain)
    return True


def _unescaped(words: str) -> str | None:
    try:
        return ElementTree.fromstring(f"<t>{words}</t>").text or ""
    except (ElementTree.ParseError, ValueError):
        return None


def _bare_node(element: Element) -> FaceNode:
    attrib = dict(element.attrib)
    mark = attrib.pop(MARK, "")
    return FaceNode(element.tag, attrib, mark_of(mark))
