"""One function for each door: any bytes in, problems out. Whatever else is raised is a bug, and so is a false answer.

A target allows what its door promises and no more: problems as values, or the one exception that the door names. Each
also holds its door to what is true of every input (places that exist, words that can be printed, the same answer
twice), so that not only crashes are found.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
import zipfile
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from paper_workspace import PaperWorkspace, parts_of

from duckpress import pool
from duckpress.art import BadArt
from duckpress.art.picture_files import read_picture
from duckpress.art.svg.artist import draw_art
from duckpress.art.svg.file import read_art
from duckpress.art.svg.paint import Lines, Paints
from duckpress.check.expressions import read_expression
from duckpress.content import Mapping as MappingNode
from duckpress.content import Node, Scalar, load_game, read_yaml
from duckpress.content.game.families import TextFiller
from duckpress.content.tables.tables import read_table
from duckpress.core.frame import Item, Text
from duckpress.core.geometry import Rect
from duckpress.core.problems import MachineError, Problem, Source
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.parsing import ExpressionError, fill_holes
from duckpress.expressions.profiles import SETUP
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.layout import Batch, Wanted, lay_out_pieces, load_theme
from duckpress.layout.face_xml import FaceNode, FaceReader, Malformed
from duckpress.model import Game
from duckpress.press.checking import check
from duckpress.press.reading import load, tables
from duckpress.press.releases.release_files import lock_bytes, lock_from_manifest, read_lock
from duckpress.render.fonts import font_ink
from duckpress.render.pen import Words
from duckpress.share.bundle_check import check_bundle
from duckpress.text import IconGlyph, TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary, read_compact
from duckpress.text.fonts.library import load_typeface
from duckpress.text.fonts.opentype import Unusable

pool.use_jobs(0)  # laid out in this process, where the fuzzer sees what is reached

Target = Callable[[bytes], None]

_CODE = re.compile(r"[a-z]+\d*(-[a-z0-9]+)*")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_ENDLESS = re.compile(r"\b(?:nan|inf)\b")
_BOX = Rect(0.0, 0.0, 50.0, 40.0)
_BODY = TextStyle("Alegreya Sans", size_pt=9.0, min_pt=6.0, leading=1.2)
_STYLES = {
    "": _BODY,
    "c": _BODY._replace(align="center"),
    "j": _BODY._replace(align="justify", is_hyphenated=True),
    "u": _BODY._replace(caps="small", tracking=20.0),
}


def yaml(data: bytes) -> None:
    """The door for YAML: a tree, or problems; and every value of the tree has a place in the file."""
    node, problems = read_yaml("f.yaml", data)
    _look_at(problems)
    lines = data.count(b"\n") + data.count(b"\r") + data.decode("utf-8", "replace").count("\u2028") + 2
    if node is None:
        assert problems
        return
    for one in _nodes(node):
        assert 1 <= one.source.line <= lines, one.source
        assert one.source.column >= 1


def csv(data: bytes) -> None:
    """The door for CSV: a table without gaps, or problems."""
    _table("t.csv", data)


def sheet(data: bytes) -> None:
    """The inside of a spreadsheet: parts of XML, put into a zip here; `@@ ods` alone first makes it an ODS."""
    parts = parts_of(data)
    suffix = "ods" if "ods" in parts else "xlsx"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            if name.isprintable() and name.isascii():
                archive.writestr(zipfile.ZipInfo(name), content)
    _table(f"t.{suffix}", packed.getvalue())


def archive(data: bytes) -> None:
    """Zips as they come: spreadsheets, and bundles."""
    _table("t.xlsx", data)
    _table("t.ods", data)
    path = _scratch() / "x.zip"
    path.write_bytes(data)
    _look_at(check_bundle(path).problems)


@cache
def _fonts() -> FontLibrary:
    return FontLibrary(Workspace(bundled_root() or Path()))


def svg(data: bytes) -> None:
    """The door for SVG: art, and looks of it."""
    art, problems = read_art("a.svg", data)
    _look_at(problems)
    if art is None:
        assert problems
        return
    for paints in (Paints("#102030", "#405060"), Paints("#102030", "black", "low", Lines("#000000", 0.2))):
        drawing, segments, problems = draw_art(art, {"a": "#aabbcc", "a.stroke": "#ccbbaa"}, paints, _fonts())
        again, _, _ = draw_art(art, {"a": "#aabbcc", "a.stroke": "#ccbbaa"}, paints, _fonts())
        assert (drawing.key, drawing.items) == (again.key, again.items)
        assert segments >= 0
        _finite(drawing.items)
        _look_at(problems)


def picture(data: bytes) -> None:
    """The door for PNG and JPEG: a picture that says how large it is, or words."""
    for is_grey in (False, True):
        try:
            found, note = read_picture("p.png", data, is_grey=is_grey)
        except BadArt as bad:
            _look_at([Problem("bad-picture", Source("p.png"), str(bad), bad.fix)])
            continue
        assert found.kind in ("png", "jpeg")
        assert 0 < found.width_px * found.height_px <= 50_000_000
        assert not note or note.isprintable()


def font(data: bytes) -> None:
    """The door for fonts: words set, and the glyphs they need cut out of the font."""
    for instance, member in (("", ""), ("wght=550", ""), ("", "2"), ("", "Pond-Book")):
        typeface = load_typeface(data, instance, member=member)
        if isinstance(typeface, Unusable):
            assert _CODE.fullmatch(typeface.code)
            continue
        for text in ("Duck 12", "fi \u0301é", "\u05d0\u0628"):
            typeface.shape(text)
        with contextlib.suppress(MachineError):  # says that the letters in use are damaged
            cut = typeface.subset({0, 1, 2, 3})
            assert not typeface.is_compact or read_compact(cut) is not None
            drawn = sorted({*map(typeface.glyph, "Duck"), typeface.narrow_space})
            said = Words(b"".join([glyph.to_bytes(2, "big") for glyph in drawn]), ((2 * len(drawn), "Duck"),))
            font_ink(typeface, array("H", drawn), [said])


def markup(data: bytes) -> None:
    """The markup of texts, set into a box: what fits lies within it, and the same text is set the same twice."""
    text = data.decode("utf-8", "ignore")
    head, _, rest = text.partition("\x00")
    style = _STYLES.get(head[:1], _BODY)
    words = rest or text
    setter = _setter("fr" if head[1:2] == "f" else "en")
    fitted = setter.fit(words, style, _BOX, values={"name": "*Teal* {star}", "n": "3"})
    assert fitted == setter.fit(words, style, _BOX, values={"name": "*Teal* {star}", "n": "3"})
    setter.height(words, style, 30.0)
    setter.set_paragraphs(words[:2000], style, 30.0)
    _finite(fitted.items)
    if not fitted.over_mm:
        for item in fitted.items:
            if isinstance(item, Text):
                assert _BOX.x_mm - 0.01 <= item.x_mm <= _BOX.x_mm + _BOX.width_mm + 0.01
                assert _BOX.y_mm - 0.01 <= item.y_mm <= _BOX.y_mm + _BOX.height_mm + 0.01


def facexml(data: bytes) -> None:
    """The XML of faces: the reader reads nothing that ElementTree refuses, and the same twice."""
    text = data.decode("utf-8", "ignore")
    reader = FaceReader()
    first, second = reader.read(text), reader.read(text)
    assert isinstance(first, Malformed) == isinstance(second, Malformed)
    if isinstance(first, Malformed):
        assert first.what
        return
    ElementTree.fromstring(text.lstrip())
    assert isinstance(second, FaceNode)
    assert _told(first) == _told(second)


def template(data: bytes) -> None:
    """A layout: compiled, filled for a card, and composed to a face."""
    workspace = PaperWorkspace({**small_game(), "content/g/layouts/face.xml": data})
    game, theme = _template_game()
    fonts = _fonts()
    problems_of_fonts = len(fonts.problems)
    batch = Batch(workspace, game, fonts, {}, "en", "color", [Wanted(game.pieces[0], theme, {})])
    ((laid_out, problems),) = lay_out_pieces(batch)
    del fonts.problems[problems_of_fonts:]
    _look_at(problems)
    for face in laid_out.faces:
        _finite(face.front.items)


def expression(data: bytes) -> None:
    """Expressions of setup and of cards: a value, or what is wrong with them."""
    text = data.decode("utf-8", "ignore")[:4000]
    reading = read_expression(text)
    if reading.error is not None:
        _look_at([Problem(reading.error.code, Source("f"), reading.error.what, reading.error.fix)])
    elif reading.compiled is not None:
        names: dict[str, object] = {"players": 3, "seat": 1, "variant": "long", "a": 7}
        names["card"] = {"value": 3, "sex": "hen"}
        names |= {"facts": {"size": 4, "list": (1, 2)}, "min": min, "max": max, "abs": abs, "count": lambda *_, **__: 2}
        try:
            value = Calculator(SETUP).value(reading.compiled, names)
        except ExpressionError as error:
            _look_at([Problem(error.code, Source("f"), error.what, error.fix)])
        else:
            assert isinstance(value, bool | int | float | str | tuple | dict | None)
    if "{{" in text:
        fill_holes(text, lambda words, offset: f"{words}{offset}")
    variables = {"n": 3, "name": "Teal", "duck": {"id": "teal", "value": 2}, "list": [1, 2, 3]}
    filler = TextFiller()
    compiled = filler.compile(text, Source("f.yaml"), 0)
    filled = compiled if isinstance(compiled, Problem) else filler.fill(compiled, variables)
    assert isinstance(filled, Problem) or len(filled) <= 200_000
    condition = filler.compile_condition(text, Source("f.yaml"), 0)
    holds = condition if isinstance(condition, Problem) else filler.holds(condition, variables)
    _look_at([one for one in (filled, holds) if isinstance(one, Problem)])


def lock(data: bytes) -> None:
    """Lock files and manifests of earlier versions; a lock that is read is written again as it says."""
    read = read_lock(data, Source("g.lock"))
    if read.lock is not None:
        assert read_lock(lock_bytes(read.lock), Source("g.lock")) == read
        assert not read.problems
    _look_at([*read.problems, *lock_from_manifest(data, Source("manifest.json")).problems])


def game(data: bytes) -> None:
    """A whole game, or the files of it that the input has (`@@ content/g/game.yaml`): checked and typeset."""
    files = {path: content for path, content in parts_of(data).items() if path.startswith(("content/g/", "layouts/"))}
    workspace = PaperWorkspace({**small_game(), **files})
    loaded = load(workspace, "g")
    tables(loaded)
    checked = check(workspace, loaded)
    _look_at(checked.problems)
    assert checked.game is not None or checked.has_errors
    for piece in checked.pieces:
        for face in piece.faces:
            _finite(face.front.items)


_sets: list[str] = []

TARGETS: dict[str, Target] = {
    one.__name__: one
    for one in (yaml, csv, sheet, archive, svg, picture, font, markup, facexml, template, expression, lock, game)
}


def _look_at(problems: Iterable[Problem]) -> None:
    """Hold problems to what they promise: a code, a place, words that any terminal and any file can take."""
    for problem in problems:
        assert _CODE.fullmatch(problem.code), problem
        assert problem.source.line >= 1, problem
        assert problem.source.column >= 1, problem
        assert problem.what, problem
        assert len(problem.what) < 3000, problem
        str(problem).encode()
        json.dumps(problem)


def _nodes(node: Node) -> Iterator[Node]:
    waiting: list[Node] = [node]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, MappingNode):
            waiting += [entry.value for entry in one.entries.values()]
        elif not isinstance(one, Scalar):
            waiting += one.items


def _table(name: str, data: bytes) -> None:
    found, problems = read_table(name, data)
    _look_at(problems)
    assert found is not None or problems
    if found is not None and not problems:
        assert all(len(row) <= len(found.header) for row in found.rows)
        assert all(cell.source.line >= 1 for row in found.rows for cell in row)


def _finite(items: Iterable[Item]) -> None:
    """Hold everything drawn to numbers that a PDF can hold."""
    words = repr(tuple(items))
    assert not _ENDLESS.search(_QUOTED.sub("", words)), words[:300]


def _told(node: FaceNode) -> object:
    """Return a node and what stands in it as plain data."""
    told: list[object] = []
    waiting: list[tuple[FaceNode, int]] = [(node, 0)]
    while waiting:
        one, depth = waiting.pop()
        told.append((depth, one.tag, one.attrib, one.at, [part for part in one.content if isinstance(part, str)]))
        waiting += [(child, depth + 1) for child in one.children]
    return told


def _setter(language: str) -> Typesetter:
    """Return a typesetter; it keeps every word it has measured, so it is a new one from time to time."""
    _sets.append(language)
    if len(_sets) > 2000:
        _sets.clear()
        _new_setter.cache_clear()
    return _new_setter(language)


@cache
def _new_setter(language: str) -> Typesetter:
    icons = {
        "star": IconGlyph("star", Rect(0.0, 0.0, 10.0, 10.0)),
        "wide": IconGlyph("wide", Rect(5.0, 5.0, 30.0, 9.0)),
    }
    return Typesetter(_fonts(), lambda name, _colour: icons.get(name), language)


@cache
def _scratch() -> Path:
    folder = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
    return Path(tempfile.mkdtemp(prefix="duckpress-fuzz-", dir=folder))


@cache
def small_game() -> dict[str, bytes]:
    """Return the files of the small good game, which the seed of the target `game` holds in full."""
    seed = Path(__file__).resolve().parent / "corpus" / "game" / "good.txt"
    return {path: content for path, content in parts_of(seed.read_bytes()).items() if path}


@cache
def _template_game() -> tuple[Game, object]:
    workspace = PaperWorkspace(small_game())
    found, problems = load_game(workspace, "g")
    assert found is not None, problems
    theme, problems = load_theme(workspace, "g", found.pieces[0].theme)
    assert theme is not None, problems
    return found, theme
