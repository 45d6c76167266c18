"""duckpress: games kept as plain text, checked against their own rules and printed as print-and-play PDFs.

The program is one way from words to paper; every room takes the finished value of the room before it:

    text files -> Game -> checked Game -> Frames -> Sheets -> PDF -> proof
         content    rules        layout     impose   render   proof

======================  ==========================================================================
`stopping`              what a signal that ends the program lets go of first
`units`                 millimetres and points: the only conversions in the program
`geometry`, `problems`  `Size`, `Rect`, `Matrix`; `Source`, `Problem` and how they read
`sizes`                 the named card sizes and papers
`language`              fixed words, plural forms and numbers of a language
`model`, `frame`        frozen records: a `Game` and its parts; a finished face as plain data
`workspace`             the one door through which files are found and opened
`content`               YAML and CSV -> `Game`, with problems of form
`rules`                 `Game` -> what a setup takes at each player count, with problems of meaning
`fonts`, `text`         font files -> measured words; words -> lines that fit their box
`layout`                `Game` + templates + theme -> frames, with problems of fit
`impose`                frames -> sheets: pure arithmetic
`render`                sheets -> PDF bytes
`proof`                 PDF bytes held against the data they were made from
`export`                finished files -> `output/`, whole or not at all
`build`                 runs the steps in order and gathers their problems
`cli`                   arguments, printing, exit status
======================  ==========================================================================
"""

__version__ = "0.1.0"
