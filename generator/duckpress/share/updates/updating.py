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
from duckpress.model import Game
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.request import Request, Step
from duckpress.releases.changes import Changes, Swap, apply_swap, deck_of, swap_of
from duckpress.releases.lock import Lock
from duckpress.share.updates.releasing import Compared, Unknown, changes_since
from duckpress.share.updates.update_pack import MANIFEST, PackFaces, PackMaker, lay_out_pack, manifest_bytes
from duckpress.store import locked_outputs, sources_of
from duckpress.store.manifest import ways_of
from duckpress.views.export_files import write_export


class UpdateRequest(Struct, frozen=True):
    """What to make an update pack for, and how it is printed.

    `since` None is the newest release, `ink` None the one that was printed in (else colour); it stands above that of
    `print`.
    """

    since: str | None
    print: Request
    ink: str | None = None


class Updated(Struct, frozen=True):
    """What an update came to: findings, what changed, the swap, and the files by name (none where nothing is swapped).

    `sheets` counts by paper the sheets of new cards.
    """

    checked: Checked
    folder: Path
    changes: Changes | None = None
    swap: Swap | None = None
    files: Mapping[str, bytes] = {}
    sheets: Mapping[str, int] = {}

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return self.checked.has_errors


def update(
    workspace: Workspace, loaded: Loaded, request: UpdateRequest, out: Path, step: Step = lambda _name: None
) -> Updated:
    """Make the update pack into `out/<game>/update-<old>-to-<new>[-<backs>][-<ink>][-<lang>]/`, unless none is swapped.

    Raises `Unknown` where `since` names nothing that can be found, and `MachineError`.
    """
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root)) as target:
        done = make_update(workspace, loaded, request, out, step)
        if done.files:
            step("writing")
            write_export(target, done.folder.name, done.files)
    return done


def make_update(
    workspace: Workspace,
    loaded: Loaded,
    request: UpdateRequest,
    out: Path,
    step: Step = lambda _name: None,
    compared: Compared | None = None,
    known: dict[tuple[str, str], PackFaces] | None = None,
) -> Updated:
    """Make the files of an update pack without writing them; `compared` is what changed, where that is known.

    `known` takes the faces by language and ink: packs for other backs have the same.
    """
    step("comparing")
    compared = compared or changes_since(workspace, loaded, request.since, request.ink, is_handed_out=True)
    checked, changes = compared
    folder = out / loaded.game_id
    if changes is None or checked.game is None:
        return Updated(checked, folder)
    language = language_held(changes.old, checked.game, request.print.language)
    ink = ink_held(changes.old, request.ink)
    is_first = language == checked.game.languages[0].code
    folder /= folder_name(changes, request.print.backs, ink, "" if is_first else language)
    swap = swap_of(changes, language)
    if apply_swap(deck_of(changes.old, language), swap) != deck_of(changes.new, language):
        raise AssertionError("the swap does not give the new version")
    if not swap.take_out and not swap.put_in:
        return Updated(checked, folder, changes, swap)
    printed = replace(request.print, language=language, ink=ink)
    known = {} if known is None else known
    faces = known.get((language, ink))
    if faces is None:
        faces = known[language, ink] = lay_out_pack(workspace, loaded, changes, swap, printed, request.since, step)
    shown = faces.shown.checked
    if shown.has_errors or shown.game is None:
        return Updated(shown, folder, changes, swap)
    maker = PackMaker(workspace, loaded, faces, changes, swap, printed, step)
    outputs, problems, sheets = maker.print_all()
    checked = Checked(checked.game_id, checked.game, named(checked.game_id, [*checked.problems, *problems]))
    if has_errors(problems):
        return Updated(checked, folder, changes, swap)
    files = {output.facts.name: output.data for output in outputs}
    files[MANIFEST] = manifest_bytes(folder.name, changes, swap, printed, outputs)
    return Updated(checked, folder, changes, swap, files, sheets)


def folder_name(changes: Changes, backs: str, ink: str, language: str) -> str:
    """Return the name of an update pack's folder, which says how it is printed as the names of files do."""
    return "-".join([f"update-{changes.old.version}-to-{changes.new.version}", *ways_of(backs, ink, language)])


def ink_held(old: Lock, wanted: str | None) -> str:
    """Return the ink of the cards that are swapped: the one that was printed in, else the one asked for, else colour.

    Raises `Unknown` where something else was printed than what is asked for: cards of two inks tell themselves apart.
    """
    if old.printed_in is not None and wanted not in (None, old.printed_in):
        raise Unknown(f"what is held is printed in {old.printed_in}, not in {wanted}: leave --ink out")
    return old.printed_in or wanted or PLAIN


def language_held(old: Lock, game: Game, wanted: str | None) -> str:
    """Return the language of the cards that are swapped: the one asked for, the game's, or the only one that is held.

    Raises `Unknown` where the old version has no cards in that language.
    """
    first = game.languages[0].code
    languages = {language for card in old.cards.values() for language in card.faces}
    if wanted is None:
        return first if first in languages or len(languages) != 1 else next(iter(languages))
    if languages and wanted not in languages:
        words = ", ".join(sorted(languages))
        raise Unknown(f"what is held has no cards in {wanted!r}, but in: {words}; print the whole game in {wanted!r}")
    return wanted
