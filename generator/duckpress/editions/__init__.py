"""A game and a row of the table of people -> the game of one copy: its cards drawn, its fields filled in.

`read_people` and `numbered_copies` say which copies there are, `Edition`... what each of them is.
"""
