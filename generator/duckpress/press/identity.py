"""Which card is which: short codes, the version in which each last changed, and the imprint that says both.

Whether a card changed is told by comparing its bare face (without any version) in colour with the newest release. So a
build in another ink lays out the game in colour too, but only where imprints are printed and there is a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from duckpress.core.inks import PLAIN
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.layout import Face, LaidOut, Theme
from duckpress.layout.faces.imprint import Imprinter
from duckpress.layout.faces.report_code import ReportCoder
from duckpress.model import Game, Piece
from duckpress.releases import Lock, changed_in, give_codes
from duckpress.releases.lock import CardKey
from duckpress.releases.release_files import newest_release
from duckpress.text import Typesetter

Sides = tuple[str, str | None]
LayOut = Callable[[Sequence[Piece]], Iterable["LaidOut"]]
"""Lays out pieces in colour, without imprints."""


class Identities(Struct, frozen=True):
    """The codes of all cards of a game, and the release that they are compared with."""

    codes: Mapping[CardKey, str]
    before: Lock | None


def identities_of(
    workspace: Workspace, game: Game, copies: Mapping[tuple[str, str], int]
) -> tuple[Identities, list[Problem]]:
    """Return the codes of a game's cards, those of the newest release kept, and what is wrong with that release.

    They are the same whatever is printed of it; `copies` are those for all player counts.
    """
    before, problems = newest_release(workspace, game.id)
    return Identities(give_codes(card_keys(game, copies), before), before), list(problems)


def card_keys(game: Game, copies: Mapping[tuple[str, str], int]) -> list[CardKey]:
    """Return all cards that are printed, in the order of the pieces, as `release` meets them."""
    return list(
        dict.fromkeys(
            (deck_id, card.id)
            for piece in game.pieces
            if _is_counted(piece) and game.dealt_to(piece) is None
            for deck_id in piece.decks
            for card in game.decks[deck_id].cards
            if copies.get((deck_id, card.id), card.copies) > 0
        )
    )


def _is_counted(piece: Piece) -> bool:
    return piece.instead_of is None and not piece.book and not piece.is_for_designer


def identified(
    game: Game,
    fonts: FontLibrary,
    pieces: Sequence[LaidOut],
    themes: Mapping[str, Theme],
    who: Identities,
    lay_out: LayOut,
    *,
    language: str,
    ink: str,
) -> tuple[list[LaidOut], list[Problem]]:
    """Return pieces whose faces know their codes and versions, with imprints where their themes want them."""
    problems: list[Problem] = []
    is_told = any(tells_versions(theme) for theme in themes.values())
    known = _versions(game, who, pieces, lay_out if is_told or ink == PLAIN else None, language, ink)
    found = []
    for one in pieces:
        if one.faces:
            one = one._replace(faces=tuple(_named(face, who, known) for face in one.faces))
            theme = themes.get(one.piece.theme)
            if theme is not None and tells_versions(theme):
                one = one._replace(faces=_imprinted(game, one, theme, fonts, language, ink, problems))
        found.append(one)
    return found, problems


def tells_versions(theme: Theme) -> bool:
    """Return whether a theme puts imprints or codes onto finished faces."""
    return any(rule.values.get("show") for rules in (theme.imprint, theme.qr) for rule in rules.values())


def _named(face: Face, who: Identities, known: Mapping[CardKey, str]) -> Face:
    key = face.deck, face.card
    code, changed = who.codes.get(key, ""), known.get(key, "")
    return face._replace(code=code, changed=changed, bare_front=face.bare, bare_behind=face.bare_back)


def _versions(
    game: Game, who: Identities, pieces: Sequence[LaidOut], lay_out: LayOut | None, language: str, ink: str
) -> dict[CardKey, str]:
    """Return the version in which each card of some pieces last changed; none where that is not known."""
    wanted = {(face.deck, face.card) for one in pieces for face in one.faces}
    if who.before is None:
        return dict.fromkeys(wanted, game.version)
    sides: dict[CardKey, Sides] = {}
    if ink == PLAIN:
        sides = _sides_of(one for one in pieces if _is_counted(one.piece))
    missing = {deck for deck, card in wanted if (deck, card) not in sides}
    if missing and lay_out is not None:
        asked = [piece for piece in game.pieces if _is_counted(piece) and missing & set(piece.decks)]
        sides = {**_sides_of(lay_out(asked)), **sides}
    return {
        key: changed_in(who.before.cards.get(key), language, sides[key], game.version) for key in wanted if key in sides
    }


def _sides_of(pieces: Iterable[LaidOut]) -> dict[CardKey, Sides]:
    found: dict[CardKey, Sides] = {}
    for one in pieces:
        for face in one.faces:
            found.setdefault((face.deck, face.card), (face.bare, face.bare_back))
    return found


def _imprinted(
    game: Game, one: LaidOut, theme: Theme, fonts: FontLibrary, language: str, ink: str, problems: list[Problem]
) -> tuple[Face, ...]:
    imprinter = Imprinter(game, one, theme, ink, Typesetter(fonts, lambda _name, _colour: None, language))
    one = one._replace(faces=imprinter.faces())
    coder = ReportCoder(game, one, theme, ink)
    faces = coder.faces()
    problems += [problem for problem in (*imprinter.problems, *coder.problems) if problem not in problems]
    return faces
