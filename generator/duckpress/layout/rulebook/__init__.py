"""`rules.md` + `Game` -> the pages of a rules sheet: columns of words, pictures of the cards, numbers from the data.

`filling` works out the expressions, `markdown` reads what comes out, and `blocks` writes what the data can write.
`block_setting` and `word_setting` make slugs of that, strips of a column, with which `columns` and `pages` are filled.
What comes out is a frame for each page and paper, like the face of a card.
"""

from duckpress.layout.rulebook.sheet import RulesPrint, lay_out_rules
