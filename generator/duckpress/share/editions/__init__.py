"""A game and the table of people -> folders with the files of each copy.

What copies share is laid out, drawn and proven once; the rest copy by copy. `edition_run` is the whole way.
"""
