"""Bytes -> the same with check bytes that correct some of them: a Reed-Solomon code over 256 numbers.

Of `n` check bytes, errors at unknown places count two, bytes known to be missing one: up to `n` in all are mended.
Source: S. Lin, D. Costello, Error Control Coding, chapter 7 (Berlekamp-Massey with erasures, Forney).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

_FIELD = 0x11D  # x^8 + x^4 + x^3 + x^2 + 1, whose powers of 2 are all numbers but 0


def _powers() -> list[int]:
    powers = [1]
    while len(powers) < 255:
        double = powers[-1] << 1
        powers.append(double ^ _FIELD if double > 255 else double)
    return powers


_POWERS = _powers()
_LOGARITHMS = {number: power for power, number in enumerate(_POWERS)}

_Polynomial = list[int]
"""Factors, the one of the constant first."""


def _product(one: int, other: int) -> int:
    return _POWERS[(_LOGARITHMS[one] + _LOGARITHMS[other]) % 255] if one and other else 0


def _inverse(number: int) -> int:
    return _POWERS[-_LOGARITHMS[number] % 255]


def _times(one: Sequence[int], other: Sequence[int]) -> _Polynomial:
    product = [0] * (len(one) + len(other) - 1)
    for at, factor in enumerate(one):
        for behind, second in enumerate(other):
            product[at + behind] ^= _product(factor, second)
    return product


def _value(polynomial: Sequence[int], at: int) -> int:
    value = 0
    for factor in reversed(polynomial):
        value = _product(value, at) ^ factor
    return value


@cache
def _generator(count: int) -> _Polynomial:
    generator: _Polynomial = [1]
    for power in range(count):
        generator = _times(generator, [_POWERS[power], 1])
    return generator


def with_checks(data: bytes, count: int) -> bytes:
    """Return data with so many check bytes behind it."""
    generator = _generator(count)
    rest = [*data, *[0] * count]
    for at in range(len(data)):
        factor = rest[at]
        for behind in range(count):
            rest[at + 1 + behind] ^= _product(factor, generator[count - 1 - behind])
    return data + bytes(rest[len(data) :])


def corrected(word: Sequence[int], missing: Collection[int], count: int) -> bytes | None:
    """Return the data of a word with so many check bytes, mended; None where too much of it is wrong.

    `missing` are the places of bytes that are not known.
    """
    last = len(word) - 1
    whole = [0 if at in missing else byte for at, byte in enumerate(word)]
    syndromes = [_value(whole[::-1], _POWERS[power]) for power in range(count)]
    if not any(syndromes):
        return bytes(whole[: len(word) - count])
    if len(missing) > count:
        return None
    locator: _Polynomial = [1]
    for at in missing:
        locator = _times(locator, [1, _POWERS[last - at]])
    locator = _located(locator, syndromes, len(missing))
    evaluator = _times(syndromes, locator)[:count]
    slope = [factor if at % 2 == 0 else 0 for at, factor in enumerate(locator[1:])]
    places = [at for at in range(len(word)) if _value(locator, _POWERS[-(last - at) % 255]) == 0]
    if len(places) != len(locator) - 1 or 2 * len(places) - len(missing) > count:
        return None
    for at in places:
        root = _POWERS[-(last - at) % 255]
        divisor = _value(slope, root)
        if not divisor:
            return None
        # The first of the generator's roots is 1, hence the factor of the place itself.
        whole[at] ^= _product(_POWERS[last - at], _product(_value(evaluator, root), _inverse(divisor)))
    data = bytes(whole[: len(word) - count])
    return data if with_checks(data, count) == bytes(whole) else None


def _located(erased: _Polynomial, syndromes: Sequence[int], known: int) -> _Polynomial:
    """Return the polynomial whose roots are the places of all wrong bytes, from that of those known to be missing."""
    locator, older, length = erased, erased, known
    for step in range(known, len(syndromes)):
        older = [0, *older]
        gap = 0
        for at, factor in enumerate(locator):
            if at <= step:
                gap ^= _product(factor, syndromes[step - at])
        if not gap:
            continue
        size = max(len(locator), len(older))
        padded = [*locator, *[0] * (size - len(locator))]
        shorter = [*older, *[0] * (size - len(older))]
        fitted = [one ^ _product(gap, other) for one, other in zip(padded, shorter, strict=True)]
        if 2 * length <= step + known:
            older, length = [_product(factor, _inverse(gap)) for factor in locator], step + known + 1 - length
        locator = fitted
    while len(locator) > 1 and not locator[-1]:
        locator.pop()
    return locator
