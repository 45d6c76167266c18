"""What changed since a version, for its players: a changelog in every language that they read, as Markdown and text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from msgspec import Struct

from duckpress.files.workspace import Workspace
from duckpress.language import program, sharing
from duckpress.model import Game
from duckpress.press.reading import Loaded, spoken
from duckpress.releases.changes import Changes
from duckpress.share.updates.change_wording import (
    Telling,
    card_notes,
    code_of,
    deck_title,
    keys_that_differ,
    name_of,
    rules_lines,
    setup_lines,
    telling_of,
)
from duckpress.text import spaced

_WIDTH = 88


class _ChangelogPart(Struct, frozen=True):
    """A heading and what stands under it; an item may have several lines."""

    head: str
    items: list[list[str]]


class _ChangelogWords(Struct, frozen=True):
    """A changelog in one language."""

    title: str
    subtitle: str
    languages: list[str]
    parts: list[_ChangelogPart]
    nothing: str


def changelog(
    workspace: Workspace, loaded: Loaded, game: Game, changes: Changes, languages: Sequence[str]
) -> tuple[str, str]:
    """Return a changelog as Markdown and as plain text, in each of the languages."""
    words = []
    for code in languages:
        translated, _ = spoken(workspace, game, code)
        words.append(_words(telling_of(loaded, translated, changes, code, {}, {})))
    return "\n".join(map(_markdown, words)), "\n\n".join(map(_text, words))


def _words(telling: Telling) -> _ChangelogWords:
    def say(phrase: str, /, **values: object) -> str:
        return spaced(telling.say(phrase, **values), telling.language)

    changes, game = telling.changes, telling.game
    parts: dict[str, list[list[str]]] = {}
    for key in keys_that_differ(changes):
        notes = [spaced(note, telling.language) for note in card_notes(telling, key)]
        code = code_of(telling, key)
        name = f"{name_of(telling, key)} ({code})" if code else name_of(telling, key)
        if notes:
            first = say(program.TITLES, game=name, piece=notes[0]) if len(notes) == 1 else name
            parts.setdefault(deck_title(telling, key[0]), []).append([first, *(notes if len(notes) > 1 else ())])
    sections = [_ChangelogPart(head, items) for head, items in parts.items()]
    for head, lines in (
        (sharing.SETUP_CHANGED, setup_lines(telling)),
        (sharing.RULES_CHANGED, rules_lines(telling)),
    ):
        sections += [_ChangelogPart(say(head), [[spaced(line, telling.language)] for line in lines])] if lines else []
    codes = [say(sharing.NEW_LANGUAGE, language=code) for code in changes.languages_added]
    codes += [say(sharing.GONE_LANGUAGE, language=code) for code in changes.languages_removed]
    return _ChangelogWords(
        f"{game.title} {game.version}",
        say(sharing.CHANGES_HEAD, old=changes.old.version, new=changes.new.version),
        codes,
        sections,
        say(sharing.NOTHING_CHANGED),
    )


def _markdown(words: _ChangelogWords) -> str:
    lines = [f"## {_escaped(words.title)}", "", f"{_escaped(words.subtitle)}.", ""]
    lines += [line for said in words.languages for line in (f"{_escaped(said)}.", "")]
    for part in words.parts:
        lines += [f"### {_escaped(part.head)}", ""]
        for first, *more in part.items:
            lines.append(f"- {_escaped(first)}")
            lines += [f"  - {_escaped(line)}" for line in more]
        lines.append("")
    return "\n".join(lines if words.parts or words.languages else [*lines, words.nothing, ""])


def _text(words: _ChangelogWords) -> str:
    lines = [words.title, "=" * len(words.title), "", words.subtitle, ""]
    lines += [*words.languages, ""] if words.languages else []
    for part in words.parts:
        lines += [part.head, "-" * len(part.head)]
        for first, *more in part.items:
            lines.append(_filled(first, "  "))
            lines += [_filled(line, "    ") for line in more]
        lines.append("")
    return "\n".join(lines if words.parts or words.languages else [*lines, words.nothing, ""])


def _filled(words: str, indent: str) -> str:
    return textwrap.fill(
        words, _WIDTH, initial_indent=f"{indent}- ", subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def _escaped(line: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*_`<[#" else letter for letter in line)
