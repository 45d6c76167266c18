"""A feedback form for a game without its own: questions that fit the game, scales and lines to write on.

A game's own form is a piece with the id `feedback`. This one is set like a swap sheet, in the theme of the rules, and
has the code of every sheet at its foot: which game, which version.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from duckpress.core.backs import Backs
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import added
from duckpress.core.language import program
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem
from duckpress.core.sizes import paper_of
from duckpress.files.workspace import Workspace
from duckpress.layout import load_theme
from duckpress.layout.rulebook.block_setting import BlockSetting
from duckpress.layout.rulebook.blocks import Prose
from duckpress.layout.rulebook.columns import Section, Slug, kept_together, shifted
from duckpress.layout.rulebook.furniture import Leaflet, escaped, leaflet_piece
from duckpress.layout.rulebook.pages import PageShape, shape_of
from duckpress.model import Deck, FieldKind, Game
from duckpress.model.setup import PlaceKind
from duckpress.model.setup import Step as SetupStep
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Loaded, translate
from duckpress.press.request import Request, Step
from duckpress.share.bundle_pages import FORM
from duckpress.store import Output, file_name
from duckpress.text.fonts import FontLibrary
from duckpress.views.virtual.table_decks import is_net_of_dice

_CARD_MM2 = (1500.0, 10_000.0)  # from a small card to a large one: neither tokens nor sheets
_NAME = 25  # letters of a text that is no more than a name


class Scale(NamedTuple):
    """A question with marks from 1 to 5, and the words at both ends; phrases of the program."""

    asks: str
    low: str
    high: str


def questions_of(workspace: Workspace, game: Game) -> tuple[list[Scale], list[str]]:
    """Return the questions for a game: those with scales and those with lines, in order, as phrases of the program.

    Cards, boards and dice are asked of only where players together use them.
    """
    fewest, most = min(game.players, default=0), max(game.players, default=0)
    has_solo = fewest == 1 and most > 1  # one player alone is a way to play among others
    steps: tuple[SetupStep, ...] = () if game.setup is None else game.setup.steps

    def is_solo(deck: Deck) -> bool:
        """Return whether a deck is used only by a player alone."""
        uses = [step for step in steps if any(take.origin == deck.id for take in step.takes)]
        return has_solo and bool(uses) and all(step.only == (1,) for step in uses)

    decks = [deck for id_, deck in game.decks.items() if deck.is_component and id_ not in game.packaging]
    has_cards = any(_is_dealt(deck) and _says_something(deck) for deck in decks if not is_solo(deck))
    has_dice = any(is_net_of_dice(workspace, game, deck) for deck in decks)
    has_board = any(deck.overlap_mm is not None for deck in decks)
    has_hands = most > 1 and any(step.kind is PlaceKind.HAND and step.only != (1,) for step in steps)
    scales = [
        (True, Scale(program.FORM_AGAIN, program.FORM_AGAIN_LOW, program.FORM_AGAIN_HIGH)),
        (True, Scale(program.FORM_RULES, program.FORM_HARD, program.FORM_EASY)),
        (True, Scale(program.FORM_TIME, program.FORM_TOO_SHORT, program.FORM_TOO_LONG)),
        (most > fewest, Scale(program.FORM_COUNT, program.FORM_BADLY, program.FORM_WELL)),
        (has_cards, Scale(program.FORM_CARDS_READ, program.FORM_HARD, program.FORM_EASY)),
        (has_cards, Scale(program.FORM_CARDS_WORTH, program.FORM_UNEVEN, program.FORM_EVEN)),
        (has_board, Scale(program.FORM_BOARD_READ, program.FORM_HARD, program.FORM_EASY)),
        (has_board, Scale(program.FORM_BOARD_CHOICE, program.FORM_TOO_LITTLE, program.FORM_TOO_MUCH)),
        (has_dice, Scale(program.FORM_DICE, program.FORM_TOO_LITTLE, program.FORM_TOO_MUCH)),
        (has_hands, Scale(program.FORM_HIDDEN, program.FORM_GUESSED, program.FORM_KNOWN)),
        (has_solo, Scale(program.FORM_SOLO, program.FORM_NO_MATCH, program.FORM_GOOD_MATCH)),
    ]
    questions = [
        (True, program.FORM_GOOD),
        (True, program.FORM_UNCLEAR),
        (has_cards, program.FORM_CARDS),
        (has_board, program.FORM_BOARD),
        (True, program.FORM_LENGTH),
        (True, program.FORM_CHANGE),
    ]
    return [scale for fits, scale in scales if fits], [one for fits, one in questions if fits]


def _is_dealt(deck: Deck) -> bool:
    """Return whether a deck is for shuffling: several cards of a card's size, with a back."""
    trim = deck.size.trim
    least, most = _CARD_MM2
    return deck.count > 1 and deck.back is not None and least <= trim.width_mm * trim.height_mm <= most


def _says_something(deck: Deck) -> bool:
    """Return whether cards have texts to follow, not only names and numbers."""
    texts = [name for name, field in deck.fields.items() if field.kind is FieldKind.TEXT and field.is_words]
    values = [card.values.get(name) for card in deck.cards for name in texts]
    return any(isinstance(value, str) and len(value) > _NAME for value in values)


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
    return any(piece.id == FORM for piece in game.pieces)


def feedback_form(
    workspace: Workspace, loaded: Loaded, language: str, papers: Sequence[str], ink: str, step: Step
) -> tuple[list[Output], list[Problem]]:
    """Return the form on each of the papers, proven, and its problems."""
    assert loaded.game is not None
    game, _ = translate(workspace, loaded.game, language)
    title = game.speech.program(program.FORM_TITLE)
    piece = leaflet_piece(game, FORM, title)
    theme, problems = load_theme(workspace, game.id, piece.theme, game.theme_at(piece))
    if theme is None:
        return [], problems
    fonts = FontLibrary(workspace)
    leaflet = Leaflet(workspace, game, piece, theme, fonts, ink)
    request = Request(papers=tuple(papers), backs=Backs.NONE, ink=ink, language=language)
    press = Press(PrintJob(game, request, fonts, step))
    subtitle = f"{title} · {game.speech.program(program.VERSION, {'version': game.version})}"
    compose = partial(_sections, game, questions_of(workspace, game))
    sizes = [paper_of(name) for name in papers]
    pages = {paper.name: leaflet.pages(shape_of(paper, 1, is_folded=False), subtitle, compose) for paper in sizes}
    problems += leaflet.problems
    form = leaflet.laid_out(pages)
    outputs: list[Output] = []
    for paper in sizes:
        proven = press.print(press.impose(form, paper))
        problems += proven.problems
        file = file_name(loaded.game, FORM, paper.name, ink, language)
        outputs += [output.renamed(file) for output in proven.outputs]
    return outputs, problems


def _sections(
    game: Game, questions: tuple[Sequence[Scale], Sequence[str]], setting: BlockSetting, shape: PageShape
) -> list[Section]:
    """Return the form for a shape of page, in the language of a game."""
    say, source, width_mm = game.speech.program, game.source, shape.text_mm
    height_mm = setting.line_mm * _WRITING
    bar = setting.bar(0.0, height_mm, width_mm, _HAIR_MM, "rules-line")
    line = Slug(round(height_mm + _HAIR_MM, 3), (bar,))
    slugs = setting.blocks([Prose(escaped(say(program.FORM_LEAD)), source, is_lead=True)], width_mm)
    slugs.append(_facts(game, setting, width_mm, height_mm))
    words = Prose(escaped(say(program.FORM_SCALES)), source)
    slugs += setting.blocks([words], width_mm)
    slugs += [_scale(game, scale, setting, width_mm) for scale in questions[0]]
    for question in questions[1]:
        first, *more = setting.blocks([Prose(f"**{escaped(say(question))}**", source)], width_mm)
        first = first._replace(before_mm=setting.line_mm * _BEFORE)
        slugs += kept_together([first, *more, *[line] * _LINES])
    return [Section(1, tuple(slugs))]


def _scale(game: Game, scale: Scale, setting: BlockSetting, width_mm: float) -> Slug:
    """Return a line with a question, and boxes from 1 to 5 between the words at both ends."""
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
    """Return the questions about every play: words, with a line above each to write on."""
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
