"""The rules of a game among its pieces: the faces they show are those of the pieces, laid out before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.check import setup_table
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Paper
from duckpress.files.recording import merged
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut, lay_out_piece, load_theme
from duckpress.model import RULES_TEXT, Game, Piece
from duckpress.rulebook import RulesPrint, lay_out_rules

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
        """Return a card's face, and the piece it belongs to."""
        if (deck, card) not in self._known and deck not in self._tried:
            self._tried.add(deck)
            self._lay_out(deck)
        return self._known.get((deck, card))

    def _add(self, one: LaidOut) -> None:
        for face in one.faces:
            self._known.setdefault((face.deck, face.card), (face, one))

    def _lay_out(self, deck: str) -> None:
        """Lay out the deck in full, as part of the first piece that prints it."""
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
