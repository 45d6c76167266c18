"""A game's faces -> a folder for a browser: all cards with their pictures, found by their words.

`index.html`, `page.css` and `page.js` are the page; `cards.js` is what it shows, as data in a script, because a browser
lets a page from the disk read nothing else; the pictures lie beside it as files, each under the name of what it shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from duckpress.core.frame import Frame
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.language import program
from duckpress.layout import Face, LaidOut
from duckpress.model import Card, Deck, Game
from duckpress.press.reading import Checked, Loaded
from duckpress.press.request import Step
from duckpress.store import locked_outputs, sources_of
from duckpress.views.card_words import card_words
from duckpress.views.export_files import MANIFEST, ExportRequest, chosen_pieces, manifest_bytes, write_export
from duckpress.views.face_pictures import ShownGame, findings_of, lay_out_game
from duckpress.views.painted_files import PaintedFile, paint_files, screen_file

FOLDER = "preview"
FILE = f"{FOLDER}/index.html"
_PAGE = Path(__file__).resolve().parent
_STATIC = ("page.css", "page.js")
_LARGE_MM = 120.0  # what is wider has a row of its own on a telephone
_PAPER = "a4"


def preview(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, out: Path, step: Step = lambda _name: None
) -> Checked:
    """Write `out/<game>/preview/`, and return what was shown: every card that can be drawn, and what is wrong.

    Writes nothing where no card can be. Raises `MachineError`.
    """
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as target:
        step("laying out")
        shown = lay_out_game(
            workspace, loaded, language=request.language, ink=request.ink, pieces=request.pieces, papers=(_PAPER,),
            is_draft=True,
        )  # fmt: skip
        game = shown.checked.game
        if game is not None and shown.checked.pieces:
            page = _Page(game, shown, request.dpi)
            files = page.files(chosen_pieces(shown.checked, request))
            step(f"{len(page.pictures)} pictures")
            painted = paint_files(target, FOLDER, page.pictures, shown.fonts, loaded.frames)
            files[MANIFEST] = manifest_bytes(request, game, files, painted, {"dpi": request.dpi})
            step("writing")
            write_export(target, FOLDER, files, painted)
    return shown.checked


def page_from(template: Path, **values: object) -> str:
    """Return a page for a browser, made of a template that escapes all values."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text(encoding="utf-8")).render(values) + "\n"


class _Page:
    """The page in the making: each picture is there once, however many cards show it."""

    def __init__(self, game: Game, shown: ShownGame, dpi: float) -> None:
        self._game = game
        self._shown = shown
        self._dpi = dpi
        self.pictures: dict[str, PaintedFile] = {}

    def files(self, pieces: Sequence[LaidOut]) -> dict[str, bytes]:
        """Return the files of the page but for its pictures."""
        decks = [section for one in pieces for section in self._deck_sections(one)]
        decks += [self._rules(one) for one in self._shown.checked.pieces if one.pages.get(_PAPER)]
        game = self._game
        values = {"title": game.title, "version": game.version, "language": game.language}
        say = game.speech.program
        problems = [
            {"level": problem.level.value, "what": problem.what, "at": str(problem.source), "fix": problem.fix}
            for problem in self._shown.checked.problems
            if problem.level is not Level.NOTE
        ]
        words = {
            "search": say(program.PREVIEW_SEARCH),
            "size": say(program.PREVIEW_SIZE),
            "backs": say(program.PREVIEW_BACKS),
            "errors": say(program.PREVIEW_ERRORS),
            "findings": say(program.PREVIEW_FINDINGS, {"n": len(problems)}),
            "before": say(program.PREVIEW_BEFORE),
            "next": say(program.PREVIEW_NEXT),
            "close": say(program.PREVIEW_CLOSE),
        }
        page = page_from(_PAGE / "index.html", **values, words=words, problems=problems)
        data = json.dumps({"decks": decks}, ensure_ascii=False, separators=(",", ":"))
        files = {name: (_PAGE / name).read_bytes() for name in _STATIC}
        return {**files, "index.html": page.encode(), "cards.js": f"const duckpress = {data};\n".encode()}

    def _deck_sections(self, one: LaidOut) -> Iterator[dict[str, Any]]:
        for deck_id in one.piece.decks:
            faces = [face for face in one.faces if face.deck == deck_id]
            deck = self._game.decks[deck_id]
            by_card = {face.card: face for face in faces}
            shown = [card for card in deck.cards if card.id in by_card or self._findings(card)]
            if not shown:
                continue
            cards = [self._card(one, deck, card, by_card.get(card.id)) for card in shown]
            count = sum(face.copies for face in faces)
            yield _section(deck.title, f"{one.piece.title} · {count}", cards)

    def _findings(self, card: Card) -> list[str]:
        """Return what is wrong with a card, without the words for the card."""
        problems = findings_of(self._shown.checked.problems, card)
        return [problem.what.removeprefix(f"{card.subject}: ") for problem in problems if problem.level is Level.ERROR]

    def _card(self, one: LaidOut, deck: Deck, card: Card, face: Face | None) -> dict[str, Any]:
        name, more = card_words(card, deck)
        format_ = face.format if face is not None else deck.size
        width_mm = format_.trim.width_mm
        return {
            "id": card.id,
            "anchor": f"{one.piece.id}-{deck.id}-{card.id}",
            "name": name,
            "back_name": self._game.speech.program(program.PREVIEW_BACK_OF, {"name": name}),
            "words": " ".join((name, more, card.id, deck.id, deck.title)),
            "copies": face.copies if face is not None else card.copies,
            "front": self._picture(one, face.front) if face is not None else None,
            "back": self._picture(one, face.back) if face is not None and face.back is not None else None,
            "width": round(width_mm, 3),
            "height": round(format_.trim.height_mm, 3),
            "radius": round(width_mm / 2 if format_.is_round else format_.corner_mm, 3),
            "findings": self._findings(card),
        }

    def _rules(self, one: LaidOut) -> dict[str, Any]:
        piece, pages = one.piece, one.pages[_PAPER]
        cards: list[dict[str, Any]] = [
            {
                "id": f"{piece.id} {number}",
                "anchor": f"{piece.id}-{number}",
                "name": str(number),
                "words": f"{piece.title} {piece.id} {number}",
                "copies": 1,
                "front": self._picture(one, frame),
                "back": None,
                "width": round(frame.trim.width_mm, 3),
                "height": round(frame.trim.height_mm, 3),
                "radius": 0,
                "findings": [],
            }
            for number, frame in enumerate(pages, 1)
        ]
        return _section(piece.title, str(len(pages)), cards)

    def _picture(self, one: LaidOut, frame: Frame) -> str:
        """Return the name of a frame's picture, which is among those to be made from now on."""
        file = screen_file(one, frame, self._dpi)
        name = f"pictures/{file.key}.jpg"
        self.pictures.setdefault(name, file)
        return name


def _section(title: str, count: str, cards: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a section of the page; all its columns are as wide as its widest card."""
    width_mm = max(card["width"] for card in cards)
    return {"title": title, "count": count, "cards": cards, "width": width_mm, "is_large": width_mm > _LARGE_MM}
