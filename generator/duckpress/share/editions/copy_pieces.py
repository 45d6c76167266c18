"""Copies of a game -> the pieces of each: shared faces are laid out once, and the own faces of many copies together.

Own are the decks that a copy draws or fills in, and those of pieces with templates that look at other cards. A drawn
card looks the same in all copies, unless its piece is one of those: all that copies draw are laid out together, once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.check.copy_games import Dealt
from duckpress.core.backs import PLAIN
from duckpress.core.problems import Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, Face, KnownFaces, LaidOut, PictureData, Theme, Wanted, lay_out_pieces, load_theme
from duckpress.model import Game, Piece
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.identity import Themed, identified, identities_of
from duckpress.press.request import Request
from duckpress.press.typesetting import Copies, TypesetPieces, TypesetTask, hard_to_read, typeset
from duckpress.share.editions.draws import Copier
from duckpress.text.fonts import FontLibrary

_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_DECKS = re.compile(r"\bdecks\b(?:\.([A-Za-z_]\w*)|\[\s*[\"']([^\"']+)[\"']\s*\])?")
_OF_ALL = ("get", "items", "keys", "values")  # methods of a record: not a deck, but all of them
_FIGURE = re.compile(r"\]\(([^)]*)\)")


class CopyPieces:
    """The pieces of copies in one language; `problems` are those of a sample copy, and its faces."""

    def __init__(self, workspace: Workspace, copier: Copier, request: Request, fonts: FontLibrary) -> None:
        """Lay out all shared faces, and a sample of the copies' own faces."""
        self._workspace, self._copier, self._request, self._fonts = workspace, copier, request, fonts
        self._game = game = copier.games.game
        self.sample = copier.sample()
        chosen = [piece for piece in game.chosen_pieces(request.pieces) if game.dealt_to(piece) is None]
        self._task = TypesetTask(
            workspace, self.sample, fonts, chosen, request.players, request.language, request.ink,
            tuple(map(request.paper, request.papers)), named_after=game,
        )  # fmt: skip
        laid_out, self.problems = typeset(self._task)
        self.shared = {one.piece.id: one for one in laid_out}
        self._pictures: dict[str, PictureData] = {key: one for each in laid_out for key, one in each.pictures.items()}
        self._identities, _ = identities_of(workspace, game, copies_for(game, None))
        self._copies, self._tables = self._counted(self.sample)
        self._themes: dict[str, Theme] = {}
        for one in laid_out:
            theme, _ = load_theme(workspace, game.id, one.piece.theme, game.theme_at(one.piece))
            if theme is not None:
                self._themes[one.piece.theme] = theme
        drawn, filled = {*copier.pools.decks}, {field.deck for field in copier.games.texts}
        looking = {deck for one in laid_out if one.depends_on_cards for deck in one.piece.decks}
        self._own = {*drawn, *filled, *looking} if drawn or filled else set()
        self._pooled = drawn - filled - _dependent(laid_out)  # decks of which all copies have the same faces
        self._pool: dict[tuple[str, str, str, int], Face] = {}  # by piece, deck, card, and how many one has of it

    def lay_out_pool(self, drawn: Sequence[Dealt]) -> tuple[list[tuple[Game, list[LaidOut]]], list[Problem]]:
        """Lay out the cards that copies draw; return them as games with pieces of only those cards.

        Nothing is kept where one cannot be laid out: the copies that draw it tell.
        """
        wanted = []
        for game in map(self._copier.sample, drawn if self._pooled else ()):
            for one in self.shared.values():
                if decks := tuple(deck for deck in one.piece.decks if deck in self._pooled):
                    copies = {(deck, card.id): card.copies for deck in decks for card in game.decks[deck].cards}
                    piece, theme = one.piece._replace(decks=decks), self._themes[one.piece.theme]
                    wanted.append(Wanted(piece, theme, copies, game=game, tables=self._tables))
        games: dict[int, tuple[Game, list[LaidOut]]] = {}
        every: list[LaidOut] = []
        problems: list[Problem] = []
        for one_wanted, (new, found) in zip(wanted, self._laid_out(wanted), strict=True):
            assert one_wanted.game is not None
            one, more = self._finished(one_wanted.game, new)
            problems += [*found, *more]
            every.append(one)
            games.setdefault(id(one_wanted.game), (one_wanted.game, []))[1].append(one)
        if has_errors(problems):
            self._pooled = set()
            return [], []
        self._pooled -= _dependent(every)
        for one in every:
            shared = self.shared[one.piece.id]
            self.shared[one.piece.id] = _with_art(shared, one)._replace(fits=shared.fits)
            self._pictures |= one.pictures
            self._pool |= {(one.piece.id, face.deck, face.card, face.copies): face for face in one.faces}
        return list(games.values()), accept_findings(self._game, list(dict.fromkeys(problems)), self._request.ink)

    def of(self, games: Sequence[Game]) -> Iterator[TypesetPieces]:
        """Yield the pieces of copies by their games; the faces of several copies are laid out together."""
        known = {id_: KnownFaces() for id_ in self.shared}  # copies of a batch may share faces all the same
        counted = [self._counted(game) for game in games]
        owned: list[list[Wanted]] = []
        for game, (copies, tables) in zip(games, counted, strict=True):
            owned.append([])
            own_decks = self._own - self._pooled if tables == self._tables else self._own
            for piece in (one.piece for one in self.shared.values()):
                if decks := tuple(deck for deck in piece.decks if deck in own_decks):
                    part, theme = piece._replace(decks=decks), self._themes[piece.theme]
                    owned[-1].append(Wanted(part, theme, copies, known[piece.id], game, tables))
        laid_out = iter(self._laid_out([wanted for own in owned for wanted in own]))
        for game, (copies, _), own in zip(games, counted, owned, strict=True):
            yield self._put_together(game, copies, own, list(islice(laid_out, len(own))))

    def _counted(self, game: Game) -> tuple[Copies, Any]:
        """Return the number of each card in a copy, and its setup table: the sample's if no cards are drawn."""
        if not self._copier.pools.decks and game is not self.sample:
            return self._copies, self._tables
        return copies_for(game, self._request.players), setup_table(game).as_data()

    def _laid_out(self, wanted: Sequence[Wanted]) -> list[tuple[LaidOut, list[Problem]]]:
        batch = self._batch(wanted, self._request.ink)
        return lay_out_pieces(batch, list(self.shared.values())) if wanted else []

    def _batch(self, wanted: Sequence[Wanted], ink: str) -> Batch:
        game = self._game
        return Batch(self._workspace, game, self._fonts, self._tables, game.language, ink, wanted)

    def _put_together(
        self, game: Game, copies: Copies, own: Sequence[Wanted], laid_out: Sequence[tuple[LaidOut, list[Problem]]]
    ) -> TypesetPieces:
        """Return the pieces of a copy: its own faces merged with the shared ones."""
        problems: list[Problem] = []
        made: dict[str, LaidOut] = {}
        for one, (faces_laid_out, found) in zip(own, laid_out, strict=True):
            made[one.piece.id], more = self._finished(game, faces_laid_out)
            problems += [*found, *more]
        pieces = []
        for id_, shared in self.shared.items():
            if shared.piece.book:
                if any(tells_of(text.text, self._own) for text in game.texts[shared.piece.text].values()):
                    own_text, found = typeset(replace(self._task, game=game, pieces=(shared.piece,)))
                    pieces += own_text
                    problems += found
                else:
                    pieces.append(shared)
                continue
            new = made.get(id_)
            faces: list[Face] = []
            for deck in shared.piece.decks:
                is_new = new is not None and deck in new.piece.decks
                if deck in self._own and not is_new:
                    cards = ((card, copies.get((deck, card.id), card.copies)) for card in game.decks[deck].cards)
                    faces += [self._pool[id_, deck, one.id, one.copies]._replace(copies=n) for one, n in cards if n]
                else:
                    source = new if new is not None and is_new else shared
                    faces += [face for face in source.faces if face.deck == deck]
            art = shared if new is None else _with_art(shared, new)
            pieces.append(art._replace(faces=tuple(faces)))
        return TypesetPieces(pieces, accept_findings(self._game, list(dict.fromkeys(problems)), self._request.ink))

    def _finished(self, game: Game, new: LaidOut) -> tuple[LaidOut, list[Problem]]:
        """Return a piece with its pictures drawn and its cards named; and the problems, legibility included."""
        pictures = {key: self._pictures.get(key, picture) for key, picture in new.pictures.items()}
        (drawn,), problems = with_drawn_pictures([new._replace(pictures=pictures)], self._fonts, None)
        (named,), findings = identified(
            self._identities, self._fonts, [drawn], self._themes, self._request.ink, self._in_colour
        )
        return named, [*problems, *findings, *hard_to_read(replace(self._task, game=game), [named], ())]

    def _in_colour(self, pieces: Sequence[Piece]) -> list[Themed]:
        """Return pieces in colour, for comparison with a release: those of the game itself."""
        wanted = [Wanted(piece, self._themes[piece.theme], {}) for piece in pieces if piece.theme in self._themes]
        laid_out = lay_out_pieces(self._batch(wanted, PLAIN))
        return [(one.theme, made, found) for one, (made, found) in zip(wanted, laid_out, strict=True)]


def _dependent(pieces: Sequence[LaidOut]) -> set[str]:
    """Return the decks of pieces with faces that may depend on other cards."""
    return {deck for one in pieces if one.depends_on_cards or one.has_common_sizes for deck in one.piece.decks}


def _with_art(shared: LaidOut, new: LaidOut) -> LaidOut:
    """Return a piece with the art of new faces added to its own."""
    return shared._replace(
        drawings={**shared.drawings, **new.drawings}, pictures={**shared.pictures, **new.pictures},
        decorations=shared.decorations | new.decorations, fits=new.fits,
    )  # fmt: skip


def tells_of(text: str, decks: Collection[str]) -> bool:
    """Return whether a typeset text may depend on cards of some decks: it names or shows them, or may read any."""
    names = [match[1] or match[2] for code in _CODE.findall(text) for match in _DECKS.finditer(code)]
    shown = re.findall(r"[\w-]+", " ".join(_FIGURE.findall(text)))
    return any(name is None or name in _OF_ALL or name in decks for name in names) or any(
        map(decks.__contains__, shown)
    )
