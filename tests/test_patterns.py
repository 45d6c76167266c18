"""Patterns of the program: none can be made to try all ways to read a text, and all mean the same in every Python 3.11.

Up to 3.11.4 `(...)*+` takes what it may not, or nothing at all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from program_patterns import program_patterns
from regex_doubts import doubts_of

PROGRAM = Path(__file__).resolve().parent.parent / "generator"
# Of one sign or one class a possessive repeat is right everywhere; of a group, `(?>(?:...)*)` says the same and is.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")
JOINT = re.compile(rb"""["']\s*[rbfRBF]*["']""")

BOUNDED: dict[str, str] = {}
"""Patterns of which two repeats may match the same, by `module:name`, and the bound of what they read."""


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every text and all bytes that a module holds, with their lines; of an f-string its parts."""
    source = path.read_bytes()
    # Parts of a text may be written one after the other; what has no sign of a possessive repeat then is not parsed.
    for node in ast.walk(ast.parse(source)) if re.search(rb"[*+?}]\+", JOINT.sub(b"", source)) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            value = node.value
            yield node.lineno, value if isinstance(value, str) else value.decode("latin-1")


def test_a_possessive_group_is_found_and_nothing_that_is_right_everywhere() -> None:
    for pattern in ("(?:a|b)*+", "(a)++c", "(?:[ab]++){3,}+", "(?:a)?+", "(?:ab){1,3}+"):
        assert POSSESSIVE_GROUP.search(pattern), pattern
    for pattern in (r"\s++(a)+", r"(?>(?:a|b)*)", r"[^)]*+", r"\)*+", r"(?:[^()]*+\))*"):
        assert not POSSESSIVE_GROUP.search(pattern), pattern


def test_no_pattern_of_the_program_repeats_a_group_possessively() -> None:
    modules = sorted(PROGRAM.rglob("*.py"))
    found = [
        f"{path.relative_to(PROGRAM)}:{line}: write (?>(?:...)*) in {text!r}"
        for path in modules
        for line, text in strings_of(path)
        if POSSESSIVE_GROUP.search(text)
    ]
    assert len(modules) > 100
    assert found == []


HARMFUL = [
    *(r"(a+)+", r"(a*)*", r"(?:a*b?)*", r"(?:\s*x\s*)*", r"(a|ab|b)*x", r"(.*,)*$", r"(?:a{0,80})*x", r"(?:a|a)*b"),
    r"(?:(?:a*)?b)*",
    *(r"a*a*", r"a*x?a*", r"\d+\.?\d*", r"\s*,?\s*", r".*,.*", r"(?:ab)*(?:ab)*", r"(a*){2}", r"\w{1,99}\d{1,99}x"),
    *(r"(?>a*a*b)", r"(?=a*a*b)", r"(?<!x)a*(?!a*a*b)", r"(?i)a*A*", r"(?s).*\n*x", r"\S*[^\s]*", r"\w*é*"),
    # The three that hung the program.
    *(r":[ \t]*([ -~\t]*?)[ \t]*", r"\s*(?:<!--.*?-->\s*)*<html", r"hand\s+of\s+(?P<size>.+?)\s+from\s+(.+)"),
]
HARMLESS = [
    *(r"a*b*", r"(a+b)*", r"(?:a+,\s*)*", r'".*?"', r"\d+(?:\.\d*)?", r"\s*(?:,\s*)?", r"a?a?a?", r"[^<]*<[^>]*>"),
    *(r"a*+a", r"(?>a*)a*+", r"(?:(?>\s+)x?)*", r"(?>(?:\s++|<!--(?>.*?-->))*)<html", r"\w*[^\w]*", r"a{0,9}a*"),
]


def test_two_repeats_that_can_match_the_same_are_found_and_no_others() -> None:
    for pattern in HARMFUL:
        assert doubts_of(re.compile(pattern)), pattern
        assert not pattern.isascii() or doubts_of(re.compile(pattern.encode())), pattern
    for pattern in HARMLESS:
        assert doubts_of(re.compile(pattern)) == [], pattern


def test_how_bad_it_is_is_told() -> None:
    """`(a+)+b` takes twice as long with each letter, `a*a*b` four times as long with twice as many."""
    assert {kind for kind, *_ in doubts_of(re.compile("(?:<!--.*?-->)*<"))} >= {"exponential"}
    assert {kind for kind, *_ in doubts_of(re.compile("a*a*b"))} == {"polynomial"}


def test_no_pattern_of_the_program_shares_out_a_text_in_many_ways() -> None:
    written = program_patterns()
    doubts = {one.name: (one.pattern.pattern, doubts_of(one.pattern)[:2]) for one in written}
    found = {name: words for name, words in doubts.items() if words[1]}
    assert len(written) > 250
    assert {name: words for name, words in found.items() if name not in BOUNDED} == {}
    assert BOUNDED.keys() - found.keys() == set(), "these need not be listed any more"


def test_every_kind_of_place_is_read() -> None:
    """Patterns of modules, of functions, inside of f-strings, in tuples and mappings, kept as their method."""
    names = {one.name for one in program_patterns()}
    texts = {str(one.pattern.pattern) for one in program_patterns()}
    assert "views.pulling:_PAGE" in names  # a module's own
    assert "proof.file_proof:_named" not in names  # only its method is kept...
    assert any(name.startswith("proof.file_proof:") for name in names)  # ...and it is read all the same
    assert {r"\W", r"(?<![\w-])x(?![\w-])", r"\bx\s*\("} <= texts  # in functions; filled in; handed on
