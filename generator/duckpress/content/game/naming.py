"""The names of a game's files: ids, which are also file names, and unknown suffixes."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Level, Problem, Source
from duckpress.files.workspace import Workspace

_DEVICE = "(?:con|prn|aux|nul|com[0-9]|lpt[0-9])"
"""No names of files on Windows, whatever ending follows. Source: Microsoft, Naming Files, Paths, and Namespaces."""
ID = re.compile(rf"(?!{_DEVICE}\Z)[a-z0-9][a-z0-9-]{{0,79}}")
_LONGEST = 80  # letters of an id
_YAML = (".YAML", ".Yaml", ".YML", ".Yml", ".yml", ".yaml.txt", ".yml.txt")
_MEANT = {
    ".yaml": _YAML,
    ".csv": (".CSV", ".Csv", ".csv.txt", ".tsv", ".TSV"),
    ".xlsx": (".XLSX", ".Xlsx", ".xls", ".XLS", ".xlsm"),
    ".ods": (".ODS", ".Ods"),
    ".md": (".MD", ".Md", ".markdown", ".md.txt"),
    ".xml": (".XML", ".Xml", ".xml.txt"),
    ".lock": (".LOCK", ".lock.txt", ".lock.json"),
}
_OTHER_KINDS = (".tsv", ".xls", ".xlsm")  # another name does not make them what they should be
_FOLDERS = {
    "": (".yaml", ".md"),
    "/decks": (".yaml", ".csv", ".xlsx", ".ods"),
    "/boards": (".yaml", ".csv", ".xlsx", ".ods"),
    "/lang": (".yaml",),
    "/layouts": (".xml",),
    "/themes": (".yaml",),
    "/releases": (".lock",),
}
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "þ": "th", "ð": "d", "ı": "i"})
_FLAT = ("/decks", "/boards", "/lang")


def id_problem(text: str, source: Source, label: str) -> Problem | None:
    """Return the problem of an invalid id (`bad-id`), or None: small letters, digits and '-' are valid."""
    if ID.fullmatch(text):
        return None
    if re.fullmatch(_DEVICE, text):
        what = f"{label} {text!r} is what Windows calls a device, so no file can have that name there"
        return Problem("bad-id", source, what, "take another word")
    if len(text) > _LONGEST and re.fullmatch("[a-z0-9-]+", text):
        return Problem("bad-id", source, f"{label} {quoted(text)} has {len(text)} letters", f"write at most {_LONGEST}")
    better = re.sub(r"[^a-z0-9]+", "-", text[:200].lower()).strip("-")[:80]
    fix = f"write {better!r}" if better else "write small letters, digits and '-'"
    what = f"{label} {quoted(text)} is not made of small letters, digits and '-'"
    return Problem("bad-id", source, what, fix)


def card_id(text: str) -> str:
    """Return the id made of words, always the same: small letters, digits and '-'."""
    plain = unicodedata.normalize("NFKD", text[: 4 * _LONGEST].casefold().translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    id_ = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:_LONGEST].strip("-")
    if ID.fullmatch(id_):
        return id_
    return f"card-{id_ or hashlib.blake2s(text.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


def numbered(id_: str, taken: dict[str, int]) -> str:
    """Return an id, with a number from its second use on; `taken` counts the uses of each id."""
    taken[id_] = number = taken.get(id_, 0) + 1
    if number == 1:
        return id_
    again = f"{id_[: _LONGEST - len(str(number)) - 1]}-{number}"
    return again if again not in taken else numbered(id_, taken)


def misnamed_files(workspace: Workspace, folder: str) -> Iterator[Problem]:
    """Yield a `not-read` for each file with a nearly right suffix in a game's folder, and for decks in a subfolder.

    A deck that ends in `.yml` is an error of its own (`bad-name`).
    """
    for inner, endings in _FOLDERS.items():
        for right in endings:
            wrong = [ending for ending in _MEANT[right] if ending != ".yml" or inner not in ("/decks", "/boards")]
            for path in workspace.files(f"{folder}{inner}", *wrong):
                name = path.rpartition("/")[2]
                ending = max((ending for ending in wrong if name.endswith(ending)), key=len)
                verb = "save" if ending.casefold() in _OTHER_KINDS else "rename"
                fix = f"{verb} it as {name.removesuffix(ending)}{right}, or delete it"
                what = f"nothing reads this file: its name ends in {ending}"
                yield Problem("not-read", Source(path), what, fix, Level.WARNING)
    for inner in _FLAT:
        for path in workspace.folders(f"{folder}{inner}"):
            if files := workspace.files(path, ".yaml", ".yml"):
                what = f"nothing reads the files of this folder, such as {files[0].rpartition('/')[2]!r}"
                fix = f"move them into {folder}{inner}"
                yield Problem("not-read", Source(path), what, fix, Level.WARNING)
