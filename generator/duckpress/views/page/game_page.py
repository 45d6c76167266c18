"""A game's page for a browser, as names of files with their makers: written to a folder, or served by name.

- `files` are the page itself: `index.html`, the style sheet, and a script for each view. They do not change while a
  game is worked on.
- `data` are what the page shows. `data/<name>.js` is a script that calls `duckpress.take("<name>", {...})`, because a
  page from the disk may load scripts and nothing else. Loading one again brings the page up to date where it stands.
  They are made when they are asked for; the first of them (`FIRST`) are loaded with the page.
- `pictures` are JPEG files by name; more become known while data are made. A name is a picture for good.

`printers` are those that the person has measured. `versions` are what the game may be compared with: the first of them
is among the data as `changes`. A page that `is_given` to others says nothing of the game's files and findings.

A page from a server has `is_live`: it also loads `live.js`, which may set `duckpress.live`; what it can do then stands
at the head of `static/page.js`. What it asks for besides (a deal of any seed, the sheets of any paper, changes
since any release, a card in another language or ink), `ask` answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from markupsafe import Markup

from duckpress.check.setup.combinations import way_to_play
from duckpress.core.backs import INKS, WITH_FRONTS, Backs
from duckpress.core.frame import Frame
from duckpress.core.language import Speech
from duckpress.core.language.program import PAGE_WORDS
from duckpress.core.printer_profile import Printer
from duckpress.core.problems import Level, MachineError, Problem
from duckpress.core.sizes import PAPERS
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, GameFindings, Loaded
from duckpress.press.request import Request, Step
from duckpress.views.export_files import MANIFEST, ExportRequest, manifest_bytes, write_export
from duckpress.views.page.card_rows import (
    CardPlaces,
    CardRows,
    beside_card,
    beside_data,
    boxes_of,
    finding_row,
    finding_rows,
)
from duckpress.views.page.view_rows import (
    chances_data,
    deals_data,
    dealt,
    is_on_the_table,
    rounds_data,
    setup_data,
    sheets_data,
)  # fmt: skip
from duckpress.views.pictures import PaintedFile, paint_files, screen_file
from duckpress.views.shown_game import GamePieces

if TYPE_CHECKING:
    from jinja2 import Template

FIRST = ("game", "cards", "findings")
"""The data that are loaded with the page; others when a view is opened that needs them."""

_PAPER = "a4"
_STATIC = Path(__file__).resolve().parent / "static"
_SCRIPTS = (
    "page.js", "rows.js", "filters.js", "cards.js", "single.js", "table.js", "findings.js", "reading.js",
    "sheets.js", "changes.js", "setup.js", "deal.js",
)  # fmt: skip
_PLACES: Mapping[str, Any] = {"at": "", "places": []}  # of the data of a page: where in its files something is written
_SAID = ("values", "cells")  # what a game says, whatever it is called
Data = Callable[[], Mapping[str, Any]]


class PageVersions(Protocol):
    """The versions for comparison, by their names."""

    @property
    def names(self) -> Sequence[str]:
        """The requested version, or else the newest release, comes first."""

    def changes(self, page: GamePage, name: str) -> Mapping[str, Any]:
        """Return the changes since a version, as data of the page; old faces are added to its pictures."""


class GamePage:
    """The page of a laid-out game."""

    def __init__(
        self, drawn: GamePieces, *, is_live: bool = False,
        versions: PageVersions | None = None, printers: Mapping[str, Printer] | None = None, is_given: bool = False
    ) -> None:  # fmt: skip
        shown, game, pieces = drawn.shown, drawn.shown.checked.game, drawn.every
        assert game is not None
        self.game = game
        self.drawn = drawn
        self.shown = shown
        self.is_live = is_live
        self.is_given = is_given
        self.pictures: dict[str, PaintedFile] = {}
        self._names: dict[str, str] = {}
        self._pieces = pieces
        self._versions = versions
        self._printers = printers or {}
        self._rules = GameFindings(game.id, game, shown.checked.before_layout)  # whatever does not fit its box
        self._rows = CardRows(game, pieces, self.picture)
        self.data: dict[str, Data] = {
            "game": self._facts,
            "cards": lambda: self._cards,
            "findings": lambda: finding_rows(shown.checked.problems, self._rows.places),
            "boxes": self._boxes,
        }
        if is_given:
            self.data["findings"] = lambda: finding_rows((), self._rows.places)
            del self.data["boxes"]
        if any(one.faces or one.pages.get(_PAPER) for one in pieces):
            self.data["sheets"] = lambda: self._sheets(_PAPER, Backs.DUPLEX, drawn.request.ink, None)
        if game.setup is not None:
            self.data["setup"] = lambda: setup_data(game)
            if game.setup.odds:
                self.data["chances"] = lambda: chances_data(self._rules)
        if any(is_on_the_table(game, deck) for deck in game.decks.values()):
            self.data["deals"] = self._deals
        if versions is not None and versions.names:
            self.data["changes"] = lambda: self._changes(versions.names[0])
        if drawn.beside and not is_live:
            self.data["beside"] = lambda: beside_data(drawn, self.picture)
        self._cards: dict[str, Any] = self._rows.data(shown.checked.problems, is_begun=drawn.is_begun)

    @property
    def files(self) -> dict[str, bytes]:
        """The page without its data and pictures."""
        return {
            "index.html": self._index().encode(),
            **{name: (_STATIC / name).read_bytes() for name in ("page.css", "icon.svg", *_SCRIPTS)},
        }

    def script(self, name: str) -> bytes:
        """Return the script that hands named data to the page. Raises `KeyError` for an unknown name."""
        data = self.data[name]()
        data = _without_places(data) if self.is_given else data
        try:
            written = msgspec.json.encode(data)
        except UnicodeEncodeError:  # a finding about a file whose name is no text
            written = json.dumps(data).encode()
        return b'duckpress.take("%s", %s);\n' % (name.encode(), written)

    @property
    def places(self) -> CardPlaces:
        return self._rows.places

    def ask(self, kind: str, options: Mapping[str, str]) -> Any:
        """Return data for a reader's choice: a `deal`, `rounds`, `sheets`, `changes`, or a card in another language or
        ink (`beside`).

        Raises `KeyError` and `ValueError` for what the page does not offer.
        """
        if kind in ("deal", "rounds"):
            way = way_to_play(self.game.setup, options["way"] or None) if self.game.setup is not None else None
            if kind == "rounds":
                return rounds_data(self._rules, way)
            players = int(options["players"])
            if players not in self.game.players or self._rules.has_errors:
                raise ValueError(f"no deal for {players} players")
            return dealt(self.game, players, way, options["seed"])
        if kind == "sheets":
            if options["paper"] not in PAPERS or options["ink"] not in INKS:
                raise ValueError(f"no {options['paper']!r} in {options['ink']!r}")
            printer = self._printers[options["printer"]] if options["printer"] else None
            return self._sheets(options["paper"], Backs(options["backs"]), options["ink"], printer)
        if kind == "beside":
            return beside_card(self.drawn, options["card"], options["in"], self.picture)
        if kind == "changes":
            return self._changes(options["since"])
        raise KeyError(kind)

    def _changes(self, version: str) -> Mapping[str, Any]:
        if self._versions is None or version not in self._versions.names:
            raise ValueError(f"no version {version!r}")
        versions = self._versions.names if self.is_live else [version]
        return {"versions": versions, "since": version, **self._versions.changes(self, version)}

    def _sheets(self, paper: str, backs: Backs, ink: str, printer: Printer | None) -> Mapping[str, Any]:
        request = Request((paper,), backs=backs, ink=ink, language=self.game.language, printer=printer)
        job = PrintJob(self.game, request, self.shown.fonts)
        data = sheets_data(job, self.drawn.printed(paper, ink), self.picture)
        return {**data, "errors": []} if self.is_given else data

    def _deals(self) -> Mapping[str, Any]:
        errors = [one for one in self._rules.problems if one.level is Level.ERROR]
        if not errors:
            try:
                return deals_data(self.game)
            except MachineError as error:
                errors = [Problem("too-many-steps", self.game.source, str(error), "")]
        findings = [] if self.is_given else [finding_row(one) for one in errors]
        return {"players": [], "ways": [], "seeds": [], "deals": {}, "errors": findings}

    def _boxes(self) -> Mapping[str, Any]:
        boxes: dict[str, list[list[Any]]] = {}
        for one in self._pieces:
            for deck in one.piece.decks:
                for frame, some in boxes_of(one, self.game.decks[deck]):
                    boxes.setdefault(self.picture(one, frame), some)
        return boxes

    def picture(self, one: LaidOut, frame: Frame) -> str:
        """Return the name of a frame's picture, its bleed included, and add it to `pictures`."""
        name = self._names.get(frame.hash)  # of all that a picture shows, the frame alone is not the page's own
        if name is None:
            file = screen_file(one, frame, self.drawn.request.dpi)
            name = self._names[frame.hash] = f"pictures/{file.key}.jpg"
            self.pictures.setdefault(name, file)
        return name

    def _index(self) -> str:
        game = self.game
        scripts = [*_SCRIPTS[:1], *(f"data/{name}.js" for name in FIRST), *_SCRIPTS[1:]]
        return page_from(
            _STATIC / "index.html",
            title=game.title,
            version=game.version,
            language=game.language,
            direction="rtl" if game.speech.is_mirrored else "ltr",
            more="" if self.is_live else " file:",  # the page's own address, and the disk
            asks=Markup(" connect-src 'self';") if self.is_live else "",
            scripts=[*scripts, "live.js"] if self.is_live else scripts,
        )

    def _facts(self) -> dict[str, Any]:
        game = self.game
        papers = []  # with name and size in the language of the game: `A4 · 210 × 297 mm`
        for name, paper in PAPERS.items():
            width, height = (game.speech.number(side_mm) for side_mm in paper.size)
            papers.append((name, f"{paper.title} · {width} × {height}\u00a0mm"))
        return {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "language": game.language,
            "words": {name: Speech.t(game.speech, words) for name, words in PAGE_WORDS.items()},
            "data": list(self.data),
            "beside": self.drawn.beside,
            "rounds": game.setup is not None and game.setup.rounds is not None,
            "papers": papers,
            "backs": WITH_FRONTS,
            "inks": list(INKS),
            "isGiven": self.is_given,
            "printers": list(self._printers),
            "print": {"lang": self.drawn.request.language, "piece": list(self.drawn.request.pieces)},
        }


def _without_places(data: Any) -> Any:
    """Return data of a page without sources; values of cards are unchanged."""
    if isinstance(data, Mapping):
        return {
            key: _PLACES[key] if key in _PLACES else value if key in _SAID else _without_places(value)
            for key, value in data.items()
        }
    return [_without_places(one) for one in data] if isinstance(data, list) else data


def page_from(template: Path, **values: object) -> str:
    """Return a page for a browser, from a template that escapes all values."""
    return _compiled(template).render(values) + "\n"


@lru_cache(maxsize=4)
def _compiled(template: Path) -> Template:
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8"))


FOLDER = "preview"
FILE = f"{FOLDER}/index.html"


def preview(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None,
    versions: PageVersions | None = None, *, is_given: bool = False,
) -> Checked:  # fmt: skip
    """Write `out/<game>/preview/`; return the game with every card that can be drawn, and its problems.

    Writes nothing where no card can be. A page that `is_given` to others says nothing of files and findings. Raises
    `MachineError`.
    """
    with outputs_of(workspace, loaded, out, step) as target:
        step("laying out")
        drawn = GamePieces(workspace, loaded, request)
        shown, game = drawn.shown, drawn.shown.checked.game
        if game is not None and shown.checked.pieces:
            page = GamePage(drawn, versions=versions, is_given=is_given)
            files = {**page.files, **{f"data/{name}.js": page.script(name) for name in page.data}}
            step(f"{len(page.pictures)} pictures")
            painted = paint_files(target, FOLDER, page.pictures, shown.fonts, loaded.frames)
            files[MANIFEST] = manifest_bytes(request, game, files, painted, {"dpi": request.dpi})
            step("writing")
            write_export(target, FOLDER, files, painted)
    return shown.checked
