"""The one expression language: parser, sandbox and budget of families, setups, layouts and rules sheets.

    text --parsing--> tree --counted_names--> counted tree --Jinja--> code --sandbox--> value, or a mistake

`profiles` has the table of all names with where each may be used, and what else tells the four uses apart.
`sandbox` fills templates, and computes expressions that stand by themselves; both spend a `budget`.
`counted_names` has the filters, tests and functions, `parsing` the words for what is wrong. Importing these imports
Jinja.
"""
