"""What players get of a new version: an update pack, a changelog as Markdown and text, a picture of the changes."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.art.picture_files import quick_png
from duckpress.core.backs import PLAIN, Backs
from duckpress.core.frame import Drawing
from duckpress.core.geometry import MM_PER_INCH
from duckpress.core.language import program
from duckpress.core.problems import Problem, has_errors
from duckpress.core.sizes import PAPERS, Paper
from duckpress.files.workspace import Workspace
from duckpress.impose import Sheet
from duckpress.layout import LaidOut, PictureData
from duckpress.layout.rulebook.pages import shape_of
from duckpress.model import Game
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import Press
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded, apply_finish, named, translate
from duckpress.press.releases.changes import Changes, Swap, SwapLine, apply_swap, deck_of, swap_of
from duckpress.press.releases.lock import CardKey
from duckpress.press.request import Request, Step, silent
from duckpress.press.sheets.piece_sheets import oversize_pieces
from duckpress.share.diff import GameDiff, LaidOutDiff, as_markdown, as_text, diff_of, lay_out_diff
from duckpress.share.releasing import Frozen, Unknown, base_language, changes_since
from duckpress.share.revisions import OldDecks, pieces_with
from duckpress.share.swap_sheet import change_sections, swap_sections
from duckpress.store import Output, file_name
from duckpress.store.manifest import digest, ways_of
from duckpress.text import spaced
from duckpress.views.export_files import MANIFEST, write_export
from duckpress.views.pictures import MAX_SIDE_PX, FacePainter
from duckpress.views.shown_game import ShownGame

CARDS, SHEET, RULES = "update", "swap", "rules"


def print_pack(
    workspace: Workspace, laid_out: LaidOutDiff, diff: GameDiff, swap: Swap, request: Request, step: Step
) -> tuple[list[Output], dict[str, int], list[Problem]]:
    """Return the proven files (cards, swap sheet, changed rules), the number of card sheets by paper, and problems."""
    game, changes = diff.game, diff.changes
    outputs: list[Output] = []
    counts: dict[str, int] = {}
    cards = _cards(laid_out.shown, diff, swap, request.ink)
    leaflet, findings = laid_out.leaflet(workspace, SHEET, request.ink)
    problems = [*oversize_pieces(game, [cards], request), *findings]
    if leaflet is None or has_errors(problems):
        return [], {}, problems
    job = PrintJob(game, request, laid_out.shown.fonts, step, {line.card.key: line.copies for line in swap.put_in})
    press, single = Press(job), Press(replace(job, request=replace(request, backs=Backs.NONE)))

    def proven(press: Press, file: ImposedFile) -> tuple[Output, ...]:
        proven = press.print(file)
        problems.extend(proven.problems)
        return proven.outputs

    def read_name(piece: str, paper: Paper) -> str:
        """Return the name of a file with pages of text, without the way of backs."""
        return file_name(game, piece, paper.name, request.ink, swap.language)

    has_new_rules = any(one.language == swap.language for one in changes.rules)
    shown = laid_out.shown.checked.pieces
    rules = [one for one in shown if one.piece.id == RULES and one.piece.book and has_new_rules]
    subtitle = diff.say(program.SWAP_HEAD, old=changes.old.version, new=changes.new.version)
    pages = {}
    papers = [request.paper(name) for name in request.papers]
    for name, paper in zip(request.papers, papers, strict=True):
        file, where = "", {}
        if cards.faces:
            imposed = press.impose(cards, paper)
            counts[name] = imposed.sheets
            outputs += proven(press, imposed)
            file = outputs[-1].facts.name
            where = _where(cards, imposed.pieces[0].sheets)
        compose = partial(swap_sections, leaflet, diff, swap, (file, read_name(RULES, paper) if rules else ""), where)
        pages[paper.name] = leaflet.pages(shape_of(paper, 2, is_folded=False), subtitle, compose)
    (sheet,), undrawn = with_drawn_pictures([leaflet.laid_out(pages)], laid_out.shown.fonts, None)
    problems += [*leaflet.problems, *undrawn]
    for paper in papers:
        for one in (sheet, *rules):
            # A single page has no empty back.
            by = single if one is sheet and len(sheet.pages[paper.name]) == 1 else press
            outputs += [out.renamed(read_name(one.piece.id, paper)) for out in proven(by, by.impose(one, paper))]
    return outputs, counts, problems


def _cards(shown: ShownGame, diff: GameDiff, swap: Swap, ink: str) -> LaidOut:
    """Return the cards that are put in as one piece, each as often as it is needed."""
    wanted = []
    is_known = ink == (diff.changes.old.printed_in or PLAIN)  # a release knows colour only
    for line in swap.put_in:
        _, face = diff.new_faces[line.card.key]
        if is_known and (face.bare, face.bare_back) != line.card.faces[swap.language]:
            raise AssertionError(f"{line.card.key} does not look as the new version says")
        wanted.append(face._replace(copies=line.copies))
    drawings: dict[str, Drawing] = {}
    pictures: dict[str, PictureData] = {}
    for one in shown.checked.pieces:
        drawings |= one.drawings
        pictures |= one.pictures
    decks = tuple(dict.fromkeys(face.deck for face in wanted))
    title = diff.say(program.UPDATE)
    piece = diff.game.pieces[0]._replace(id=CARDS, title=title, decks=decks, instead_of=None)
    return LaidOut(piece, tuple(wanted), drawings, pictures, ())


def _where(cards: LaidOut, sheets: Sequence[Sheet]) -> dict[CardKey, list[int]]:
    """Return the sheet numbers of each card."""
    numbers: dict[CardKey, dict[int, None]] = {}
    for sheet in sheets:
        for placement in sheet.front.placements:
            if not placement.is_back:
                face = cards.faces[placement.face]
                numbers.setdefault((face.deck, face.card), {})[sheet.number] = None
    return {key: list(own) for key, own in numbers.items()}


def manifest_bytes(folder: str, changes: Changes, swap: Swap, request: Request, outputs: Sequence[Output]) -> bytes:
    """Return the list of a pack's files and swapped cards; the same content gives the same bytes."""
    data = {
        "program": f"duckpress {__version__}",
        "export": folder,
        "pack": "update",
        "game": changes.new.game,
        "title": changes.new.title,
        "from": changes.old.version,
        "to": changes.new.version,
        "language": swap.language,
        "ink": request.ink,
        "backs": request.backs,
        "finish": request.finish,
        "files": [
            {"name": facts.name, "sha256": digest(data), "bytes": len(data)}
            | {key: getattr(facts, key) for key in ("pages", "sheets", "paper", "piece")}
            for facts, data in sorted(outputs, key=lambda output: output.facts.name)
        ],
        "take_out": [_line_data(line, swap.language) for line in swap.take_out],
        "put_in": [_line_data(line, swap.language) for line in swap.put_in],
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _line_data(line: SwapLine, language: str) -> dict[str, Any]:
    card = line.card
    front, back = card.faces[language]
    named = {"deck": card.deck, "card": card.card, "code": card.code}
    return {**named, "copies": line.copies, "frame": front, "back": back}


class Updated(Struct, frozen=True):
    """An update: findings, changes, the swap, and the files by name (none if nothing is swapped).

    `folder` is the name of the folder for the files; `sheets` counts by paper the sheets of new cards.
    """

    checked: Checked
    changes: Changes | None = None
    swap: Swap | None = None
    folder: str = ""
    files: Mapping[str, bytes] = {}
    sheets: Mapping[str, int] = {}


def update(
    workspace: Workspace, loaded: Loaded, since: str | None, printed: Request, ink: str | None, out: Path, step: Step
) -> Updated:
    """Make the update pack into `out/<game>/update-<old>-to-<new>[-<backs>][-<ink>][-<lang>]/`, unless none is swapped.

    `since` None is the newest release, `ink` None the one that was printed in (else colour); it stands above that of
    the request. Raises `Unknown` where `since` names nothing that can be found, and `MachineError`.
    """
    loaded = apply_finish(loaded, printed.finish)
    with outputs_of(workspace, loaded, out, step) as target:
        step("comparing")
        compared = changes_since(workspace, loaded, since, ink, is_handed_out=True)
        done = UpdateMaker(workspace, loaded, compared, since, step).make(printed, ink)
        if done.files:
            step("writing")
            write_export(target, done.folder, done.files)
    return done


class UpdateMaker:
    """Makes update packs from one version to another; packs for other backs share their faces."""

    def __init__(self, workspace: Workspace, loaded: Loaded, compared: Frozen, since: str | None, step: Step) -> None:
        self._workspace = workspace
        self._loaded = loaded
        self._checked, _, self._changes = compared
        self._since = since
        self._step = step
        self._laid_out: dict[tuple[str, str], LaidOutDiff] = {}  # by language and ink

    def make(self, request: Request, ink: str | None) -> Updated:
        """Return the files of an update pack, in the named ink, by default in the old one's."""
        checked, changes, game = self._checked, self._changes, self._checked.game
        if changes is None or game is None:
            return Updated(checked)
        language = base_language(changes.old, game, request.language)
        held_ink = changes.old.printed_in  # cards of two inks tell themselves apart
        if held_ink is not None and ink not in (None, held_ink):
            raise Unknown(f"what is held is printed in {held_ink}, not in {ink}: leave --ink out")
        ink = held_ink or ink or PLAIN
        is_first = language == game.languages[0].code
        # It says how the cards are printed as the names of files do.
        ways = ways_of(request.backs, ink, "" if is_first else language)
        folder = "-".join([f"update-{changes.old.version}-to-{changes.new.version}", *ways])
        swap = swap_of(changes, language)
        if apply_swap(deck_of(changes.old, language), swap) != deck_of(changes.new, language):
            raise AssertionError("the swap does not give the new version")
        if not swap.take_out and not swap.put_in:
            return Updated(checked, changes, swap)
        request = replace(request, language=language, ink=ink, finish=game.finish or None)
        workspace, loaded, step = self._workspace, self._loaded, self._step
        if (language, ink) not in self._laid_out:
            pieces = pieces_with(game, {line.card.deck for line in swap.put_in})
            if any(one.language == language for one in changes.rules):
                pieces += tuple(piece.id for piece in game.pieces if piece.id == RULES and piece.book)
            decks = {line.card.deck for line in swap.take_out}
            base = OldDecks(changes.old, language, ink, self._since, decks)
            made = lay_out_diff(workspace, loaded, changes, base, pieces, request.papers, step)
            self._laid_out[language, ink] = made
        laid_out = self._laid_out[language, ink]
        if laid_out.diff is None:
            return Updated(laid_out.shown.checked, changes, swap)
        outputs, sheets, problems = print_pack(workspace, laid_out, laid_out.diff, swap, request, step)
        checked = Checked(game.id, game, named(game.id, [*checked.problems, *problems]))
        if has_errors(problems):
            return Updated(checked, changes, swap)
        files = {output.facts.name: output.data for output in outputs}
        files[MANIFEST] = manifest_bytes(folder, changes, swap, request, outputs)
        return Updated(checked, changes, swap, folder, files, sheets)


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
        picture = next(iter(FacePainter(fonts).pictures(leaf, [page], dpi)))
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
