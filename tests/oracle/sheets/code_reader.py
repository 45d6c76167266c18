"""QR codes read module by module: what they say, or what is wrong with them. Source: ISO/IEC 18004.

Nothing is corrected: a code of which one module is wrong is wrong. Its patterns have to stand where its size says, both
of its notes on mask and correction have to be the same, and its codewords have to be ones that the correction leaves as
they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from duckpress.core.bare_packages import bare_module

PIXELS = 4
"""So many pixels across and down stand for a module of a code that is stamped as a mask of bits."""

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")
_FORMAT_MASK = 0x5412

Place = tuple[int, int]
"""A row and a column of a code, from its top left."""


class WrongCode(ValueError):
    """A code that says nothing; the message says why."""


class _Symbol(NamedTuple):
    """What codes of one size, correction and mask share.

    `fixed` are the places of their patterns and what stands there, `order` those of their codewords' bits, `mask` what
    the mask does to these; `blocks` say how many codewords a block has, and how many of them are data.
    """

    fixed: Mapping[int, str]
    order: Sequence[int]
    mask: int
    blocks: tuple[tuple[int, int], ...]


def modules_of_mask(across: int, rows: Sequence[int]) -> tuple[str, ...]:
    """Return the rows of modules of a mask of bits, `1` for dark. Raises `WrongCode` where it is no square of them."""
    each = rows[::PIXELS]
    if across != len(rows) or across % PIXELS or [row for row in each for _ in range(PIXELS)] != [*rows]:
        raise WrongCode("it is no square of modules")
    return tuple([f"{row:0{across // PIXELS}x}".replace("f", "1") for row in each])


@lru_cache(maxsize=2048)
def read_code(modules: tuple[str, ...]) -> str:
    """Return what a code of capitals and figures says. Raises `WrongCode`."""
    size, bits = len(modules), "".join(modules)
    if size < 21 or size % 4 != 1 or len(bits) != size * size or not set(bits) <= {"0", "1"}:
        raise WrongCode("it has no size of a code")
    note = int(modules[8][:6] + modules[8][7], 2) ^ _FORMAT_MASK >> 8
    symbol = _symbol(size, note >> 2)
    if itemgetter(*symbol.fixed)(bits) != tuple(symbol.fixed.values()):
        raise WrongCode("one of its patterns is wrong")
    value = int("".join(itemgetter(*symbol.order)(bits)), 2) ^ symbol.mask
    rest = len(symbol.order) % 8
    if value & ((1 << rest) - 1):
        raise WrongCode("a module that says nothing is dark")
    return _said(_data((value >> rest).to_bytes(len(symbol.order) // 8, "big"), symbol.blocks), (size - 17) // 4)


def _format_places(size: int) -> tuple[list[Place], list[Place]]:
    """Return where the 15 bits of the two notes on correction and mask stand, the highest first."""
    beside = [*((8, column) for column in (0, 1, 2, 3, 4, 5, 7, 8)), *((row, 8) for row in (7, 5, 4, 3, 2, 1, 0))]
    return beside, [*((size - 1 - at, 8) for at in range(7)), *((8, size - 8 + at) for at in range(8))]


@lru_cache(maxsize=64)
def _symbol(size: int, level_and_mask: int) -> _Symbol:
    consts = bare_module("segno", "consts")
    version, level = (size - 17) // 4, level_and_mask >> 3
    all_blocks: Any = consts.ECC
    fixed = dict[Place, str](_patterns(size, () if version == 1 else consts.ALIGNMENT_POS[version - 2]))
    note = (level_and_mask << 10 | _remainder(level_and_mask << 10, 0x537)) ^ _FORMAT_MASK
    for places in _format_places(size):
        fixed |= {place: f"{note:015b}"[at] for at, place in enumerate(places)}
    if version >= 7:
        number = version << 12 | _remainder(version << 12, 0x1F25)
        for at in range(18):
            for place in ((at // 3, size - 11 + at % 3), (size - 11 + at % 3, at // 3)):
                fixed[place] = str(number >> at & 1)
    order = [place for place in _zigzag(size) if place not in fixed]
    mask = int("".join("01"[not _mask_value(level_and_mask & 7, *place)] for place in order), 2)
    blocks = [(one.num_total, one.num_data) for one in all_blocks[version][level] for _ in range(one.num_blocks)]
    flat = {row * size + column: bit for (row, column), bit in fixed.items()}
    return _Symbol(flat, [row * size + column for row, column in order], mask, tuple(blocks))


def _mask_value(mask: int, row: int, column: int) -> int:
    """Return what is 0 where a mask turns a module round."""
    product = row * column
    return (
        (row + column) % 2,
        row % 2,
        column % 3,
        (row + column) % 3,
        (row // 2 + column // 3) % 2,
        product % 2 + product % 3,
        (product % 2 + product % 3) % 2,
        ((row + column) % 2 + product % 3) % 2,
    )[mask]


def _patterns(size: int, alignments: Sequence[int]) -> Iterator[tuple[Place, str]]:
    """Yield the places of a code's patterns and what stands there, but for its notes; later ones count."""
    for middle_row in alignments:
        for middle in alignments:
            if (middle_row, middle) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                for row in range(-2, 3):
                    for column in range(-2, 3):
                        place = middle_row + row, middle + column
                        yield place, "01"[max(abs(row), abs(column)) != 1]
    for at in range(8, size - 8):
        yield (6, at), "10"[at % 2]
        yield (at, 6), "10"[at % 2]
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for row in range(max(top - 1, 0), min(top + 8, size)):
            for column in range(max(left - 1, 0), min(left + 8, size)):
                is_inside = top <= row < top + 7 and left <= column < left + 7
                yield (row, column), _FINDER[row - top][column - left] if is_inside else "0"
    yield (size - 8, 8), "1"


def _zigzag(size: int) -> Iterator[Place]:
    """Yield all places in the order of the bits: in pairs of columns from the right, upwards and downwards by turns."""
    for turn, right in enumerate([*range(size - 1, 6, -2), *range(5, 0, -2)]):
        for row in range(size) if turn % 2 else range(size - 1, -1, -1):
            yield row, right
            yield row, right - 1


def _remainder(number: int, divisor: int) -> int:
    """Return what is left of a polynomial, its coefficients being bits."""
    while number.bit_length() >= divisor.bit_length():
        number ^= divisor << (number.bit_length() - divisor.bit_length())
    return number


def _data(words: bytes, blocks: tuple[tuple[int, int], ...]) -> bytes:
    """Return the data of codewords, which go through the blocks by turns: first the data, then the correction."""
    count, corrections = len(blocks), blocks[0][0] - blocks[0][1]
    longest, data_end = max(data for _, data in blocks), len(words) - corrections * len(blocks)
    parts = []
    for number, (_, data) in enumerate(blocks):
        # The shorter blocks stand before the longer ones, whose last codewords follow one another.
        shared = min(data for _, data in blocks) * count
        part = words[number:shared:count]
        if data == longest and data * count > shared:
            part += words[data_end - count + number : data_end - count + number + 1]
        if _correction(part, corrections) != words[data_end + number :: count]:
            raise WrongCode("some of its modules are wrong")
        parts.append(part)
    return b"".join(parts)


def _correction(data: bytes, count: int) -> bytes:
    """Return the codewords of correction of a block: the sum of what each of its codewords gives by itself."""
    total = 0
    for after, word in enumerate(reversed(data)):
        if word:
            total ^= _share(word, after, count)
    return total.to_bytes(count, "big")


@lru_cache(maxsize=8192)
def _share(word: int, after: int, count: int) -> int:
    """Return what a codeword with so many after it adds to the correction, as a number of `count` bytes."""
    return int.from_bytes(bytes([_product(word, part) for part in _power(after + count, count)]), "big")


@lru_cache(maxsize=4096)
def _power(exponent: int, count: int) -> tuple[int, ...]:
    """Return the rest of a power of x, divided by the polynomial of so many codewords of correction."""
    if exponent < count:
        return tuple(int(at == count - 1 - exponent) for at in range(count))
    first, *others = _power(exponent - 1, count)
    return tuple(one ^ _product(first, factor) for one, factor in zip((*others, 0), _divisor(count), strict=True))


@lru_cache(maxsize=64)
def _divisor(count: int) -> list[int]:
    """Return the polynomial that correction divides by, without its leading 1: the product of x - 2^i."""
    factors = [1]
    for power in range(count):
        factors = [a ^ _product(b, _POWERS[power]) for a, b in zip((*factors, 0), (0, *factors), strict=True)]
    return factors[1:]


def _powers() -> list[int]:
    """Return the powers of 2 in the field of 256 numbers with the polynomial x^8 + x^4 + x^3 + x^2 + 1."""
    powers = [1]
    while len(powers) < 255:
        powers.append(_remainder(powers[-1] << 1, 0x11D))
    return powers


_POWERS = _powers()
_LOGARITHMS = {number: power for power, number in enumerate(_POWERS)}


def _product(one: int, other: int) -> int:
    return _POWERS[(_LOGARITHMS[one] + _LOGARITHMS[other]) % 255] if one and other else 0


def _said(data: bytes, version: int) -> str:
    """Return the text of a code's data: capitals and figures, two of which are one number of eleven bits."""
    bits, count = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}", 9 if version < 10 else 11 if version < 27 else 13
    if bits[:4] != "0010":
        raise WrongCode("it does not hold capitals and figures")
    length, at = int(bits[4 : 4 + count], 2), 4 + count
    ends = range(at, at + length // 2 * 11 + 1, 11)
    pairs = [int(bits[start:end], 2) for start, end in pairwise(ends)]
    last = int(bits[ends[-1] : ends[-1] + 6], 2) if length % 2 else None
    if max(pairs, default=0) >= 45 * 45 or (last or 0) >= 45:
        raise WrongCode("it holds letters that there are not")
    said = "".join(_LETTERS[pair // 45] + _LETTERS[pair % 45] for pair in pairs)
    return said if last is None else said + _LETTERS[last]
