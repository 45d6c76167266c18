"""`VectorArt` -> a `Drawing`: one look of an SVG file, its classes repainted, its transforms and clips kept."""

from __future__ import annotations

from collections.abc import Callable

from duckpress.art import BadArt, TooMuchArt, UndrawnArt, refuse_more
from duckpress.art.svg.bare_svg import picture_inside
from duckpress.art.svg.file import Complaints, VectorArt
from duckpress.art.svg.paint import Painter, Paints, parse_opacity
from duckpress.art.svg.paths import DESCRIPTIVE, SHAPES
from duckpress.art.svg.reader import LINK, SvgNode
from duckpress.art.svg.shading import Shading, clipped
from duckpress.art.svg.styles import INHERITED, RARE, inherited, refused_by
from duckpress.art.svg.words import draw_text
from duckpress.art.svg.work import Items, Style, SvgWork
from duckpress.art.values import is_drawable, length, rounded
from duckpress.core.backs import INKS
from duckpress.core.frame import Drawing, Group, Item, items_bounds
from duckpress.core.geometry import IDENTITY, Rect, translation
from duckpress.core.paths import NO_PATH, rectangle
from duckpress.core.problems import Problem
from duckpress.text.fonts import FontLibrary

_CONTAINERS = ("svg", "g", "a", "symbol")
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

_INK_CLASS = "ink-"  # what has the class ink-color shows in that ink only; several such classes are several inks
_INK_CLASSES = frozenset(_INK_CLASS + ink for ink in INKS)


def draw_art(
    art: VectorArt, repaint: dict[str, str], paints: Paints, fonts: FontLibrary | None = None
) -> tuple[Drawing, int, list[Problem]]:
    """Return one look of the art, how many segments its paths have, and its problems.

    `repaint` maps `class` or `class.stroke` to `#rrggbb`; `fonts` are those of its words. What reaches outside the
    art's box is cut off, as every viewer does. Drawn in lines, every area is white with a line around it, but for those
    that are repainted. Art of which there is too much is not drawn at all.
    """
    artist = _Artist(art, repaint, paints, fonts)
    complaints = artist.work.complaints
    try:
        items = artist.whole(paints.fill)
        bounds = items_bounds(items, {})
        if bounds is not None and not all(abs(value) < _FARTHEST for value in bounds):
            raise TooMuchArt("something in it is larger than anything", "correct the file")
    except TooMuchArt as error:
        complaints.complain(art.root, f"{art.path!r}: {error}", error.fix)
        return Drawing(art.box, ()), 0, complaints.problems
    if bounds is not None and not art.box.holds(bounds, 1e-3 * max(art.box.width_mm, art.box.height_mm)):
        items = (Group(items, clip=rectangle(*art.box)),)
    return Drawing(art.box, items), artist.work.segments, complaints.problems


class _Artist:
    """Draws the elements of one file in one look."""

    def __init__(self, art: VectorArt, repaint: dict[str, str], paints: Paints, fonts: FontLibrary | None) -> None:
        complaints = Complaints(art.path)
        self.work = work = SvgWork(art, Painter(repaint, paints, complaints), complaints, fonts)
        work.draw = self.element
        self._shading = Shading(work)
        self._ink_class = _INK_CLASS + paints.ink

    def whole(self, fill: str) -> Items:
        """Return the items of the file; its outermost element is styled like any other, its size is not its own."""
        root = self.work.art.root
        self.work.root_style = style = {**INHERITED, "fill": fill}
        return self._shown(root, style, 0, self.children, is_whole=True)

    def children(self, parent: SvgNode, style: Style, depth: int) -> Items:
        """Return the items of an element's children."""
        items: list[Item] = []
        for child in parent.children:
            items += self.element(child, style, depth + 1)
        return tuple(items)

    def element(self, part: SvgNode, style: Style, depth: int) -> Items:
        """Return the items of one element under its transform, clip and opacity."""
        if not part.tag or part.tag in _UNSEEN:
            return ()
        self.work.count_element()
        refuse_more(depth, "svg-depth", "elements used in it are nested more than {most} deep", "flatten it")
        return self._shown(part, style, depth, self._inner)

    def _shown(self, part: SvgNode, style: Style, depth: int, draw: _Draw, *, is_whole: bool = False) -> Items:
        """Return what `draw` makes of an element, as its styles say, under its transform, clip and opacity."""
        inks = [name for name in part.attrib.get("class", "").split() if name in _INK_CLASSES]
        if inks and self._ink_class not in inks:
            return ()
        work = self.work
        declared = work.declared(part)
        self._look_for_refused(part, declared, is_whole=is_whole)
        if declared.get("display") == "none":
            return ()
        style = inherited(style, declared | work.painter.repainted(part))
        opacity = 1.0 if work.painter.is_clip else self._own_opacity(part, declared)
        if opacity == 0:
            return ()
        try:
            with work.blended(if_so=opacity < 1):
                inner = draw(part, style, depth)
                clip = NO_PATH
                if inner:
                    inner, clip = clipped(work, part, inner, declared.get("clip-path", "none"), depth)
        except TooMuchArt:
            raise
        except UndrawnArt as error:
            work.refuse(part, str(error))
            return ()
        except BadArt as error:
            work.complaints.complain(part, f"<{part.tag}>: {error}", error.fix)
            return ()
        if not inner:
            return ()
        matrix = IDENTITY if is_whole else work.matrix(part)
        if matrix == IDENTITY and not clip and opacity == 1:
            return inner
        return (Group(inner, matrix, clip, opacity),)

    def _own_opacity(self, part: SvgNode, declared: Style) -> float:
        """Return the opacity of an element as a whole."""
        opacity = parse_opacity(declared.get("opacity", "1"))
        if opacity is None:
            self.work.refuse(part, f"the opacity {declared['opacity'][:30]!r}")
        return 1.0 if opacity is None else opacity

    def _inner(self, part: SvgNode, style: Style, depth: int) -> Items:
        tag, work = part.tag, self.work
        if tag == "use":
            return self._use(part, style, depth)
        if tag == "svg":
            return self._viewport(part, part, style, depth)
        if tag in _CONTAINERS:
            return self.children(part, style, depth)
        if tag == "switch":
            return self._chosen(part, style, depth)
        if tag == "text":
            return draw_text(work, self._shading, part, style)
        if self._is_left_out(part):
            return ()
        if tag not in SHAPES:
            work.refuse(part, f"<{tag}>")
            return ()
        for child in part.children:
            if child.tag not in DESCRIPTIVE:
                work.refuse(child, f"<{child.tag}> in a <{tag}>")
        path = work.path(part)
        if not path or style["visibility"] != "visible":
            return ()
        return self._shading.painted(part, path, style)

    def _is_left_out(self, part: SvgNode) -> bool:
        """Return whether an element is one that no viewer shows where the file is alone; warning `svg-left-out`."""
        if part.tag == "flowRoot":
            words = " ".join("".join(node.words for node in part.every()).split())
            what = f"the flowed text {words[:40]!r}, which only Inkscape shows,"
            fix = "in Inkscape, make it a plain text: Text > Convert to Text"
            is_told = bool(words)
        else:
            href = part.attrib.get("href") or part.attrib.get(LINK, "")
            what = f"the picture {href[-60:]!r}, which is another file,"
            fix = "embed it in your drawing program, or take it away"
            is_told = part.tag == "image" and not picture_inside(self.work.art.path, href)
            if is_told and href.lstrip().lower().startswith("data:"):
                what = "a picture that is embedded, but is no whole PNG or JPEG,"
                fix = "embed it as PNG"
        if is_told:
            self.work.complaints.leave_out(part, what, fix)
        return is_told or part.tag == "flowRoot"

    def _chosen(self, part: SvgNode, style: Style, depth: int) -> Items:
        """Return the items of the first element of a `switch` that asks for no extension."""
        for child in part.children:
            if child.tag not in DESCRIPTIVE and not child.attrib.get("requiredExtensions", ""):
                return self.element(child, style, depth + 1)
        return ()

    def _use(self, part: SvgNode, style: Style, depth: int) -> Items:
        href = part.attrib.get("href") or part.attrib.get(LINK, "")
        if href and not href.startswith("#"):
            what = f"<use> of {href[:60]!r}, which is of another file,"
            self.work.complaints.leave_out(part, what, "draw it in this file, or take the <use> away")
            return ()
        target = self.work.art.by_id.get(href[1:])
        if target is None:
            return ()  # browsers show nothing
        if self.work.is_used(target):
            self.work.complaints.leave_out(part, f"<use> of {href[:60]!r} inside itself", "take it away")
            return ()
        x, y = self._corner(part)
        with self.work.using(target):
            if target.tag in ("symbol", "svg"):
                return self._shown(
                    target, style, depth + 1, lambda holder, inner, deep: self._viewport(holder, part, inner, deep)
                )
            items = self.element(target, style, depth + 1)
        return (Group(items, translation(x, y)),) if items and (x or y) else items

    def _corner(self, part: SvgNode) -> tuple[float, float]:
        return length(part.attrib, "x", 0.0, self.work.view), length(part.attrib, "y", 0.0, self.work.view)

    def _viewport(self, holder: SvgNode, placed: SvgNode, style: Style, depth: int) -> Items:
        """Draw a `symbol` or inner `svg` into the rectangle that `placed` gives it."""
        work = self.work
        around = work.view
        x, y = self._corner(placed)
        if holder is not placed and holder.tag == "svg":
            x, y = x + self._corner(holder)[0], y + self._corner(holder)[1]
        own = {key: placed.attrib[key] for key in ("width", "height") if key in placed.attrib}
        sizes = holder.attrib | own
        width = length(sizes, "width", around.width_mm, around)
        height = length(sizes, "height", around.height_mm, around)
        if width <= 0 or height <= 0:
            return ()
        matrix, shown, view, is_scaled = work.placed(Rect(x, y, width, height), holder)
        if not is_drawable(matrix):
            raise BadArt("it is shown larger than anything")
        work.view = view
        try:
            items = self.children(holder, style, depth)
        finally:
            work.view = around
        if not items:
            return ()
        overflow = work.declared(holder).get("overflow", "hidden")
        bounds = items_bounds(items, {}) or shown
        is_clipped = overflow in ("hidden", "scroll") and (is_scaled or not shown.holds(bounds))
        return (Group(items, rounded(matrix), rectangle(*shown) if is_clipped else NO_PATH),)

    def _look_for_refused(self, part: SvgNode, declared: Style, *, is_whole: bool) -> None:
        if is_whole:
            # The outermost element's own size is not asked for: whoever shows the file gives it one.
            declared = {name: value for name, value in declared.items() if name not in ("width", "height", "overflow")}
            if part.attrib.get("transform", "").strip():
                self.work.refuse(part, "a transform of the whole <svg>")
        for name in _CONDITIONS:
            if name in part.attrib:
                self.work.refuse(part, f"an element under a condition ({name})")
        for name in RARE:
            if self.work.target(declared.get(name, "none")) is not None:
                self.work.refuse(part, f"{name}: {declared[name][:40]}")
        for what in refused_by(part, declared):
            self.work.refuse(part, what)
