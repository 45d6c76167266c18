"""Copies of a game -> the pieces of each: faces that copies share are laid out once, and the own faces of many at once.

Which decks are a copy's own says `own_decks`. A drawn card looks the same in all copies, unless it may look at others:
then it is laid out for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.check import accept_findings, copies_for, setup_table
from duckpress.core.backs import PLAIN
from duckpress.core.problems import Problem, has_errors
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout import Batch, Face, LaidOut, PictureData, Theme, Wanted, lay_out_pieces, load_theme
from duckpress.model import Game, Piece
from duckpress.model.game import Copy
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.identity import Themed, identified, identities_of
from duckpress.press.request import Request
from duckpress.press.typesetting import TypesetTask, hard_to_read, lay_out_faces, typeset
from duckpress.share.editions.draws import Copier
from duckpress.share.editions.own_decks import own_decks
from duckpress.text.fonts import FontLibrary

Copies = Mapping[tuple[str, str], int]
_Key = tuple[str, str, str, str, int, str]  # piece, deck, card, its values, how many are printed, the setup's table


class CopyGame(NamedTuple):
    """A copy and its game."""

    copy: Copy
    game: Game


class CopyLaidOut(NamedTuple):
    """A copy with its pieces, and what is wrong with those of its own."""

    copy: Copy
    game: Game
    pieces: list[LaidOut]
    problems: list[Problem]


class _Own(NamedTuple):
    """What a copy has of a piece: how many of each card, the setup's table, and the decks to be laid out for it."""

    piece: Piece
    copies: Copies
    tables: object
    around: str


class CopyPieces:
    """The pieces of copies in one language; `problems` is what is wrong with those of a sample copy, and its faces."""

    def __init__(self, workspace: Workspace, copier: Copier, request: Request, fonts: FontLibrary) -> None:
        """Lay out all that copies share, and a sample of what is their own."""
        self._copier, self._request, self._fonts = copier, request, fonts
        self._game = game = copier.games.game
        self.workspace = RecordingWorkspace(workspace)
        self.sample = copier.sample()
        chosen = [piece for piece in game.chosen_pieces(request.pieces) if game.dealt_to(piece) is None]
        self._task = TypesetTask(
            self.workspace, self.sample, fonts, chosen, request.players, request.language, request.ink,
            tuple(map(request.paper, request.papers)), named_after=game,
        )  # fmt: skip
        laid_out, problems = lay_out_faces(self._task)
        self.problems = [*problems, *hard_to_read(self._task, laid_out, problems)]
        self.shared = {one.piece.id: one for one in laid_out}
        self._identities, _ = identities_of(self.workspace, game, copies_for(game, None))
        self._copies = copies_for(self.sample, request.players)
        self._tables = setup_table(self.sample).as_data()
        self._themes = self._loaded_themes()
        filled = {field.deck for field in copier.games.texts}
        self._own = own_decks(workspace, game, copier.pools.decks, filled)
        self._kept: dict[_Key, Face] = {}
        self._pictures: dict[str, PictureData] = {}  # as they were drawn

    def of(self, copies: Sequence[CopyGame]) -> Iterator[CopyLaidOut]:
        """Yield copies with their pieces; all that is to be laid out for any of them is laid out together."""
        owned = [self._owned(one.game) for one in copies]
        claimed: set[_Key] = set()
        wanted = [
            (at, own, missing)
            for at, (one, pieces) in enumerate(zip(copies, owned, strict=True))
            for own in pieces
            if (missing := self._missing(one.game, own, claimed)) is not None
        ]
        batch = self._batch([missing for _, _, missing in wanted], self._request.ink)
        made: list[dict[str, tuple[LaidOut, list[Problem]]]] = [{} for _ in copies]
        laid_out = lay_out_pieces(batch, list(self.shared.values())) if wanted else ()
        for (at, own, _), result in zip(wanted, laid_out, strict=True):
            made[at][own.piece.id] = result
        for one, pieces, results in zip(copies, owned, made, strict=True):
            whole = self._put_together(one, {own.piece.id: own for own in pieces}, results)
            if whole is None:  # a card that it shares with another copy could not be laid out there
                assert len(copies) > 1
                (whole,) = self.of([one])
            yield whole

    def of_pool(self, game: Game) -> tuple[list[LaidOut], list[Problem]]:
        """Return the pieces of a game that has each card once that copies draw, with those cards alone.

        Copies have these faces from then on, as far as they look the same in all of them. Nothing is kept where one
        cannot be laid out: the copies that draw it tell.
        """
        before = self.shared, {**self._kept}
        owned: list[_Own] = []
        wanted: list[Wanted] = []
        for own in self._owned(self.sample):  # of which the setup is that of copies
            decks = tuple(deck for deck in own.piece.decks if deck in self._own.alone)
            once = {(deck, card.id): 1 for deck in decks for card in game.decks[deck].cards}
            one = own._replace(piece=own.piece._replace(decks=decks), copies=once)
            if (missing := self._missing(game, one, set())) is not None:
                owned.append(one)
                wanted.append(missing)
        laid_out = lay_out_pieces(self._batch(wanted, self._request.ink), list(self.shared.values())) if wanted else ()
        pieces: list[LaidOut] = []
        problems: list[Problem] = []
        for own, (new, found) in zip(owned, laid_out, strict=True):
            whole, more = self._own_piece(game, own, self.shared[own.piece.id], new, is_sound=not has_errors(found))
            problems += [*found, *more]
            faces = tuple(face for face in whole.faces if face.deck in own.piece.decks)
            pieces.append(whole._replace(piece=own.piece, faces=faces))
        if has_errors(problems):
            self.shared, self._kept = before
            return [], []
        return pieces, list(accept_findings(self._game, list(dict.fromkeys(problems)), self._request.ink))

    def branch(self) -> CopyPieces:
        """Return the same, to go on by itself with what is kept now."""
        other = object.__new__(CopyPieces)
        vars(other).update(vars(self) | {"_kept": {**self._kept}, "_pictures": {**self._pictures}})
        return other

    def _batch(self, wanted: Sequence[Wanted], ink: str) -> Batch:
        game = self._game
        return Batch(self.workspace, game, self._fonts, self._tables, game.language, ink, wanted)

    def _loaded_themes(self) -> dict[str, Theme]:
        themes: dict[str, Theme] = {}
        for one in self.shared.values():
            theme, _ = load_theme(self.workspace, self._game.id, one.piece.theme, self._game.theme_at(one.piece))
            if theme is not None:
                themes[one.piece.theme] = theme
        return themes

    def _owned(self, game: Game) -> list[_Own]:
        """Return the pieces of which a copy has faces of its own, each with the decks that are."""
        if not self._own.every:
            return []
        copies, tables, around = self._copies, self._tables, ""
        if self._copier.pools.decks:
            copies, tables = copies_for(game, self._request.players), setup_table(game).as_data()
            around = repr(tables)
        owned = []
        for one in self.shared.values():
            decks = tuple(deck for deck in one.piece.decks if deck in self._own.every)
            if decks:
                owned.append(_Own(one.piece._replace(decks=decks), copies, tables, around))
        return owned

    def _keys(self, game: Game, own: _Own, deck: str) -> dict[str, _Key]:
        """Return the keys of the printed cards of a deck, by their ids."""
        printed = ((card, own.copies.get((deck, card.id), card.copies)) for card in game.decks[deck].cards)
        return {
            card.id: (own.piece.id, deck, card.id, repr((card.values, card.copies)), count, own.around)
            for card, count in printed
            if count > 0
        }

    def _missing(self, game: Game, own: _Own, claimed: set[_Key]) -> Wanted | None:
        """Return what has to be laid out of a piece; None where all of it is known, or `claimed` by other copies."""
        copies = dict(own.copies)
        decks = []
        for deck in own.piece.decks:
            keys = self._keys(game, own, deck)
            known = {card for card, key in keys.items() if key in self._kept or key in claimed}
            claimed.update(keys.values() if deck in self._own.alone else ())
            copies |= {(deck, card): 0 for card in known}
            decks += [deck] if len(known) < len(keys) else []
        if not decks:
            return None
        piece = own.piece._replace(decks=tuple(decks))
        return Wanted(piece, self._themes[piece.theme], copies, game=game, tables=own.tables)

    def _put_together(
        self, one: CopyGame, owned: Mapping[str, _Own], made: Mapping[str, tuple[LaidOut, list[Problem]]]
    ) -> CopyLaidOut | None:
        """Return a copy with its pieces; None where a face lacks and nothing says why."""
        problems: list[Problem] = []
        pieces = []
        for id_, shared in self.shared.items():
            if shared.piece.book:
                piece, found = self._text(one.game, shared)
                problems += found
            elif id_ in owned:
                new, found = made.get(id_, (None, []))
                problems += found
                piece, found = self._own_piece(one.game, owned[id_], shared, new, is_sound=not has_errors(found))
                problems += found
            else:
                piece = shared
            pieces.append(piece)
        if not has_errors(problems) and not all(
            self._is_whole(one.game, owned.get(piece.piece.id), piece) for piece in pieces
        ):
            return None
        accepted = accept_findings(self._game, list(dict.fromkeys(problems)), self._request.ink)
        return CopyLaidOut(one.copy, one.game, pieces, list(accepted))

    def _is_whole(self, game: Game, own: _Own | None, piece: LaidOut) -> bool:
        there = {(face.deck, face.card) for face in piece.faces}
        decks = own.piece.decks if own is not None else ()
        return all((deck, card) in there for deck in decks if own is not None for card in self._keys(game, own, deck))

    def _own_piece(
        self, game: Game, own: _Own, shared: LaidOut, new: LaidOut | None, *, is_sound: bool
    ) -> tuple[LaidOut, list[Problem]]:
        """Return a piece with the faces of a copy's own among those that all copies share.

        New ones are kept for other copies where all of them are sound: of a face with an error nobody else would know.
        """
        problems: list[Problem] = []
        faces = {(face.deck, face.card): face for face in new.faces} if new is not None else {}
        own_faces: list[Face] = []
        for deck in own.piece.decks:
            for card, key in self._keys(game, own, deck).items():
                face = faces.get((deck, card)) or self._kept.get(key)
                own_faces += [face] if face is not None else []
                if face is not None and is_sound and deck in self._own.alone:
                    self._kept[key] = face
        art = shared if new is None else self._with_art(shared, new)
        named, found = self._identified(art._replace(piece=own.piece, faces=tuple(own_faces)))
        problems += found
        problems += hard_to_read(self._task_of(game), [named], ()) if new is not None else ()
        faces_of = {deck: [face for face in named.faces if face.deck == deck] for deck in own.piece.decks}
        for deck in shared.piece.decks:
            faces_of.setdefault(deck, [face for face in shared.faces if face.deck == deck])
        every = tuple(face for deck in shared.piece.decks for face in faces_of[deck])
        return art._replace(piece=shared.piece, faces=every, pictures=named.pictures), problems

    def _with_art(self, shared: LaidOut, new: LaidOut) -> LaidOut:
        """Return a piece with the art of new faces; what faces that are kept place stays at hand for other copies."""
        pictures = {**shared.pictures, **new.pictures}
        pictures = {key: self._pictures.get(key, picture) for key, picture in pictures.items()}
        both = shared._replace(
            drawings={**shared.drawings, **new.drawings}, pictures=pictures,
            decorations=shared.decorations | new.decorations, fits=new.fits,
        )  # fmt: skip
        if self._own.alone:
            self.shared = {**self.shared, shared.piece.id: both._replace(faces=shared.faces, fits=shared.fits)}
        return both

    def _identified(self, one: LaidOut) -> tuple[LaidOut, list[Problem]]:
        (drawn,), problems = with_drawn_pictures([one], self._fonts, None)
        self._pictures.update(drawn.pictures)
        (named,), found = identified(
            self._identities, self._fonts, [drawn], self._themes, self._request.ink, self._in_colour
        )
        return named, [*problems, *found]

    def _in_colour(self, pieces: Sequence[Piece]) -> list[Themed]:
        """Return pieces in colour, as they are compared with a release: those of the game itself."""
        wanted = [Wanted(piece, self._themes[piece.theme], {}) for piece in pieces if piece.theme in self._themes]
        laid_out = lay_out_pieces(self._batch(wanted, PLAIN))
        return [(one.theme, made, found) for one, (made, found) in zip(wanted, laid_out, strict=True)]

    def _task_of(self, game: Game) -> TypesetTask:
        task = self._task
        return TypesetTask(
            task.workspace, game, task.fonts, (), task.players, task.language, task.ink, task.papers,
            named_after=self._game,
        )  # fmt: skip

    def _text(self, game: Game, shared: LaidOut) -> tuple[LaidOut, list[Problem]]:
        """Return a text that is read: laid out for a copy where it may tell of cards of its own."""
        if not any(map(self._own.are_in, self._game.texts[shared.piece.text].values())):
            return shared, []
        (own,), problems = typeset(replace(self._task_of(game), pieces=(shared.piece,)))
        return own, problems
