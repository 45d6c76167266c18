"""Words -> lines that fit their box: a `Typesetter` sets light markup in a `TextStyle`, shrinking it only so far."""

from duckpress.text.letters import EMOJI, emoji_name
from duckpress.text.markup import named_emoji, spaced
from duckpress.text.styles import Fitted, IconGlyph, SetLine, SetText, TextStyle
from duckpress.text.typesetter import Typesetter
