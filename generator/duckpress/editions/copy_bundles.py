"""A copy that is printed -> a bundle for each paper: its PDF, and what a tester needs who does not know the program.

What shows cards without saying whose copy they are of (the page of all cards, update packs) is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import msgspec
from msgspec.structs import replace

from duckpress.core.problems import Problem, has_errors
from duckpress.editions.copy_printer import ImposedCopy, PrintedCopy
from duckpress.files.workspace import Workspace
from duckpress.press.print_job import ImposedFile
from duckpress.press.publishing import card_facts
from duckpress.press.reading import Loaded
from duckpress.press.request import Request, silent
from duckpress.share.bundle_pages import FORM, Contents, PrintedFile, bundle_bytes, licence_text, write_lists
from duckpress.share.feedback_form import feedback_form, has_own_form
from duckpress.store import Output


class CopyBundler:
    """Makes the bundles of copies in one language; `problems` is what is wrong with what they share."""

    def __init__(self, workspace: Workspace, loaded: Loaded, request: Request, created: str | None) -> None:
        """Write the licence, and print the form for testers if the game wants one and brings none."""
        assert loaded.game is not None
        self._language = request.language or loaded.game.language
        self._workspace, self._loaded, self._request, self._created = workspace, loaded, request, created
        self._game = replace(loaded.game, bundle=replace(loaded.game.bundle, languages=(self._language,)))
        self._licence = licence_text(workspace, self._game).encode()
        self._forms: dict[str, tuple[Sequence[Output], Sequence[Problem]]] = {}
        self.problems = [problem for paper in request.papers for problem in self._form(paper)[1]]

    def bundled(self, one: ImposedCopy, printed: PrintedCopy) -> PrintedCopy:
        """Return a printed copy with bundles in place of its PDFs; its packet, which has secrets, stays beside them."""
        problems: list[Problem] = []
        outputs = {name: printed.outputs[name] for name in printed.secret if name in printed.outputs}
        for file in one.files if printed.outputs else ():
            output = printed.outputs[one.name(file)]
            forms, found = self._form(file.paper.name)
            problems += found
            form_name = one.job.file_name(f"{one.copy.id}-{FORM}", file.paper)
            data = self._bundle(one, file, [output, *(form.renamed(form_name) for form in forms)])
            name = str(PurePath(output.facts.name).with_suffix(".zip"))
            outputs[name] = Output(replace(output.facts, name=name), data)
        if has_errors(problems):
            return printed._replace(outputs={}, problems=(*printed.problems, *problems))
        return printed._replace(outputs=outputs)

    def _bundle(self, one: ImposedCopy, file: ImposedFile, outputs: Sequence[Output]) -> bytes:
        request, paper = self._request, file.paper.name
        contents = Contents({"LICENCE.txt": self._licence})
        for facts, data in outputs:
            name, is_form = f"{paper}/{facts.name}", facts.piece == FORM
            piece = "+".join(request.pieces) if request.pieces and not is_form else facts.piece
            ways = "none" if is_form else request.backs, request.ink, self._language
            contents.files[name] = data
            contents.printed.append(PrintedFile(name, piece, paper, *ways, facts.pages, facts.sheets))
        cards = card_facts(one.job, [piece.laid_out for piece in file.pieces])
        contents.cards += [msgspec.to_builtins(card) for card in cards if card.paper in (None, paper)]
        write_lists(self._workspace, self._game, contents, self._created, one.copy.id)
        return bundle_bytes(self._game, contents.files)

    def _form(self, paper: str) -> tuple[Sequence[Output], Sequence[Problem]]:
        """Return the form on a paper, if there is one, and what is wrong with it."""
        if paper not in self._forms:
            is_wanted = self._game.bundle.has_form and not has_own_form(self._game)
            ways = self._language, (paper,), self._request.ink, silent
            self._forms[paper] = feedback_form(self._workspace, self._loaded, *ways) if is_wanted else ((), ())
        return self._forms[paper]
