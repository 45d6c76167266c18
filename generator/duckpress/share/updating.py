"""The files of an update pack: the new cards, the swap sheet, the rules where they changed, and the list of it all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress import __version__
from duckpress.core.backs import PLAIN, Backs
from duckpress.core.frame import Drawing
from duckpress.core.language import program
from duckpress.core.problems import Problem, has_errors
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.impose import Sheet
from duckpress.layout import LaidOut, PictureData
from duckpress.layout.rulebook.pages import shape_of
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import Press
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded, apply_finish, named
from duckpress.press.releases.changes import Changes, Swap, SwapLine, apply_swap, deck_of, swap_of
from duckpress.press.releases.lock import CardKey, Lock
from duckpress.press.request import Request, Step
from duckpress.press.sheets.piece_sheets import oversize_pieces
from duckpress.share.diff import GameDiff, LaidOutDiff, lay_out_diff
from duckpress.share.releasing import Compared, Unknown, base_language, changes_since
from duckpress.share.revisions import OldDecks, pieces_with
from duckpress.share.swap_sheet import SwapSheet
from duckpress.store import Output, file_name
from duckpress.store.manifest import digest, ways_of
from duckpress.views.export_files import MANIFEST, write_export

CARDS, SHEET, RULES = "update", "swap", "rules"


class PackMaker:
    """One update pack in the making: prints and proves its files, and gathers the problems."""

    def __init__(
        self, workspace: Workspace, laid_out: LaidOutDiff, diff: GameDiff, swap: Swap, request: Request, step: Step,
    ) -> None:  # fmt: skip
        self.problems: list[Problem] = []
        self._workspace = workspace
        self._laid_out = laid_out
        self._shown = laid_out.shown
        self._diff = diff
        self._game = diff.game
        self._swap = swap
        self._request = request
        copies = {(line.card.deck, line.card.card): line.copies for line in swap.put_in}
        job = PrintJob(diff.game, request, laid_out.shown.fonts, step, copies)
        self._press, self._single = Press(job), Press(replace(job, request=replace(request, backs=Backs.NONE)))

    def print_all(self) -> tuple[list[Output], dict[str, int]]:
        """Return the cards, the sheet, and the rules where they changed; and by paper the sheets of cards."""
        outputs: list[Output] = []
        counts: dict[str, int] = {}
        cards = self._cards()
        self.problems += oversize_pieces(self._game, [cards], self._request)
        changes, say = self._diff.changes, self._diff.say
        leaflet, problems = self._laid_out.leaflet(self._workspace, SHEET, self._request.ink)
        self.problems += problems
        if leaflet is None or has_errors(self.problems):
            return [], {}
        subtitle = say(program.SWAP_HEAD, old=changes.old.version, new=changes.new.version)
        has_new_rules = any(one.language == self._swap.language for one in changes.rules)
        rules = [
            one for one in self._shown.checked.pieces if one.piece.id == RULES and one.piece.book and has_new_rules
        ]
        pages = {}
        papers = [self._request.paper(name) for name in self._request.papers]
        for name, paper in zip(self._request.papers, papers, strict=True):
            file, where = "", {}
            if cards.faces:
                imposed = self._press.impose(cards, paper)
                counts[name] = imposed.sheets
                outputs += self._proven(self._press, imposed)
                file = outputs[-1].facts.name
                where = _where(cards, imposed.pieces[0].sheets)
            rules_file = self._file(RULES, paper) if rules else ""
            compose = SwapSheet(leaflet, self._diff, self._swap, file, rules_file, where)
            pages[paper.name] = leaflet.pages(shape_of(paper, 2, is_folded=False), subtitle, compose)
        (sheet,), undrawn = with_drawn_pictures([leaflet.laid_out(pages)], self._shown.fonts, None)
        self.problems += [*leaflet.problems, *undrawn]
        for paper in papers:
            outputs += self._read(sheet, paper, is_alone=len(sheet.pages[paper.name]) == 1)
            for one in rules:
                outputs += self._read(one, paper, is_alone=False)
        return outputs, counts

    def _proven(self, press: Press, file: ImposedFile) -> tuple[Output, ...]:
        proven = press.print(file)
        self.problems += proven.problems
        return proven.outputs

    def _read(self, piece: LaidOut, paper: Paper, *, is_alone: bool) -> list[Output]:
        """Return the file with pages to read; a single page has no empty back."""
        press = self._single if is_alone else self._press
        name = self._file(piece.piece.id, paper)
        outputs = self._proven(press, press.impose(piece, paper))
        return [output.renamed(name) for output in outputs]

    def _file(self, piece: str, paper: Paper) -> str:
        """Return the name of a file that is read: where its backs are says nothing of it."""
        return file_name(self._game, piece, paper.name, self._request.ink, self._swap.language)

    def _cards(self) -> LaidOut:
        """Return the cards that are put in as one piece, each as often as it is needed."""
        wanted = []
        is_known = self._request.ink == (self._diff.changes.old.printed_in or PLAIN)  # a release knows colour only
        for line in self._swap.put_in:
            _, face = self._diff.new_faces[line.card.key]
            if is_known and (face.bare, face.bare_back) != line.card.faces[self._swap.language]:
                raise AssertionError(f"{line.card.key} does not look as the new version says")
            wanted.append(face._replace(copies=line.copies))
        drawings: dict[str, Drawing] = {}
        pictures: dict[str, PictureData] = {}
        for shown in self._shown.checked.pieces:
            drawings |= shown.drawings
            pictures |= shown.pictures
        title = self._game.speech.program(program.UPDATE)
        piece = self._game.pieces[0]._replace(
            id=CARDS, title=title, decks=tuple(dict.fromkeys(face.deck for face in wanted)), instead_of=None
        )
        return LaidOut(piece, tuple(wanted), drawings, pictures, ())


def _where(cards: LaidOut, sheets: Sequence[Sheet]) -> dict[CardKey, list[int]]:
    """Return the numbers of the sheets that each card lies on."""
    numbers: dict[CardKey, dict[int, None]] = {}
    for sheet in sheets:
        for placement in sheet.front.placements:
            if not placement.is_back:
                face = cards.faces[placement.face]
                numbers.setdefault((face.deck, face.card), {})[sheet.number] = None
    return {key: list(own) for key, own in numbers.items()}


def manifest_bytes(folder: str, changes: Changes, swap: Swap, request: Request, outputs: Sequence[Output]) -> bytes:
    """Return the list of a pack's files and of what is swapped; the same content gives the same bytes."""
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
            {
                "name": facts.name,
                "sha256": digest(data),
                "bytes": len(data),
                "pages": facts.pages,
                "sheets": facts.sheets,
                "paper": facts.paper,
                "piece": facts.piece,
            }
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
    """Makes update packs from one version to another; those for other backs have the same faces."""

    def __init__(self, workspace: Workspace, loaded: Loaded, compared: Compared, since: str | None, step: Step) -> None:
        self._workspace = workspace
        self._loaded = loaded
        self._checked, self._changes = compared
        self._since = since
        self._step = step
        self._laid_out: dict[tuple[str, str], LaidOutDiff] = {}  # by language and ink

    def make(self, request: Request, ink: str | None) -> Updated:
        """Return the files of an update pack; what they show is in the ink named, else in the one that was held."""
        checked, changes, game = self._checked, self._changes, self._checked.game
        if changes is None or game is None:
            return Updated(checked)
        language = base_language(changes.old, game, request.language)
        ink = base_ink(changes.old, ink)
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
        maker = PackMaker(workspace, laid_out, laid_out.diff, swap, request, step)
        outputs, sheets = maker.print_all()
        checked = Checked(game.id, game, named(game.id, [*checked.problems, *maker.problems]))
        if has_errors(maker.problems):
            return Updated(checked, changes, swap)
        files = {output.facts.name: output.data for output in outputs}
        files[MANIFEST] = manifest_bytes(folder, changes, swap, request, outputs)
        return Updated(checked, changes, swap, folder, files, sheets)


def base_ink(old: Lock, wanted: str | None) -> str:
    """Return the ink of the cards that are swapped: the one that was printed in, else the one asked for, else colour.

    Raises `Unknown` where something else was printed than what is asked for: cards of two inks tell themselves apart.
    """
    if old.printed_in is not None and wanted not in (None, old.printed_in):
        raise Unknown(f"what is held is printed in {old.printed_in}, not in {wanted}: leave --ink out")
    return old.printed_in or wanted or PLAIN
