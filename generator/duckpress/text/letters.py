"""Properties of characters for typesetting: line breaks, widths of spaces, capitals.

Words are divided at soft hyphens first, then by the patterns of the language (pyphen, imported when needed). Sources:
Unicode 16, chapter 6 (spaces) and annex 14 (line breaking), of which `BREAKS` is what Latin, Greek and Cyrillic text
needs.

A line of Chinese or Japanese may end between most ideographs and kana, by the rules of the strict way of good setting:
it never begins with closing punctuation, a small kana or a mark of length, and never ends with an opening bracket.
Source: Unicode 15, annex 14, rules 8a to 31; small kana count as NS.
"""

from __future__ import annotations

import base64
import re
import unicodedata
import zlib
from bisect import bisect
from functools import cache
from itertools import groupby, pairwise
from typing import Any

SOFT_HYPHEN = "\u00ad"
ZERO_WIDTH_SPACE = "\u200b"

# Widths in em of the spaces a font may lack; None for as wide as its own space, digit or full stop.
SPACE_WIDTHS: dict[str, float | None] = {
    "\u00a0": None, "\u2000": 0.5, "\u2001": 1.0, "\u2002": 0.5, "\u2003": 1.0, "\u2004": 1 / 3, "\u2005": 0.25,
    "\u2006": 1 / 6, "\u2007": None, "\u2008": None, "\u2009": 0.2, "\u200a": 0.1, "\u202f": 0.2, "\u205f": 4 / 18,
    "\u3000": 1.0,
}  # fmt: skip
SPACE_AS_WIDE_AS = {"\u2007": "0", "\u2008": "."}

# A line may end after hyphen, en dash and slash between words (not in 1-2, T-shirt or I/O), after an em dash, and at a
# zero width space.
BREAKS = re.compile(r"(?<=[^\W\d_]{2}[-\u2010\u2013/])(?=[^\W\d_]{2})|(?<=\w\u2014)(?=\w)|(?<=\u200b)(?!$)")
MAY_BREAK = re.compile("[-\u2010\u2013/\u2014\u200b]")
"""A sign without which a word has no such place."""

_DIVIDED = re.compile(r"[^\W\d_]{5,60}")
_LONGEST_WORD = 120  # letters; what is longer is no word, and to try all its divisions would take hours
_BEFORE, _AFTER = 2, 3  # letters that must stay together at either end; the usual of TeX for English

CLOSING = frozenset("!?:;,.)]}»›”’%…‼⁇⁈⁉、。，．：；！？）」』】》〉］｝〕〗〙〛・ーゝゞ々〜")  # never begin a line
OPENING = frozenset("([{«‹„‚“‘¿¡（「『【《〈［｛〔〖〘〚")  # never end one
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]"
)
# Signs drawn as pictures. Sources: Unicode 16, Extended_Pictographic in outline; annex 51 for what joins them.
_PICTURE = (
    "[\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_MORE = "\ufe0f?[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
EMOJI = re.compile(
    f"[0-9#]\ufe0f?\u20e3|[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTURE}{_MORE}(?:\u200d{_PICTURE}{_MORE})*", re.ASCII
)
"""A sign drawn as a picture, with all that belongs to it: a colour of skin, signs joined to one, a flag, a key."""
MAY_BE_EMOJI = re.compile("[^\x00-\u203b]")  # said so, it is compiled in a sixth of the time
"""A letter without which a text has no emoji."""
_JOINED = re.compile("[\u200d\U000e0020-\U000e007f]|^[\U0001f1e6-\U0001f1ff]")
_COLOURING = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_LETTERS = re.compile(f"{EMOJI.pattern}|.", re.ASCII | re.DOTALL)

# More letters than a word has of scripts without spaces, whose words only a dictionary tells apart: Thai, Lao, Burmese,
# Khmer. Who puts zero width spaces between words has fewer in a row.
WITHOUT_SPACES = re.compile(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3]{16}"
)

# Letters that are joined to the next one (behind their marks), and letters that are joined to the one before. Source:
# ArabicShaping.txt, blocks Arabic, Syriac and Arabic Supplement, types D and C; and R.
_JOINS_NEXT = re.compile(
    "[\u0620\u0626\u0628\u062a-\u062e\u0633-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0"
    "\u06d1\u06fa-\u06fc\u06ff\u0712-\u0714\u071a-\u071d\u071f-\u0727\u0729\u072b\u072d\u072e\u074e\u074f\u0750-\u0758\u075c-\u076a"
    "\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f][\u064b-\u065f\u0670\u0730-\u074a]*\\Z"
)
_JOINS_LAST = re.compile(
    "[\u0620\u0622-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u077f]"
)
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{2}")
JOINER = "\u200d"
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")  # nothing can draw them


def is_invisible(character: str) -> bool:
    """Return whether a character only changes its neighbours (joiners, variation selectors, directions)."""
    return _INVISIBLE.match(character) is not None


def is_joined_to(before: str, after: str) -> bool:
    """Return whether the last letter of a text and the first of the next are joined, as in Arabic."""
    return _JOINS_LAST.match(after) is not None and _JOINS_NEXT.search(before) is not None


def has_stacked_marks(text: str) -> bool:
    """Return whether a letter has several marks that do not compose with it, so that they are stacked."""
    return _MARKS.search(text) is not None and _MARKS.search(unicodedata.normalize("NFC", text)) is not None


def script_of(letter: str) -> str:
    """Return the Unicode script of a letter; empty for signs, figures and marks."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""


def in_one_colour(text: str) -> str:
    """Return a text with its emoji reduced to one colour: without skin tones and colour selectors."""
    return EMOJI.sub(lambda sign: _COLOURING.sub("", sign[0]), text) if MAY_BE_EMOJI.search(text) else text


def is_joined(sign: str) -> bool:
    """Return whether a letter is an emoji of several characters for one glyph: people, a flag."""
    return EMOJI.fullmatch(sign) is not None and _JOINED.search(sign) is not None


def emoji_name(sign: str) -> str:
    """Return the name of an emoji in a theme: the sign without variation selectors."""
    return sign.replace("\ufe0f", "").replace("\ufe0e", "")


def clusters(word: str) -> list[str]:
    """Return the word's letters with their marks and invisible characters; an emoji is one letter."""
    letters: list[str] = []
    for part in word if word.isascii() else _LETTERS.findall(word):
        if letters and len(part) == 1 and (unicodedata.category(part)[0] == "M" or is_invisible(part)):
            letters[-1] += part
        else:
            letters.append(part)
    return letters


def by_script(text: str, scripts: set[str]) -> list[str]:
    """Return a text cut where its script changes: HarfBuzz shapes one script at a time."""
    parts: list[str] = [""]
    now = ""
    for letter in clusters(text):
        script = script_of(letter[0])
        if script in scripts and script != now:
            if now:
                parts.append("")
            now = script
        parts[-1] += letter
    return parts


def upper(word: str, language: str) -> str:
    """Return the word in a language's capitals: İ in Turkish, no accents in Greek, ẞ as SS."""
    tongue = language.partition("-")[0].partition("_")[0].lower()
    if tongue in ("tr", "az"):
        word = word.replace("i", "İ")
    elif tongue == "el":
        bare = unicodedata.normalize("NFD", word).replace("\u0301", "")
        word = unicodedata.normalize("NFC", bare)
    return word.upper()


def case_runs(word: str) -> list[tuple[bool, str]]:
    """Return the word cut into runs of small letters (True) and of all other letters (False)."""
    runs = groupby(clusters(word), lambda letter: letter != letter.upper())
    return [(is_small, "".join(letters)) for is_small, letters in runs]


class Hyphenator:
    """The hyphenation of one language; a language without patterns divides at soft hyphens only."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.known: dict[str, list[int]] = {}  # the places in words that were asked for

    def positions(self, word: str, by_patterns: bool) -> list[int]:
        """Return the possible places of a hyphen in the word, left to right; a soft hyphen comes after its place."""
        if len(word) > _LONGEST_WORD:
            return []
        soft = [index for index, letter in enumerate(word) if letter == SOFT_HYPHEN and 0 < index < len(word) - 1]
        if soft or not by_patterns:
            return soft
        places = self.known.get(word)
        if places is None:
            patterns = _patterns(self._language)
            runs = _DIVIDED.finditer(word) if patterns is not None else ()
            places = [run.start() + int(place) for run in runs for place in patterns.positions(run[0])]
            self.known[word] = places
        return places


@cache
def _patterns(language: str) -> Any:
    import pyphen

    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known, left=_BEFORE, right=_AFTER) if known else None


_EAST_ASIAN_RANGES = (
    (0x2E80, 0x30FF), (0x3105, 0x312F), (0x3190, 0x31FF), (0x3200, 0x9FFF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F),
    (0xFF01, 0xFF9F), (0xFFE0, 0xFFE6), (0x20000, 0x3FFFD),
)  # fmt: skip
EAST_ASIAN = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _EAST_ASIAN_RANGES)}]")
"""A letter or a sign of Chinese or Japanese; Korean has spaces between words, and lines end at those."""

# The classes of all characters: after how many of them the class changes (seven bits a byte, the lowest first), and to
# which. Made from LineBreak.txt and EastAsianWidth.txt of Unicode 15, without what is told apart elsewhere (spaces,
# forced breaks, letters that need a dictionary), with East Asian brackets as OE and CE, and reserved pictures as EP.
_NAMES = "AL B2 BA BB CL CM CP EB EM EP EX GL H3 HL HY ID IN IS JL JT JV NS NU OE OP PO PR QU RI SY WJ ZW".split()  # noqa: SIM905
_CHANGES = (
    "c-oCuONb^{6+ZWIs_It#RrmjU`v3cXOg}PqVw=n>14)m@)-"
    "aHum}Fues7PecfC~{^h=QwzjG&T$5VLU+6qBVpai!o!MG)e~Y}AFCWulW+f?_7$cdDkHq+@V#>fU?KJ?Gx@z9pKxlc;OrYPWLYmTrOX%FSJ2tB"
    "LCXn{HN5yoB1xY7Q)Dn{($~#2zgG%LW_^w+y0`0+}8we1nq$m@s$porpyMtO0iPa^rN=l-"
    "f!+adOpbDc5lnud}4sGu|mjPpCPs+LgpM%4`vE8Lthob&xxBI;$6Mh6`fXmuhmApcepgNAa^-"
    "HbC3bm3&?s$ync_N#X=*lWXZ^hJ6k=rvadl8swu|$?ZDF`WCs{@M|W!R_`fu0^CKtaUSm!Bw<~14!U1>(S;cjG-"
    "vdFzryJKe%^U~Mh?!JqaD?7lOXGZG)k$=+{aHX0XI%v1MME15R5<CjXK~H_zU3o2VOVOOYk)VZwcQdrI+4s7jHTOZr|+t-#s_$o}f2xb-yyec<"
    "WxPf_A~41G7hI-Y%)_toB|WH*CU5g-"
    "Q8ffLDTV0NypO*2YQiGjEdWAxaG92uK2GcWMWUdd?Ldce;zP1P^v5%7TX4czIaYhm&jEKMoe>y#m&)jwp9V+85WZtbgLfXXP(6H^cOKey&G+mO"
    "NA*@<Dd7@uWh&tZ?ua;9lMFe%j{*VA)@ms?BjK^TX9NVrc9j`3iVWVaGRcbOcm2_a2gT0N;IB5eK@-Xaa^7nCUjORXL{<X-"
    "pI6BeY49ya~oNT08Kxc5)v22CoC}uBQd4^Av|Uvkuk!jnfwQIopu^Ka2+N%f|Vz4KLFVFd%%e@^iOBY9qnpI56p9YPWzdS2%eJYfsD{(;y>{@_"
    ">6m#uh9OEm|{LXWz-PM7ihy5n!bQkdbw3h$3dt2!{JN)AUbn>|}n!)6!)x?FMJRb~(z^5uY(|KEtp%ln(Pn4ssgn8Q>tptUXOg3&UQIb%n9WN<"
    "8?8t4J@SJh&?8rfh{Qy8i`o*}mKFNqhEvS&wc1_|a^~zOO5@yoUW4|FHGf03G~wMR!)6uNYi&E4;A1r)S<N&_~uqiw<N2J`7^)>NyP?>f>BaPU"
    "R&m@;Mphml5eSAL_o(i0SNU_;<r`?37=hYlU&uWu4O4z~*<u0<eA4x-ejY^HVqteE%m$j@&Pr@4(f+0C-"
    "GB({bL$Y!7a}cDLM{pL>A}Z_vg2vJds2K~S4z$H<KPtQ*wmQ_K)rP33zm;law8LpxC$8wBS)!6Sz&Y`cI4QCVv!Fsp+b67{443!YX+YnxVD&LJ"
    "5KIDu){uxw%^Zp21+qs)T7g4-"
    "`xc?(uH)k?0D4`Jf148Dr0YIV+z9lh`w8Le+fJaMO7y_655Y_{0nqHMG+0O8$2TI&a><sX5*mS3>*2OUq~s|oa>=f*4v<E-"
    "!H=i@%lCBWVUQ_p01#}0&9wzP&{o^@MR#j`g=&+L2V+%P;qTW$2~&0(}4BABb|d<Ofr;XL$-"
    "BS1H0?Z^RzVhskn$}s;I&Gk2ao@3wLg@?}rUZP)qT4MHFI{mMG52Jyj>|svlj*%VD5Se@dTU_#`yh7(yV0|6l0N-"
    "V6aScjvly6~vmuC276D`A;zt}p?fF3*rp0UVapXjXZL_6{{{TtXi0}6D93}e7K3qfoA>=MxA0UZqqY&`_<W!&H{bO|fyH#OvAj}dEVD!<|jCh}"
    "P86cq7kbc7Mu|Jd`T0QrdK;IlnZ9?=Olwv-"
    "=Q`4}RY%0H^0vXSFfuQ@DUq&4riHczo}Xvw4}P`+uh%U%;uP9nAT?BNhiw>aPvEOl1LEKY%4^odZ*i{9QsmE|DQWES`W*wGoV9gJRBQo5tJh_f"
    "r6hq^sZZT&lM50u_^=X-m2pV2bqDYuBS1yf$DaKztN^AO>pcvH2Pe{%5hGuM<{H%AofnpxgFW!t|0Nr<ES9>#bZ-yiZ3EujwHDeTVj%L2ro_r}"
    "@By9d2x8XIRXt1iEJ4%O+fki(dhym4RtiI<GG!zLOi-w@ptp_iWy^5YYXJuv@ySI@$*8}fX#2j9%Byamb+7|-"
    "8rW)~m~Cq=!0veI`95C4zNI$8cuo5?1<cLsAkiA_JEE$O;f7$gTuZ!4PctHGu(mmq%?z{rbpFTXEXJ^(Kj`E-"
    "i;$u!D2d4MyxHKFArL7xB|WS1_UT;`Bk+nZ9Eed=<Ne(3VI9hxun$QuAQV=aR<WRLM|rTJ2c?o&2-TAr{5AAxs(l1&@XvC<5nq)Xq-ACxkWVdP"
    "fk`F6;NpiPb6=L6Vvj^_U<$O)y&ZL0vA$NT}%$G|0w4IybBr;yte<m+i9kLQTHkD!A~Suo1QR7sr**~7R6{e5~!MrHq`sLCoA7*koBHWx8J!0F"
    "Dw<%wz1=2P+*tk;1X>1a@<ls7T*{7{BeXPl9%RDn>+HG2!Dw~%A`t?Oa<K6SWfzdTp)dem!9-Ufi}wE6"
)

_OPENERS, _CLOSERS = ("OP", "OE"), ("CL", "CP", "CE")
_PLAIN_END = 0x10000  # regular expressions look up letters below it in a table, others one range after the other
_PLAIN = ("ID", "NS", "CL", "CE", "OE", "EX")
_ALPHABETIC, _PICTURES, _KOREAN = ("AL", "HL"), ("ID", "EP", "EB", "EM"), ("JL", "JV", "JT", "H3")


@cache
def _classes() -> tuple[list[int], list[str]]:
    """Return the first character of each range of a line break class, and the class."""
    starts, classes = [0], ["AL"]
    step, shift, at = 0, 0, 0
    data = iter(zlib.decompress(base64.b85decode(_CHANGES)))
    for byte in data:
        step |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            at += step
            starts.append(at)
            classes.append(_NAMES[next(data)])
            step = shift = 0
    return starts, classes


@cache
def line_class(letter: str) -> str:
    """Return a letter's line break class."""
    starts, classes = _classes()
    return classes[bisect(starts, ord(letter)) - 1]


@cache
def _plain_parts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for two or more ideographs, kana and marks, and for one unbreakable part of these."""
    starts, classes = _classes()
    letters = dict.fromkeys(_PLAIN, "")
    for start, end, name in zip(starts, [*starts[1:], _PLAIN_END], classes, strict=True):
        for first, last in _EAST_ASIAN_RANGES if name in letters else ():
            at, to = max(start, first), min(end, last + 1, _PLAIN_END) - 1
            letters[name] += f"\\u{at:04x}-\\u{to:04x}" if at <= to else ""
    opening, closing = letters["OE"], "".join(letters[name] for name in _PLAIN if _is_kept("ID", name))
    plain = "".join(letters.values())
    part = re.compile(f"[{opening}]*+[{letters['ID']}{closing}][{closing}]*+|[{opening}]+")
    return re.compile(f"[{plain}]{{2,}}"), part


def east_asian_parts(text: str) -> list[str]:
    """Return the parts of a text without spaces, cut where a line may end beside East Asian letters."""
    plain, part = _plain_parts()
    if plain.fullmatch(text):
        return part.findall(text)
    places: list[int] = []
    at = 0  # behind the last letter of a plain run
    for run in plain.finditer(text):
        start, end = run.span()
        places += (place + max(at - 1, 0) for place in east_asian_breaks(text[max(at - 1, 0) : start + 1]))
        places += [match.start() for match in part.finditer(text, start, end)][1:]
        at = end
    places += (place + max(at - 1, 0) for place in east_asian_breaks(text[max(at - 1, 0) :]))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


def east_asian_breaks(text: str) -> list[int]:
    """Return the possible line ends beside East Asian letters, in a text without spaces."""
    places: list[int] = []
    before = ""  # the class of the letter before, past its marks
    is_number = False  # whether that letter ends a number
    flags = 0  # how many signs of a flag are behind
    for at, (left, right) in enumerate(pairwise(text), 1):
        is_apart = _plain_pair(left, right)
        if is_apart is not None:
            if is_apart:
                places.append(at)
            before = ""
            continue
        if not before:
            before = line_class(left)
            before = "AL" if before == "CM" else before
            is_number, flags = before == "NU", int(before == "RI")
        after = line_class(right)
        if after == "CM" and before != "ZW":
            continue
        after = "AL" if after == "CM" else after
        is_kept = left in (JOINER, SOFT_HYPHEN) or after == "ZW" or (before == after == "RI" and flags % 2)
        is_kept = is_kept or (is_number and after in ("PO", "PR")) or (before != "ZW" and _is_kept(before, after))
        if not is_kept and (EAST_ASIAN.match(left) or EAST_ASIAN.match(right)):
            places.append(at)
        is_number = after == "NU" or (is_number and after in ("SY", "IS", *_CLOSERS))
        flags = flags + 1 if after == "RI" else 0
        before = after
    return places


@cache
def _plain_pair(left: str, right: str) -> bool | None:
    """Return whether a line may end between two ideographs, kana or marks; None if that depends on more."""
    before, after = line_class(left), line_class(right)
    if before not in _PLAIN or after not in _PLAIN or not (EAST_ASIAN.match(left) and EAST_ASIAN.match(right)):
        return None
    return not _is_kept(before, after)


@cache
def _is_kept(before: str, after: str) -> bool:
    """Return whether a line must not end between letters of two classes, by the rules 11 to 30."""
    return (
        "WJ" in (before, after)
        or before == "GL"
        or (after == "GL" and before not in ("BA", "HY"))
        or after in (*_CLOSERS, "EX", "IS", "SY", "BA", "HY", "NS", "IN")
        or before in (*_OPENERS, "BB")
        or "QU" in (before, after)
        or before == after == "B2"
        or (before == "SY" and after == "HL")
        or (before in _ALPHABETIC and after in ("NU", "PR", "PO", *_ALPHABETIC))
        or (before == "NU" and after in ("NU", "PO", "PR", *_ALPHABETIC))
        or (before == "PR" and after in (*_PICTURES, *_KOREAN))
        or (before in (*_PICTURES, *_KOREAN) and after == "PO")
        or (before in ("PR", "PO") and after in ("NU", "OP", *_ALPHABETIC))
        or (before in ("HY", "IS", "SY") and after == "NU")
        or (before in _KOREAN and after in _KOREAN)
        or (before == "IS" and after in _ALPHABETIC)
        or (before in (*_ALPHABETIC, "NU") and after == "OP")
        or (before == "CP" and after in (*_ALPHABETIC, "NU"))
        or (before in ("EB", "EP") and after == "EM")
    )
