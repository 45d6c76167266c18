"""The one expression language: parser, sandbox and budget of families, setups, layouts and rules sheets.

    text --parsing--> tree --rewriting--> counted tree --Jinja--> code --calculator, sandbox--> value, or a mistake

`names` is the table of all names with where each may be used; `profiles` says what else tells the four uses apart.
`calculator` computes expressions that stand by themselves, `sandbox` fills templates; both spend a `budget` by what
`weighing` says of values. `counted_names` has the filters, tests and functions, `written_values` how values read, and
`mistakes` the words for what is wrong. `holes` finds `{{ }}` in a text. Importing these imports Jinja.
"""
