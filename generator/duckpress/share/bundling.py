"""A game -> one zip for playtesters who do not know the program; the same input gives the same bytes.

Every file in it is made for it: nothing is taken from a folder of outputs, so that nothing private that lies there,
such as the packet of a deal, can get into it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from msgspec import Struct

from duckpress.core.problems import Problem, has_errors
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.pipeline import build
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.releases.release_files import SUFFIX, lock_bytes, newest_release, releases_of
from duckpress.press.request import Request, Step
from duckpress.share.bundle_check import MANIFEST
from duckpress.share.bundle_pages import (
    FORM,
    Contents,
    PackedUpdate,
    PrintedFile,
    bundle_bytes,
    bundle_languages,
    licence_text,
    write_lists,
)
from duckpress.share.feedback_form import feedback_form, has_own_form
from duckpress.share.releasing import Frozen, changes_since, freeze, unless_released
from duckpress.share.updating import UpdateMaker, changelog
from duckpress.store import ALL_PIECES, scratch_folder, source_date
from duckpress.views.export_files import ExportRequest
from duckpress.views.page.game_page import FOLDER, preview

_SCREEN_DPI = 100.0  # of pictures to be looked at: a card takes 20 KB


class Bundled(Struct, frozen=True):
    """A bundle: findings, its file in `folder` (None with an error), and the names of the files in it."""

    checked: Checked
    folder: Path
    file: str | None = None
    files: tuple[str, ...] = ()
    size: int = 0
    is_released: bool = True


def bundle(workspace: Workspace, loaded: Loaded, out: Path, step: Step = lambda _name: None) -> Bundled:
    """Write `out/<game>/<game>-<version>.zip`; nothing if there is an error. Raises `MachineError`."""
    with outputs_of(workspace, loaded, out, step) as target:
        maker = _Maker(workspace, loaded, step)
        checked = maker.make()
        game = checked.game
        if game is None or checked.has_errors:
            return Bundled(checked, target.folder)
        top, files = f"{game.id}-{game.version}", maker.contents.files
        data = bundle_bytes(game, files)
        step("writing")
        target.write({f"{top}.zip": data})
        is_released = game.version in releases_of(workspace, game.id)
        return Bundled(checked, target.folder, f"{top}.zip", tuple(files), len(data), is_released)


class _Unsound(Exception):
    """A problem that prevents the bundle."""


class _Maker:
    """One bundle in the making."""

    def __init__(self, workspace: Workspace, loaded: Loaded, step: Step) -> None:
        self.contents = Contents()
        self._workspace = workspace
        self._loaded = loaded
        self._step = step
        self._problems: dict[Problem, None] = {}

    def make(self) -> Checked:
        """Fill the contents, and return the findings."""
        loaded, game = self._loaded, self._loaded.game
        if game is None or loaded.has_errors:
            return Checked(loaded.game_id, game, loaded.problems)
        with suppress(_Unsound):
            self._print(game)
            self._compare(game)
            self._write_words(game)
        return Checked(game.id, game, named(game.id, list(self._problems)))

    def _note(self, problems: Sequence[Problem]) -> None:
        """Add problems. Raises `_Unsound` if any of them prevents the bundle."""
        self._problems |= dict.fromkeys(problems)
        if has_errors(self._problems):
            raise _Unsound

    def _print(self, game: Game) -> None:
        plan = game.bundle
        for language in bundle_languages(game):
            for ink, backs in product(plan.inks, plan.backs):
                request = Request(papers=plan.papers, backs=backs, ink=ink, language=language, has_cover=True)
                self._step(f"printing: {language}, {ink}, {backs}")
                self._run(game, request, is_first=(ink, backs) == (plan.inks[0], plan.backs[0]))
            if plan.has_form and not has_own_form(game):
                self._add_form(game, language)
            if plan.has_page:
                self._add_page(language)

    def _add_page(self, language: str) -> None:
        """Add the page of all cards, in its own folder; the first language has no code in its name."""
        self._step(f"making the page: {language}")
        folder = FOLDER if not self.contents.pages else f"{FOLDER}-{language}"
        request = ExportRequest(FOLDER, dpi=_SCREEN_DPI, language=language)
        with scratch_folder() as scratch:
            preview(self._workspace, self._loaded, request, scratch, is_given=True)
            written = scratch / self._loaded.game_id / FOLDER
            files = {path.relative_to(written).as_posix(): path for path in written.rglob("*") if path.is_file()}
            self.contents.files |= {
                f"{folder}/{name}": files[name].read_bytes() for name in sorted(files) if name != MANIFEST
            }
        self.contents.pages[language] = f"{folder}/index.html"

    def _add_form(self, game: Game, language: str) -> None:
        plan = game.bundle
        forms, problems = feedback_form(self._workspace, self._loaded, language, plan.papers, plan.inks[0], self._step)
        for facts, data in forms:
            self.contents.add(facts, data, FORM, "none")
        self._note(named(game.id, problems))

    def _run(self, game: Game, request: Request, *, is_first: bool) -> None:
        """Print a game one way; variants of pieces, rules and the form are printed only in the first way."""
        with scratch_folder() as scratch:
            done = build(self._workspace, self._loaded, request, scratch, is_all=False)
            self._note(done.checked.problems)
            if not done.files:
                raise _Unsound
            listed = json.loads((done.folder / MANIFEST).read_bytes())
            extra = {
                piece.id for piece in game.pieces if piece.instead_of is not None or piece.book or piece.id == FORM
            }
            for entry in listed["files"]:
                if entry["piece"] != ALL_PIECES and not (is_first and entry["piece"] in extra):
                    continue
                name = f"{entry['paper']}/{entry['name']}"
                self.contents.files[name] = (done.folder / entry["name"]).read_bytes()
                facts = (entry[key] for key in ("ink", "language", "pages", "sheets"))
                self.contents.printed.append(PrintedFile(name, entry["piece"], entry["paper"], request.backs, *facts))
            self.contents.cards += [entry for entry in listed["cards"] if entry not in self.contents.cards]

    def _compare(self, game: Game) -> None:
        """Freeze the version, and report the changes since the release before it."""
        self._step("comparing")
        older = [version for version in releases_of(self._workspace, game.id) if version != game.version]
        if older:
            frozen = changes_since(self._workspace, self._loaded, older[-1], is_handed_out=True)
        else:
            before = newest_release(self._workspace, game.id).lock  # printing has told what is wrong with it
            frozen = unless_released(self._workspace, self._loaded, freeze(self._workspace, self._loaded, before))
        checked, lock, self.contents.changes = frozen
        self._note(checked.problems)
        if older:
            self._add_updates(game, frozen, older[-1])
        if lock is None:
            raise _Unsound
        self.contents.lock = f"{game.id}-{game.version}{SUFFIX}"
        self.contents.files[self.contents.lock] = lock_bytes(lock)

    def _add_updates(self, game: Game, compared: Frozen, since: str) -> None:
        """Add an update pack for each way to print, except new languages."""
        maker = UpdateMaker(self._workspace, self._loaded, compared, since, self._step)
        plan, changes = game.bundle, compared.changes
        for language, ink, backs in product(bundle_languages(game), plan.inks, plan.backs):
            if changes is not None and language in changes.old.languages:
                updated = maker.make(Request(papers=plan.papers, backs=backs, language=language), ink)
                self._note(updated.checked.problems)
                if updated.files:
                    self.contents.updates.append(PackedUpdate(updated.folder, language, backs, ink))
                    self.contents.files |= {f"{updated.folder}/{name}": data for name, data in updated.files.items()}

    def _write_words(self, game: Game) -> None:
        self._step("writing the first page")
        workspace, contents = self._workspace, self.contents
        if contents.changes is not None:
            markdown, text = changelog(workspace, self._loaded, game, contents.changes, bundle_languages(game))
            contents.files |= {"CHANGELOG.md": markdown.encode(), "CHANGELOG.txt": text.encode()}
        contents.files["LICENCE.txt"] = licence_text(workspace, game).encode()
        write_lists(workspace, game, contents, source_date(os.environ))
