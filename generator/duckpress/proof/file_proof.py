"""A finished file compared with its plan: its pages, and everything that their streams refer to.

The text of every stream is compared with what a second writer makes of its frame, drawing, group or side; where it is
not the same, what it paints (`difference`). What a name stands for follows from the name: `C-` a face, `D-` a
drawing, `P-` a picture, `F-` a font, `L-` a layer, `O` opacities; groups (`G-`) are followed by where they stand.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from duckpress.core.frame import Drawing, Frame
from duckpress.core.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, scaling
from duckpress.core.problems import Problem, Source
from duckpress.files.memo import Pack
from duckpress.impose import all_items
from duckpress.layout.legibility import largest_scale
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedPage, boxes_of, fault, frames_of
from duckpress.proof.opened import (
    FormRead,
    OpenedPdf,
    Resources,
    StreamRead,
    UnreadablePdf,
    font_faults,
    image_bytes,
    is_grey,
    is_shown,
    opened_pdf,
    read_font,
)
from duckpress.proof.plan_proof import check_plan
from duckpress.proof.wanted_streams import HALF_A_STEP, WantedStream, difference, parts_of

_DUPLEX = {None: "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
_ROUNDED = 1e-4  # so much may lie between a number and how it is written
_BOXES = {"P": Rect(0.0, 0.0, 1.0, 1.0), "G": Rect(0.0, 0.0, 100.0, 100.0), "": Rect(0.0, 0.0, 100.0, 100.0)}
_named = re.compile(r"/([FOL]\S{2,})").findall  # /OC and the /F of a code are keys
_GROUP = re.compile(r"/(O\d+-\d+)(-G-\w+)?\s+gs\s+/(FormXob\.G-\w+)\s+Do")
_ON_SCREENS = "/View << /ViewState /ON >> >>"
_LAYERS = re.compile(
    rb"<< /D << /AS \[ << /Category \[ /View \] /Event /View /OCGs (\[ [^]]+ \]) >> "
    rb"<< /Category \[ /Print \] /Event /Print /OCGs \1 >> \] "
    rb"/BaseState /ON /Name \(Layers\) /ON \1 /Order \1 >> /OCGs \1 >>"
).fullmatch
_glyphs = re.compile("<([0-9A-Fa-f]+)>").findall
_coloured = re.compile(r"(?<!\S)(\S+) (?!\1 \1 (?:rg|RG)\b)\S+ \S+ (?:rg|RG)\b").search


def check_file(document: OpenedPdf, expected: Expected, proven: Pack) -> Iterator[Problem]:
    """Yield all differences between a file and its plan; correct parts are added to `proven`.

    Problems: `proof-document`, `proof-page-count`, `proof-boxes`, `proof-page`, `proof-art`, `proof-face-mixed`,
    `proof-picture`, `proof-font`, `proof-ink`, `proof-layer`.
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
    yield from proof.check_glyphs()
    for complaint in dict.fromkeys(document.complaints()):
        yield fault("proof-document", f"the file is damaged: {complaint}")


class _Owner(NamedTuple):
    """The owner of a stream: its name in problems, and the matrix from its coordinates to mm on paper."""

    name: str
    to_mm: Matrix = IDENTITY
    drawing: str = ""  # its key, as its coordinates are those of its placements

    def fault(self, what: str) -> Problem:
        return fault("proof-art" if ":" in self.name else "proof-page", f"{self.name}: {what}")


class _FileProof:
    """Compares the pages of a file, and their content, with the plan; repeated content is checked once."""

    def __init__(self, document: OpenedPdf, expected: Expected, proven: Pack) -> None:
        self._document = document
        self._expected = expected
        self._proven = proven
        self._frames = frames_of(expected)
        self._met: set[object] = set()
        self._places: dict[str, int] = {}  # of things in the file, by their names
        self._glyphs: dict[str, frozenset[int]] = {}  # of fonts in the file, by their keys
        self._drawn: defaultdict[str, list[tuple[_Owner, bytes]]] = defaultdict(list)  # glyphs of fonts
        self._groups: dict[int, list[bytes]] = {}  # hashes, by the numbers of the resources that they are in

    def check_page(self, number: int, planned: ExpectedPage) -> Iterator[Problem]:
        """Yield all differences between a page and its plan."""
        if any(placement.frame not in self._frames for placement in planned.side.placements):
            return  # such a plan is wrong
        page = self._document.page(number - 1)
        left, top = page.media.x_mm, page.media.bottom_mm
        owner = _Owner(f"page {number}", Matrix(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -left * MM_PER_PT, top * MM_PER_PT))
        paper = Rect(0.0, 0.0, *planned.paper)
        trim, bleed = boxes_of(planned, self._frames)
        for name, box, wanted in (
            ("media", page.media, paper),
            ("trim", page.trim, trim),
            ("bleed", page.bleed, bleed),
        ):
            lies = owner.to_mm.around(box)
            if _distance(lies, wanted) > TOLERANCE_MM:
                yield fault("proof-boxes", f"the {name} box of page {number} is {_edges(lies)}, not {_edges(wanted)}")
        yield from self._follow(owner, page.stream)
        yield from self._check_stream(owner, page.stream, WantedStream(paper).draw_page(planned.side, self._frames))

    def check_glyphs(self) -> Iterator[Problem]:
        """Yield a `proof-font` for each font that lacks a glyph drawn on the checked pages."""
        for key, drawn in self._drawn.items():
            missing = sorted(_numbers(b"".join([glyphs for _, glyphs in drawn])) - self._glyphs.get(key, frozenset()))
            if missing:
                owner = next(owner for owner, glyphs in drawn if missing[0] in _numbers(glyphs))
                yield fault("proof-font", f"{owner.name} draws glyphs that font {key} has not, as {missing[0]}")

    def _unless_proven(self, digest: bytes, problems: Iterator[Problem]) -> Iterator[Problem]:
        """Yield problems, unless `digest` is proven already; without problems it becomes proven."""
        if self._proven.get(digest) is None:
            faults = list(problems)
            if not faults:
                self._proven.put(digest)
            yield from faults

    def _follow(self, owner: _Owner, stream: StreamRead) -> Iterator[Problem]:
        """Yield the missing and the wrong resources of a stream; note its glyphs."""
        (names, drawn), resources = uses_of(stream, self._proven), stream.resources
        unknown = [name for name in names if name not in resources.things]
        if unknown:
            yield owner.fault(f"{', '.join(unknown)} is not in the file")
        for font, glyphs in drawn.items():
            self._drawn[font].append((owner, glyphs))
        if resources.number in self._met:
            return
        self._met.add(resources.number)
        for name, number in resources.things.items():
            if self._places.setdefault(name, number) != number:
                yield fault("proof-face-mixed", f"{owner.name}: two different things go by the name {name}")
            elif (name, number) not in self._met:
                self._met.add((name, number))
                yield from self._check_thing(owner, name, number)

    def _check_thing(self, owner: _Owner, name: str, number: int) -> Iterator[Problem]:
        kind, _, key = name.removeprefix("FormXob.").partition("-")
        frame, drawing = self._frames.get(key), self._expected.drawings.get(key)
        if kind == "C" and frame is not None:
            yield from self._check_form(
                _Owner(f"{owner.name}: {frame}"), name, number, frame.frame.bleed_box, frame.frame
            )
        elif kind == "D" and drawing is not None:
            placed = _Owner(f"{owner.name}: drawing {key[:8]}", drawing=key)
            yield from self._check_form(placed, name, number, drawing.box, drawing)
        elif kind == "G":
            yield from self._follow(owner, self._document.form(number).stream)
        elif kind.startswith("O"):
            yield from self._check_state(owner, name, number)
        elif kind == "P":
            yield from self._check_picture(owner, key, self._document.thing(number))
        elif kind == "F":
            yield from self._check_font(key, self._document.thing(number))
        elif kind == "L":
            yield from self._check_layer(name, number)
        else:
            yield owner.fault(f"something is shown that is on no card ({name})")

    def _check_form(
        self, owner: _Owner, name: str, number: int, box: Rect, shown: Frame | Drawing
    ) -> Iterator[Problem]:
        """Yield the differences between a form and the items of its face or drawing."""
        form = self._document.form(number)
        yield from self._follow(owner, form.stream)
        yield from self._unless_proven(self._digest(name, form), self._form_problems(owner, form, box, shown))

    def _form_problems(self, owner: _Owner, form: FormRead, box: Rect, shown: Frame | Drawing) -> Iterator[Problem]:
        if form.is_group:
            yield owner.fault("it is painted as a group")
        off = _distance(form.box, box)
        if off > _ROUNDED and off * self._scale(owner) > TOLERANCE_MM:
            yield owner.fault(f"it is cut off at {_edges(form.box)}, not at {_edges(box)}")
        yield from self._check_stream(owner, form.stream, WantedStream(box).draw(shown.items))

    def _check_state(self, owner: _Owner, name: str, number: int) -> Iterator[Problem]:
        """Yield a problem if a graphics state differs from its name; its mask is compared with its group."""
        fill, stroke, *named = name[1:].split("-", 2)
        state = self._document.state(number)
        off = max(abs(state.fill - int(fill) / 1000), abs(state.stroke - int(stroke) / 1000))
        if off >= HALF_A_STEP or (state.mask is not None) is not bool(named):
            yield owner.fault(f"what is as opaque as {name} says has another opacity or another mask in the file")
        if state.mask is not None:
            yield from self._follow(owner, self._document.form(state.mask).stream)

    def _check_stream(self, owner: _Owner, stream: StreamRead, wanted: WantedStream) -> Iterator[Problem]:
        """Yield the differences between a stream, with its groups, and the wanted one."""
        content, resources = stream.content, stream.resources
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
        if len(parts) != len(wanted.groups):
            return
        for (state, mask, form), (group, matrix) in zip(parts, wanted.groups, strict=True):
            inner = owner._replace(to_mm=owner.to_mm.after(matrix))
            shown, masked = parts_of(wanted, group, matrix)
            yield from self._check_group(inner, resources.things.get(form), shown)
            if masked is not None and state + mask in resources.things:
                yield from self._check_group(inner, self._document.state(resources.things[state + mask]).mask, masked)

    def _check_group(self, owner: _Owner, number: int | None, wanted: WantedStream) -> Iterator[Problem]:
        """Yield the differences between a blended group, or its mask, and the wanted one."""
        if number is not None:  # else its name was not found, or its state has no mask: that is told there
            form = self._document.form(number)
            if not form.is_group or not form.box.holds(wanted.box, TOLERANCE_MM):
                yield owner.fault(f"a group is not painted as one, or cut off at {_edges(form.box)}")
            yield from self._check_stream(owner, form.stream, wanted)

    def _check_layer(self, name: str, number: int) -> Iterator[Problem]:
        """Yield the mistakes of a layer: it must show on screens, and say whether it is printed.

        Source: ISO 32000-1, 8.11.4.
        """
        layer, listed = self._document.thing(number), self._document.root.get("/OCProperties")
        title, is_printed = self._expected.layers.get(name), self._expected.prints_layers
        if title not in (None, str(layer.Name)):
            yield fault("proof-layer", f"the layer {name} is called {str(layer.Name)!r} in the file, not {title!r}")
        usage = f"<< /Print << /PrintState /{'ON' if is_printed else 'OFF'} /Subtype /PrintersMarks >> {_ON_SCREENS}"
        if layer.Usage.unparse(resolved=True) != usage.encode():
            how = "be printed" if is_printed else "be left out in print"
            yield fault("proof-layer", f"the layer {name} should show on a screen and {how}")
        written = b"" if listed is None else listed.unparse(resolved=True)
        if (match := _LAYERS(written)) is None or b" %d 0 R " % number not in match[1]:
            yield fault("proof-layer", f"the layer {name} is hidden, or not in the list of layers")

    def _check_font(self, key: str, thing: Any) -> Iterator[Problem]:
        font = read_font(thing)
        self._glyphs[key] = frozenset(font.widths)
        data = b"" if font.file is None else font.file.read_raw_bytes()
        digest = digest_of(key, font.kind, font.has_map, sorted(font.widths.items()), data=data)
        faults = font_faults(key, font, self._expected.font_file)
        yield from self._unless_proven(digest, (fault("proof-font", f"the font {key} {what}") for what in faults))

    def _check_picture(self, owner: _Owner, key: str, image: Any) -> Iterator[Problem]:
        digest = digest_of(key, self._expected.is_grey, data=image_bytes(image))
        yield from self._unless_proven(digest, self._picture_problems(owner, key, image))

    def _picture_problems(self, owner: _Owner, key: str, image: Any) -> Iterator[Problem]:
        picture = self._expected.pictures.get(key)
        if picture is None or not is_shown(image, picture.data):
            what = f"picture {key[:8]} does not show in the file what its own file shows"
            yield fault("proof-picture", f"{owner.name}: {what}")
        elif self._expected.is_grey and not is_grey(image):
            yield fault("proof-ink", f"{owner.name}: picture {key[:8]} is to be in greys, and has colours")

    def _digest(self, name: str, form: FormRead) -> bytes:
        """Return the key under which a form is proven to match its name."""
        groups = self._groups_in(form.stream.resources)
        return digest_of(self._expected.is_grey, name, form.box, form.is_group, groups, data=form.stream.packed)

    def _groups_in(self, resources: Resources) -> list[bytes]:
        """Return hashes of a stream's groups and masks, whose names do not identify their content."""
        if resources.number not in self._groups:
            forms = {name: number for name, number in resources.things.items() if name.startswith("FormXob.G-")}
            states = {name: number for name, number in resources.things.items() if name[0] == "O" and "-G-" in name}
            forms |= {name: mask for name, at in states.items() if (mask := self._document.state(at).mask) is not None}
            hashes = [self._digest(name, self._document.form(at)) for name, at in sorted(forms.items())]
            self._groups[resources.number] = hashes
        return self._groups[resources.number]

    def _box_of(self, name: str) -> Rect:
        """Return the box of a named form."""
        kind, _, key = name.partition("-")
        if kind == "C":
            return self._frames[key].frame.bleed_box
        return self._expected.drawings[key].box if kind == "D" else _BOXES[kind]

    def _to_mm(self, owner: _Owner) -> Matrix:
        return scaling(self._scale(owner)).after(owner.to_mm) if owner.drawing else owner.to_mm

    def _scale(self, owner: _Owner) -> float:
        """Return the scale at which a form is printed: the largest, for a drawing."""
        if not owner.drawing:
            return 1.0
        shown = [face.frame.items for face in self._frames.values()]
        shown += [all_items(page.side) for page in self._expected.pages]
        return largest_scale(owner.drawing, shown, self._expected.drawings)


def digest_of(*parts: object, data: bytes = b"") -> bytes:
    """Return the key, a hash of plain values and bytes, under which something is proven."""
    digest = blake2b(data, digest_size=16)
    digest.update(repr((len(data), *parts)).encode("utf-8", "surrogatepass"))
    return digest.digest()


Uses = tuple[list[str], dict[str, bytes]]
"""What operators use: the names of fonts, states and layers, and of each font the glyphs, two bytes each."""
_encode = msgspec.msgpack.Encoder().encode
_read_uses: Callable[[bytes], Uses] = lru_cache(maxsize=4096)(msgspec.msgpack.Decoder(Uses).decode)


def uses_of(stream: StreamRead, proven: Pack) -> Uses:
    """Return what the operators of a stream use; from its bytes alone, by which it is known in later builds."""
    key = digest_of("uses", data=stream.packed)
    written = proven.get(key)
    if written is None:
        texts: defaultdict[str, str] = defaultdict(str)
        for part in stream.content.split("/F-")[1:]:
            texts[part[: part.index(" ")]] += part
        glyphs = {font: bytes.fromhex("".join(_glyphs(text))) for font, text in texts.items()}
        uses = sorted(set(_named(stream.content))), glyphs
        proven.put(key, _encode(uses))
        return uses
    return _read_uses(written)


def _numbers(glyphs: bytes) -> set[int]:
    return set(struct.unpack(f">{len(glyphs) // 2}H", glyphs))


def _distance(box: Rect, other: Rect) -> float:
    return max([abs(edge - edge_of_other) for edge, edge_of_other in zip(box.edges, other.edges, strict=True)])


def _edges(box: Rect) -> str:
    return " ".join(f"{edge:.2f}" for edge in box.edges)


_SHOWN = 8


def prove_pdf(pdf: bytes, expected: Expected, source: Source, proven: Pack | None = None) -> list[Problem]:
    """Return all differences between a PDF and its cards, as problems at `source`.

    The plan is held against the cards (`check_plan`), and the file against the plan (`check_file`). What is `proven`
    from other documents is not looked at again; what is right is added.

    Problems: those of both, and `proof-unreadable`.
    """
    problems = list(check_plan(expected))
    try:
        with opened_pdf(pdf) as document:
            problems += check_file(document, expected, Pack() if proven is None else proven)
    except UnreadablePdf as error:
        problems.append(fault("proof-unreadable", f"the finished PDF cannot be read back: {error}"))
    return _shortened([problem._replace(source=source) for problem in problems])


def _shortened(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems grouped by code, in order of first occurrence; a very frequent code ends in a count."""
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    shown: list[Problem] = []
    for alike in by_code.values():
        shown += alike[:_SHOWN]
        if len(alike) > _SHOWN:
            shown.append(alike[-1]._replace(what=f"there are {len(alike) - _SHOWN} more of the same kind"))
    return shown
