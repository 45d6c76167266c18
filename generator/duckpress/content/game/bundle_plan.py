"""`bundle:` of `game.yaml` -> what a bundle for testers holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from duckpress.content.yaml import scalars
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Node
from duckpress.core.inks import INKS
from duckpress.core.problems import Problem, did_you_mean
from duckpress.core.sizes import PAPERS, paper_named
from duckpress.model import BundlePlan, Language

BACKS = ("duplex", "gutterfold", "none")


def read_bundle(reader: Reader, languages: Sequence[Language], problems: list[Problem]) -> BundlePlan:
    """Give the plan, completed where it is silent. Problems: `unknown-choice` and those of `Reader`."""
    entry = reader.reader("bundle")
    plan = BundlePlan()
    if entry is None:
        return plan
    codes = [language.code for language in languages]
    found = BundlePlan(
        _chosen(entry, "papers", (), problems) or plan.papers,
        _chosen(entry, "backs", BACKS, problems) or plan.backs,
        _chosen(entry, "inks", INKS, problems) or plan.inks,
        _chosen(entry, "languages", codes, problems),
        entry.yes_no("feedback", True),
    )
    entry.finish()
    return found


def _chosen(entry: Reader, key: str, choices: Collection[str], problems: list[Problem]) -> tuple[str, ...]:
    """Give the words of a list that are among the choices; without choices they have to be papers."""
    found: list[str] = []
    for item in entry.items(key):
        label = f"an entry of {key!r} of {entry.what}"
        text = scalars.choice_of(item, label, problems, choices) if choices else _paper(item, label, problems)
        if text is not None and text not in found:
            found.append(text)
    return tuple(found)


def _paper(item: Node, label: str, problems: list[Problem]) -> str | None:
    text = scalars.text_of(item, label, problems)
    if text is None or paper_named(text) is not None:
        return text
    what = f"{label} is {scalars.quoted(text)}, which is no paper"
    fix = did_you_mean(text, PAPERS) or "name one of the papers, or a size such as 320x450mm"
    problems.append(Problem("unknown-choice", item.source, what, fix))
    return None
