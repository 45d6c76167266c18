"""A game's page for a browser, as names of files and how each is made: written to a folder, or served by name.

- `files` are the page itself: `index.html`, the style sheet, and a script for each view. They do not change while a
  game is worked on.
- `data` are what the page shows. `data/<name>.js` is a script that calls `duckpress.take("<name>", {...})`, because a
  page from the disk may load scripts and nothing else. Loading one again brings the page up to date where it stands.
  They are made when they are asked for; the first of them (`FIRST`) are loaded with the page.
- `pictures` are JPEG files by name; more become known while data are made. A name is a picture for good.

A page from a server has `is_live`: it also loads `live.js`, which may set `duckpress.live`; what it can do then stands
at the head of `static/page.js`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from duckpress.core.frame import Frame
from duckpress.language import Speech
from duckpress.language.page_words import PAGE_WORDS
from duckpress.layout import LaidOut
from duckpress.views.face_pictures import ShownGame
from duckpress.views.page.card_rows import CardRows
from duckpress.views.page.finding_rows import finding_rows
from duckpress.views.painted_files import PaintedFile, screen_file

FIRST = ("game", "cards", "findings")
"""The data that are loaded with the page; others when a view is opened that needs them."""

_STATIC = Path(__file__).resolve().parent / "static"
_SCRIPTS = ("page.js", "rows.js", "filters.js", "cards.js", "single.js", "table.js", "findings.js", "reading.js")
Data = Callable[[], Mapping[str, Any]]


class GamePage:
    """The page of a game that was laid out; `before` is that of the version before, of which much can be taken over.

    `is_stale`: the game cannot be laid out any more, and this shows how it was; `findings_from` says what is wrong now.
    """

    def __init__(
        self, shown: ShownGame, pieces: list[LaidOut], dpi: float, *, is_live: bool = False,
        before: GamePage | None = None,
    ) -> None:  # fmt: skip
        game = shown.checked.game
        assert game is not None
        self.game = game
        self.shown = shown
        self.is_live = is_live
        self.pictures: dict[str, PaintedFile] = {}
        self._dpi = dpi
        self._rows: CardRows = CardRows(game, pieces, self.picture, None if before is None else before._rows)
        self.data: dict[str, Data] = {
            "game": self._facts,
            "cards": lambda: self._cards,
            "findings": lambda: finding_rows(shown.checked.problems, self._rows.places),
        }
        self._cards: dict[str, Any] = self._rows.data(shown.checked.problems)

    @property
    def files(self) -> dict[str, bytes]:
        """The page but for its data and pictures."""
        return {
            "index.html": self._index().encode(),
            **{name: (_STATIC / name).read_bytes() for name in ("page.css", *_SCRIPTS)},
        }

    def script(self, name: str) -> bytes:
        """Return the script that hands data of a name to the page. Raises `KeyError` where there are none."""
        data = msgspec.json.encode(self.data[name]())
        return b'duckpress.take("%s", %s);\n' % (name.encode(), data)

    def picture(self, one: LaidOut, frame: Frame) -> str:
        """Return the name of a frame's picture, its bleed included, which is among `pictures` from now on."""
        file = screen_file(one, frame, self._dpi)
        name = f"pictures/{file.key}.jpg"
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
        return {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "language": game.language,
            "words": {name: Speech.t(game.speech, words) for name, words in PAGE_WORDS.items()},
            "data": list(self.data),
        }


def page_from(template: Path, **values: object) -> str:
    """Return a page for a browser, made of a template that escapes all values."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(values) + "\n"
