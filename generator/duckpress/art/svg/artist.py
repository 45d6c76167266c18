"""`VectorArt` -> a `Drawing`: one look of an SVG file, its classes repainted, its transforms and clips kept."""

from __future__ import annotations

from collections.abc import Callable

from duckpress.art import BadArt, TooMuchArt, UndrawnArt, refuse_more
from duckpress.art.svg import LINK, SvgNode
from duckpress.art.svg.bare_svg import picture_inside
from duckpress.art.svg.file import Complaints, VectorArt, numbers_box
from duckpress.art.svg.paint import Painter, Paints, parse_opacity
from duckpress.art.svg.paths import DESCRIPTIVE, SHAPES, placed_view
from duckpress.art.svg.styles import INHERITED, RARE, inherited, is_of_another_ink, refused_by
from duckpress.art.svg.words import draw_text
from duckpress.art.svg.work import Items, Style, SvgWork
from duckpress.art.values import is_drawable, length, rounded
from duckpress.core.frame import Drawing, Group, Item, items_bounds
from duckpress.core.geometry import IDENTITY, Rect, translation
from duckpress.core.paths import NO_PATH, rectangle
from duckpress.core.problems import Problem
from duckpress.text.fonts import FontLibrary

# Definitions and words: they show nothing where they stand.
_UNSEEN = frozenset(
    (
        "title", "desc", "metadata", "defs", "style", "symbol", "clipPath", "linearGradient", "radialGradient",
        "pattern", "mask", "filter", "marker",
    )
)  # fmt: skip
_CONDITIONS = ("systemLanguage", "requiredExtensions")
_FARTHEST = 1e9  # in the file's units

_Draw = Callable[[SvgNode, Style, int], Items]


def draw_art(
    art: VectorArt, repaint: dict[str, str], paints: Paints, fonts: FontLibrary | None = None
) -> tuple[Drawing, int, list[Problem]]:
    """Return one look of the art, the number of segments in its paths, and its problems.

    `repaint` maps `class` or `class.stroke` to `#rrggbb`; `fonts` are those of its words. What reaches outside the
    art's box is cut off, as every viewer does. Drawn in lines, every area is white with a line around it, but for those
    that are repainted. Art of which there is too much is not drawn at all.
    """
    complaints = Complaints(art.path)
    artist = _Artist(art, Painter(repaint, paints, complaints), complaints, fonts)
    artist.ink = paints.ink
    # The outermost element is styled like any other, but its size is not its own.
    artist.root_style = {**INHERITED, "fill": paints.fill}
    try:
        items = artist.shown(art.root, artist.root_style, 0, artist.children, is_whole=True)
        bounds = items_bounds(items, {})
        if bounds is not None and not all(abs(value) < _FARTHEST for value in bounds):
            raise TooMuchArt("something in it is larger than anything", "correct the file")
    except TooMuchArt as error:
        complaints.complain(art.root, f"{art.path!r}: {error}", error.fix)
        return Drawing(art.box, ()), 0, complaints.problems
    if bounds is not None and not art.box.holds(bounds, 1e-3 * max(art.box.width_mm, art.box.height_mm)):
        items = (Group(items, clip=rectangle(*art.box)),)
    return Drawing(art.box, items), artist.segments, complaints.problems


class _Artist(SvgWork):
    """Draws the elements of one file in one look."""

    ink = ""
    _elements = 0

    def children(self, parent: SvgNode, style: Style, depth: int) -> Items:
        items: list[Item] = []
        for child in parent.children:
            items += self.element(child, style, depth + 1)
        return tuple(items)

    def element(self, part: SvgNode, style: Style, depth: int) -> Items:
        if not part.tag or part.tag in _UNSEEN:
            return ()
        self._elements += 1
        refuse_more(self._elements, "svg-drawn", "it draws more elements than a picture may have ({most})")
        refuse_more(depth, "svg-depth", "elements used in it are nested more than {most} deep", "flatten it")
        return self.shown(part, style, depth, self._inner)

    def shown(self, part: SvgNode, style: Style, depth: int, draw: _Draw, *, is_whole: bool = False) -> Items:
        """Return the items that `draw` makes of an element, with its styles, transform, clip and opacity applied."""
        if is_of_another_ink(part.attrib.get("class", ""), self.ink):
            return ()
        declared = self.declared(part)
        self._look_for_refused(part, declared, is_whole=is_whole)
        if declared.get("display") == "none":
            return ()
        style = inherited(style, declared | self.painter.repainted(part))
        opacity = 1.0 if self.painter.is_clip else parse_opacity(declared.get("opacity", "1"))
        if opacity is None:
            self.refuse(part, f"the opacity {declared['opacity'][:30]!r}")
            opacity = 1.0
        if opacity == 0:
            return ()
        clip = NO_PATH
        try:
            with self.blended(if_so=opacity < 1):
                inner = draw(part, style, depth)
                if inner:
                    inner, clip = self.clipped(part, inner, declared.get("clip-path", "none"), depth)
        except TooMuchArt:
            raise
        except UndrawnArt as error:
            self.refuse(part, str(error))
            return ()
        except BadArt as error:
            self.complaints.complain(part, f"<{part.tag}>: {error}", error.fix)
            return ()
        if not inner:
            return ()
        matrix = IDENTITY if is_whole else self.matrix(part)
        if matrix == IDENTITY and not clip and opacity == 1:
            return inner
        return (Group(inner, matrix, clip, opacity),)

    def _inner(self, part: SvgNode, style: Style, depth: int) -> Items:
        tag = part.tag
        if tag == "use":
            return self._use(part, style, depth)
        if tag == "svg":
            return self._viewport(part, part, style, depth)
        if tag in ("g", "a"):
            return self.children(part, style, depth)
        if tag == "switch":
            # The first element that asks for no extension.
            chosen = (child for child in part.children if child.tag not in DESCRIPTIVE)
            child = next((child for child in chosen if not child.attrib.get("requiredExtensions", "")), None)
            return () if child is None else self.element(child, style, depth + 1)
        if tag == "text":
            return draw_text(self, part, style)
        if self._is_left_out(part):
            return ()
        if tag not in SHAPES:
            self.refuse(part, f"<{tag}>")
            return ()
        for child in part.children:
            if child.tag not in DESCRIPTIVE:
                self.refuse(child, f"<{child.tag}> in a <{tag}>")
        path = self.path(part)
        return self.painted(part, path, style) if path and style["visibility"] == "visible" else ()

    def _is_left_out(self, part: SvgNode) -> bool:
        """Return whether an element is one that no viewer shows from this file alone; warning `svg-left-out`."""
        if part.tag == "flowRoot":
            words = " ".join("".join(node.words for node in part.every()).split())
            what = f"the flowed text {words[:40]!r}, which only Inkscape shows,"
            fix = "in Inkscape, make it a plain text: Text > Convert to Text"
            is_told = bool(words)
        else:
            href = part.attrib.get("href") or part.attrib.get(LINK, "")
            what = f"the picture {href[-60:]!r}, which is another file,"
            fix = "embed it in your drawing program, or take it away"
            is_told = part.tag == "image" and not picture_inside(self.art.path, href)
            if is_told and href.lstrip().lower().startswith("data:"):
                what = "a picture that is embedded, but is no whole PNG or JPEG,"
                fix = "embed it as PNG"
        if is_told:
            self.complaints.leave_out(part, what, fix)
        return is_told or part.tag == "flowRoot"

    def _use(self, part: SvgNode, style: Style, depth: int) -> Items:
        href = part.attrib.get("href") or part.attrib.get(LINK, "")
        if href and not href.startswith("#"):
            what = f"<use> of {href[:60]!r}, which is of another file,"
            self.complaints.leave_out(part, what, "draw it in this file, or take the <use> away")
            return ()
        target = self.art.by_id.get(href[1:])
        if target is None:
            return ()  # browsers show nothing
        if self.is_used(target):
            self.complaints.leave_out(part, f"<use> of {href[:60]!r} inside itself", "take it away")
            return ()
        x, y = self._corner(part)
        with self.using(target):
            if target.tag in ("symbol", "svg"):
                return self.shown(
                    target, style, depth + 1, lambda holder, inner, deep: self._viewport(holder, part, inner, deep)
                )
            items = self.element(target, style, depth + 1)
        return (Group(items, translation(x, y)),) if items and (x or y) else items

    def _corner(self, part: SvgNode) -> tuple[float, float]:
        return length(part.attrib, "x", 0.0, self.view), length(part.attrib, "y", 0.0, self.view)

    def _viewport(self, holder: SvgNode, placed: SvgNode, style: Style, depth: int) -> Items:
        """Draw a `symbol` or inner `svg` into the rectangle that `placed` gives it."""
        around = self.view
        x, y = self._corner(placed)
        if holder is not placed and holder.tag == "svg":
            x, y = x + self._corner(holder)[0], y + self._corner(holder)[1]
        sizes = holder.attrib | {key: placed.attrib[key] for key in ("width", "height") if key in placed.attrib}
        width = length(sizes, "width", around.width_mm, around)
        height = length(sizes, "height", around.height_mm, around)
        if width <= 0 or height <= 0:
            return ()
        written = holder.attrib.get("viewBox")
        view = None if written is None else numbers_box(written)
        if written is not None and view is None:
            raise BadArt(f"viewBox={written[:40]!r} is not four numbers with a size")
        aspect = holder.attrib.get("preserveAspectRatio", "xMidYMid")
        matrix, shown = placed_view(Rect(x, y, width, height), view, aspect)
        if not is_drawable(matrix):
            raise BadArt("it is shown larger than anything")
        self.view = view or shown
        try:
            items = self.children(holder, style, depth)
        finally:
            self.view = around
        if not items:
            return ()
        overflow = self.declared(holder).get("overflow", "hidden")
        bounds = items_bounds(items, {}) or shown
        is_clipped = overflow in ("hidden", "scroll") and (view is not None or not shown.holds(bounds))
        return (Group(items, rounded(matrix), rectangle(*shown) if is_clipped else NO_PATH),)

    def _look_for_refused(self, part: SvgNode, declared: Style, *, is_whole: bool) -> None:
        if is_whole:
            # The outermost element's own size is not asked for: whoever shows the file gives it one.
            declared = {name: value for name, value in declared.items() if name not in ("width", "height", "overflow")}
            if part.attrib.get("transform", "").strip():
                self.refuse(part, "a transform of the whole <svg>")
        for name in _CONDITIONS:
            if name in part.attrib:
                self.refuse(part, f"an element under a condition ({name})")
        for name in RARE:
            if self.target(declared.get(name, "none")) is not None:
                self.refuse(part, f"{name}: {declared[name][:40]}")
        for what in refused_by(part, declared):
            self.refuse(part, what)
