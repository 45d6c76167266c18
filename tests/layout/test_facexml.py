"""The reader of faces: it must read what ElementTree reads, and refuse what it refuses, and whatever has a DOCTYPE."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.layout.face_xml import FaceNode, FaceReader, Malformed

WORKS = [
    "<face/>",
    "<face><rect _at='3' x=\"1 > 0\"/>\n <text _at='4'>a &amp; <br/> b &#233;\n</text></face>",
    "<face>\n  <g a='&lt;&quot;'><g><rect/></g></g>\n</face>\n",
    "<face><!-- no --><text><![CDATA[<b>]]></text></face>",
    "<?xml version='1.0' encoding='latin-1'?><face>é</face>",
    "<face><text>\r\nx</text></face>",
    "<face ><text >x</text ></face >",
]
FAILS = [
    *("", "words", "<face>", "</face>", "<face></fase>", "<face/><face/>", "<face/>words", "<face>a & b</face>"),
    *("<face><rect x='1' x='2'/></face>", "<face><rect x=1/></face>", "<face><rect x='<'/></face>"),
    *("<face>&nbsp;</face>", "<face>]]></face>", "<face>\x01</face>", "<face>\ufffe</face>", "<face><1/></face>"),
    *("<face><rect x='\x02'/></face>", "<!DOCTYPE face><face/>", "<face>\ud800</face>"),
]
PARTS = ["<a>", "</a>", "<b x='1'/>", "<text>", "</text>", " ", "w", "&amp;", "&", "'", '"', ">", "<", "]]>", "\n"]


@pytest.mark.parametrize("xml", WORKS)
def test_both_readers_agree(xml: str) -> None:
    reader = FaceReader()
    slow = _slow(xml)
    assert slow is not None
    assert [_shape(reader.read(xml)), _shape(reader.read(xml))] == [slow, slow]


@pytest.mark.parametrize("xml", FAILS)
def test_both_readers_refuse(xml: str) -> None:
    found = FaceReader().read(xml)
    assert isinstance(found, Malformed)
    assert found.what


@given(st.lists(st.sampled_from(PARTS)))
def test_both_readers_agree_on_anything(parts: list[str]) -> None:
    xml = "<face>" + "".join(parts) + "</face>"
    assert _shape(FaceReader().read(xml)) == _slow(xml)


def test_the_same_empty_tag_is_the_same_node() -> None:
    reader = FaceReader()
    first, second = (reader.read("<face><rect x='1'/><rect x='1'/></face>") for _ in range(2))
    assert isinstance(first, FaceNode)
    assert isinstance(second, FaceNode)
    assert len({id(node) for node in (*first.children, *second.children)}) == 1


def _slow(xml: str) -> object:
    """Return what ElementTree reads, in the form of `_shape`; None where it refuses the text."""
    try:
        element = ElementTree.fromstring(xml)
    except (ElementTree.ParseError, ValueError):
        return None
    return _shape_of_element(element)


def _shape_of_element(element: ElementTree.Element) -> object:
    content: list[object] = []
    parts: list[str | ElementTree.Element | None] = [element.text]
    for child in element:
        parts += [child, child.tail]
    for part in parts:
        if isinstance(part, ElementTree.Element):
            content.append(_shape_of_element(part))
        elif part and (element.tag == "text" or not part.isspace()):
            content.append(part)
    attributes = dict(element.attrib)
    mark = attributes.pop("_at", None)
    return element.tag, attributes, None if mark is None else int(mark), content


def _shape(node: FaceNode | Malformed) -> object:
    if isinstance(node, Malformed):
        return None
    content: list[object] = []
    for part in node.content:
        if isinstance(part, str) and content and isinstance(content[-1], str):
            content[-1] += part  # type: ignore[operator]
        else:
            content.append(part if isinstance(part, str) else _shape(part))
    assert node.children == [part for part in node.content if isinstance(part, FaceNode)]
    return node.tag, node.attrib, node.at, content
