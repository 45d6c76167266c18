"""Changes in words for the terminal, and as plain data for JSON; `share.updating` is for players.

Texts of two versions stand beside each other without their marks, cut down to where they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from duckpress.press.releases.changes import CardChange, Changes, FieldChange, SetupChange
from duckpress.press.releases.lock import LockedCard, Plain

_MARKS = re.compile(r"\*+|\\(?=\n)|\{=?([^{}]*)\}")
_CONTEXT = 3  # words that are kept before and after what differs
_GAP = "…"
_LONGEST = 90  # letters of a field's value
_LONGEST_RULE = 160


def plain_words(text: str) -> str:
    """Return a text without markup: `**bold**` as bold, `{star}` as star, on one line."""
    return " ".join(_MARKS.sub(lambda mark: mark[1] or "", text).split())


def cut(words: str, longest: int) -> str:
    """Return words on one line, cut to at most so many letters."""
    words = " ".join(words.split())
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}{_GAP}"


def readable(one: Plain, other: Plain) -> tuple[Plain, Plain]:
    """Return two texts without markup, unless they differ only in markup."""
    old, new = (plain_words(text) if isinstance(text, str) else text for text in (one, other))
    is_same = isinstance(one, str) and isinstance(other, str) and old == new
    return (one, other) if is_same else (old, new)


def listed(value: Plain) -> Plain:
    """Return the texts of a list as one text; any other value unchanged."""
    return ", ".join(str(listed(one)) for one in value) if isinstance(value, list) else value


def span(numbers: Sequence[str]) -> str:
    """Return numbers as a list, or as a range if more than two are consecutive."""
    if len(numbers) > 2 and all(map(str.isdecimal, numbers)):
        first, last = int(numbers[0]), int(numbers[-1])
        if [int(one) for one in numbers] == list(range(first, last + 1)):
            return f"{first}–{last}"
    return ", ".join(numbers)


def apart(one: str, other: str, longest: int) -> tuple[str, str]:
    """Return two texts cut to about so many letters, each still showing the difference."""
    if max(len(one), len(other)) <= longest:
        return " ".join(one.split()), " ".join(other.split())
    words, others = one.split(), other.split()
    most = min(len(words), len(others))
    before = next((at for at in range(most) if words[at] != others[at]), most)
    after = next((at for at in range(most - before) if words[-1 - at] != others[-1 - at]), most - before)
    return tuple(_excerpt(part, before, after, longest) for part in (words, others))  # type: ignore[return-value]


def _excerpt(words: list[str], before: int, after: int, longest: int) -> str:
    first, last = max(0, before - _CONTEXT), min(len(words), len(words) - after + _CONTEXT)
    said = " ".join(words[first:last])
    return cut(f"{_GAP} {said}" if first else said, longest) + (f" {_GAP}" if last < len(words) else "")


def in_words(changes: Changes) -> list[str]:
    """Return the changes in lines for the terminal."""
    lines = []
    for word, cards in (("new", changes.added), ("gone", changes.removed)):
        for card in cards:
            lines.append(f"{word}: {_named(card, changes)}, {card.copies} cop{'y' if card.copies == 1 else 'ies'}")
    for change in changes.changed:
        lines += _card_lines(change, changes)
    lines += _setup_lines(changes)
    for rule in changes.rules:
        where = "rules" if len(changes.new.languages) < 2 else f"rules ({rule.language})"
        lines.append(f"{where}: {_rules_words(rule.old, rule.new)}")
        gone, come = rule.old, rule.new
        if len(gone) == len(come) == 1:
            plain, other = readable(gone[0], come[0])
            was, now = apart(str(plain), str(other), _LONGEST_RULE)
            gone, come = (was,), (now,)
        lines += [f"    no longer: {cut(words, _LONGEST_RULE)}" for words in gone]
        lines += [f"    now: {cut(words, _LONGEST_RULE)}" for words in come]
    lines += [f"new language: {code}" for code in changes.languages_added]
    lines += [f"language gone: {code}" for code in changes.languages_removed]
    return lines or ["nothing has changed"]


def _card_lines(change: CardChange, changes: Changes) -> Iterator[str]:
    name = _named(change.new, changes)
    parts = []
    if change.copies:
        parts.append(f"{change.new.copies} instead of {change.old.copies}")
    if change.looks and not change.fields:
        shared = change.old.faces.keys() & change.new.faces.keys()
        languages = "" if shared <= set(change.looks) else f" in {', '.join(change.looks)}"
        parts.append(f"{'translated anew' if change.texts else 'looks different'}{languages}")
    if (change.fields or change.texts) and not change.looks:
        parts.append("changed, but looks the same")
    head = f"{name}: {'; '.join(parts)}" if parts else f"{name}:"
    # What the translation takes over from the original needs not be said again.
    texts = [(language, one) for language, said in change.texts.items() for one in said if one not in change.fields]
    if len(change.fields) == 1 and not parts and not texts:
        yield f"{name}: {field_words(change.fields[0])}"
        return
    yield head
    yield from (f"    {field_words(field)}" for field in change.fields)
    yield from (f"    {language}, {field_words(field)}" for language, field in texts)


def _setup_lines(changes: Changes) -> Iterator[str]:
    by_cell: dict[tuple[str, str], list[SetupChange]] = {}
    for change in changes.own_setup:
        by_cell.setdefault((change.variant, change.column), []).append(change)
    for (variant, column), cells in by_cell.items():
        where = f"setup, {column}" if variant == "base" else f"setup ({variant}), {column}"
        others = [one for one in changes.new.setup or {} if one != "base" and _is_spared(changes, one, cells)]
        spared = f" (as before with {', '.join(others)})" if variant == "base" and others else ""
        alike: dict[tuple[str, str], list[str]] = {}
        for one in cells:
            alike.setdefault((_value(one.old), _value(one.new)), []).append(one.players)
        figures = [
            f"{new} instead of {old} for {span(counts)} player{'s' * (counts != ['1'])}"
            for (old, new), counts in alike.items()
        ]
        yield f"{where}: {', '.join(figures)}{spared}"


def _is_spared(changes: Changes, variant: str, cells: Sequence[SetupChange]) -> bool:
    """Return whether a variant keeps numbers that changed in the base game."""
    old, new = (lock.setup or {} for lock in (changes.old, changes.new))
    return variant in old and any(
        cell.column in new[variant].get(cell.players, {})
        and new[variant][cell.players][cell.column] == old[variant].get(cell.players, {}).get(cell.column) == cell.old
        for cell in cells
    )


def field_words(field: FieldChange) -> str:
    """Return a field's change in words."""
    old, new = readable(field.old, field.new)
    ends = "[]" if isinstance(old, list) or isinstance(new, list) else '""'
    old, new = listed(old), listed(new)
    if isinstance(old, str) and isinstance(new, str):
        old, new = apart(old, new, _LONGEST)
    if old is None:
        return f"{field.name}: {_value(new, ends)} (new)"
    if new is None:
        return f"{field.name}: no longer {_value(old, ends)}"
    return f"{field.name}: {_value(old, ends)} -> {_value(new, ends)}"


def _rules_words(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    if not old:
        return "new" if len(new) == 1 else f"{len(new)} new paragraphs"
    if not new:
        return "gone" if len(old) == 1 else f"{len(old)} paragraphs gone"
    return "changed"


def _named(card: LockedCard, changes: Changes) -> str:
    title = changes.new.decks.get(card.deck) or changes.old.decks.get(card.deck) or card.deck
    return f"{title}, {card.card} ({card.code})"


def _value(value: Plain, ends: str = '""') -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    said = cut(str(value), _LONGEST)
    return f"{ends[0]}{said}{ends[1]}" if isinstance(value, str) else said


def as_data(changes: Changes) -> dict[str, Any]:
    return {
        "game": changes.new.game,
        "since": changes.old.version,
        "version": changes.new.version,
        "added": [card_data(card) for card in changes.added],
        "removed": [card_data(card) for card in changes.removed],
        "changed": [
            {
                **card_data(change.new),
                "copies_before": change.old.copies,
                "fields": [field._asdict() for field in change.fields],
                "texts": {language: [field._asdict() for field in fields] for language, fields in change.texts.items()},
                "looks": list(change.looks),
            }
            for change in changes.changed
        ],
        "setup": [change._asdict() for change in changes.setup],
        "rules": [{"language": rule.language, "old": list(rule.old), "new": list(rule.new)} for rule in changes.rules],
        "languages_added": list(changes.languages_added),
        "languages_removed": list(changes.languages_removed),
    }


def card_data(card: LockedCard) -> dict[str, Any]:
    return {"deck": card.deck, "card": card.card, "code": card.code, "copies": card.copies}
