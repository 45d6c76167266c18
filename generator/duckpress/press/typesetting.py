"""Pieces of a game -> finished faces with their identities: laid out, named, and looked at for what is hard to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.core.backs import PLAIN
from duckpress.core.language.speech import letters_of
from duckpress.core.problems import Level, Problem, has_errors
from duckpress.core.sizes import paper_of
from duckpress.files.memo import Memo
from duckpress.layout import Batch, Face, KnownFaces, LaidOut, Theme, Wanted, lay_out_pieces, load_theme
from duckpress.model import RULES_TEXT, Piece
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.hard_words import hard_to_read
from duckpress.press.identity import Identities, Themed, identified, identities_of
from duckpress.press.sheets.margin_codes import MarginWords
from duckpress.press.typeset_task import Copies, TypesetPieces, TypesetTask


def typeset(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, and what is wrong with them or hard to read on them."""
    return next(typeset_each([task]))


def typeset_each(tasks: Sequence[TypesetTask]) -> Iterator[TypesetPieces]:
    """Yield the same for tasks in one language and ink, with copies of one game, which the same workers lay out."""
    for task, (pieces, problems) in zip(tasks, _lay_out_faces_of(tasks), strict=True):
        yield TypesetPieces(pieces, [*problems, *hard_to_read(task, pieces, problems)])


def lay_out_faces(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, with codes and versions, and what is wrong with them."""
    return next(_lay_out_faces_of([task]))


def _lay_out_faces_of(tasks: Sequence[TypesetTask]) -> Iterator[TypesetPieces]:
    wanted = [_WantedPieces(task, [piece for piece in task.pieces if not piece.book], _copies(task)) for task in tasks]
    for one, laid_out in zip(wanted, _lay_out_each(wanted, tasks[0].ink), strict=True):
        yield _finished(one.task, one.copies, laid_out)


def _copies(task: TypesetTask) -> Copies:
    """Return how many of each card are laid out."""
    game = task.game
    copies = copies_for(game, task.players)
    if task.most is not None:
        decks = [game.decks[deck] for piece in task.pieces for deck in piece.decks]
        copies = {**copies, **{(deck.id, card.id): 0 for deck in decks for card in deck.cards[task.most :]}}
    return copies


def _finished(task: TypesetTask, copies: Copies, laid_out: Sequence[Themed]) -> TypesetPieces:
    """Return pieces with their names, and with the texts among them, once their faces are laid out."""
    game = task.game
    every = copies if task.players is None and task.most is None else copies_for(game, None)
    identities, problems = _identities(task, every)
    cards, faces = iter(laid_out), _Faces(task, [one for _, one, _ in laid_out if one is not None])
    pieces: list[LaidOut] = []
    themes: dict[str, Theme] = {}
    for piece in task.pieces:
        if piece.book:
            one, found = _typeset_rules(task, piece, faces, copies)
        else:
            theme, one, found = next(cards)
            if theme is not None:
                themes[piece.theme] = theme
        problems += found
        pieces += [one] if one is not None else []
    in_colour = partial(_lay_out, task, ink=PLAIN, copies=every)
    pieces, undrawn = with_drawn_pictures(pieces, task.fonts, task.frames)
    problems += undrawn
    pieces, found = identified(identities, task.fonts, pieces, themes, task.ink, in_colour)
    untitled = MarginWords(task.fonts, game.speech).missing(game)
    every_problem = _of_letters(task, list(dict.fromkeys([*problems, *found, *untitled])))
    return TypesetPieces(pieces, accept_findings(game, every_problem, task.ink))


def _identities(task: TypesetTask, copies: Copies) -> tuple[Identities, list[Problem]]:
    if task.named_after is None:
        return identities_of(task.workspace, task.game, copies)
    return identities_of(task.workspace, task.named_after, copies_for(task.named_after, None))


def _of_letters(task: TypesetTask, problems: list[Problem]) -> list[Problem]:
    """Return problems with one in place of all missing glyphs, where no font has the letters of the language.

    Styles that borrow letters are told together.
    """
    letters, language = letters_of(task.game.language), task.game.language
    borrowed = [problem for problem in problems if problem.code == "borrowed-letters"]
    if len(borrowed) > 1:
        places = ", ".join(dict.fromkeys(str(one.source) for one in borrowed[1:]))
        together = borrowed[0]._replace(what=f"{borrowed[0].what}; so it is at {places}")
        problems = [together if one is borrowed[0] else one for one in problems if one not in borrowed[1:]]
    lacking = [problem for problem in problems if problem.code == "missing-glyph"]
    if not letters or not lacking or task.fonts.families_with(letters, "regular", is_italic=False):
        return problems
    what = f"no font has the letters of the language {language!r} ({letters}), and {len(lacking)} texts need them"
    fix = "add a family that has them to fonts/, and name it in the theme: families: {text: its-name}"
    one = Problem("no-letters", task.game.at("languages"), what, fix, game=task.game.id)
    return [one, *(problem for problem in problems if problem.code != "missing-glyph")]


class _WantedPieces(NamedTuple):
    """Pieces of a task, and how many of each card."""

    task: TypesetTask
    pieces: Sequence[Piece]
    copies: Copies


def _lay_out(task: TypesetTask, pieces: Sequence[Piece], ink: str, copies: Copies) -> list[Themed]:
    """Return each piece with its theme, its faces and what is wrong with them; they are kept for later builds."""
    return next(_lay_out_each([_WantedPieces(task, pieces, copies)], ink))


def _lay_out_each(every: Sequence[_WantedPieces], ink: str) -> Iterator[list[Themed]]:
    """Yield the same for each task: what is kept, is kept of the first one's game."""
    first = every[0].task
    frames, language = first.frames, first.game.language
    spoken = "-".join(filter(None, (language, first.game.speech.direction)))
    tables: list[object] = []
    loaded: list[list[tuple[Piece, Theme | None, list[Problem]]]] = []
    wanted: list[Wanted] = []
    for task, pieces, copies in every:
        game = task.game
        tables.append(setup_table(game).as_data())
        own = (None, None) if task is first else (game, tables[-1])
        loaded.append([(one, *load_theme(task.workspace, game.id, one.theme, game.theme_at(one))) for one in pieces])
        for piece, theme, _ in loaded[-1]:
            if theme is not None:
                known = KnownFaces() if frames is None else frames.known(game.id, piece.id, spoken, ink)
                wanted.append(Wanted(piece, theme, copies, known, *own))
    batch = Batch(first.workspace, first.game, first.fonts, tables[0], language, ink, wanted)
    laid_out = iter(lay_out_pieces(batch))
    for themed in loaded:
        results = []
        for piece, theme, problems in themed:
            one = None
            if theme is not None:
                one, found = next(laid_out)
                problems = [*problems, *found]
                if frames is not None:
                    frames.store(first.game.id, piece.id, spoken, ink, is_sound=not has_errors(found))
            results.append((theme, one, problems))
        yield results


def _typeset_rules(
    task: TypesetTask, piece: Piece, faces: _Faces, copies: Copies
) -> tuple[LaidOut | None, list[Problem]]:
    """Return the rules, or another typeset text, as a piece with pages, and what is wrong; None without a theme."""
    from duckpress.layout.rulebook import (  # a deck, which is not read, begins sooner without it
        RulesPrint,
        lay_out_rules,
    )

    game = task.game
    theme, problems = load_theme(task.workspace, game.id, piece.theme, game.theme_at(piece))
    if theme is None:
        return None, problems
    if piece.text == RULES_TEXT:
        piece = piece._replace(title=game.speech.program(piece.title))
    variants = game.setup.all_variants if game.setup is not None else {}
    tables = {variant: setup_table(game, variant).as_data() for variant in (None, *variants)}
    papers = tuple(paper_of(paper) if isinstance(paper, str) else paper for paper in task.papers)
    memo = Memo() if task.frames is None else task.frames.memo
    how = RulesPrint(theme, task.ink, papers, copies, tables, partial(faces.find, piece.theme), memo)
    one, found = lay_out_rules(task.workspace, game, piece, task.fonts, how)
    return one, [*problems, *found, *faces.take_problems()]


class _Faces:
    """The faces of a game's cards; what was not laid out for printing is laid out when a text first shows it.

    A card is shown as the first piece that prints its deck has it. A deck that no piece prints has the theme of the
    text that shows it.
    """

    def __init__(self, task: TypesetTask, laid_out: Sequence[LaidOut]) -> None:
        self._task = task
        self._problems: list[Problem] = []
        self._printing = {deck: piece for piece in reversed(task.game.pieces) for deck in piece.decks}
        self._laid_out: list[LaidOut] = []
        self._known: dict[tuple[str, str, str], tuple[Face, LaidOut]] = {}
        self._tried: set[tuple[str, str]] = set()
        for one in laid_out:
            self._add(one, "")

    def find(self, theme: str, deck: str, card: str) -> tuple[Face, LaidOut] | None:
        """Return a card's face, and the piece it belongs to; `theme` is that of the text."""
        theme = "" if deck in self._printing else theme
        if (theme, deck, card) not in self._known and (theme, deck) not in self._tried:
            self._tried.add((theme, deck))
            self._lay_out(theme, deck)
        return self._known.get((theme, deck, card))

    def take_problems(self) -> list[Problem]:
        """Return what is wrong with decks that no piece prints, and the errors of others, which would lack in silence.

        Each problem is returned once.
        """
        problems, self._problems = self._problems, []
        return problems

    def _add(self, one: LaidOut, theme: str) -> None:
        if not theme:
            self._laid_out.append(one)
        for face in one.faces:
            if self._printing.get(face.deck, one.piece).id == one.piece.id:  # not another look of it
                self._known.setdefault((theme, face.deck, face.card), (face, one))

    def _lay_out(self, text_theme: str, deck: str) -> None:
        """Lay out the deck in full, as part of the first piece that prints it."""
        task, game = self._task, self._task.game
        if game.decks[deck].is_dealt:
            return
        printing = self._printing.get(deck)
        shown = Piece(deck, game.decks[deck].title, (deck,), text_theme, game.source)
        piece = printing._replace(decks=(deck,)) if printing is not None else shown
        theme, _ = load_theme(task.workspace, game.id, piece.theme)
        if theme is not None:
            table = setup_table(game).as_data()
            wanted = [Wanted(piece, theme, {})]
            batch = Batch(task.workspace, game, task.fonts, table, game.language, task.ink, wanted)
            ((one, problems),) = lay_out_pieces(batch, self._laid_out)
            self._add(one, text_theme)
            is_told = printing is not None  # its warnings are told where it is printed
            self._problems += [problem for problem in problems if problem.level is Level.ERROR or not is_told]
