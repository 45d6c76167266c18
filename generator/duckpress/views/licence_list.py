"""All licences of prints and of the program, each read from its source, without repetitions.

The program and the packages it runs on come from what is installed, the games from their `game.yaml`, the fonts from
their `family.yaml` and their own name tables.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from duckpress import __version__
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.press.reading import Loaded, load
from duckpress.text.fonts import FontLibrary

PROGRAM = "duckpress"
_PACKAGE = Path(__file__).resolve().parent.parent
_MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
_LONGEST = 60  # letters; what is longer in a package's `License` is the text of a licence, not its name


class PackageLicence(NamedTuple):
    """A Python package: its own version and licence; `version` is None if it is not installed."""

    name: str
    version: str | None
    licence: str


class FontLicence(Struct, frozen=True):
    """A family of fonts: versions (one, unless its files differ), and the file with the text of its licence."""

    name: str
    versions: tuple[str, ...]
    licence: str
    file: str
    credit: str


class ProfileLicence(NamedTuple):
    """A colour profile that comes with the program, and the file with the text of its licence."""

    name: str
    licence: str
    file: str
    credit: str


class Licences(Struct, frozen=True):
    """All licences of a workspace, and the problems of reading them."""

    program: PackageLicence
    games: tuple[Loaded, ...]
    fonts: tuple[FontLicence, ...]
    profiles: tuple[ProfileLicence, ...]
    packages: tuple[PackageLicence, ...]
    problems: tuple[Problem, ...]


def licences(workspace: Workspace) -> Licences:
    """Gather the licences of the program, of the workspace's games and fonts, and of the packages the program runs on.

    Problems: those of reading the games and the fonts, such as `missing-licence`.
    """
    games = tuple(load(workspace, game_id) for game_id in workspace.games())
    fonts, more = _fonts(workspace)
    problems = [problem for game in games for problem in game.problems] + more
    program = package_licence(PROGRAM)._replace(version=__version__)
    return Licences(program, games, fonts, _profiles(), packages_behind(PROGRAM), tuple(problems))


def packages_behind(name: str) -> tuple[PackageLicence, ...]:
    """Return all dependencies of a package, by name, without extras.

    A package asked for under a condition (another system, an older Python) is listed only where it is installed.
    """
    packages: dict[str, PackageLicence] = {}
    waiting = [name]
    while waiting:
        wanted_by = waiting.pop()
        for wanted in metadata.requires(wanted_by) or () if package_licence(wanted_by).version is not None else ():
            other, _, condition = wanted.partition(";")
            key = re.match(r"[\w.-]+", other.strip())
            if key is None or "extra" in condition:
                continue
            folded = re.sub(r"[-_.]+", "-", key[0]).lower()
            licence = package_licence(folded)
            if folded not in packages and not (condition and licence.version is None):
                packages[folded] = licence
                waiting.append(folded)
    return tuple(packages[key] for key in sorted(packages))


def package_licence(name: str) -> PackageLicence:
    """Return a package's licence: its SPDX expression, its name, its classifiers, or else a guess from its text."""
    try:
        facts = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return PackageLicence(name, None, "")
    stated = [*(facts.get_all("License-Expression") or ()), *(facts.get_all("License") or ())]
    short = [words for words in stated if words and len(words) <= _LONGEST and "\n" not in words]
    classifiers = [value for value in facts.get_all("Classifier") or () if value.startswith("License ::")]
    named = " / ".join(value.rpartition(" :: ")[2] for value in classifiers)
    return PackageLicence(facts["Name"], facts["Version"], (short or [named])[0] or _licence_by_text(name))


def _licence_by_text(name: str) -> str:
    """Return the licence recognised from a package's own file; empty if it is none of the known ones."""
    files = [file for file in metadata.files(name) or () if file.name.startswith("LICENSE")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    return "MIT" if texts and all(_MIT in " ".join(text.split()) for text in texts) else ""


def _profiles() -> tuple[ProfileLicence, ...]:
    """Return the colour profiles of the package; the text beside each has its licence and its author."""
    profiles = []
    for path in sorted(_PACKAGE.rglob("*.icc")):
        text = path.with_suffix(".txt")
        lines = [line.strip() for line in text.read_text(encoding="utf-8", errors="replace").splitlines()]
        licence = next((line for line in lines if line.endswith("License")), "")
        credit = next((line for line in lines if line.startswith("Copyright")), "")
        file = f"{_PACKAGE.name}/{text.relative_to(_PACKAGE).as_posix()}"
        profiles.append(ProfileLicence(path.stem, licence, file, credit))
    return tuple(profiles)


def _fonts(workspace: Workspace) -> tuple[tuple[FontLicence, ...], list[Problem]]:
    library = FontLibrary(workspace)
    families = []
    for family in sorted(library.families.values(), key=lambda one: one.name):
        faces = [library.typeface_of(style) for style in family.styles]
        versions = tuple(sorted({face.version for face in faces if face is not None and face.version}))
        families.append(FontLicence(family.name, versions, family.licence, family.licence_path, family.credit))
    return tuple(families), list(library.problems)
