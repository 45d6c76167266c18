"""A feedback form for testers of a game that has none of its own: what fits the game, scales and lines to write on.

A game's own form is a piece with the id `feedback`. This one is set like a swap sheet, in the theme of the rules, and
has the code of every sheet at its foot: which game, which version.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem
from duckpress.core.sizes import paper_of
from duckpress.core.units import added
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.language import program
from duckpress.layout import load_theme
from duckpress.model import Game
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Loaded, spoken
from duckpress.press.request import Request, Step
from duckpress.rulebook.markdown.blocks import Prose
from duckpress.rulebook.setting.columns import Section, Slug, kept_together, shifted
from duckpress.rulebook.setting.furniture import Leaflet, escaped, leaflet_piece
from duckpress.rulebook.setting.pages import PageShape, shape_of
from duckpress.rulebook.setting.setting import BlockSetting
from duckpress.share.bundles.bundle_pages import FORM
from duckpress.share.bundles.form_questions import Questions, Scale, questions_of
from duckpress.store import Output, file_name

_LINES = 2  # to write on, under each question
_WRITING = 1.65  # the height of such a line in lines of text: about 7 mm, as on ruled paper
_BEFORE = 0.8  # lines of text between a question and what stands above it
_FACTS = ((program.FORM_DATE, 2), (program.FORM_PLAYERS, 1), (program.FORM_MINUTES, 1), (program.FORM_SCORES, 3))
_FACT_GAP_MM = 5.0
_HAIR_MM = 0.2
_STEPS = 5  # of a scale
_BOX_MM, _BOX_GAP_MM = 4.6, 2.4
_ASKS_SHARE = 0.36  # of the width, for what a scale asks; the words at its ends have the rest beside the boxes
_BOX_LINE_MM = 0.25
_ROW_GAP_MM = 1.5


def has_own_form(game: Game) -> bool:
    """Return whether a game brings its own form."""
    return any(piece.id == FORM for piece in game.pieces)


def feedback_form(
    workspace: Workspace, loaded: Loaded, language: str, papers: Sequence[str], ink: str, step: Step
) -> tuple[list[Output], list[Problem]]:
    """Return the form on each of the papers, proven, and what is wrong with it."""
    assert loaded.game is not None
    game, _ = spoken(workspace, loaded.game, language)
    title = game.speech.program(program.FORM_TITLE)
    piece = leaflet_piece(game, FORM, title)
    theme, problems = load_theme(workspace, game.id, piece.theme, game.theme_at(piece))
    if theme is None:
        return [], problems
    fonts = FontLibrary(workspace)
    leaflet = Leaflet(workspace, game, piece, theme, fonts, ink)
    request = Request(papers=tuple(papers), backs="none", ink=ink, language=language)
    press = Press(PrintJob(game, request, fonts, step))
    subtitle = f"{title} · {game.speech.program(program.VERSION, {'version': game.version})}"
    compose = partial(_sections, game, questions_of(workspace, game))
    sizes = [paper_of(name) for name in papers]
    pages = {paper.name: leaflet.pages(shape_of(paper, 1, is_folded=False), subtitle, compose) for paper in sizes}
    problems += leaflet.problems
    form = leaflet.laid_out(piece, pages)
    outputs: list[Output] = []
    for paper in sizes:
        proven = press.print(press.impose(form, paper), problems)
        problems += proven.problems
        file = file_name(loaded.game, FORM, paper.name, ink, language)
        outputs += [output.renamed(file) for output in proven.outputs]
    return outputs, problems


def _sections(game: Game, questions: Questions, setting: BlockSetting, shape: PageShape) -> list[Section]:
    """Return the form for a shape of page, in the language of a game."""
    say, source, width_mm = game.speech.program, game.source, shape.text_mm
    height_mm = setting.line_mm * _WRITING
    bar = setting.bar(0.0, height_mm, width_mm, _HAIR_MM, "rules-line")
    line = Slug(round(height_mm + _HAIR_MM, 3), (bar,))
    slugs = setting.blocks([Prose(escaped(say(program.FORM_LEAD)), source, is_lead=True)], width_mm)
    slugs.append(_facts(game, setting, width_mm, height_mm))
    words = Prose(escaped(say(program.FORM_SCALES)), source)
    slugs += setting.blocks([words], width_mm)
    slugs += [_scale(game, scale, setting, width_mm) for scale in questions.scales]
    for question in questions.open:
        first, *more = setting.blocks([Prose(f"**{escaped(say(question))}**", source)], width_mm)
        first = first._replace(before_mm=setting.line_mm * _BEFORE)
        slugs += kept_together([first, *more, *[line] * _LINES])
    return [Section(1, tuple(slugs))]


def _scale(game: Game, scale: Scale, setting: BlockSetting, width_mm: float) -> Slug:
    """Return a line with what is asked, and boxes from 1 to 5 between the words at both ends."""
    boxes_mm = _STEPS * _BOX_MM + (_STEPS + 1) * _BOX_GAP_MM
    asks_mm = width_mm * _ASKS_SHARE
    end_mm = (width_mm - asks_mm - boxes_mm) / 2
    style = setting.style("rules-small")
    parts = (
        (f"**{escaped(game.speech.program(scale.asks))}**", "left", 0.0, asks_mm),
        (escaped(game.speech.program(scale.low)), "right", asks_mm, end_mm),
        *(
            (str(step + 1), "center", asks_mm + end_mm + _BOX_GAP_MM + step * (_BOX_MM + _BOX_GAP_MM), _BOX_MM)
            for step in range(_STEPS)
        ),
        (escaped(game.speech.program(scale.high)), "left", width_mm - end_mm, end_mm),
    )
    stacks = [
        (setting.stack([(words, style._replace(align=align))], across_mm, game.source), x_mm)
        for words, align, x_mm, across_mm in parts
    ]
    high_mm = max(_BOX_MM, *(used_mm for (_, used_mm), _ in stacks))
    items: list[Item] = []
    for (drawn, used_mm), x_mm in stacks:
        items += shifted(tuple(drawn), x_mm, (high_mm - used_mm) / 2)
    paint = Paint(stroke=setting.colour("rules-ink"), stroke_mm=_BOX_LINE_MM)
    for _, _, x_mm, _ in parts[2:-1]:
        box = rectangle(round(x_mm, 3), round((high_mm - _BOX_MM) / 2, 3), _BOX_MM, _BOX_MM, 0.5)
        items.append(Outline(box, paint))
    return Slug(round(high_mm, 3), tuple(items), _ROW_GAP_MM)


def _facts(game: Game, setting: BlockSetting, width_mm: float, height_mm: float) -> Slug:
    """Return what is asked of every play: words, with a line above each to write on."""
    share_mm = (width_mm - _FACT_GAP_MM * (len(_FACTS) - 1)) / added(share for _, share in _FACTS)
    items: list[Item] = []
    x_mm = words_mm = 0.0
    for phrase, share in _FACTS:
        across_mm = share * share_mm
        items.append(setting.bar(x_mm, height_mm, across_mm, _HAIR_MM, "rules-ink"))
        words = escaped(game.speech.program(phrase))
        for slug in setting.lines(words, setting.style("rules-small"), across_mm, game.source)[:1]:
            items += shifted(slug.items, x_mm, height_mm + _HAIR_MM)
            words_mm = max(words_mm, slug.height_mm)
        x_mm += across_mm + _FACT_GAP_MM
    return Slug(round(height_mm + _HAIR_MM + words_mm, 3), tuple(items), setting.line_mm * 0.5)
