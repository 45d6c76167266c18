"""The rules of a game among its pieces: the faces they show are those of the pieces, laid out before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from duckpress.check import setup_table
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Paper
from duckpress.files.recording import merged
from duckpress.files.workspace import Workspace
from duckpress.model import RULES_TEXT, Piece

if TYPE_CHECKING:
    from duckpress.core.frame import Item
    from duckpress.fonts import FontLibrary
    from duckpress.impose import Sheet, Turn
    from duckpress.layout import Face, LaidOut
    from duckpress.model import Game
    from duckpress.store import CardFacts

BOOKLET = "booklet"


def typeset_rules(
    workspace: Workspace,
    game: Game,
    piece: Piece,
    fonts: FontLibrary,
    laid_out: Sequence[LaidOut],
    *,
    papers: Sequence[Paper],
    copies: Mapping[tuple[str, str], int],
    ink: str,
) -> tuple[LaidOut | None, list[Problem]]:
    """Return the rules, or another typeset text, as a piece with pages, and what is wrong; None without a theme."""
    from duckpress.layout import load_theme
    from duckpress.rulebook import RulesPrint, lay_out_rules

    theme, problems = load_theme(workspace, game.id, piece.theme, game.theme_at(piece))
    if theme is None:
        return None, problems
    if piece.text == RULES_TEXT:
        piece = piece._replace(title=game.speech.program(piece.title))
    variants = game.setup.variants if game.setup is not None else {}
    tables = {variant: setup_table(game, variant).as_data() for variant in (None, *variants)}
    faces = _Faces(workspace, game, piece.theme, fonts, laid_out, ink)
    how = RulesPrint(theme, ink, tuple(papers), copies)
    one, found = lay_out_rules(workspace, game, piece, fonts, tables, faces.find, how)
    return one._replace(answers=merged(one.answers, *faces.answers)), [*problems, *found, *faces.problems]


class _Faces:
    """The faces of a game's cards; what was not laid out for printing is laid out when it is asked for.

    A deck that no piece prints has the `theme` of the text that shows it. `problems` are what is wrong with those
    decks, and the errors of the others: without them, a picture would be missing in silence. `answers` are what other
    processes asked of the workspace for them.
    """

    def __init__(
        self, workspace: Workspace, game: Game, theme: str, fonts: FontLibrary, laid_out: Sequence[LaidOut], ink: str
    ) -> None:
        self.problems: list[Problem] = []
        self.answers: list[Mapping[str, str]] = []
        self._theme = theme
        self._workspace = workspace
        self._game = game
        self._fonts = fonts
        self._ink = ink
        self._known: dict[tuple[str, str], tuple[Face, LaidOut]] = {}
        self._tried: set[str] = set()
        for one in laid_out:
            self._add(one)

    def find(self, deck: str, card: str) -> tuple[Face, LaidOut] | None:
        """Give a card's face, and the piece it belongs to."""
        if (deck, card) not in self._known and deck not in self._tried:
            self._tried.add(deck)
            self._lay_out(deck)
        return self._known.get((deck, card))

    def _add(self, one: LaidOut) -> None:
        for face in one.faces:
            self._known.setdefault((face.deck, face.card), (face, one))

    def _lay_out(self, deck: str) -> None:
        """Lay out the deck in full, as part of the first piece that prints it."""
        from duckpress.layout import lay_out_piece, load_theme

        game = self._game
        if game.decks[deck].is_dealt:
            return
        holding = [piece for piece in game.pieces if deck in piece.decks]
        shown = Piece(deck, game.decks[deck].title, (deck,), self._theme, game.source)
        piece = holding[0]._replace(decks=(deck,)) if holding else shown
        theme, _ = load_theme(self._workspace, game.id, piece.theme)
        if theme is not None:
            table = setup_table(game).as_data()
            one, found = lay_out_piece(
                self._workspace, game, piece, theme, self._fonts, table, game.language, self._ink, {}
            )
            self._add(one)
            self.answers.append(one.answers)
            self.problems += [problem for problem in found if problem.level is Level.ERROR or not holding]


def page_faces(one: LaidOut, paper: Paper, *, is_double_sided: bool) -> list[Face]:
    """Give the pages of a piece that is read as faces: what is printed in front, and what behind it."""
    from duckpress.core.sizes import Format
    from duckpress.impose import page_leaves
    from duckpress.layout import Face

    frames = one.pages.get(paper.name, ())
    is_folded = one.piece.book == BOOKLET
    faces: list[Face] = []
    for front, back in page_leaves(len(frames), is_folded=is_folded, is_double_sided=is_double_sided):
        behind = frames[back] if back is not None else None
        format_ = Format(one.piece.book, frames[front].trim, 0.0, 0.0, 0.0)
        faces.append(Face(one.piece.id, f"{paper.name}-page-{front + 1}", 1, frames[front], behind, format_))
    return faces


def page_cards(one: LaidOut, language: str, ink: str) -> list[CardFacts]:
    """Give the pages of a piece that is read as the manifest lists them."""
    from duckpress.store import CardFacts

    return [
        CardFacts(one.piece.id, f"page-{number}", frame.hash, None, 1, one.piece.id, language, ink, paper)
        for paper, frames in one.pages.items()
        for number, frame in enumerate(frames, 1)
    ]


def impose_rules(
    one: LaidOut, paper: Paper, turn: Turn, note: Sequence[Item], *, is_double_sided: bool
) -> tuple[Sheet, ...]:
    """Lay the pages of a piece on sheets of a paper; `note` stands at the top of each, for a word such as DRAFT."""
    from duckpress.impose import PageOf, impose_booklet, impose_pages

    pages = [PageOf(frame.hash, frame.trim) for frame in one.pages.get(paper.name, ())]
    impose = impose_booklet if one.piece.book == BOOKLET else impose_pages
    return impose(pages, paper, turn, note, is_double_sided=is_double_sided)
