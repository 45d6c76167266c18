"""Locks as files: JSON with one entry a line, in a fixed order; a game's locks are in its `releases/`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from duckpress.core.backs import INKS, PLAIN
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.press.releases.lock import CardKey, Lock, LockedCard

FORMAT = 1
_HASH = re.compile(r"[0-9a-f]{32}")
# Controls but tab and line breaks, what turns the direction of a line, half characters.
_STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ESCAPED = re.compile(r"\\[ubf]")
_Kind = TypeVar("_Kind", dict[str, Any], str, list[Any])
_KINDS: dict[type, str] = {dict: "mapping", str: "text", list: "list"}
_CODE = re.compile(r"[A-Z][A-Z]*[0-9]{1,6}")
FOLDER = "releases"
SUFFIX = ".lock"


class LockRead(NamedTuple):
    """A version that was read, or None, and why it is unreadable."""

    lock: Lock | None
    problems: tuple[Problem, ...] = ()


def lock_bytes(lock: Lock) -> bytes:
    """Return the file of a lock. The same lock gives the same bytes."""
    data = {
        "lock": FORMAT,
        "game": lock.game,
        "title": lock.title,
        "version": lock.version,
        "languages": list(lock.languages),
        "decks": dict(lock.decks),
        "cards": {
            f"{card.deck}/{card.card}": {
                "code": card.code,
                "changed": card.changed,
                **({"changes": dict(card.changes)} if card.changes else {}),
                "copies": card.copies,
                "fields": card.fields,
                **({"texts": card.texts} if card.texts else {}),
                "faces": {language: list(sides) for language, sides in card.faces.items()},
            }
            for card in lock.cards.values()
        },
        **({"retired": {"/".join(key): code for key, code in lock.retired.items()}} if lock.retired else {}),
        "setup": lock.setup,
        "rules": None if lock.rules is None else {code: list(lines) for code, lines in lock.rules.items()},
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def read_lock(data: bytes, source: Source) -> LockRead:
    """Return a lock from its file, or the problem `bad-lock`."""
    try:
        return LockRead(_lock(_loaded(data)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fix = "take it back from version control; lock files are written by `duckpress release` and never edited"
        return _bad_lock(source, f"this is no lock file that can be read: {_why(error)}", fix)


def _bad_lock(source: Source, what: str, fix: str) -> LockRead:
    return LockRead(None, (Problem("bad-lock", source, what, fix),))


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON from line {error.lineno} on"
    if isinstance(error, KeyError):
        return f"{str(error)[:80]} is missing"
    return str(error)[:80] or type(error).__name__


def _loaded(data: bytes) -> Any:
    """Return the contents of a JSON file. Raises `ValueError` for other files, and for invalid characters.

    What is read here is shown on terminals and set on paper, wherever the file came from. JSON writes such letters as
    escapes, so a file without any needs only to be looked at as it is.
    """
    text = data.decode("utf-8-sig")
    read = json.loads(text, parse_constant=_refuse_constant)
    if _STEERING.search(text) or (_ESCAPED.search(text) and any(map(_STEERING.search, _texts(read)))):
        raise ValueError("it holds control characters")
    return read


def _texts(read: Any) -> Iterator[str]:
    waiting = [read]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value
            waiting += value.values()


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _lock(read: Any) -> Lock:
    if not isinstance(read, dict) or read.get("lock") != FORMAT:
        raise ValueError(f"'lock' is not {FORMAT}")
    cards = {}
    for name, entry in _entries(read["cards"]):
        deck, card = _key(name)
        fields = None if entry["fields"] is None else _typed(dict, entry["fields"])
        faces = {language: _sides(sides) for language, sides in _entries(entry["faces"])}
        code, copies = _code(entry["code"]), entry["copies"]
        if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= 1_000_000:
            raise ValueError(f"{copies!r} is no number of copies")
        changes = {language: _typed(str, version) for language, version in _entries(entry.get("changes", {}))}
        texts = {language: _typed(dict, values) for language, values in _entries(entry.get("texts", {}))}
        changed = _typed(str, entry["changed"])
        cards[deck, card] = LockedCard(deck, card, code, changed, copies, fields, faces, changes, texts)
    setup, rules = read["setup"], read["rules"]
    if setup is not None:
        rows = (row for _, table in _entries(setup) for _, row in _entries(table))
        for cell in (cell for row in rows for _, cell in _entries(row)):
            if isinstance(cell, list | dict):
                raise TypeError(f"{str(cell)[:40]!r} should be a text or a number")
    rules_texts = None if rules is None else {code: _texts_in(lines) for code, lines in _entries(rules)}
    decks = {key: _typed(str, title) for key, title in _entries(read["decks"])}
    retired = {_key(name): _code(code) for name, code in _entries(read.get("retired", {}))}
    game, title, version = (_typed(str, read[key]) for key in ("game", "title", "version"))
    return Lock(game, title, version, _texts_in(read["languages"]), decks, cards, setup, rules_texts, retired=retired)


def lock_from_manifest(data: bytes, source: Source, ink: str | None = None) -> LockRead:
    """Return the version in a build's manifest: faces and copies; fields, setup and rules are unknown.

    Of what was printed in several inks, the one asked for counts, else colour, else the first. Problem: `bad-lock`
    where it is no manifest.
    """
    try:
        read = _loaded(data)
        if isinstance(read, dict) and read.get("pack") == "update":
            old, new = _typed(str, read["from"])[:40], _typed(str, read["to"])[:40]
            what = f"this is the list of an update pack, from {old} to {new}: it knows only the cards that are swapped"
            return _bad_lock(source, what, f"who has swapped them holds {new}: name that version")
        cards: dict[tuple[str, str], LockedCard] = {}
        # Pages of rules are made for a paper; they are no cards.
        entries = [entry for entry in read["cards"] if entry["deck"] and not entry.get("paper")]
        inks = list(dict.fromkeys(_typed(str, entry["ink"]) for entry in entries))
        if strange := next((name for name in inks if name not in INKS), None):
            raise ValueError(f"{strange[:40]!r} is no ink")
        chosen = next((name for name in (ink, PLAIN, *inks) if name in inks), PLAIN)
        for entry in entries:
            if entry["ink"] != chosen:
                continue
            key = _typed(str, entry["deck"]), _typed(str, entry["card"])
            sides = _sides([entry.get("bare", entry["frame"]), entry.get("bare_back", entry["back"])])
            known = cards.get(key)
            # Of a card that is printed in several pieces, the first counts.
            faces = {_typed(str, entry["language"]): sides, **(known.faces if known is not None else {})}
            code, changed = str(entry.get("code") or ""), str(entry.get("changed") or read["version"])
            copies = int(entry["copies"]) if known is None else known.copies
            cards[key] = LockedCard(*key, code, changed, copies, None, faces)
        languages = tuple(sorted({language for card in cards.values() for language in card.faces}))
        version, title = _typed(str, read["version"]), _typed(str, read["title"])
        return LockRead(Lock(_typed(str, read["game"]), title, version, languages, {}, cards, None, None, chosen))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fix = "use the manifest.json that lies beside the printed files"
        return _bad_lock(source, f"this is no manifest that can be read: {_why(error)}", fix)


def _typed(kind: type[_Kind], value: Any) -> _Kind:
    if not isinstance(value, kind):
        raise TypeError(f"{str(value)[:40]!r} should be a {_KINDS[kind]}")
    return value


def _entries(value: Any) -> Iterable[tuple[str, Any]]:
    return _typed(dict, value).items()


def _texts_in(value: Any) -> tuple[str, ...]:
    return tuple(_typed(str, text) for text in _typed(list, value))


def _key(name: str) -> CardKey:
    deck, _, card = name.partition("/")
    if not deck or not card:
        raise ValueError(f"{name[:40]!r} is no card")
    return deck, card


def _code(value: Any) -> str:
    code = _typed(str, value)
    if not _CODE.fullmatch(code):
        raise ValueError(f"{code[:40]!r} is no card's code")
    return code


def _sides(value: Any) -> tuple[str, str | None]:
    front, back = _typed(list, value)
    if not all(digest is None or _HASH.fullmatch(digest) for digest in (front, back)) or front is None:
        raise ValueError(f"{str(value)[:80]} are no hashes of a face")
    return front, back


def releases_of(workspace: Workspace, game_id: str) -> dict[str, str]:
    """Return the lock files of a game by version, the oldest first."""
    paths = workspace.files(f"content/{game_id}/{FOLDER}", SUFFIX)
    by_version = {path.rpartition("/")[2].removesuffix(SUFFIX): path for path in paths}

    def place(version: str) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in version.split(".")]

    return {version: by_version[version] for version in sorted(by_version, key=place)}


def path_of(game_id: str, version: str) -> str:
    """Return the lock file of a release, relative to the workspace."""
    return f"content/{game_id}/{FOLDER}/{version}{SUFFIX}"


def newest_release(workspace: Workspace, game_id: str) -> LockRead:
    """Return the newest release of a game, or None."""
    releases = releases_of(workspace, game_id)
    return read_release(workspace, next(reversed(releases.values()))) if releases else LockRead(None)


def read_release(workspace: Workspace, path: str) -> LockRead:
    """Return the release in a lock file. Problems: it is unreadable, or another game's."""
    source = Source(path)
    try:
        data = workspace.read(path, "lock-file")
    except Refused as refused:
        return LockRead(None, (refused.problem(source),))
    lock, problems = read_lock(data, source)
    if lock is not None and path != path_of(lock.game, lock.version):
        what = f"this is the lock of {lock.game[:40]} {lock.version[:40]}, not of the game and version of its place"
        fix = "take it back from version control; what somebody else holds is named with --since, wherever it lies"
        return _bad_lock(source, what, fix)
    return LockRead(lock, problems)
