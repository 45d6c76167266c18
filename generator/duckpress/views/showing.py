"""One card's facts: its fields and texts, its copies, its uses, and its face."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct
from PIL.Image import Image

from duckpress.check import copies_for
from duckpress.core.problems import Problem, Source, did_you_mean, has_errors
from duckpress.core.report_address import Report, read_report
from duckpress.files.workspace import Workspace
from duckpress.model import Card, Deck, Game
from duckpress.press.identity import identities_of
from duckpress.press.reading import Checked, Loaded
from duckpress.press.releases.changes import FieldChange, field_changes
from duckpress.press.releases.lock import LockedCard, fields_of
from duckpress.press.releases.release_files import read_release, releases_of
from duckpress.views.pictures import FacePainter
from duckpress.views.shown_game import lay_out_game

_CODE = re.compile(r"[A-Z]+[0-9]+")
_MOST_NAMED = 8


class NotFound(Exception):
    """No card has the name, or several have: the message lists similar names, or the full ones."""


class CardInGame(NamedTuple):
    """The deck and the game of a card."""

    loaded: Loaded
    deck: Deck
    card: Card


class Use(Struct, frozen=True):
    """A use of a card: its kind (`piece`, `rules`, `setup`), its name, and its source."""

    kind: str
    name: str
    source: Source


class CardShown(Struct, frozen=True):
    """A card with all its facts; `pictures` are front and back, if they can be drawn.

    `problems` are those of the card, where it is drawn or they say why not; else those of the game.
    `since` are the fields that changed since the version that a code on it told of; None where no code did, or where
    that version has not been frozen. `looks` is whether it looks different since; None where that is not known.
    """

    checked: Checked
    deck: Deck
    card: Card
    code: str
    changed: str
    copies: int
    uses: tuple[Use, ...]
    pictures: tuple[Image, ...]
    problems: tuple[Problem, ...]
    since: tuple[FieldChange, ...] | None = None
    looks: bool | None = None


def find_card(loaded: Sequence[Loaded], workspace: Workspace, name: str) -> CardInGame:
    """Return the card of a name: `deck/card`, an id in just one deck, a short code, or the text of its QR code.

    Raises `NotFound`.
    """
    reported = read_report(name)
    game_of_report = next((one for one in loaded if reported is not None and reported.is_of(one.game_id)), None)
    if reported is not None and game_of_report is not None:
        gone = _removed_card([game_of_report], workspace, name, reported)
        return _reported(game_of_report, reported, gone)
    places: list[CardInGame] = []
    names: dict[str, None] = {}
    for one in loaded:
        game = one.game
        if game is None:
            continue
        codes = {}
        if _CODE.fullmatch(name):
            all_codes = identities_of(workspace, game, copies_for(game, None))[0].codes
            codes = {key: code for key, code in all_codes.items() if code == name}
        for deck in game.decks.values():
            for card in deck.cards:
                full = f"{deck.id}/{card.id}"
                names |= {full: None, card.id: None}
                if name in (full, card.id) or (deck.id, card.id) in codes:
                    places.append(CardInGame(one, deck, card))
    if len(places) == 1:
        return places[0]
    if not places and (gone := _removed_card(loaded, workspace, name, reported)) is not None:
        raise NotFound(gone)
    if not places:
        broken = [one.game_id for one in loaded if one.game is None]
        more = f" ({', '.join(broken)} cannot be read)" if broken else ""
        raise NotFound(f"there is no card {name!r}{more}; {did_you_mean(name, names)}".rstrip("; "))
    several = len({one.game_id for one, _, _ in places}) > 1
    ways = [f"{deck.id}/{card.id}" + (f" of {one.game_id} (--game)" if several else "") for one, deck, card in places]
    rest = f" and {len(ways) - _MOST_NAMED} more" if len(ways) > _MOST_NAMED else ""
    raise NotFound(f"{name!r} may be {', '.join(ways[:_MOST_NAMED])}{rest}: say which")


def _removed_card(loaded: Sequence[Loaded], workspace: Workspace, name: str, report: Report | None) -> str | None:
    """Return in words the removed card of a release with this name, or None."""
    wanted = "/".join(report.parts) if report is not None else name
    for one in loaded:
        game = one.game
        if game is None:
            continue
        for version, path in reversed(releases_of(workspace, game.id).items()):
            released = read_release(workspace, path).lock
            for card in released.cards.values() if released is not None else ():
                full = f"{card.deck}/{card.card}"
                if wanted in (full, card.card, card.code):
                    return f"{full} ({card.code}) is no longer in {game.id}: it was in version {version}, see {path}"
    return None


def _card_of(workspace: Workspace, game: Game, version: str, deck: Deck, card: Card) -> LockedCard | None:
    """Return a card from a version; None if that was not frozen, or had no such card."""
    path = releases_of(workspace, game.id).get(version)
    released = read_release(workspace, path).lock if path is not None else None
    return released.cards.get((deck.id, card.id)) if released is not None else None


def _reported(loaded: Loaded, report: Report, gone: str | None) -> CardInGame:
    """Return the card in a scanned code; a deck without a card means its only card."""
    game, (first, *rest) = loaded.game, report.parts
    deck = game.decks.get(first) if game is not None else None
    cards = [card for card in deck.cards if not rest or card.id == rest[0]] if deck is not None else []
    if deck is not None and len(cards) == 1:
        return CardInGame(loaded, deck, cards[0])
    if len(rest) == 1 and rest[0].isdecimal():
        pieces = [piece.id for piece in game.pieces] if game is not None else []
        is_number = first.isdecimal() and 0 < int(first) <= len(pieces)
        what = f"sheet {int(rest[0])} of the piece {(pieces[int(first) - 1] if is_number else first)!r}"
        if first == "0":
            what = f"sheet {int(rest[0])} of those that pieces share"
        raise NotFound(f"that is no card, but {what}, of {report.game} {report.version}")
    if gone is not None:
        raise NotFound(gone)
    raise NotFound(f"{report.game} has no card {'/'.join(report.parts)!r}; version {report.version} may have had it")


def show_card(workspace: Workspace, place: CardInGame, *, dpi: float, name: str) -> CardShown:
    """Return all facts of a card, its pictures at `dpi`, and its problems.

    Where `name` is what a code on it said, it is held against the version that this tells of.
    """
    loaded, deck, card = place
    game = loaded.game
    assert game is not None
    copies = copies_for(game, None)
    code = identities_of(workspace, game, copies)[0].codes.get((deck.id, card.id), "")
    changed = ""
    pictures: tuple[Image, ...] = ()
    checked = Checked(loaded.game_id, game, loaded.problems)
    sides: tuple[str, str | None] | None = None
    pieces = [piece for piece in game.pieces if deck.id in piece.decks and game.dealt_to(piece) is None]
    pieces.sort(key=lambda piece: piece.instead_of is not None)  # a release knows the faces of the others
    if pieces and not deck.is_dealt:
        shown = lay_out_game(workspace, loaded, pieces=[pieces[0].id], is_draft=True)
        checked = shown.checked
        for one in checked.pieces:
            face = next((face for face in one.faces if (face.deck, face.card) == (deck.id, card.id)), None)
            if face is not None:
                changed, sides = face.changed, (face.bare, face.bare_back)
                frames = [face.front] if face.back is None else [face.front, face.back]
                pictures = tuple(FacePainter(shown.fonts).pictures(one, frames, dpi))
    own = tuple(findings_of(checked.problems, card))
    if not pictures and not has_errors(own):  # something else is wrong, and the card is not drawn for it
        own = checked.problems
    report = read_report(name)
    old = _card_of(workspace, game, report.version, deck, card) if report is not None else None
    since = field_changes(old.fields, fields_of(card)) if old is not None else None
    then = old.faces.get(game.languages[0].code) if old is not None else None
    looks = sides != then if sides is not None and then is not None else None
    uses = _uses(workspace, game, deck, card)
    count = copies.get((deck.id, card.id), card.copies)
    return CardShown(checked, deck, card, code, changed, count, uses, pictures, own, since, looks)


def _uses(workspace: Workspace, game: Game, deck: Deck, card: Card) -> tuple[Use, ...]:
    """Return the pieces that print a card, the rules that show it, and the setup lines with its deck."""
    uses = [Use("piece", piece.id, piece.source) for piece in game.pieces if deck.id in piece.decks]
    shown = re.compile(rf"(?:card|back):{re.escape(deck.id)}/{re.escape(card.id)}(?![\w-])")
    for sheet in game.rules.values():
        for number, line in enumerate(sheet.text.split("\n"), 1):
            match = shown.search(line)
            if match is not None:
                uses.append(Use("rules", sheet.language, Source(sheet.source.file, number, match.start() + 1)))
    if game.setup is not None:
        path = f"{game.folder}/setup.yaml"
        named = re.compile(rf"(?<![\w-]){re.escape(deck.id)}(?![\w-])")
        for number, line in enumerate(workspace.read(path).decode("utf-8-sig", "replace").split("\n"), 1):
            match = named.search(line.partition(" #")[0]) if not line.lstrip().startswith("#") else None
            if match is not None:
                uses.append(Use("setup", deck.id, Source(path, number, match.start() + 1)))
    return tuple(uses)


def findings_of(problems: Iterable[Problem], card: Card) -> list[Problem]:
    """Return the problems of one card: of its values and of its face."""
    places = {card.source, *card.sources.values()}
    return [problem for problem in problems if problem.source in places or problem.what.startswith(card.subject)]
