"""What a page shows of the changes since a version that somebody holds: before and after, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from duckpress.core.problems import MachineError
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.releases.changes import CardChange, Changes, compare
from duckpress.releases.changes_report import listed
from duckpress.releases.lock import CardKey, Plain
from duckpress.releases.release_files import releases_of
from duckpress.share.updates.change_wording import (
    Telling,
    deck_title,
    fields_in_words,
    keys_that_differ,
    name_of,
    rules_in_words,
    setup_lines,
    sides_that_differ,
    telling_of,
    words_before,
)
from duckpress.share.updates.held_version import HeldVersion, draft_lock, held_version, in_words
from duckpress.share.updates.releasing import Unknown, of_game, unknown_version, written_version
from duckpress.share.updates.revisions import LaidOutFace, faces_of, is_revision
from duckpress.views.page.card_rows import card_shape
from duckpress.views.page.game_page import GamePage


class HeldVersions:
    """The versions that a game's page compares it with: the one that `since` names, and its releases.

    Each is found, and laid out where its files are had, when it is first asked for.
    """

    def __init__(self, workspace: Workspace, game_id: str, since: str | None) -> None:
        """Raise `Unknown` where `since` names nothing that can be found, and `MachineError`."""
        self._workspace = workspace
        self._game_id = game_id
        self._named = {} if since is None else {_called(workspace, game_id, since): since}
        self._held: dict[tuple[str, str, str], HeldVersion] = {}

    @property
    def names(self) -> Sequence[str]:
        """The one that was asked for, and the releases, the newest first."""
        releases = reversed(releases_of(self._workspace, self._game_id))
        return list(dict.fromkeys([*self._named, *releases]))

    def changes(self, page: GamePage, name: str) -> Mapping[str, Any]:
        """Return the changes since a version; where it cannot be had, `told` says why."""
        try:
            return _as_data(page, self._version(page, name))
        except (Unknown, MachineError) as why:
            return {"told": str(why), "cards": [], "lines": [], "rules": []}

    def _version(self, page: GamePage, name: str) -> HeldVersion:
        key = name, page.game.language, page.drawn.request.ink
        if key not in self._held:
            self._held[key] = held_version(self._workspace, page.drawn, self._named.get(name, name))
        return self._held[key]


def _called(workspace: Workspace, game_id: str, since: str) -> str:
    """Return what a version is called on the page, which others may see: not by the folder that a file lies in.

    Raises `Unknown` where it names none.
    """
    written = written_version(workspace, game_id, since, None)
    if written is None:
        if not is_revision(workspace, game_id, since):
            raise unknown_version(workspace, game_id, since)
        return since
    if written.lock is None:
        raise Unknown(in_words(written.problems))
    lock = of_game(written.lock, game_id)
    return since if since in releases_of(workspace, game_id) else f"{lock.version} ({Path(since).name})"


def _as_data(page: GamePage, held: HeldVersion) -> Mapping[str, Any]:
    changes = _changes(page, held)
    telling = telling_of(page.drawn.loaded, page.game, changes, page.game.language, {}, {})
    keys = keys_that_differ(changes)
    decks = {key[0] for key in keys if key in changes.old.cards}
    then, now = held.faces(decks, page.shown.fonts), faces_of(page.drawn.every)
    changed = {change.new.key: change for change in changes.changed}
    return {
        "told": "",
        "cards": [
            _card(page, telling, key, changed.get(key), _before(telling, key, then.get(key), now.get(key)))
            for key in keys
        ],
        "lines": setup_lines(telling),
        "rules": [["\n\n".join(went), "\n\n".join(came)] for went, came in rules_in_words(telling)],
    }


def _changes(page: GamePage, held: HeldVersion) -> Changes:
    """Return what differs, of the pieces that the page shows."""
    game, original, drawn = page.game, page.drawn.loaded.game, page.drawn
    assert original is not None
    pieces = [inked for one in drawn.every if (inked := drawn.in_ink(one, held.ink)) is not None]
    shown = {deck for one in drawn.every for deck in one.piece.decks}
    hidden = {deck for piece in game.pieces for deck in piece.decks} - shown
    cards = {key: card for key, card in held.lock.cards.items() if card.deck not in hidden}
    return compare(replace(held.lock, cards=cards), draft_lock(game, original, pieces, shown))


def _before(telling: Telling, key: CardKey, then: LaidOutFace | None, now: LaidOutFace | None) -> LaidOutFace | None:
    """Return the face that a card had: the one of now, too, where it looks the same."""
    old, new = (lock.cards.get(key) for lock in (telling.changes.old, telling.changes.new))
    if old is None:
        return None
    return then or (now if new is not None and old.faces == new.faces else None)


def _card(
    page: GamePage, telling: Telling, key: CardKey, change: CardChange | None, before: LaidOutFace | None
) -> dict[str, Any]:
    changes = telling.changes
    kind = "new" if key not in changes.old.cards else "gone" if key not in changes.new.cards else ""
    if change is not None and not change.fields and change.looks:
        kind = "looks"
    fields = () if change is None else fields_in_words(telling, change)
    return {
        "key": "/".join(key),
        "deck": deck_title(telling, key[0]),
        "name": name_of(telling, key),
        "kind": kind,
        "sides": ["back" if is_back else "front" for is_back in sides_that_differ(telling, key)],
        "before": None if before is None else _face(page, *before),
        "words": words_before(telling, key) if key in changes.old.cards else "",
        "copies": [] if change is None or not change.copies else [change.old.copies, change.new.copies],
        "fields": [{"label": label, "was": _written(was), "now": _written(now)} for label, was, now in fields],
    }


def _face(page: GamePage, one: LaidOut, face: Face) -> dict[str, Any]:
    return {
        "front": page.picture(one, face.front),
        "back": None if face.back is None else page.picture(one, face.back),
        **card_shape(face.format, face.front.bleed_mm),
    }


def _written(value: Plain) -> str:
    if isinstance(value, dict):
        value = list(value.values())
    return "" if value is None else str(listed(value))
