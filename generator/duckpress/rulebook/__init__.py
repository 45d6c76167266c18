"""`rules.md` + `Game` -> the pages of a rules sheet: words in columns, pictures of the cards, numbers from the data.

`filling` works out the expressions, `reading` reads the Markdown, `generated` writes what the data can write.
`setting`, `tables` and `figures` make slugs of all that, strips of a column; `columns` and `pages` fill columns and
pages with them. What comes out is a frame for each page and paper, like the face of a card.
"""

from duckpress.rulebook.maker import RulesPrint
from duckpress.rulebook.sheet import lay_out_rules

__all__ = ["RulesPrint", "lay_out_rules"]
