"""The contents of a bundle -> what lists them: first page, manifest, checksums; and the zip with all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from duckpress import __version__
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.share.bundles.bundle_names import FORMAT, MANIFEST, SUMS, sums_of
from duckpress.share.bundles.bundle_pages import Contents, readme_html, readme_text
from duckpress.store.manifest import digest
from duckpress.store.stored_zip import zip_bytes


def write_lists(workspace: Workspace, game: Game, contents: Contents, created: str | None, copy: str = "") -> None:
    """Add to the contents of a bundle what lists them; `copy` is the id of the copy of an edition that it is for."""
    files = contents.files
    files["README.html"] = readme_html(workspace, game, contents).encode()
    files["README.txt"] = readme_text(workspace, game, contents).encode()
    facts = {file.name: file._asdict() for file in contents.printed}
    manifest = {
        "bundle": FORMAT,
        "program": f"duckpress {__version__}",
        "game": game.id,
        "title": game.title,
        "version": game.version,
        **({"copy": copy} if copy else {}),
        "finish": game.finish or None,
        "created": created,
        "files": [
            {**facts.get(name, {}), "name": name, "sha256": digest(files[name]), "bytes": len(files[name])}
            for name in sorted(files)
        ],
        "cards": contents.cards,
    }
    files[MANIFEST] = (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
    files[SUMS] = sums_of({name: digest(data) for name, data in files.items()})


def bundle_bytes(game: Game, files: Mapping[str, bytes]) -> bytes:
    """Return the zip of a bundle."""
    return zip_bytes({f"{game.id}-{game.version}/{name}": data for name, data in files.items()})
