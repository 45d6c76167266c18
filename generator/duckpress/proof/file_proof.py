"""A finished file held against what was planned: its pages, and all that they show, through whatever streams name.

The text of every stream is compared with what a second writer makes of its frame, drawing, group or side; where it is
not the same, what it paints (`stream_differences`). What a name stands for follows from the name: `C-` a face, `D-` a
drawing, `P-` a picture, `F-` a font, `L-` a layer, `O` opacities; groups (`G-`) are followed by where they stand.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from duckpress.core.frame import Drawing, Frame, Group
from duckpress.core.geometry import IDENTITY, Matrix, Rect, scaling
from duckpress.core.problems import Problem
from duckpress.core.units import MM_PER_PT
from duckpress.impose import all_items
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedPage, fault, frames_of
from duckpress.proof.font_proof import font_faults, read_font
from duckpress.proof.opened import FormRead, OpenedPdf, PageRead, Resources, refuse_keys, unpacked
from duckpress.proof.picture_proof import image_bytes, is_grey, is_shown
from duckpress.proof.placed_art import largest_scale, resolution_warnings
from duckpress.proof.planned_pages import boxes_of
from duckpress.proof.proven import Proven, digest_of
from duckpress.proof.stream_differences import HALF_A_STEP, difference
from duckpress.proof.wanted_streams import WantedStream, parts_of, runs_of

_DUPLEX = {None: "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
_STATE_KEYS = frozenset(["/Type", "/ca", "/CA", "/SMask"])
_MASK_KEYS = frozenset(["/Type", "/S", "/G"])  # others would change what is black, or how light something is
_BOXES = {"P": Rect(0.0, 0.0, 1.0, 1.0), "G": Rect(0.0, 0.0, 100.0, 100.0), "": Rect(0.0, 0.0, 100.0, 100.0)}
_named = re.compile(r"/((?:FormXob\.|F-|O\d|L-)\S+)").findall
_GROUP = re.compile(r"/(O\d+-\d+)(-G-\w+)?\s+gs\s+/(FormXob\.G-\w+)\s+Do")
_glyphs = re.compile("<([0-9A-Fa-f]+)>").findall
_coloured = re.compile(r"(?<!\S)(\S+) (?!\1 \1 (?:rg|RG)\b)\S+ \S+ (?:rg|RG)\b").search


def check_file(document: OpenedPdf, expected: Expected, proven: Proven) -> Iterator[Problem]:
    """Yield everything in which a file differs from what was planned; what is right is added to what is proven.

    Problems: `proof-document`, `proof-page-count`, `proof-boxes`, `proof-page`, `proof-art`, `proof-face-mixed`,
    `proof-picture`, `proof-font`, `proof-ink`, `proof-layer`; and the warning `picture-resolution`.
    """
    wishes, count = document.root.get("/ViewerPreferences", {}), len(expected.pages)
    pairs = {
        "the title": (document.title, expected.title),
        "the language": (str(document.root.get("/Lang", "")), expected.language),
        "print scaling": (str(wishes.get("/PrintScaling")), "/None"),
        "duplex printing": (str(wishes.get("/Duplex")), _DUPLEX[expected.duplex]),
    }
    for name, (said, wanted) in pairs.items():
        if said != wanted:
            yield fault("proof-document", f"{name} is {said!r} in the file, not {wanted!r}")
    if document.page_count != count:
        yield fault("proof-page-count", f"the file has {document.page_count} pages, and {count} were planned")
    proof = _FileProof(document, expected, proven)
    for number, page in enumerate(expected.pages[: document.page_count], 1):
        yield from proof.check_page(number, page)
    for complaint in dict.fromkeys(document.complaints()):
        yield fault("proof-document", f"the file is damaged: {complaint}")


class _Owner(NamedTuple):
    """What a stream belongs to: how it is called in problems, and how its coordinates become mm on paper."""

    name: str
    to_mm: Matrix = IDENTITY
    drawing: str = ""  # its key, as its coordinates are those of its placements

    def fault(self, what: str) -> Problem:
        """Return a problem of it."""
        return fault("proof-art" if ":" in self.name else "proof-page", f"{self.name}: {what}")


class _FileProof:
    """Holds the pages of a file, and what they show, against what is expected; what recurs is looked at once."""

    def __init__(self, document: OpenedPdf, expected: Expected, proven: Proven) -> None:
        self._document = document
        self._expected = expected
        self._proven = proven
        self._frames = frames_of(expected)
        self._met: set[object] = set()
        self._places: dict[str, object] = {}  # of things in the file, by their names
        self._glyphs: dict[str, frozenset[int]] = {}  # of fonts in the file, by their keys
        self._digests: dict[object, tuple[bytes, bytes]] = {}  # by the numbers of resources

    def check_page(self, number: int, planned: ExpectedPage) -> Iterator[Problem]:
        """Yield everything in which a page differs from what was planned."""
        if any(placement.frame not in self._frames for placement in planned.side.placements):
            return  # such a plan is wrong
        page = self._document.page(number - 1)
        yield from self._check_boxes(number, page, planned)
        left, _, _, top = page.media
        owner = _Owner(f"page {number}", Matrix(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -left * MM_PER_PT, top * MM_PER_PT))
        wanted = WantedStream(Rect(0.0, 0.0, *planned.paper)).draw_page(planned.side, self._frames)
        yield from self._check_things(owner, page.resources)
        yield from self._check_stream(owner, page.content, page.resources, wanted)

    def _check_boxes(self, number: int, page: PageRead, planned: ExpectedPage) -> Iterator[Problem]:
        """Yield a `proof-boxes` for the paper, what is cut, and what is printed of it."""
        boxes = {"media": (page.media, Rect(0.0, 0.0, *planned.paper))}
        trim, bleed = boxes_of(planned, self._frames)
        for name, (box, wanted) in {**boxes, "trim": (page.trim, trim), "bleed": (page.bleed, bleed)}.items():
            left, bottom, right, top = box or (0.0, 0.0, 0.0, 0.0)
            lies = (left - page.media[0], page.media[3] - top, right - page.media[0], page.media[3] - bottom)
            edges = [edge * MM_PER_PT for edge in lies]
            if any(abs(edge - other) > TOLERANCE_MM for edge, other in zip(edges, wanted.edges, strict=True)):
                what = f"the {name} box of page {number} is {_edges(edges)}, not {_edges(wanted.edges)}"
                yield fault("proof-boxes", what)

    def _check_stream(
        self, owner: _Owner, content: str, resources: Resources, wanted: WantedStream
    ) -> Iterator[Problem]:
        """Yield in what a stream differs from what is wanted, and what it names that is not there."""
        parts = _GROUP.findall(content) if "FormXob.G-" in content else []
        text, other = wanted.text, content
        if parts:
            other = _GROUP.sub(lambda part: f"/{part[1]}{'-G' if part[2] else ''} gs\n/FormXob.G Do", content)
        if text != other and text.split() != other.split():
            what = difference(text, other, self._to_mm(owner), self._box_of)
            if what is not None:
                yield owner.fault(what)
        if self._expected.is_grey and (coloured := _coloured(content)):
            yield fault("proof-ink", f"{owner.name} is to be in greys, and sets the colour {coloured[0]!r}")
        unknown = sorted({*_named(content)} - resources.things.keys())
        if unknown:
            yield owner.fault(f"{', '.join(unknown)} is not in the file")
        elif len(parts) == len(wanted.groups):
            for (state, mask, form), (group, matrix) in zip(parts, wanted.groups, strict=True):
                inner = owner._replace(to_mm=owner.to_mm.after(matrix))
                found = resources.things[state + mask], resources.things[form]
                yield from self._check_group(inner, found, group, parts_of(wanted, group, matrix))
        yield from self._check_glyphs(owner, wanted.runs)

    def _check_group(
        self, owner: _Owner, found: tuple[Any, Any], group: Group, wanted: tuple[WantedStream, WantedStream | None]
    ) -> Iterator[Problem]:
        """Yield in what the state and the form of a group that is put together first differ from what is wanted."""
        state, form = found
        mask = _mask_of(state)
        if not _has_opacity(state, group.opacity, group.opacity) or (mask is None) is not (wanted[1] is None):
            yield owner.fault("a group has another opacity or another mask")
        for part, stream in zip((form, mask), wanted, strict=True):
            if part is not None and stream is not None:
                read = self._document.form(part)
                if not read.is_group or not _rect(read.box).holds(stream.box, TOLERANCE_MM):
                    yield owner.fault(f"a group is not painted as one, or cut off at {_edges(read.box)}")
                yield from self._check_stream(owner, unpacked(read.packed), read.resources, stream)

    def _check_things(self, owner: _Owner, resources: Resources) -> Iterator[Problem]:
        """Yield in what anything that a stream may name differs from what its name stands for."""
        if resources.number in self._met:
            return
        self._met.add(resources.number)
        for name, thing in sorted(resources.things.items(), key=lambda thing: thing[0][:2] != "F-"):  # fonts first
            place = thing.objgen if thing.is_indirect else thing.unparse()
            if self._places.setdefault(name, place) != place:
                yield fault("proof-face-mixed", f"{owner.name}: two different things go by the name {name}")
            elif (name, place) not in self._met:
                self._met.add((name, place))
                yield from self._check_thing(owner, name, thing)

    def _check_thing(self, owner: _Owner, name: str, thing: Any) -> Iterator[Problem]:
        kind, _, key = name.removeprefix("FormXob.").partition("-")
        frame, drawing = self._frames.get(key), self._expected.drawings.get(key)
        if kind == "C" and frame is not None:
            yield from self._check_form(_Owner(f"{owner.name}: {frame}"), name, thing, frame.frame)
        elif kind == "D" and drawing is not None:
            placed = _Owner(f"{owner.name}: drawing {key[:8]}", drawing=key)
            yield from self._check_form(placed, name, thing, drawing)
        elif kind == "P":
            yield from self._check_picture(owner, key, thing)
        elif kind == "F":
            yield from self._check_font(key, thing)
        elif kind == "L":
            title, is_printed = self._expected.layers.get(name), self._expected.prints_layers
            faults = _layer_faults(thing, self._document.root, title, is_printed=is_printed)
            yield from (fault("proof-layer", f"the layer {name} {what}") for what in faults)
        elif kind == "G":
            yield from self._check_things(owner, self._document.form(thing).resources)
        elif kind.startswith("O"):
            yield from self._check_state(owner, name, thing)
        else:
            yield owner.fault(f"something is shown that is on no card ({name})")

    def _check_state(self, owner: _Owner, name: str, state: Any) -> Iterator[Problem]:
        """Yield whether a graphics state is another one than its name says; masks are held against their groups."""
        fill, stroke, *named = name[1:].split("-", 2)
        mask = _mask_of(state)
        if (mask is not None) is not bool(named) or not _has_opacity(state, int(fill) / 1000, int(stroke) / 1000):
            yield owner.fault(f"what is as opaque as {name} says has another opacity or another mask in the file")
        if mask is not None:
            yield from self._check_things(owner, self._document.form(mask).resources)

    def _check_form(self, owner: _Owner, name: str, thing: Any, shown: Frame | Drawing) -> Iterator[Problem]:
        """Yield in what a face or a drawing differs from its items, unless that was proven."""
        form = self._document.form(thing)
        yield from self._check_things(owner, form.resources)
        digest = self._digest(name, form)
        covered = digest_of(digest, self._digests_of(form.resources)[1])
        if self._proven.holds(covered):
            return
        problems: list[Problem] = []
        if self._proven.holds(digest):
            problems += self._check_glyphs(owner, runs_of(shown.items))
        else:
            box = shown.bleed_box if isinstance(shown, Frame) else shown.box
            wanted = WantedStream(box).draw(shown.items)
            if form.is_group:
                problems.append(owner.fault("it is painted as a group"))
            if form.box != box.edges and not self._is_about(owner, _rect(form.box), box):
                problems.append(owner.fault(f"it is cut off at {_edges(form.box)}, not at {_edges(box.edges)}"))
            problems += self._check_stream(owner, unpacked(form.packed), form.resources, wanted)
            if wanted.is_scaled and self._expected.pictures and isinstance(shown, Frame):
                problems += resolution_warnings(self._frames[shown.hash], self._expected)
        if not problems:
            self._proven.add(digest, covered)
        yield from problems

    def _check_glyphs(self, owner: _Owner, runs: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
        """Yield a `proof-font` for glyphs that are drawn and not in the font of the file."""
        for key, bodies in runs.items():
            drawn = array("H", bytes.fromhex("".join(_glyphs("".join(bodies)))))
            drawn.byteswap()
            missing = sorted({*drawn} - self._glyphs.get(key, frozenset()))
            if missing:
                yield fault("proof-font", f"{owner.name} draws glyphs that font {key} has not, as {missing[0]}")

    def _check_font(self, key: str, thing: Any) -> Iterator[Problem]:
        font = read_font(thing)
        self._glyphs[key] = frozenset(font.widths)
        data = b"" if font.file is None else font.file.read_raw_bytes()
        digest = digest_of(key, font.kind, font.has_map, sorted(font.widths.items()), data)
        if not self._proven.holds(digest):
            faults = list(font_faults(key, font, self._expected.font_file))
            self._proven.add(*[digest] * (not faults))
            yield from (fault("proof-font", f"the font {key} {what}") for what in faults)

    def _check_picture(self, owner: _Owner, key: str, image: Any) -> Iterator[Problem]:
        digest = digest_of(key, image_bytes(image), self._expected.is_grey)
        if self._proven.holds(digest):
            return
        picture = self._expected.pictures.get(key)
        if picture is None or not is_shown(image, picture.data):
            what = f"picture {key[:8]} does not show in the file what its own file shows"
            yield fault("proof-picture", f"{owner.name}: {what}")
        elif self._expected.is_grey and not is_grey(image):
            yield fault("proof-ink", f"{owner.name}: picture {key[:8]} is to be in greys, and has colours")
        else:
            self._proven.add(digest)

    def _digest(self, name: str, form: FormRead) -> bytes:
        """Return under what it is proven that a form shows what its name stands for, wherever its fonts come from."""
        parts = self._digests_of(form.resources)[0]
        return digest_of(b"grey" if self._expected.is_grey else b"", name.encode(), form[1:3], form.packed, parts)

    def _digests_of(self, resources: Resources) -> tuple[bytes, bytes]:
        """Return hashes of what a stream may name that its names do not tell: groups and masks, and glyphs of fonts."""
        if resources.number not in self._digests:
            parts, fonts = [], []
            for name, thing in sorted(resources.things.items(), key=lambda thing: thing[0]):
                form = thing if name.startswith("FormXob.G-") else _mask_of(thing) if name[0] == "O" else None
                if form is not None:
                    parts.append((self._digest(name, self._document.form(form)), name[0] == "O" and _opacity(thing)))
                elif name.startswith("F-"):
                    fonts.append((name, sorted(self._glyphs[name[2:]])))
            self._digests[resources.number] = digest_of(parts), digest_of(fonts)
        return self._digests[resources.number]

    def _box_of(self, name: str) -> Rect:
        """Return the box of what goes by a name."""
        kind, _, key = name.partition("-")
        if kind == "C":
            return self._frames[key].frame.bleed_box
        return self._expected.drawings[key].box if kind == "D" else _BOXES[kind]

    def _to_mm(self, owner: _Owner) -> Matrix:
        """Return how large a stream is printed: a drawing, where it is largest."""
        if not owner.drawing:
            return owner.to_mm
        shown = [face.frame.items for face in self._frames.values()]
        shown += [all_items(page.side) for page in self._expected.pages]
        return scaling(largest_scale(owner.drawing, shown, self._expected.drawings)).after(owner.to_mm)

    def _is_about(self, owner: _Owner, box: Rect, wanted: Rect) -> bool:
        to_mm = self._to_mm(owner)
        pairs = zip(to_mm.around(box).edges, to_mm.around(wanted).edges, strict=True)
        return all(abs(edge - other) <= TOLERANCE_MM for edge, other in pairs)


def _mask_of(state: Any) -> Any:
    """Return the form that makes the soft mask of a graphics state, None where it has none."""
    refuse_keys(state, _STATE_KEYS)
    mask = state.get("/SMask")
    if mask is None:
        return None
    refuse_keys(mask, _MASK_KEYS)
    if mask.S != "/Luminosity":
        raise ValueError("a soft mask that is not of luminosity")
    return mask.G


def _opacity(state: Any) -> tuple[float, float]:
    """Return how opaque a graphics state makes fills and strokes."""
    return float(state.get("/ca", 1)), float(state.get("/CA", 1))


def _has_opacity(state: Any, fill: float, stroke: float) -> bool:
    return all(abs(one - other) < HALF_A_STEP for one, other in zip(_opacity(state), (fill, stroke), strict=True))


def _rect(box: tuple[float, ...]) -> Rect:
    x1, y1, x2, y2 = box
    return Rect(x1, y1, x2 - x1, y2 - y1)


def _edges(edges: Iterable[float]) -> str:
    return " ".join(f"{edge:.2f}" for edge in edges)


def _layer_faults(layer: Any, root: Any, title: str | None, *, is_printed: bool) -> list[str]:
    """Return everything that is wrong with a layer: one that is not to be printed says so, and an event asks it.

    Source: ISO 32000-1, 8.11.4.
    """
    properties = root.get("/OCProperties", {})
    default, usage, name = properties.get("/D", {}), layer.get("/Usage", {}), str(layer.get("/Name", ""))
    events = [event for event in default.get("/AS", []) if "/Print" in map(str, event.Category)]
    asks = any(str(event.Event) == "/Print" and _holds(event, "/OCGs", layer) for event in events)
    states = default.get("/BaseState", "/ON"), usage.get("/View", {}).get("/ViewState", "/ON")
    says_off = str(usage.get("/Print", {}).get("/PrintState", "/ON")) == "/OFF"
    faults = {
        f"is called {name!r} in the file, not {title!r}": title not in (None, name),
        "is not in the list of layers": not (_holds(properties, "/OCGs", layer) and _holds(default, "/Order", layer)),
        "does not show on a screen": {*map(str, states)} != {"/ON"} or _holds(default, "/OFF", layer),
        f"should {'be printed' if is_printed else 'be left out in print'}": (asks and says_off) is is_printed,
    }
    return [what for what, is_wrong in faults.items() if is_wrong]


def _holds(owner: Any, key: str, layer: Any) -> bool:
    return any(group.objgen == layer.objgen for group in owner.get(key, []))
