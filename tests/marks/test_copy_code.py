"""Codes of copies: read back from what is left of them, never as another number, and by nobody without the key."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.marks.copy_code import CHECK_BYTES, CODE_BYTES, KEY_BYTES, NUMBERS, code_of, halves, number_of
from duckpress.marks.correction import corrected, with_checks
from profiles import examples

KEY, OTHER_KEY = bytes(range(KEY_BYTES)), bytes(range(1, KEY_BYTES + 1))
numbers = st.integers(0, NUMBERS - 1)


@examples(60)
@given(numbers, st.integers(0, CHECK_BYTES), st.randoms(use_true_random=False))
def test_a_code_is_read_from_what_is_left_of_it(number: int, missing: int, rng: random.Random) -> None:
    code = [*code_of(number, KEY)]
    places = rng.sample(range(CODE_BYTES), missing + (CHECK_BYTES - missing) // 2)
    for at in places:
        code[at] ^= rng.randrange(1, 256)
    assert number_of(code, places[:missing], KEY) == number


@examples(60)
@given(st.binary(min_size=1, max_size=40), st.integers(1, 20), st.randoms(use_true_random=False))
def test_correction_says_what_was_there_or_nothing(data: bytes, count: int, rng: random.Random) -> None:
    word = [*with_checks(data, count)]
    assert corrected(word, (), count) == data
    for at in rng.sample(range(len(word)), min(len(word), count // 2 + 1)):
        word[at] ^= rng.randrange(1, 256)
    found = corrected(word, (), count)
    if found is not None and found != data:  # as near to another one
        assert 0 < sum(a != b for a, b in zip(with_checks(found, count), word, strict=True)) <= count // 2


def test_known_answers() -> None:
    """Codes are on paper that lies about for years: they never change. Check bytes as ISO/IEC 18004 has them."""
    assert with_checks(bytes([16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]), 10).hex() == (
        "10200c566180ec11ec11ec11ec11ec11a524d4c1ed36c7872c55"
    )
    assert code_of(17, KEY).hex() == "3d8bf2cc975f81fd15845167bf1e6d78b1b771d893f947ad"


@examples(60)
@given(numbers, st.randoms(use_true_random=False))
def test_what_is_no_code_says_nothing(number: int, rng: random.Random) -> None:
    assert number_of(code_of(number, KEY), (), OTHER_KEY) is None
    noise = [rng.randrange(256) for _ in range(CODE_BYTES)]
    missing = rng.sample(range(CODE_BYTES), rng.randrange(CHECK_BYTES + 3))
    assert number_of(noise, missing, KEY) is None


def test_numbers_are_hidden() -> None:
    """Codes of numbers that follow one another have nothing in common by which they could be told."""
    codes = [code_of(number, KEY) for number in range(64)]
    for one in range(len(codes)):
        for other in range(one):
            assert sum(a == b for a, b in zip(codes[one], codes[other], strict=True)) < CODE_BYTES // 3
    assert {half for code in codes for half in halves(code)} == {*range(16)}


@pytest.mark.parametrize(("number", "key"), [(-1, KEY), (NUMBERS, KEY), (1, b"short")])
def test_what_has_no_code_is_refused(number: int, key: bytes) -> None:
    with pytest.raises(ValueError, match=r"a copy's number is|a key has"):
        code_of(number, key)
