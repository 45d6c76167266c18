"""Versions frozen and compared: codes that stay, versions that stay, changes in words, and swaps that come out even."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from duckpress.core.problems import Source
from duckpress.press.releases.changes import apply_swap, compare, deck_of, swap_of
from duckpress.press.releases.lock import Lock, LockedCard, give_codes, paragraphs_of
from duckpress.press.releases.release_files import lock_bytes, lock_from_manifest, read_lock
from duckpress.share.changes_report import as_data, in_words
from profiles import examples

AT = Source("0.1.lock")


def face(word: str) -> str:
    """Return something that looks like a frame's hash."""
    return (word.encode().hex() + "0" * 32)[:32]


def card(id_: str, copies: int = 2, text: str = "Draw one.", look: str = "", deck: str = "duck") -> LockedCard:
    faces = {"en": (face(f"{id_}{text}{look}"), face("back"))}
    return LockedCard(deck, id_, f"D{len(id_)}", "0.1", copies, {"text": text, "value": 3}, faces)


def lock(version: str, *cards: LockedCard, setup: Mapping[str, object] | None = None, rules: str = "One.") -> Lock:
    tables = {"base": {"2": dict(setup or {"duck": 28})}}
    return Lock(
        "pond", "Pond", version, ("en",), {"duck": "Ducks"}, {one.key: one for one in cards}, tables,
        {"en": paragraphs_of(rules)},
    )  # fmt: skip


OLD = lock("0.1", card("teal"), card("eider", 3), card("smew"))


def test_a_lock_reads_back_and_has_one_thing_a_line() -> None:
    data = lock_bytes(OLD)
    assert lock_bytes(OLD) == data
    assert read_lock(data, AT) == (OLD, ())
    changed = replace(OLD, cards=OLD.cards | {("duck", "teal"): replace(OLD.cards["duck", "teal"], copies=5)})
    lines, others = data.decode().splitlines(), lock_bytes(changed).decode().splitlines()
    assert sum(one != other for one, other in zip(lines, others, strict=True)) == 1


def test_a_damaged_lock_is_one_problem() -> None:
    whole = lock_bytes(OLD)
    for old, new in (
        ('"lock": 1', '"lock": 99'),
        ('"copies": 3', '"copies": -3'),
        ('"code": "D4"', '"code": "<b>"'),
        (face("back"), "../../etc/passwd"),
        ('"duck": 28', '"duck": [28]'),
        ('"One."', r'"\u001b[2J"'),
        ('"setup"', '"retired": {"duck/gone": 7}, "setup"'),
        (whole.decode(), "[" * 100_000),
        (whole.decode(), "null"),
        (whole[-20:].decode(), ""),
    ):
        assert old.encode() in whole, old
        read, problems = read_lock(whole.replace(old.encode(), new.encode()), AT)
        assert read is None, new
        assert [(problem.code, problem.source) for problem in problems] == [("bad-lock", AT)], new
    for text in ("", "[]", "null", "3", '{"lock": 1}', '{"cards": [{}]}', '{"game": "x", "cards": {"a": []}}'):
        read, problems = lock_from_manifest(text.encode(), AT)
        assert (read, [problem.code for problem in problems]) == (None, ["bad-lock"]), text


def test_what_changed_is_said_card_by_card() -> None:
    new = lock(
        "0.2", card("teal", text="Draw two."), card("eider", 4), card("gadwall", 1), card("smew", look="gold"),
        setup={"duck": 30}, rules="One.\n\nTwo.",
    )  # fmt: skip
    same = compare(OLD, replace(OLD, version="0.2"))
    assert same.is_empty
    assert in_words(same) == ["nothing has changed"]
    changes = compare(OLD, new)
    assert in_words(changes) == [
        "new: Ducks, gadwall (D7), 1 copy",
        'Ducks, teal (D4): text: "Draw one." -> "Draw two."',
        "Ducks, eider (D5): 4 instead of 3",
        "Ducks, smew (D4): looks different",
        "setup, duck: 30 instead of 28 for 2 players",
        "rules: new",
        "    now: Two.",
    ]
    back = in_words(compare(new, OLD))
    assert "gone: Ducks, gadwall (D7), 1 copy" in back
    assert "rules: gone" in back
    data = as_data(changes)
    assert (data["since"], data["version"]) == ("0.1", "0.2")
    assert data["changed"][0]["fields"] == [{"name": "text", "old": "Draw one.", "new": "Draw two."}]
    assert json.loads(json.dumps(data)) == data


def test_long_texts_are_shown_where_they_differ() -> None:
    words = [f"word{number}" for number in range(60)]
    other = [*words[:30], "another", *words[31:]]
    old, new = card("teal", text=" ".join(words)), card("teal", text=" ".join(other))
    changes = compare(lock("0.1", old), lock("0.2", new))
    head, line = in_words(changes)
    assert head == "Ducks, teal (D4): changed, but looks the same"
    assert line.strip() == (
        'text: "… word27 word28 word29 word30 word31 word32 word33 …" -> '
        '"… word27 word28 word29 another word31 word32 word33 …"'
    )
    assert as_data(changes)["changed"][0]["fields"][0]["new"] == " ".join(other)
    changes = compare(OLD, lock("0.2", card("teal", text="Draw **one**."), card("eider", 3), card("smew")))
    assert in_words(changes) == ['Ducks, teal (D4): text: "Draw one." -> "Draw **one**."']  # marks alone


def test_a_variant_is_named_only_where_it_differs() -> None:
    def version(name: str, plain: int, draft: int, spook: int) -> Lock:
        tables = {"base": {"2": {"duck": plain}}, "draft": {"2": {"duck": draft}}, "spook": {"2": {"duck": spook}}}
        return replace(OLD, version=name, setup=tables)

    assert in_words(compare(version("0.1", 4, 4, 4), version("0.2", 5, 5, 5))) == [
        "setup, duck: 5 instead of 4 for 2 players"
    ]
    assert in_words(compare(version("0.1", 4, 4, 4), version("0.2", 5, 4, 6))) == [
        "setup, duck: 5 instead of 4 for 2 players (as before with draft)",
        "setup (spook), duck: 6 instead of 4 for 2 players",
    ]


def test_a_number_that_changed_alike_is_told_once_for_all_player_counts() -> None:
    def version(name: str, *numbers: int) -> Lock:
        rows = {str(players): {"hand": number} for players, number in enumerate(numbers, 1)}
        return replace(OLD, version=name, setup={"base": rows})

    before = version("0.1", 5, 5, 5, 4)
    told = {
        (6, 6, 6, 4): "6 instead of 5 for 1–3 players",
        (6, 5, 6, 3): "6 instead of 5 for 1, 3 players, 3 instead of 4 for 4 players",
        (6, 5, 5, 4): "6 instead of 5 for 1 player",
    }
    for numbers, words in told.items():
        assert in_words(compare(before, version("0.2", *numbers))) == [f"setup, hand: {words}"]


def test_codes_stay_with_their_cards() -> None:
    keys = [("duck", "teal"), ("duck", "eider"), ("drake", "one"), ("dabbling-duck", "x")]
    first = give_codes(keys, None)
    assert first == {keys[0]: "D1", keys[1]: "D2", keys[2]: "DR1", keys[3]: "DD1"}
    before = lock("0.1", *(replace(card(id_, deck=deck), code=first[deck, id_]) for deck, id_ in keys))
    later = give_codes([("duck", "new"), *keys[1:]], before)
    assert later == {("duck", "new"): "D3", **{key: first[key] for key in keys[1:]}}


def test_codes_of_cards_that_are_gone_are_read_back_and_not_given_again() -> None:
    gone = {("duck", "smew"): "D9", ("drake", "one"): "DR1"}
    before = read_lock(lock_bytes(replace(OLD, retired=gone)), AT).lock
    assert before is not None
    assert before.retired == gone
    keys = [("duck", "new"), ("drake", "two"), ("drake", "one"), ("dr", "x")]
    assert list(give_codes(keys, replace(before, cards={})).values()) == ["D10", "DR2", "DR1", "DA1"]


@examples(100)
@given(
    st.lists(
        st.tuples(st.sampled_from(["duck", "drake", "dd", "d", "1"]), st.text("abc", min_size=1, max_size=3)),
        unique=True,
    )
)
def test_no_code_is_given_twice(keys: list[tuple[str, str]]) -> None:
    codes = give_codes(keys, None)
    assert len(set(codes.values())) == len(keys)


cards = st.dictionaries(
    st.sampled_from(["teal", "eider", "smew", "gadwall", "pintail"]),
    st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", "c"])),
)


@examples(100)
@given(cards, cards)
def test_a_swap_makes_the_old_deck_the_new_one(
    before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]
) -> None:
    def version(name: str, chosen: dict[str, tuple[int, str]]) -> Lock:
        return lock(name, *(card(id_, count, look=look) for id_, (count, look) in chosen.items()))

    old, new = version("0.1", before), version("0.2", after)
    swap = swap_of(compare(old, new), "en")
    assert apply_swap(deck_of(old, "en"), swap) == deck_of(new, "en")
    if swap.take_out:
        with pytest.raises(ValueError, match="take out"):  # a swap needs the deck that it was made for
            apply_swap(Counter(), swap)
    out, into = sum(line.copies for line in swap.take_out), sum(line.copies for line in swap.put_in)
    common = deck_of(old, "en") & deck_of(new, "en")
    assert (out, into) == (
        sum((deck_of(old, "en") - common).values()),
        sum((deck_of(new, "en") - common).values()),
    )  # no card is swapped that could have stayed
