"""Files that are broken as bytes, or made to break the reader: one problem each, at once, and never a traceback."""

from __future__ import annotations

import pytest
import yaml

from duckpress.content import Mapping as MappingNode
from duckpress.content import Scalar, Sequence, read_yaml
from duckpress.content.yaml import yaml_file
from duckpress.core.limits import limit, use
from duckpress.core.problems import Source

ALIAS_BOMB = b"a: &a [x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"%c: &%c [%s]\n" % (letter, letter, b", ".join([b"*%c" % (letter - 1)] * 9)) for letter in range(98, 107)
)
DEEP_ALIASES = b"a: &a %bx%b\nb: %b*a%b\n" % (b"[" * 30, b"]" * 30, b"[" * 20, b"]" * 20)
HOSTILE = {
    "NUL": (b"a: 1\nb: x\x00y\n", "bad-character", 2, 5),
    "escape byte": (b"a: \x1b[31mred\n", "bad-character", 1, 4),
    "right-to-left override": ("a: ok\nb: é\u202egnp.exe\n".encode(), "bad-character", 2, 5),
    "line separator": ("a: x\u2028y\n".encode(), "bad-character", 1, 5),
    "next line": ("a: x\u0085y\n".encode(), "bad-character", 1, 5),
    "byte order mark inside": ("a: x\ufeff\n".encode(), "bad-character", 1, 5),
    "escaped override": (b'a: "\\u202e"\n', "bad-character", 1, 4),
    "UTF-16": ("a: 1\n".encode("utf-16"), "not-utf8", 1, 1),
    "Latin-1": ("a: né\nb: x\n".encode("latin-1"), "not-utf8", 1, 5),
    "Latin-1 behind a byte order mark": (b"\xef\xbb\xbfa: n\xe9\n", "not-utf8", 1, 5),
    "lone surrogate": (b"a: \xed\xa0\x80\n", "not-utf8", 1, 4),
    "50,000 brackets": (b"[" * 50_000, "yaml-depth", 1, 51),
    "50,000 braces": (b"{a: " * 50_000, "yaml-depth", 1, 201),
    "alias bomb": (ALIAS_BOMB, "yaml-size", 6, 16),
    "deep aliases": (DEEP_ALIASES, "yaml-depth", 2, 24),
    "recursive alias": (b"a: &a [1, *a]\n", "yaml-alias", 1, 11),
    "recursive mapping": (b"a: &a {b: *a}\n", "yaml-alias", 1, 11),
    "merge keys": (b"a: &a {x: 1}\nb:\n  <<: *a\n", "merge-key", 3, 3),
    "python tag": (b"a: !!python/object/apply:os.system [ls]\n", "yaml-tag", 1, 4),
    "tag on a mapping": (b"a: !!set {x, y}\n", "yaml-tag", 1, 4),
    "long text": (b"a: " + b"x" * 1_000_000 + b"\n", "text-too-long", 1, 4),
    "nothing": (b"", "empty-file", 1, 1),
    "only null": (b"~\n", "empty-file", 1, 1),
    "only a document mark": (b"---\n", "empty-file", 1, 1),
    "two documents": (b"a: 1\n---\nb: 1\n", "yaml-documents", 2, 1),
    "key is an alias": (b"a: &a x\n*a : y\n", "yaml-key", 2, 1),
}


PURE = ("NUL", "Latin-1", "50,000 brackets", "alias bomb", "python tag", "two documents")


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_one_problem_and_the_pure_parser_refuses_the_same(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, code, line, column = HOSTILE[case]
    node, problems = read_yaml("f.yaml", data)
    assert node is None
    assert [(p.code, p.source) for p in problems] == [(code, Source("f.yaml", line, column))], problems
    parser = (yaml.SafeLoader, *yaml_file.parser_of_yaml()[1:])
    monkeypatch.setattr(yaml_file, "parser_of_yaml", lambda: parser)
    if case in PURE:
        node, problems = read_yaml("f.yaml", data)
        assert (node, [p.code for p in problems]) == (None, [code]), problems


def test_depth_is_allowed_up_to_the_cap() -> None:
    node, problems = read_yaml("f.yaml", b"[" * limit("yaml-depth") + b"]" * limit("yaml-depth"))
    assert node is not None
    assert not problems


# The file, and where the eleventh value (or the end of it) is: the list around all is one, too.
TOO_MANY = {
    "items": (b"[" + b"a, " * 90 + b"]", (1, 29)),
    "items of a block": (b"- a\n" * 90, (10, 3)),
    "texts in quotes": (b"[" + b"'', " * 90 + b"]", (1, 38)),
    "lists": (b"[" + b"[], " * 90 + b"]", (1, 39)),
    "keys": (b"{" + b"".join(b"k%02d: v, " % i for i in range(90)) + b"}", (1, 79)),
    "keys of a block": (b"".join(b"k%02d: v\n" % i for i in range(90)), (10, 6)),
    "aliases": (b"[&a [b, c], " + b"*a, " * 90 + b"]", (1, 21)),
}


@pytest.mark.parametrize("case", TOO_MANY)
def test_reading_stops_at_the_first_value_too_many(case: str) -> None:
    """Counted at the end of a list only, eight megabytes of items were four million records before the refusal."""
    use({"yaml-values": 10})
    data, place = TOO_MANY[case]
    node, problems = read_yaml("f.yaml", data)
    assert node is None
    (problem,) = problems
    assert (problem.code, problem.source) == ("yaml-size", Source("f.yaml", *place))
    assert ("aliases" in problem.fix) is (case == "aliases")


def test_a_byte_order_mark_windows_line_ends_and_aliases_are_welcome() -> None:
    node, problems = read_yaml("f.yaml", b"\xef\xbb\xbfa: 1\r\nb: &b [x,\r\n  y]\r\nc: *b\r\n")
    assert not problems
    assert isinstance(node, MappingNode)
    assert node.entries["a"].source == Source("f.yaml", 1, 1)
    listed = node.entries["b"].value
    assert isinstance(listed, Sequence)
    assert listed.items == [Scalar("x", True, Source("f.yaml", 2, 8)), Scalar("y", True, Source("f.yaml", 3, 3))]
    assert node.entries["c"].value is listed
