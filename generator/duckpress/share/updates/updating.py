"""A version that somebody holds -> an update pack: the new and changed cards, and the sheet that says what to swap.

Before it is written it is proven: the swap, applied to the old version, has to give exactly the new one, and each PDF
has to hold exactly the cards that are put in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.inks import PLAIN
from duckpress.core.problems import has_errors
from duckpress.files.workspace import Workspace
from duckpress.press.publishing import outputs_of
from duckpress.press.reading import Checked, Loaded, in_finish, named
from duckpress.press.request import Request, Step
from duckpress.releases.changes import Changes, Swap, apply_swap, deck_of, swap_of
from duckpress.releases.lock import Lock
from duckpress.share.updates.releasing import Compared, Unknown, changes_since, language_held
from duckpress.share.updates.update_pack import PackFaces, PackMaker, lay_out_pack, manifest_bytes
from duckpress.store.manifest import ways_of
from duckpress.views.export_files import MANIFEST, write_export


class Updated(Struct, frozen=True):
    """What an update came to: findings, what changed, the swap, and the files by name (none where nothing is swapped).

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
    loaded = in_finish(loaded, printed.finish)
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
        self._faces: dict[tuple[str, str], PackFaces] = {}  # by language and ink

    def make(self, request: Request, ink: str | None) -> Updated:
        """Return the files of an update pack; what they show is in the ink named, else in the one that was held."""
        checked, changes, game = self._checked, self._changes, self._checked.game
        if changes is None or game is None:
            return Updated(checked)
        language = language_held(changes.old, game, request.language)
        ink = ink_held(changes.old, ink)
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
        if (language, ink) not in self._faces:
            faces = lay_out_pack(workspace, loaded, changes, swap, request, self._since, step)
            self._faces[language, ink] = faces
        faces = self._faces[language, ink]
        if faces.shown.checked.has_errors:
            return Updated(faces.shown.checked, changes, swap)
        maker = PackMaker(workspace, loaded, faces, changes, swap, request, step)
        outputs, sheets = maker.print_all()
        checked = Checked(game.id, game, named(game.id, [*checked.problems, *maker.problems]))
        if has_errors(maker.problems):
            return Updated(checked, changes, swap)
        files = {output.facts.name: output.data for output in outputs}
        files[MANIFEST] = manifest_bytes(folder, changes, swap, request, outputs)
        return Updated(checked, changes, swap, folder, files, sheets)


def ink_held(old: Lock, wanted: str | None) -> str:
    """Return the ink of the cards that are swapped: the one that was printed in, else the one asked for, else colour.

    Raises `Unknown` where something else was printed than what is asked for: cards of two inks tell themselves apart.
    """
    if old.printed_in is not None and wanted not in (None, old.printed_in):
        raise Unknown(f"what is held is printed in {old.printed_in}, not in {wanted}: leave --ink out")
    return old.printed_in or wanted or PLAIN
