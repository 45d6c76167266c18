"""Templates: that every mistake is a problem at the line that made it. `tests/hostile` has what they may not do."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment

from duckpress.core.problems import Source
from duckpress.expressions import kept_code
from duckpress.files.memo import Pack
from duckpress.layout.face_xml import FaceReader, Malformed
from duckpress.layout.templates import Templates, mark_places
from workshop import TEMPLATE, MakeWorkspace, lay_out


def test_misspelt_names_are_put_right(make_workspace: MakeWorkspace) -> None:
    problem = lay_out(make_workspace, "<text>{{ card.titel }}</text>").problem
    assert (problem.code, problem.fix) == ("unknown-name", "did you mean 'title'?")
    assert lay_out(make_workspace, "<text>{{ crad.title }}</text>").problem.fix == "did you mean 'card'?"
    assert lay_out(make_workspace, "{% import 'bse.xml' as b %}<face/>").problem.fix == "did you mean 'base'?"


def test_mistakes_in_included_files_are_found_there(make_workspace: MakeWorkspace) -> None:
    parts = "content/trial/layouts/parts.xml"
    macros = "{% macro bar(w) %}\n<rect width='{{ w }}'\n  hight='3'/>{% endmacro %}"
    template = "{% import 'parts.xml' as p %}<face>{{ p.bar('2x') }}</face>"
    trial = lay_out(make_workspace, template, files={parts: macros})
    assert trial.codes == ["unknown-attribute", "bad-length"]
    assert {problem.source for problem in trial.problems} == {Source(parts, 2, 1)}
    assert trial.problems[0].fix == "did you mean 'height'?"
    assert "card 'first' (content/trial/decks/cards.yaml:7:10)" in trial.problems[0].what
    files = {parts: "\n\n<text>{{ nothing }}</text>"}
    assert lay_out(make_workspace, "<face>{% include 'parts.xml' %}</face>", files=files).problem.source.line == 3
    files = {parts: "{% macro open() %}\n  <g><g></g>{% endmacro %}"}
    problem = lay_out(make_workspace, "{% import 'parts.xml' as p %}<face>{{ p.open() }}</face>", files=files).problem
    assert problem.source == Source(parts, 2, 3)  # the tag of a macro that is never closed


def test_templates_can_extend_and_the_games_own_come_first(make_workspace: MakeWorkspace) -> None:
    files = {
        "content/trial/layouts/frame.xml": "<face><rect width='{% block w %}1{% endblock %}' fill='#000'/></face>",
        "layouts/frame.xml": "<face/>",
    }
    trial = lay_out(make_workspace, "{% extends 'frame.xml' %}{% block w %}7{% endblock %}", files=files)
    assert trial.lines == ["outline fill #000000: 0 0 7 80 re"]


def test_values_are_escaped_and_read_as_they_should(make_workspace: MakeWorkspace) -> None:
    cards = "  - {id: first, title: '<rect/> & \"so\"'}"
    line = "<text decoration='yes'>{{ card.title }}|{{ card.words }}|{{ 6 / 2 }}|{{ 0.1 + 0.2 }}|{{ 1 == 1 }}</text>"
    trial = lay_out(make_workspace, line, cards=cards)
    assert trial.problems == []
    assert "".join(line.split("'")[1] for line in trial.lines) == '<rect/> & "so"||3|0.3|yes'


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("template", "code", "place", "words"),
    [
        ("<face>\n<rect x='3' x='4'/></face>", "malformed-layout", (2, 1), "duplicate attribute"),
        ("<!DOCTYPE face [<!ENTITY a 'b'>]><face>&a;</face>", "malformed-layout", (1, 1), "DOCTYPE"),
        ("<face>\n  <rekt/></face>", "unknown-element", (2, 3), "<rekt>"),
        ("<face>\n  <rect x='wide'/></face>", "bad-length", (2, 3), "'wide'"),
        ("<face><rect x='nan'/></face>", "bad-length", (1, 7), "'nan'"),
        ("<face><rect width='-3'/></face>", "bad-length", (1, 7), "negative"),
        ("<face>words</face>", "stray-text", (1, 1), "'words'"),
        ("<face><rect fill='inc'/></face>", "unknown-colour", (1, 7), "'inc'"),
        ("<face><path d='M0 0 Q'/></face>", "bad-path", (1, 7), "lacks a number"),
        ("<face><g transform='spin(3)'><rect fill='#000'/></g></face>", "bad-transform", (1, 7), "spin"),
        ("<face><text decoration='yes' style='bodie'>a</text></face>", "unknown-style", (1, 7), "'bodie'"),
        ("<face><text decoration='yes' valign='centre'>a</text></face>", "bad-choice", (1, 7), "'centre'"),
        ("<face><text decoration='yes'>a <b>c</b></text></face>", "unknown-element", (1, 7), "<b>"),
        ("<face><icon name='spede' size='5'/></face>", "unknown-icon", (1, 7), "'spede'"),
        ("<face><pips count='11' icon='spade'/></face>", "bad-number", (1, 7), "'11'"),
        ("<face><squaregrid rows='3'/></face>", "bad-number", (1, 7), "columns is missing"),
        ("<face><grid columns='x'><rect/></grid></face>", "bad-grid", (1, 7), "'x'"),
        ("<face><grid columns='1' rows='1'><rect/><rect/></grid></face>", "bad-grid", (1, 7), "1 column and 1 row"),
        ("<face><row width='10'><rect width='8'/><rect width='8'/></row></face>", "box-overflow", (1, 7), "16 mm"),
        ("<face><row width='9'><rect width='9'/><icon name='star'/></row></face>", "box-overflow", (1, 7), "9 mm wide"),
        ("<face><column height='9'><g height='9'/><stack fill='ink'/></column></face>", "box-overflow", (1, 7), "high"),
        ("<face><grid columns='* 9' width='9'><rect/><rect/></grid></face>", "box-overflow", (1, 7), "9 mm wide"),
        ("<face><stack width='9' padding='1 5'><rect/></stack></face>", "box-overflow", (1, 7), "10 mm of a box"),
        ("<face><row height='8' padding='4'><rect width='5'/></row></face>", "box-overflow", (1, 7), "8 mm high"),
        ("<face><row>\n<rect/>\n <rect grow='0'/></row></face>", "bad-number", (3, 2), "grow='0'"),
        ("<face><row><rect width='auto'/></row></face>", "bad-length", (1, 12), "auto"),
        ("<face><stack padding='1 2 3'/></face>", "bad-length", (1, 7), "padding"),
        ("<svg/>", "unknown-element", (1, 7), "<svg>"),
        ("<face><rect><rect/></rect></face>", "unknown-element", (1, 7), "cannot hold"),
        ("<face><image href='art/none.svg'/></face>", "missing-file", (1, 7), "art/none.svg"),
        ("<face><image href='../../../etc/passwd'/></face>", "outside-workspace", (1, 7), "passwd"),
        ("<face><image href='http://localhost/a.png'/></face>", "outside-workspace", (1, 7), "http"),
        ("<face><image/></face>", "missing-href", (1, 7), "href"),
    ],
)
def test_every_mistake_has_its_place(
    make_workspace: MakeWorkspace, template: str, code: str, place: tuple[int, int], words: str
) -> None:
    problem = lay_out(make_workspace, template).problem
    assert (problem.code, problem.source) == (code, Source(TEMPLATE, *place))
    assert words in problem.what
    assert problem.fix


NEVER_CLOSED = "is opened here and never closed"
NOTHING = "closes nothing that is open"
# What is no XML: the template, the place in it, what is said, and the fix.
MALFORMED = [
    ("<face>\n <g>\n  <rect/>\n</face>", (2, 2), f"<g> {NEVER_CLOSED}", "write </g>, or end it with />"),
    ("<face>\n <g>\n </g>\n", (1, 1), f"<face> {NEVER_CLOSED}", "write </face>, or end it with />"),
    ("<face>\n <text>{{ card.title }}\n <text>a</text></face>", (2, 2), f"<text> {NEVER_CLOSED}", "</text>"),
    ("<face>\n <rect x='1>'>\n <!-- </rect> --><g></g></face>", (2, 2), f"<rect> {NEVER_CLOSED}", "/>"),
    ("<face>\n <g></g>\n  {{ card.title }}</g></face>", (3, 19), f"</g> {NOTHING}", "take it away"),
    ("<face>\n <text>a</txet></face>", (2, 9), f"</txet> {NOTHING}", "did you mean </text>?"),
    ("\n</g><face/>", (2, 1), f"</g> {NOTHING}", "take it away"),
    (
        "<face>{% for one in 'ab' %}<g/>{% endfor %}\n{{ ('</' ~ 'g>')|safe }}</face>",
        (1, 28),
        f"</g> {NOTHING}",
        "take",
    ),
    ("<face>\n <circle r='1' cx=14/></face>", (2, 2), "the value of 'cx' stands in no quotes", 'write cx="..."'),
    ("<face>\n <rect x='a y=<'/></face>", (2, 2), "not well-formed", "close every element"),
    (f"<face>\n {{{{ '<g _at=\"{'9' * 5000}\">'|safe }}}}</face>", (1, 1), f"<g> {NEVER_CLOSED}", "write </g>"),
    ("{# <face> #}", (1, 1), "there is nothing in it", "write <face> ... </face>"),
    ("{# <face> #}later", (1, 1), "syntax error", "close every element"),
]


@pytest.mark.parametrize(("template", "place", "words", "fix"), MALFORMED)
def test_what_is_no_xml_is_named_where_it_stands(
    make_workspace: MakeWorkspace, template: str, place: tuple[int, int], words: str, fix: str
) -> None:
    problem = lay_out(make_workspace, template).problem
    assert (problem.code, problem.source) == ("malformed-layout", Source(TEMPLATE, *place))
    assert f"cannot be read: {words}" in problem.what
    assert fix in problem.fix


def test_the_second_look_at_a_long_text_comes_to_an_end() -> None:
    endless = ("</a>" * 300_000, "<g>" * 9999, "<!--" * 300_000, "<g " + "x " * 600_000, "\r" * 300_000)
    for hostile in ("<g></g>" * 9999 + "</a>", *endless):
        found = FaceReader().read(f"<face>{hostile}")
        assert isinstance(found, Malformed)
        assert found.offset <= len(hostile) + 6


def test_mistakes_of_a_template_are_told_of_the_first_card(make_workspace: MakeWorkspace) -> None:
    cards = "\n".join(f"  - {{id: card-{number}, title: T{number % 3}}}" for number in range(16))
    mistakes = (
        "<text>{{ card.id }}",
        "{{ card.id }}{{ card.titel }}",
        "<rect x_='1'/><text decoration='yes'>{{ card.id }}</text>",
        "<text decoration='yes' style='bodie'>{{ card.id }}</text>",
        "<image href='art/none.svg'/><text decoration='yes'>{{ card.id }}</text>",
    )
    for mistake in mistakes:
        problem = lay_out(make_workspace, f"<face>{mistake}</face>", cards=cards).problem
        assert problem.what.startswith("card 'card-0' (")
        assert problem.what.endswith(" (and 15 more like it)")
    by_card = "<face><text decoration='yes' style='{{ card.title }}'>{{ card.id }}</text></face>"
    told = [problem.what for problem in lay_out(make_workspace, by_card, cards=cards).problems]
    assert [what.rpartition(" (and ")[2] for what in told] == ["5 more like it)", "4 more like it)", "4 more like it)"]


def test_marks_stand_in_start_tags_only() -> None:
    source = "{# <a> #}<b>\n {{ '<c>' }}{% if '<d>' %}<e f='{{ \"}}<\" }}'/>{% endif %}<!-- <g>\n --></b>"
    marked, places = mark_places(source, "x.xml", 0)
    assert marked.replace(' _at="0"', "").replace(' _at="1"', "") == source.replace("<!-- <g>\n -->", "\n")
    assert '<b _at="0">' in marked
    assert '<e _at="1" f=' in marked
    assert places == [Source("x.xml", 1, 10), Source("x.xml", 2, 27)]


def test_templates_are_compiled_once_for_all_runs(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are named are compiled with them; what cannot be is left to who fills it."""
    folder = "content/g/layouts"
    workspace = make_workspace(
        {
            f"{folder}/front.xml": '{% import "marks.xml" as m %}<face>{% include "pa" ~ "rt" %}{{ m.dot() }}</face>',
            f"{folder}/marks.xml": "{% macro dot() %}<circle/>{% endmacro %}",
            f"{folder}/part.xml": "<rect/>",
            f"{folder}/broken.xml": "<face>{% if %}</face>",
        }
    )
    compiled: list[str | None] = []
    compile_one = Environment._compile
    monkeypatch.setattr(
        Environment, "_compile", lambda self, source, name: compiled.append(name) or compile_one(self, source, name)
    )

    def run(codes: Pack, *names: str) -> Templates:
        kept_code._KEPT.clear()  # as a new process has none
        compiled.clear()
        templates = Templates(workspace, "content/g")
        templates.compile_ahead(names, codes)
        return templates

    codes = Pack(identity="program")
    run(codes, "broken", "front")
    assert [*map(Path, filter(None, compiled))] == [Path(folder, f"{name}.xml") for name in ("front", "marks", "part")]
    later = Pack(codes.news(), "program")
    templates = run(later, "part", "front", "broken")
    front, _ = templates.open("front", Source("deck"))
    assert front is not None
    xml, problem = templates.fill(front, {})
    assert not compiled
    assert problem is None
    marks = {
        element.tag: templates.places[int(element.attrib["_at"])] for element in ElementTree.fromstring(xml).iter()
    }
    assert marks == {
        "face": Source(f"{folder}/front.xml", 1, 30),
        "rect": Source(f"{folder}/part.xml", 1, 1),
        "circle": Source(f"{folder}/marks.xml", 1, 18),
    }
    _, problem = templates.open("broken", Source("deck"))
    assert problem is not None
    assert problem.code == "template-syntax"
