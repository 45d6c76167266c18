"""Hostile inputs 25 to 28, and more of their kind: SVG files that reach out, burst, or would be drawn wrong."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from confined import confined
from harness import assert_prints, assert_refused, run_here
from hostile_game import GOOD, THEME, with_art

from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.bare_svg import BareLook, bare_svg
from duckpress.art.svg.file import read_art
from duckpress.art.svg.paint import Paints
from duckpress.core.frame import Group, Item, Outline
from duckpress.core.geometry import Rect
from duckpress.core.paths import canonical_text
from duckpress.core.problems import Problem
from duckpress.render.pen import Pen

AT = "content/g/art/a.svg"
NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
R = '<rect x="1" y="1" width="4" height="4" {}/>'


def svg(inside: str, attributes: str = 'viewBox="0 0 10 10"') -> str:
    """Return a drawing whose inside begins on line 2."""
    return f"<svg {NS} {attributes}>\n{inside}</svg>"


def expanding(levels: int) -> str:
    """Return `use` of ten `use` of ten ...: a text of a thousand letters that stands for 10^levels elements."""
    groups = "".join(f'<g id="l{n + 1}">' + f'<use href="#l{n}"/>' * 10 + "</g>" for n in range(levels))
    return f'<defs><path id="l0" d="M0 0h1"/>{groups}</defs><use href="#l{levels}"/>'


LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))

MANY = "".join(f'<!ENTITY a{n} "a">' for n in range(101))

# What the file is -> its text, the line of the problem, and words of the problem.
BAD: dict[str, tuple[str | bytes, int, str]] = {
    "25-xxe": (f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>{svg("<title>&x;</title>")}', 1, "DOCTYPE"),
    "25-external-dtd": (f'\n<!DOCTYPE svg SYSTEM "http://127.0.0.1:9/a.dtd">{svg("")}', 2, "DOCTYPE"),
    "25-billion-laughs": (f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]>{svg("<desc>&l9;</desc>")}', 1, "DOCTYPE"),
    "25-long-entity": (f'<!DOCTYPE svg [<!ENTITY a "{"a" * 201}">]>{svg("<desc>&a;</desc>")}', 1, "DOCTYPE"),
    "25-entity-used-often": (
        f'<!DOCTYPE svg [<!ENTITY a "{"a" * 200}">]>{svg("<desc>" + "&a;" * 10_001 + "</desc>")}', 1, "DOCTYPE",
    ),
    "25-many-entities": (f'<!DOCTYPE svg [{MANY}]>{svg("")}', 1, "DOCTYPE"),
    "25-entity-that-is-not-declared": (f'<!DOCTYPE svg [<!ENTITY a "a">]>{svg("<desc>&b;</desc>")}', 1, "DOCTYPE"),
    "25-default-attribute": (f'<!DOCTYPE svg [<!ATTLIST rect fill CDATA "red">]>{svg("")}', 1, "DOCTYPE"),
    "25-parameter-entity": (f'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1:9/">%p;]>{svg("")}', 1, "DOCTYPE"),
    "25-entity-without-doctype": (svg("<desc>&passwd;</desc>"), 2, "undefined entity"),
    "27-10-to-the-7": (svg(expanding(7)), 1, "more elements"),
    "27-10-to-the-50": (svg(expanding(50)), 1, "nested"),
    "27-3-million-nested": (svg("<g>" * 3_000_000), 2, "nested"),
    "28-600000-segments": (svg(f'<path d="M0 0{"l1 1" * 600_000}"/>'), 2, "segments"),
    "28-number-1e400": (svg('<rect width="1e400" height="1"/>'), 2, "too large"),
    "28-path-1e400": (svg('<path d="M0 0L1e400 1"/>'), 2, "not below"),
    "x-2-million-closings": (svg(f'<path d="M0 0{"z" * 2_000_000}"/>'), 2, "segments"),
    "x-many-points": (svg(f'<polyline points="{"1 " * 600_000}"/>'), 2, "segments"),
    "x-path-of-5-megabytes": (svg(f'<path d="M0 0{" " * 5_000_000}"/>'), 2, "longer"),
    "x-paths-used-often": (
        svg(f'<path id="p" d="M0 0{"h1" * 90_000}"/>' + '<use href="#p"/>' * 19_000), 1, "segments",
    ),
    "x-transform-of-200-steps": (svg(R.format(f'transform="{"scale(1) " * 200}"')), 2, "steps"),
    "x-transforms-in-each-other": (svg('<g transform="scale(1e5)">' * 50 + R.format("") + "</g>" * 50), 1, "larger"),
    "x-skew-90": (svg(R.format('transform="skewX(90)"')), 2, "larger than anything"),
    "x-inner-viewbox-tiny": (svg(f'<svg viewBox="0 0 0 1">{R.format("")}</svg>'), 2, "viewBox"),
    "x-size-in-per-cent": (svg("", 'width="100%" height="100%"'), 1, "viewBox"),
    "x-utf-16": (svg("").encode("utf-16"), 1, "UTF-16"),
    "x-latin-1": (svg("<desc>é</desc>").encode("latin-1"), 1, "UTF-8"),
    "x-svgz": (b"\x1f\x8b\x08\0" + bytes(60), 1, "SVGZ"),
    "x-html": ("<html><script>alert(1)</script></html>", 1, "<html>"),
    "x-other-namespace": ('<svg xmlns="urn:other" viewBox="0 0 1 1"/>', 1, "begins with <svg>"),
    "x-unit-em": (svg('<rect width="2em" height="1"/>'), 2, "not a length"),
    "x-aspect-unknown": (
        svg(f'<svg viewBox="0 0 1 1" preserveAspectRatio="evil">{R.format("")}</svg>'), 2, "preserveAspectRatio",
    ),
}  # fmt: skip


IN_A_PROCESS = {"25-billion-laughs", "27-3-million-nested", "x-paths-used-often"} if os.name == "posix" else set()


@pytest.mark.sweep(13)
@pytest.mark.parametrize("case", BAD)
def test_a_bad_svg_is_refused(tmp_path: Path, case: str) -> None:
    """Those that could take most are refused by the program in a process of its own, which says how much it took."""
    text, line, says = BAD[case]
    how = {"code": "bad-svg", "at": f"{AT}:{line}", "says": says, "as_process": case in IN_A_PROCESS}
    assert assert_refused(tmp_path, with_art("a.svg", text), **how).megabytes < 250


# What would change the picture and is not drawn: told at its line (2), never left out in silence.
UNSUPPORTED = {
    "25-xinclude": '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>',
    "26-css-url": R.format('style="fill:url(http://127.0.0.1:9/x.svg#g)"'),
    "26-style-sheet-instruction": '<?xml-stylesheet href="http://127.0.0.1:9/x.css"?>',
    "26-fe-image": R.format('filter="url(#f)"') + '<filter id="f"><feImage href="http://127.0.0.1:9/"/></filter>',
    "x-script": "<script>alert(1)</script>",
    "x-foreign-object": '<foreignObject width="9" height="9"><p xmlns="urn:x">text</p></foreignObject>',
    "x-text-path": '<text><textPath href="#p">Heron</textPath></text>',
    "x-gradient-of-another-file": '<linearGradient id="g" href="http://127.0.0.1:9/#g"/>' + R.format('fill="url(#g)"'),
    "x-gradient-of-itself": '<linearGradient id="g" href="#g"/>' + R.format('fill="url(#g)"'),
    "x-gradient-of-many-stops": f'<linearGradient id="g">{"<stop/>" * 9000}</linearGradient>'
    + R.format('fill="url(#g)"'),
    "x-gradient-animated": '<linearGradient id="g"><animate/></linearGradient>' + R.format('fill="url(#g)"'),
    "x-gradient-in-turns": '<linearGradient id="g" spreadMethod="repeat" gradientUnits="userSpaceOnUse"'
    ' x2="1e-5"><stop/><stop offset="1" stop-color="red"/></linearGradient>' + R.format('fill="url(#g)"'),
    "x-mask-image": R.format('style="mask-image:url(a.png)"'),
    "x-filter": R.format('style="filter:blur(2px)"'),
    "x-clip-by-css": R.format('style="clip-path:circle(2px)"'),
    "x-animate-in-a-shape": '<rect width="2" height="2"><animate attributeName="x" to="5"/></rect>',
    "x-set-in-a-shape": '<circle r="2"><set attributeName="r" to="9"/></circle>',
    "x-css-transform": R.format('style="transform:rotate(3deg)"'),
    "x-css-geometry": "<style>rect{width:9px}</style>" + R.format(""),
    "x-css-media": "<style>@media print {.a{fill:red}}</style>",
    "x-css-of-a-medium": '<style media="(max-width: 9px)">.a{fill:red}</style>',
    "x-css-sibling": "<style>g ~ rect {fill:red}</style>",
    "x-css-escape": '<style>.a{fi\\6cl:red}</style>',
    "x-css-escape-in-an-attribute": R.format('style="f\\69ll:red"'),
    "x-css-variable": R.format('style="fill:var(--a)"'),
    "x-css-unclosed": "<style>.a{fill:red</style>",
    "x-dash-by-path-length": R.format('stroke="red" stroke-dasharray="1" pathLength="9"'),
    "x-line-join": R.format('stroke="red" stroke-linejoin="arcs"'),
    "x-switch": '<switch><g systemLanguage="de"/></switch>',
    "x-vector-effect": R.format('stroke="red" vector-effect="non-scaling-stroke"'),
}  # fmt: skip


@pytest.mark.sweep(9)
@pytest.mark.parametrize("case", UNSUPPORTED)
def test_what_would_be_drawn_wrong_is_told(tmp_path: Path, case: str) -> None:
    drawing = svg(UNSUPPORTED[case], 'viewBox="0 0 10 10" id="whole"')
    files = {**with_art("a.svg", drawing), "content/g/theme.yaml": THEME + "vector: required\n"}
    ran = assert_refused(tmp_path, files, code="svg-unsupported", at=f"{AT}:2")
    assert ran.problems[0]["fix"].startswith("flatten")


# What no viewer shows of a file that is alone: told at its line (2), too, and the rest is printed as outlines.
LEFT_OUT = {
    "26-image-data": '<image href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>',
    "26-image-http": '<image href="http://127.0.0.1:9/x.png" width="9" height="9"/>',
    "26-image-xlink-file": '<image xlink:href="file:///etc/passwd" width="9" height="9"/>',
    "26-use-of-another-file": '<use href="other.svg#a"/>',
    "27-use-loop-of-two": '<g id="a"><use href="#b"/></g><defs><g id="b"><use href="#a"/></g></defs>',
    "27-use-of-the-whole": '<use href="#whole"/>',
}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("case", [*LEFT_OUT, *UNSUPPORTED])
def test_what_is_left_out_or_drawn_as_a_picture_is_told(tmp_path: Path, case: str) -> None:
    inside, code = (
        (LEFT_OUT[case] + R.format(""), "svg-left-out")
        if case in LEFT_OUT
        else (UNSUPPORTED[case], "drawing-as-picture")
    )
    drawing = svg(inside, 'viewBox="0 0 10 10" id="whole"')
    (warned,) = assert_prints(tmp_path, with_art("a.svg", drawing)).problems
    assert (warned["code"], warned["level"], warned["file"], warned["line"]) == (code, "warning", AT, 2)


def test_what_is_drawn_as_a_picture_names_nothing_outside_of_the_file() -> None:
    for inside in (UNSUPPORTED | LEFT_OUT).values():
        data = svg(inside, 'viewBox="0 0 10 10" id="whole"').encode()
        bare = bare_svg(AT, data, BareLook(Rect(0, 0, 10, 10), 9, 9, "#000000", "black", "color")).decode()
        for outside in ("127.0.0.1", "file:", "/etc/", "../", "other.svg", "a.png", "script", "xhtml", "XInclude"):
            assert outside not in bare, bare
        root = ElementTree.fromstring(bare)
        assert root.get("width") == "9"
        links = [value for part in root.iter() for key, value in part.items() if key.endswith("href")]
        assert all(link.startswith("#") for link in links), links


HARMLESS = {
    "25-entities-of-illustrator": '<g xmlns:i="&ns_ai;" i:x="&ns_ai;">' + R.format('fill="&red;"') + "</g>",
    # No browser reads it for a picture either; nothing is opened.
    "26-css-import": "<style>@import url(http://127.0.0.1:9/x.css); .a{fill:#f00}</style>" + R.format('class="a"'),
    "x-gradient-without-stops": '<linearGradient id="g"/>' + R.format('fill="url(#g)"') + R.format(""),
    "x-gradient-flat": '<radialGradient id="g" gradientTransform="scale(0)"><stop/><stop offset="1"/></radialGradient>'
    + R.format('fill="url(#g)"'),
    "x-comments": "<!-- " * 1 + "<!DOCTYPE x> <script/> -->" + R.format(""),
    "x-link-javascript": '<a href="javascript:alert(1)">' + R.format("") + "</a>",
    "x-handler": R.format('onclick="alert(1)" onload="alert(2)"'),
    "x-instruction": "<?php system('id') ?>" + R.format(""),
    "x-tiny-radius": '<path d="M0 0A1e-300 1e-300 0 0 1 9 9M0 0a1 1 0 0 1 1e-200 0"/>',
    "x-comments-in-css": f"<style>{'/* ' * 200_000}</style>" + R.format(""),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", HARMLESS)
def test_what_does_no_harm_is_printed(tmp_path: Path, case: str) -> None:
    head = '<!DOCTYPE svg [<!ENTITY ns_ai "urn:ai"><!ENTITY red "#f00"> <!ATTLIST svg xmlns:q CDATA #FIXED "urn:q">]>'
    ran = assert_prints(tmp_path, with_art("a.svg", head + svg(HARMLESS[case])))
    assert not ran.codes()
    for path in ran.written:
        data = (tmp_path / path).read_bytes()
        assert b"javascript" not in data
        assert b"/Annot" not in data


def test_a_file_of_other_encoding_by_name_is_still_utf_8(tmp_path: Path) -> None:
    """x-encoding-lies: the declaration is not what decides."""
    ran = assert_prints(tmp_path, with_art("a.svg", f'<?xml version="1.0" encoding="utf-16"?>{svg(R.format(""))}'))
    assert not ran.problems


def drawn(text: str) -> tuple[list[str], list[Problem]]:
    """Return the outlines of a drawing as `fill stroke path`, their groups' matrices and clips before them."""
    art, problems = read_art("a.svg", text.encode())
    assert art is not None, problems
    drawing, _, more = draw_art(art, {}, Paints("#010101", "black"))
    return list(lines(drawing.items)), [*problems, *more]


def lines(items: tuple[Item, ...]) -> list[str]:
    found = []
    for item in items:
        if isinstance(item, Group):
            matrix = " ".join(f"{value:g}" for value in item.matrix)
            inner = lines(item.items)
            found += [
                f"[{matrix}{' clip ' + canonical_text(item.clip) if item.clip else ''} {item.opacity:g}] {line}"
                for line in inner
            ]
        elif isinstance(item, Outline):
            found.append(f"{item.paint.fill} {item.paint.stroke} {item.paint.stroke_mm:g}: {canonical_text(item.path)}")
    return found


SQUARE = "1 1 4 4 re"
DRAWN = {
    # The outermost element paints like any other: so most icons are made.
    "x-root-fill": (svg(R.format(""), 'viewBox="0 0 10 10" fill="none" stroke="currentColor" stroke-width="2"'),
                    [f"None #010101 2: {SQUARE}"]),
    "x-important": (svg("<style>.a{fill:#0f0 !important}</style>" + R.format('class="a" style="fill:#f00"')),
                    [f"#00ff00 None 0: {SQUARE}"]),
    "x-important-in-style": (
        svg("<style>.a{fill:#0f0 !important}</style>" + R.format('class="a" style="fill:#f00!important"')),
        [f"#ff0000 None 0: {SQUARE}"]),
    # Per cent are of the nearest viewBox inside an inner svg.
    "x-per-cent-inside": (
        svg('<svg width="10" height="10" viewBox="0 0 100 50"><rect width="50%" height="50%"/></svg>'),
        ["[0.1 0 0 0.1 0 2.5 clip 0 -25 100 100 re 1] #000000 None 0: 0 0 50 25 re"]),
    "x-aspect-none": (
        svg('<svg width="10" height="5" viewBox="0 0 1 1" preserveAspectRatio="none">'
            '<rect width="1" height="1"/></svg>'),
        ["[10 0 0 5 0 0 clip 0 0 1 1 re 1] #000000 None 0: 0 0 1 1 re"]),
    "x-inner-svg-clips": (svg('<svg x="1" width="2" height="2"><rect width="9" height="9"/></svg>'),
                          ["[1 0 0 1 1 0 clip 0 0 2 2 re 1] #000000 None 0: 0 0 9 9 re"]),
    "x-empty-viewport": (svg(f'<svg width="0" height="5">{R.format("")}</svg>'), []),
}  # fmt: skip


@pytest.mark.parametrize("case", DRAWN)
def test_what_is_drawn_is_drawn_as_browsers_draw_it(case: str) -> None:
    text, expected = DRAWN[case]
    assert drawn(text) == (expected, [])


@pytest.mark.parametrize(("attribute", "join"), [("", 0), ("4", 0), ("10", -10), ("1", -1)])
def test_pointed_corners_are_as_long_as_the_file_says(attribute: str, join: int) -> None:
    """x-miter-limit: PDF lets points grow to ten widths of the line, SVG to four unless it says so."""
    limit = f'stroke-miterlimit="{attribute}"' if attribute else ""
    text = svg(f'<path d="M1 9L5 1L6 9" stroke="red" fill="none" {limit}/>')
    art, _ = read_art("a.svg", text.encode())
    assert art is not None
    (item,) = draw_art(art, {}, Paints("#010101", "black"))[0].items
    assert isinstance(item, Outline)
    assert item.paint.join == join
    pen = Pen()
    pen.draw_outline(item)
    assert (f"{-join} M" in pen.getCurrentPageContent()) is (join < 0)


def test_a_hundred_mistakes_are_told_in_fifty(tmp_path: Path) -> None:
    """x-flood: nobody reads twenty thousand problems of one file."""
    files = with_art("a.svg", svg("<video/>" * 9_000))
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **files})
    (told,) = ran.problems
    assert "and 49 more" in told["what"]


RECT = '<rect width="9" height="9" {}/>'
TWICE = '<{0} id="m{1}" width=".5" height=".5">' + 2 * RECT.format('{2}="url(#m{3})"') + "</{0}>"
BOMBS = {
    "x-masks-in-masks": ("".join(TWICE.format("mask", n, "mask", n + 1) for n in range(20)), 'mask="url(#m0)"'),
    "x-clips-in-clips": (
        "".join(TWICE.format("clipPath", n, "clip-path", n + 1) for n in range(40)), 'clip-path="url(#m0)"'
    ),
    "x-patterns-in-patterns": (
        "".join(TWICE.format("pattern", n, "fill", n + 1) for n in range(40)), 'fill="url(#m0)"'
    ),
    "x-clips-of-clips": (
        "".join(f'<clipPath id="m{n}" clip-path="url(#m{n + 1})">{RECT}</clipPath>' for n in range(5_000)),
        'clip-path="url(#m0)"',
    ),
    "x-tiles": (
        f'<pattern id="m" width="1e-5" height="1e-5" patternUnits="userSpaceOnUse">{RECT}</pattern>', 'fill="url(#m)"'
    ),
    "x-marked-lines": (
        f'<marker id="m">{RECT}</marker>' + f'<path marker-mid="url(#m)" d="M0 0{"l1 1" * 400}"/>' * 99, ""
    ),
    "x-letters": (f'<text font-family="Gloock">{"a" * 900_000}</text>', ""),
    "x-rules-within": (
        f"<style>{''.join(f'g g g g.a{n} > b {{fill:red}}' for n in range(1_900))}</style>{'<g/>' * 9_000}", ""
    ),
}  # fmt: skip


@pytest.mark.sweep(8)
@pytest.mark.parametrize("bomb", BOMBS)
def test_what_grows_without_end_is_told(bomb: str) -> None:
    defined, attribute = BOMBS[bomb]
    art, problems = read_art("a.svg", svg(defined + RECT.format(attribute)).encode())
    if art is not None:
        _, segments, more = draw_art(art, {}, Paints("#010101", "black"))
        assert segments < 400_000
        problems += more
    assert {problem.code for problem in problems} & {"bad-svg", "svg-unsupported"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="systems that fork")
def test_hostile_styles_take_no_time() -> None:
    """x-css-time: rules are looked up by name, and each letter of a style sheet is looked at once."""
    rules = "".join(f"*{{fill:#00{n % 10}}}.a{{stroke:#f0{n % 10}}}" for n in range(900))
    assert confined(drawn, svg(f"<style>{rules}</style>" + f'<path class="{"a " * 50}" d="M0 0h1"/>' * 3_000))[1] == []
    sheets = ("a" * 400_000, "/*" * 200_000, "{" * 400_000, "}" * 400_000, "a{" * 200_000, ";" * 400_000)
    confined(lambda: [len(drawn(svg(f"<style>{css}</style>"))) for css in sheets])


@pytest.mark.parametrize("between", ["<script/>", "<!-- -->", "\\"])
def test_a_style_sheet_in_parts_names_nothing_outside_when_it_is_joined(between: str) -> None:
    sheet = f"<style>rect{{fill:ur{between}l(/etc/passwd)}} @imp{between}ort '/etc/passwd'; rect{{stroke:red}}</style>"
    look = BareLook(Rect(0, 0, 10, 10), 9, 9, "#000000", "black", "color")
    bare = bare_svg(AT, svg(sheet, 'viewBox="0 0 10 10"').encode(), look).decode()
    assert "/etc/" not in bare
    assert "stroke:red" in bare
