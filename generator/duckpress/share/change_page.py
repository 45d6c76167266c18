"""The changes between two versions, for players: a changelog as Markdown and text, and a picture of the cards."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial

from duckpress.art.picture_files import quick_png
from duckpress.core.backs import PLAIN, Backs
from duckpress.core.geometry import MM_PER_INCH
from duckpress.core.language import program
from duckpress.core.problems import has_errors
from duckpress.core.sizes import PAPERS
from duckpress.files.workspace import Workspace
from duckpress.layout.rulebook.pages import shape_of
from duckpress.model import Game
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Checked, Loaded, translate
from duckpress.press.releases.changes import Changes
from duckpress.press.request import Request, Step, silent
from duckpress.share.diff import GameDiff, as_markdown, as_text, diff_of, lay_out_diff
from duckpress.share.releasing import Frozen, base_language
from duckpress.share.revisions import OldDecks, pieces_with
from duckpress.share.swap_sheet import change_sections
from duckpress.text import spaced
from duckpress.views.pictures import MAX_SIDE_PX, paint_frames

PAGE = "changes"
_PAPER = "a4"
_DPI = 150.0
_WIDTH = 88  # letters of a line of plain text


def change_page(
    workspace: Workspace,
    loaded: Loaded,
    compared: Frozen,
    since: str | None,
    kind: str,
    wanted: str | None = None,
    step: Step = silent,
) -> tuple[Checked, bytes | None]:
    """Return a picture of changes, as `pdf` or `png`; None if there is an error.

    Old faces are shown where they are had. It is in the language `wanted` (None: the game's), and in the ink that was
    held. Raises `Unknown` where the version held has no cards in that language.
    """
    checked, _, changes = compared
    if changes is None or checked.game is None:
        return checked, None
    step("laying out")
    language = base_language(changes.old, checked.game, wanted)
    decks = {card.deck for card in (*changes.added, *changes.removed, *(change.new for change in changes.changed))}
    pieces = pieces_with(checked.game, decks) or (checked.game.pieces[0].id,)
    ink = changes.old.printed_in or PLAIN
    base = OldDecks(changes.old, language, ink, since, decks)
    laid_out = lay_out_diff(workspace, loaded, changes, base, pieces, (_PAPER,))
    diff, fonts = laid_out.diff, laid_out.shown.fonts
    if diff is None:
        return laid_out.shown.checked, None
    leaflet, _ = laid_out.leaflet(workspace, PAGE, ink)
    if leaflet is None:
        return checked, None
    subtitle = diff.say(program.CHANGES_HEAD, old=changes.old.version, new=changes.new.version)
    shape = shape_of(PAPERS[_PAPER], 2, is_folded=False)
    step("drawing")
    compose = partial(change_sections, leaflet, diff)
    if kind == "png":
        page = leaflet.endless(shape, subtitle, compose)
        dpi = min(_DPI, MAX_SIDE_PX * MM_PER_INCH / page.trim.height_mm)
        leaf = leaflet.laid_out({_PAPER: (page,)})
        picture = next(iter(paint_frames(leaf, [page], fonts, dpi, has_bleed=False)))
        return checked, quick_png(picture, dpi)
    leaf = leaflet.laid_out({_PAPER: leaflet.pages(shape, subtitle, compose)})
    request = Request(papers=(_PAPER,), backs=Backs.NONE, language=language, ink=ink)
    press = Press(PrintJob(diff.game, request, fonts, step))
    proven = press.print(press.impose(leaf, PAPERS[_PAPER]))
    if has_errors(proven.problems):
        return Checked(checked.game_id, checked.game, (*checked.problems, *proven.problems)), None
    return checked, proven.outputs[0].data


def changelog(
    workspace: Workspace, loaded: Loaded, game: Game, changes: Changes, languages: Sequence[str]
) -> tuple[str, str]:
    """Return a changelog as Markdown and as plain text, in each of the languages."""
    forms = []
    for code in languages:
        translated, _ = translate(workspace, game, code)
        forms.append(_changelog(diff_of(loaded, translated, changes, code)))
    return "\n".join(markdown for markdown, _ in forms), "\n\n".join(text for _, text in forms)


def _changelog(diff: GameDiff) -> tuple[str, str]:
    """Return a changelog in one language, in both forms."""

    def say(phrase: str, /, **values: object) -> str:
        return spaced(diff.say(phrase, **values), diff.language)

    changes, title = diff.changes, f"{diff.game.title} {diff.game.version}"
    subtitle = say(program.CHANGES_HEAD, old=changes.old.version, new=changes.new.version)
    codes = [say(program.NEW_LANGUAGE, language=code) for code in changes.languages_added]
    codes += [say(program.GONE_LANGUAGE, language=code) for code in changes.languages_removed]
    markdown = [f"## {as_markdown(title)}", "", f"{as_markdown(subtitle)}.", ""]
    markdown += [line for said in codes for line in (f"{as_markdown(said)}.", "")]
    text = [*headed(title, "="), "", subtitle, "", *codes, *([""] if codes else [])]
    parts = _parts(diff)
    for head, items in parts.items():
        markdown += [f"### {as_markdown(head)}", ""]
        text += headed(head)
        for first, *more in items:
            markdown += [f"- {as_markdown(first)}", *(f"  - {as_markdown(line)}" for line in more)]
            text.append(wrapped(as_text(first), "    ", "  - "))
            text += [wrapped(as_text(line), "      ", "    - ") for line in more]
        markdown.append("")
        text.append("")
    nothing = [] if parts or codes else [say(program.NOTHING_CHANGED), ""]
    return "\n".join([*markdown, *nothing]), "\n".join([*text, *nothing])


def _parts(diff: GameDiff) -> dict[str, list[list[str]]]:
    """Return the items under each head of a changelog; an item may have several lines."""
    parts: dict[str, list[list[str]]] = {}
    for key in diff.keys:
        notes = [spaced(note, diff.language) for note in diff.notes(key)]
        code = diff.code_of(key)
        name = f"{diff.name_of(key)} ({code})" if code else diff.name_of(key)
        if len(notes) == 1:
            item = [spaced(diff.say(program.TITLES, game=name, piece=notes[0]), diff.language)]
        else:
            item = [name, *notes]
        if notes:
            parts.setdefault(diff.deck_title(key[0]), []).append(item)
    for head, lines in diff.parts():
        if lines:
            items = [[spaced(line, diff.language)] for line in lines]
            parts.setdefault(spaced(diff.say(head), diff.language), []).extend(items)
    return parts


def headed(words: str, line: str = "-") -> list[str]:
    """Return a heading of plain text, underlined."""
    return [words, line * len(words)]


def wrapped(words: str, indent: str = "", first: str | None = None) -> str:
    """Return words wrapped for plain text; the first line may have its own indent."""
    return textwrap.fill(
        words, _WIDTH, initial_indent=indent if first is None else first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
