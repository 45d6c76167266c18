"""duckpress: games kept as plain text, checked against their own rules and printed as print-and-play PDFs.

The program is one way from words to paper; every package takes the finished value of the package before it:

    text files -> Game -> checked Game -> Frames -> Sheets -> PDF -> proof
         content    check        layout     impose   render   proof

======================  ==========================================================================
`core`                  lengths, geometry, frames, `Problem` and `Source`, limits, named sizes
`language`              fixed words, plural forms and numbers of a language
`pool`                  work done by several processes, watched and limited
`expressions`           expressions and templates read and bounded: what all their sandboxes share
`model`                 frozen records: a `Game` and its parts
`files`                 the doors through which files and zips are found and opened
`content`               YAML and tables -> `Game`, with problems of form
`check`                 `Game` -> what a setup takes at each player count, with problems of meaning
`releases`              versions of a game, frozen in locks, and what differs between two
`fonts`, `text`         font files -> measured words; words -> lines that fit their box
`art`                   SVG files, pictures and QR codes -> drawings and pictures
`layout`                `Game` + templates + theme -> frames, with problems of fit and legibility
`rulebook`              `rules.md` -> pages, as frames
`impose`                frames -> sheets: pure arithmetic
`cover`, `vendors`      the cover sheet of a file; the files of an order at a vendor
`render`                sheets -> PDF bytes
`proof`                 PDF bytes held against the data they were made from
`store`                 finished files -> `output/`, whole or not at all; the cache
`press`                 one build: the stages above in their order
`views`, `share`        a game shown otherwise than on sheets; bundles and updates for others
`cli`                   arguments, printing, exit status
======================  ==========================================================================
"""

__version__ = "0.1.0"
