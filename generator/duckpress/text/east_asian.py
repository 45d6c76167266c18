"""Where lines of Chinese and Japanese may end: Unicode's rules for them, in the strict way of good setting.

A line may end between most ideographs and kana. It never begins with closing punctuation, a small kana or a mark of
length, and never ends with an opening bracket. Source: Unicode 15, annex 14, rules 8a to 31; small kana count as NS.
What stands between letters of other scripts is for `letters.BREAKS` to say.
"""

from __future__ import annotations

import base64
import re
import zlib
from bisect import bisect
from functools import cache
from itertools import pairwise

_EAST_ASIAN_RANGES = (
    (0x2E80, 0x30FF), (0x3105, 0x312F), (0x3190, 0x31FF), (0x3200, 0x9FFF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F),
    (0xFF01, 0xFF9F), (0xFFE0, 0xFFE6), (0x20000, 0x3FFFD),
)  # fmt: skip
EAST_ASIAN = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _EAST_ASIAN_RANGES)}]")
"""A letter or a sign of Chinese or Japanese; Korean has spaces between words, and lines end at those."""

_ZERO_WIDTH_JOINER, _SOFT_HYPHEN = "\u200d", "\u00ad"

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

_OPENING, _CLOSING = ("OP", "OE"), ("CL", "CP", "CE")
_PLAIN_END = 0x10000  # regular expressions look up letters below it in a table, others one range after the other
_PLAIN = ("ID", "NS", "CL", "CE", "OE", "EX")
_LETTERS, _PICTURES, _KOREAN = ("AL", "HL"), ("ID", "EP", "EB", "EM"), ("JL", "JV", "JT", "H3")


@cache
def _classes() -> tuple[list[int], list[str]]:
    """Return where the class changes, and to which."""
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
    """Return a letter's class."""
    starts, classes = _classes()
    return classes[bisect(starts, ord(letter)) - 1]


@cache
def _plain_parts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches ideographs, kana and their marks, two at least, and one part of such that stays together."""
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
    """Return the parts of a text without spaces between which a line may end beside East Asian letters."""
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
    """Return the places beside East Asian letters at which a line may end, in a text without spaces."""
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
        is_kept = left in (_ZERO_WIDTH_JOINER, _SOFT_HYPHEN) or after == "ZW" or (before == after == "RI" and flags % 2)
        is_kept = is_kept or (is_number and after in ("PO", "PR")) or (before != "ZW" and _is_kept(before, after))
        if not is_kept and (EAST_ASIAN.match(left) or EAST_ASIAN.match(right)):
            places.append(at)
        is_number = after == "NU" or (is_number and after in ("SY", "IS", *_CLOSING))
        flags = flags + 1 if after == "RI" else 0
        before = after
    return places


@cache
def _plain_pair(left: str, right: str) -> bool | None:
    """Return whether a line may end between two ideographs, kana or their marks; None where more has to be known."""
    before, after = line_class(left), line_class(right)
    if before not in _PLAIN or after not in _PLAIN or not (EAST_ASIAN.match(left) and EAST_ASIAN.match(right)):
        return None
    return not _is_kept(before, after)


@cache
def _is_kept(before: str, after: str) -> bool:
    """Return whether no line may end between letters of two classes, by the rules 11 to 30."""
    return (
        "WJ" in (before, after)
        or before == "GL"
        or (after == "GL" and before not in ("BA", "HY"))
        or after in (*_CLOSING, "EX", "IS", "SY", "BA", "HY", "NS", "IN")
        or before in (*_OPENING, "BB")
        or "QU" in (before, after)
        or before == after == "B2"
        or (before == "SY" and after == "HL")
        or (before in _LETTERS and after in ("NU", "PR", "PO", *_LETTERS))
        or (before == "NU" and after in ("NU", "PO", "PR", *_LETTERS))
        or (before == "PR" and after in (*_PICTURES, *_KOREAN))
        or (before in (*_PICTURES, *_KOREAN) and after == "PO")
        or (before in ("PR", "PO") and after in ("NU", "OP", *_LETTERS))
        or (before in ("HY", "IS", "SY") and after == "NU")
        or (before in _KOREAN and after in _KOREAN)
        or (before == "IS" and after in _LETTERS)
        or (before in (*_LETTERS, "NU") and after == "OP")
        or (before == "CP" and after in (*_LETTERS, "NU"))
        or (before in ("EB", "EP") and after == "EM")
    )
