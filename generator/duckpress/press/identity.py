"""The identity of cards: short codes, the version in which each last changed, and the imprint of both.

Whether a card changed is told by comparing its bare face (without any version) in colour with the newest release. So a
build in another ink lays out the game in colour too, but only where imprints are printed and there is a release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from duckpress.core.backs import PLAIN
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut, Theme
from duckpress.layout.faces.imprints import Imprinter, ReportCoder
from duckpress.layout.theme import in_finish
from duckpress.model import Game, Piece
from duckpress.press.releases.lock import CardKey, Lock, changed_in, give_codes
from duckpress.press.releases.release_files import newest_release
from duckpress.text import Typesetter
from duckpress.text.fonts import FontLibrary

Themed = tuple[Theme | None, LaidOut | None, list[Problem]]  # a piece's theme, its faces, and what is wrong with them
LayOut = Callable[[Sequence[Piece]], Iterable[Themed]]  # lays out pieces in colour, without imprints


class Identities(Struct, frozen=True):
    """The codes of all cards of a game, and the release for comparison."""

    game: Game
    codes: Mapping[CardKey, str]
    before: Lock | None


def identities_of(
    workspace: Workspace, game: Game, copies: Mapping[tuple[str, str], int]
) -> tuple[Identities, list[Problem]]:
    """Return the codes of a game's cards, continuing those of the newest release, and the problems of that release.

    They are the same whatever is printed of it; `copies` are those for all player counts.
    """
    before, problems = newest_release(workspace, game.id)
    # In the order of the pieces, as `release` meets them.
    cards = dict.fromkeys(
        (deck_id, card.id)
        for piece in game.pieces
        if _is_counted(piece) and game.dealt_to(piece) is None
        for deck_id in piece.decks
        for card in game.decks[deck_id].cards
        if copies.get((deck_id, card.id), card.copies) > 0
    )
    return Identities(game, give_codes(list(cards), before), before), list(problems)


def _is_counted(piece: Piece) -> bool:
    return piece.instead_of is None and not piece.book and not piece.is_for_designer


def identified(
    identities: Identities,
    fonts: FontLibrary,
    pieces: Sequence[LaidOut],
    themes: Mapping[str, Theme],
    ink: str,
    lay_out: LayOut,
) -> tuple[list[LaidOut], list[Problem]]:
    """Return pieces with codes and versions in their faces, and imprints if finish and theme have them."""
    finish, has_address = identities.game.finish, bool(identities.game.report)
    themes = {name: in_finish(theme, finish, has_address=has_address) for name, theme in themes.items()}
    is_told = ink == PLAIN or any(_tells_versions(theme) for theme in themes.values())
    versions = _versions(identities, pieces, lay_out if is_told else None, ink)
    problems: list[Problem] = []
    named = []

    def with_code(face: Face) -> Face:
        key = face.deck, face.card
        code, changed = identities.codes.get(key, ""), versions.get(key, "")
        return face._replace(code=code, changed=changed, bare_front=face.bare, bare_behind=face.bare_back)

    for one in pieces:
        if one.faces:
            one = one._replace(faces=tuple(map(with_code, one.faces)))
            theme = themes.get(one.piece.theme)
            if theme is not None and _tells_versions(theme):
                typesetter = Typesetter(
                    fonts, lambda _name, _colour: None, identities.game.language,
                    is_mirrored=identities.game.speech.is_mirrored,
                )  # fmt: skip
                imprinter = Imprinter(identities.game, one, theme, ink, typesetter)
                coder = ReportCoder(identities.game, one._replace(faces=imprinter.faces()), theme, ink)
                one = one._replace(faces=coder.faces())
                problems += [*imprinter.problems, *coder.problems]
        named.append(one)
    return named, list(dict.fromkeys(problems))


def _tells_versions(theme: Theme) -> bool:
    """Return whether a theme prints imprints or codes onto finished faces."""
    return any(rule.values.get("show") for rules in (theme.imprint, theme.qr) for rule in rules.values())


def _versions(
    identities: Identities, pieces: Sequence[LaidOut], lay_out: LayOut | None, ink: str
) -> dict[CardKey, str]:
    """Return the version in which each card of some pieces last changed; without cards of unknown version."""
    game, before = identities.game, identities.before
    wanted = {(face.deck, face.card) for one in pieces for face in one.faces}
    if before is None:
        return dict.fromkeys(wanted, game.version)
    sides = _sides_of(one for one in pieces if _is_counted(one.piece)) if ink == PLAIN else {}
    missing = {deck for deck, card in wanted if (deck, card) not in sides}
    if missing and lay_out is not None:
        others = [piece for piece in game.pieces if _is_counted(piece) and missing & set(piece.decks)]
        sides = {**_sides_of(one for _, one, _ in lay_out(others) if one is not None), **sides}
    return {
        key: changed_in(before.cards.get(key), game.language, sides[key], game.version)
        for key in wanted
        if key in sides
    }


def _sides_of(pieces: Iterable[LaidOut]) -> dict[CardKey, tuple[str, str | None]]:
    sides: dict[CardKey, tuple[str, str | None]] = {}
    for one in pieces:
        for face in one.faces:
            sides.setdefault((face.deck, face.card), (face.bare, face.bare_back))
    return sides
