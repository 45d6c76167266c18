"""The pages of the documentation, which is installed with the program: their names, titles and texts."""

from __future__ import annotations

import re
from pathlib import Path

from duckpress.core.problems import MachineError, did_you_mean
from duckpress.files.workspace import Refused, Workspace, bundled_root

_FOLDER = "docs"
_MOST_SECTIONS = 6  # that are named where there is no page
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")


class NoSuchPage(Exception):
    """A page or a section that the documentation does not have: the words list those it has."""


def pages() -> dict[str, str]:
    """Return the titles of the pages by their names."""
    shelf = _shelf()
    names = [file.removeprefix(f"{_FOLDER}/").removesuffix(".md") for file in shelf.files(_FOLDER, ".md")]
    return {name: _text(shelf, name).partition("\n")[0].removeprefix("# ") for name in names}


def page(topic: str) -> str:
    """Return the text of a page, or of a section of it: `content`, `docs/content.md`, `content#fields`.

    Pictures, which do not come with the program, are named. Raises `NoSuchPage`.
    """
    name, _, section = _parts(topic)
    text = _PICTURE.sub(r"(picture: \1)", _text(_shelf(), name))
    return _section(text, name, section) if section else text


def page_file(topic: str) -> Path:
    """Return the file of a page. Raises `NoSuchPage`."""
    name, *_ = _parts(topic)
    return _shelf().root / _FOLDER / f"{name}.md"


def _parts(topic: str) -> tuple[str, str, str]:
    name, sign, section = topic.strip().partition("#")
    name = name.removeprefix(f"{_FOLDER}/").removesuffix(".md").lower()
    known = pages()
    if name in known:
        return name, sign, section
    shelf = _shelf()
    sections = _sections_on(name, {page: _text(shelf, page) for page in known})
    if sections:
        raise NoSuchPage(f"there is no page {topic!r}, but sections: {', '.join(sections[:_MOST_SECTIONS])}")
    written = [page for page in known if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _text(shelf, page).lower())]
    also = f"; {topic!r} stands in {', '.join(written)}" if written and name else ""
    raise NoSuchPage(f"there is no page {topic!r}; {did_you_mean(name, known)}{also}")


def _sections_on(word: str, texts: dict[str, str]) -> list[str]:
    """Return the sections with a word in their headings, exact matches first, as arguments of `docs`."""
    sections = [
        (anchor != word, f"{page}#{anchor}")
        for page, text in texts.items()
        for anchor in map(_anchor, re.findall(r"(?m)^##+ (.*)$", text))
        if anchor == word or word in anchor.split("-")
    ]
    return [section for _, section in sorted(sections)]


def _section(text: str, name: str, wanted: str) -> str:
    """Return a section and its subsections, by its heading as links write it."""
    headings = [(match, _anchor(match[2])) for match in re.finditer(r"(?m)^(#+) (.*)$", text)]
    for at, (match, anchor) in enumerate(headings):
        if anchor == _anchor(wanted):
            after = (later.start() for later, _ in headings[at + 1 :] if len(later[1]) <= len(match[1]))
            return text[match.start() : next(after, len(text))].rstrip() + "\n"
    anchors = [anchor for _, anchor in headings]
    raise NoSuchPage(f"{name!r} has no section {wanted!r}; {did_you_mean(_anchor(wanted), anchors)}")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def _shelf() -> Workspace:
    root = bundled_root()
    if root is None or not (root / _FOLDER).is_dir():
        raise MachineError("the documentation is not there: install duckpress again")
    return Workspace(root)


def _text(shelf: Workspace, name: str) -> str:
    try:
        return shelf.read(f"{_FOLDER}/{name}.md").decode("utf-8")
    except Refused as refused:
        raise MachineError(f"{refused.what}: {refused.fix}") from refused
