"""Small games made of text and laid out, and frames written as lines that a person can read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from duckpress.content import load_game
from duckpress.core.frame import Group, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.paths import canonical_text
from duckpress.core.problems import Problem
from duckpress.layout import Batch, Face, LaidOut, Wanted, lay_out_pieces, load_theme
from duckpress.text.fonts import FontLibrary
from running import MakeWorkspace

GAME = """\
title: Trial
version: "1.0"
designer: Somebody
about: A game to try layouts with.
licence: none
players: 2-4
languages: [en]
theme: {theme}
pieces:
  - {{id: cards, title: Cards, decks: [cards]}}
"""
DECK = """\
title: Cards
size: {{width: 60mm, height: 80mm, corner: 3mm, bleed: 2mm, safe: 3mm}}
front: front
{back}
fields: {{title: {{kind: text, optional: yes}}, words: {{kind: text, optional: yes}}}}
cards:
{cards}
"""
ONE_CARD = "  - {id: first, title: Heron, words: Wade}"
TEMPLATE = "content/trial/layouts/front.xml"


class Trial(NamedTuple):
    """A game laid out: its faces, and what was found."""

    laid_out: LaidOut
    problems: list[Problem]

    @property
    def face(self) -> Face:
        return self.laid_out.faces[0]

    @property
    def lines(self) -> list[str]:
        """The first front, one item a line."""
        return list(as_lines(self.face.front.items))

    @property
    def codes(self) -> list[str]:
        return [problem.code for problem in self.problems]

    @property
    def problem(self) -> Problem:
        """The only problem."""
        assert len(self.problems) == 1, [str(problem) for problem in self.problems]
        return self.problems[0]


def lay_out(
    make: MakeWorkspace,
    template: str,
    *,
    cards: str = ONE_CARD,
    back: str = "",
    ink: str = "color",
    theme: str = "",
    files: Mapping[str, str | bytes] | None = None,
) -> Trial:
    """Lay out a game of one deck (60 x 80 mm) whose front is the template; elements without a face get one."""
    if "<face" not in template and "{% extends" not in template:
        template = f"<face>{template}</face>"
    written: dict[str, str | bytes] = {
        "content/trial/game.yaml": GAME.format(theme="trial" if theme else "base"),
        "content/trial/decks/cards.yaml": DECK.format(cards=cards, back="back: back" if back else ""),
        TEMPLATE: template,
        **(files or {}),
    }
    if back:
        written["content/trial/layouts/back.xml"] = back
    if theme:
        written["content/trial/theme.yaml"] = theme
    workspace = make(written)
    game, problems = load_game(workspace, "trial")
    assert game is not None
    assert problems == []
    look, problems = load_theme(workspace, game.id, game.pieces[0].theme)
    assert problems == []
    assert look is not None
    fonts = FontLibrary(workspace)
    batch = Batch(workspace, game, fonts, {}, "en", ink, [Wanted(game.pieces[0], look, {})])
    return Trial(*lay_out_pieces(batch)[0])


def as_lines(items: tuple[Item, ...], indent: str = "") -> Iterator[str]:
    """Yield items as lines, the items of a group below it and further in."""
    for item in items:
        if isinstance(item, Outline):
            paint = item.paint
            words = [f"fill {paint.fill}"] if paint.fill else []
            words += [f"stroke {paint.stroke} {paint.stroke_mm:g}"] if paint.stroke else []
            words += [f"dash {paint.dash_mm}"] if paint.dash_mm else []
            words += [f"opacity {paint.fill_opacity:g}"] if paint.fill_opacity < 1 else []
            words += ["evenodd"] if paint.even_odd else []
            yield f"{indent}outline {', '.join(words)}: {canonical_text(item.path)}"
        elif isinstance(item, Text):
            yield f"{indent}text {item.text!r} at {item.x_mm:.2f} {item.y_mm:.2f}, {item.size_mm:.2f} high, {item.fill}"
        elif isinstance(item, Picture):
            yield f"{indent}picture at {item.x_mm:g} {item.y_mm:g}, {item.width_mm:g} x {item.height_mm:g}"
        elif isinstance(item, PlacedDrawing):
            yield f"{indent}drawing {_matrix(item.matrix)}"
        elif isinstance(item, Group):
            words = [_matrix(item.matrix)] if item.matrix != IDENTITY else []
            words += [f"clip {canonical_text(item.clip)}"] if item.clip else []
            words += [f"opacity {item.opacity:g}"] if item.opacity < 1 else []
            yield f"{indent}group {', '.join(words)}"
            yield from as_lines(item.items, f"{indent}  ")


def _matrix(matrix: Matrix) -> str:
    return "by " + " ".join(f"{value:g}" for value in matrix)
