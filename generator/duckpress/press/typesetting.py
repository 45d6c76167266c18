"""Pieces of a game -> finished faces with their identities: laid out, named, and looked at for what is hard to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.core.inks import PLAIN
from duckpress.core.problems import Level, Problem, has_errors
from duckpress.core.sizes import Paper, paper_of
from duckpress.files.recording import merged
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut, Theme, Wanted, lay_out_piece, lay_out_pieces, load_theme
from duckpress.model import RULES_TEXT, Game, Piece
from duckpress.press.frame_store import FaintWords, FrameStore
from duckpress.press.identity import identified, identities_of
from duckpress.press.legible import legibility_problems
from duckpress.rulebook import RulesPrint, lay_out_rules

Copies = Mapping[tuple[str, str], int]
_Made = tuple[Piece, "Theme | None", "LaidOut | None", list[Problem]]


class TypesetTask(Struct, frozen=True):
    """Pieces to be typeset, each with its theme, in one language (None: the game's) and one ink.

    Faces that `frames` knows from earlier builds, and that are still the same, are not laid out again.
    """

    workspace: Workspace
    game: Game
    fonts: FontLibrary
    pieces: Sequence[Piece]
    players: int | None = None
    language: str | None = None
    ink: str = PLAIN
    papers: Sequence[str | Paper] = ("a4", "letter")
    frames: FrameStore | None = None


class TypesetPieces(NamedTuple):
    """What could be laid out, and all problems."""

    pieces: list[LaidOut]
    problems: list[Problem]


def typeset(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, and what is wrong with them or hard to read on them."""
    pieces, problems = lay_out_faces(task)
    return TypesetPieces(pieces, [*problems, *hard_to_read(task, pieces)])


def lay_out_faces(task: TypesetTask) -> TypesetPieces:
    """Return pieces laid out, with codes and versions, and what is wrong with them."""
    game, fonts, ink = task.game, task.fonts, task.ink
    copies = copies_for(game, task.players)
    every = copies if task.players is None else copies_for(game, None)
    laid_out: list[LaidOut] = []
    themes: dict[str, Theme] = {}
    desk = _Desk(task)
    who, problems = identities_of(task.workspace, game, every)
    plain = desk.lay_out([piece for piece in task.pieces if not piece.book], ink, copies)
    for piece in task.pieces:
        if piece.book:
            papers = tuple(map(_paper, task.papers))
            one, found = typeset_rules(
                task.workspace, game, piece, fonts, laid_out, papers=papers, copies=copies, ink=ink
            )
        else:
            _, theme, one, found = next(plain)
            if theme is not None:
                themes[piece.theme] = theme
        problems += found
        laid_out += [one] if one is not None else []
    laid_out, found = identified(
        game, fonts, laid_out, themes, who, lambda asked: desk.in_colour(asked, every),
        language=desk.language, ink=ink,
    )  # fmt: skip
    desk.keep()
    return TypesetPieces(laid_out, accept_findings(game, list(dict.fromkeys([*problems, *found])), ink))


def hard_to_read(task: TypesetTask, pieces: Sequence[LaidOut]) -> list[Problem]:
    """Return what of laid-out pieces cannot be made out in their ink.

    Another language has other words, and the same colours: they are looked at once, unless it is all that is printed.
    """
    game, frames = task.game, task.frames
    if task.language is None and game.language != game.languages[0].code:
        return []
    faint = frames.faint(game.id) if frames is not None else FaintWords()
    problems = legibility_problems(task.workspace, game, pieces, task.ink, faint)
    if frames is not None:
        frames.store_faint(game.id)
    return accept_findings(game, list(dict.fromkeys(problems)), task.ink)


class _Desk:
    """Lays out pieces of one game in one language; `keep` stores what was laid out, for later builds."""

    def __init__(self, task: TypesetTask) -> None:
        self.language = task.language or task.game.language
        self._workspace = task.workspace
        self._game = task.game
        self._fonts = task.fonts
        self._frames = task.frames
        self._table = setup_table(task.game).as_data()
        self._made: list[tuple[str, str, bool]] = []  # pieces with their inks, and whether all is well with them

    def lay_out(self, asked: Sequence[Piece], ink: str, copies: Copies) -> Iterator[_Made]:
        """Yield each piece with its theme, its faces and what is wrong with them."""
        game, frames = self._game, self._frames
        loaded = [(piece, *load_theme(self._workspace, game.id, piece.theme, game.theme_at(piece))) for piece in asked]
        wanted = [
            Wanted(
                piece, theme, copies, None if frames is None else frames.known(game.id, piece.id, self.language, ink)
            )
            for piece, theme, _ in loaded
            if theme is not None
        ]
        made = iter(lay_out_pieces(self._workspace, game, wanted, self._fonts, self._table, self.language, ink))
        for piece, theme, found in loaded:
            one = None
            if theme is not None:
                one, more = next(made)
                found = [*found, *more]
                self._made.append((piece.id, ink, not has_errors(more)))
            yield piece, theme, one, found

    def in_colour(self, asked: Sequence[Piece], copies: Copies) -> Iterator[LaidOut]:
        """Yield pieces as they are in colour."""
        for _, _, one, _ in self.lay_out(asked, PLAIN, copies):
            if one is not None:
                yield one

    def keep(self) -> None:
        """Store all that was laid out."""
        for piece, ink, is_sound in self._made if self._frames is not None else ():
            assert self._frames is not None
            self._frames.store(self._game.id, piece, self.language, ink, is_sound=is_sound)


def _paper(paper: str | Paper) -> Paper:
    return paper_of(paper) if isinstance(paper, str) else paper


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
