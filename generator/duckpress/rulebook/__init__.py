"""`rules.md` + `Game` -> the pages of a rules sheet: words in columns, pictures of the cards, numbers from the data.

`markdown` works out the expressions, reads the Markdown and writes what the data can write. `setting` makes slugs of
that, strips of a column, and fills columns and pages with them. What comes out is a frame for each page and paper, like
the face of a card.
"""

from duckpress.rulebook.sheet import RulesPrint, lay_out_rules

__all__ = ["RulesPrint", "lay_out_rules"]
