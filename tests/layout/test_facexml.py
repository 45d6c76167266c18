"""The quick reader of faces: it must read what the XML parser reads, and refuse what the parser refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.layout.templates.face_xml import FaceNode, FaceReader
from duckpress.layout.templates.xml_reader import Malformed, read_xml

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
    "",
    "words",
    "<face>",
    "</face>",
    "<face></fase>",
    "<face/><face/>",
    "<face/>words",
    "<face><rect x='1' x='2'/></face>",
    "<face><rect x=1/></face>",
    "<face><rect x='<'/></face>",
    "<face>a & b</face>",
    "<face>&nbsp;</face>",
    "<face>]]></face>",
    "<face>\x01</face>",
    "<face>\ufffe</face>",
    "<face><1/></face>",
    "<face><rect x='\x02'/></face>",
    "<!DOCTYPE face><face/>",
    "<face>\ud800</face>",
]


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


@given(
    st.lists(
        st.sampled_from(
            ["<a>", "</a>", "<b x='1'/>", "<text>", "</text>", " ", "w", "&amp;", "&", "'", '"', ">", "<", "]]>", "\n"]
        )
    )
)
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
    element = read_xml(xml)
    return None if isinstance(element, Malformed) else _shape(FaceReader()._tree(element))


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
