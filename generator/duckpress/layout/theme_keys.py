"""What `theme.yaml` may hold: colours by role and ink, text styles, and where imprints and codes stand on cards."""

from __future__ import annotations

from duckpress.content import Mapping, Node, Shape, read_shape
from duckpress.content.yaml.declared_shapes import Key, Kind, NamesOf, as_mapping, omittable, optional, required
from duckpress.content.yaml.kinds import PLACED, TEXT, YES_NO, Placed, by_name, choice, converted, number, shape
from duckpress.core.problems import ProblemList, Read
from duckpress.text.fonts import FIGURES, WEIGHTS

ALIGNS = ("left", "center", "right", "justify", "at-left", "at-right")
PLACES = (
    "top-left", "top", "top-right", "left", "middle", "right", "bottom-left", "bottom", "bottom-right",
)  # fmt: skip
SIDES = ("front", "back")
REQUIRED = "required"
VECTOR = ("preferred", REQUIRED)
TURNS = ("0", "90", "180", "270")


_SHIFT = number(-500, 500)


class InkKeys(Shape):
    """The colours of a role in each ink."""

    color = required(TEXT, "a colour")
    low = omittable(TEXT, "with little ink; the colour without it")
    grey = omittable(TEXT, "in grey; the grey that looks as light without it")


def _colours(node: Node, label: str) -> Read[dict[str, dict[str, Placed]] | None]:
    """Return the colours of each role by ink, from a text for all inks or one for each."""
    problems = ProblemList()
    colours = {}
    mapping = problems.take(as_mapping(node, label))
    for role, (value, _) in mapping.entries.items() if mapping is not None else ():
        if isinstance(value, Mapping):
            written = problems.take(read_shape(value, InkKeys, f"{role!r} of {label}"))
            inks = written.written if written is not None else {}
            colours[role] = {ink: Placed(text or "", value.entries[ink].value.source) for ink, text in inks.items()}
        else:
            text = problems.take(required(TEXT, "", name=role).read(value, label))
            colours[role] = {"color": Placed(text, value.source)}
    return Read(colours, problems)


_COLOURS: Kind[dict[str, dict[str, Placed]]] = Kind(_colours, takes=(NamesOf((TEXT, InkKeys)),))


class StyleKeys(Shape):
    """A text style."""

    like = omittable(PLACED, "the style whose keys hold where this one is silent")
    font = omittable(TEXT, "role of a family; the first of the families without it")
    size = omittable(number(2, 400), "type size in points")
    min = omittable(number(2, 400), "smallest size it may shrink to; the size itself without it")
    leading = omittable(number(0.7, 4), "from line to line, in type sizes")
    align = omittable(choice(ALIGNS), "which side lines begin at")
    colour = omittable(TEXT, "a role or #rrggbb")
    weight = omittable(choice(tuple(WEIGHTS)), "weight of the font; the family's nearest is taken")
    italic = omittable(YES_NO, "whether it is italic")
    hyphenate = omittable(YES_NO, "whether words are hyphenated")
    caps = omittable(YES_NO, "whether everything is set in capitals")
    small_caps = omittable(YES_NO, "whether small letters are set as small capitals", name="small-caps")
    figures = omittable(choice(tuple(FIGURES)), "which of its figures the font is asked for")
    tracking = omittable(number(-200, 1000), "space between letters in thousandths of the type size")


class DeckMarkKeys(Shape):
    """What imprints and codes have in common: where they stand on the cards of one deck."""

    show = omittable(YES_NO, "whether it is put onto the cards")
    place = omittable(choice(PLACES), "the corner or edge of the card it stands at")
    side = omittable(choice(SIDES), "front or back")
    inset = omittable(number(0, 100), "how far it stays from the cut, in mm; as far as the safe zone without it")
    x = omittable(_SHIFT, "moves it on to the right, in mm")
    y = omittable(_SHIFT, "moves it on downwards, in mm")


class DeckImprintKeys(DeckMarkKeys):
    """The imprint on the cards of one deck."""

    style = omittable(TEXT, "its text style")
    colour = omittable(TEXT, "a role or #rrggbb; that of the style without it")
    turn = omittable(converted(choice(TURNS), int), "degrees clockwise")
    text = omittable(TEXT, "its words, with names in braces that stand for the card's")


class ImprintKeys(DeckImprintKeys):
    """Where the version and code of a card stand on its face."""

    decks = optional(by_name(shape(DeckImprintKeys)), (), "deck -> the same keys, for that deck only")


class DeckCodeKeys(DeckMarkKeys):
    """The keys of the report code that is printed on one deck's cards."""

    size = omittable(number(4, 100), "its side in mm, with the rim")
    quiet = omittable(converted(number(0, 20), int), "modules of its light rim")
    fill = omittable(TEXT, "a role or #rrggbb: the colour of its modules")
    ground = omittable(TEXT, "a role, #rrggbb or none: what is below it")


class CodeKeys(DeckCodeKeys):
    """Where a code for reports stands."""

    decks = optional(by_name(shape(DeckCodeKeys)), (), "deck -> the same keys, for that deck only")


class ThemeKeys(Shape):
    """`theme.yaml`."""

    extends = optional(TEXT, None, "a theme to start from")
    families = optional(by_name(PLACED), (), "role of a font -> name of a family in fonts/")
    colours: Key[dict[str, dict[str, Placed]]] = optional(_COLOURS, {}, "role -> colour")
    text = optional(by_name(shape(StyleKeys)), (), "name of a text style -> its keys")
    icons = optional(by_name(PLACED), (), "alias of an icon -> SVG file")
    vector = omittable(choice(VECTOR), "whether drawings that cannot be outlines are pictures, or mistakes")
    imprint = optional(shape(ImprintKeys), None, "where version and code stand on each card")
    qr = optional(shape(CodeKeys), None, "on which cards a code for reports stands")
