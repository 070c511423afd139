"""Hands as others keep them, read into hand records, with the number of every line.

exporting/FORMATS.md describes each. Read downwards; a file imports only files above it.

- ``errors``       what can be wrong with them
- ``given``        a record and the lines that it comes from, and what became of it
- ``records``      ``hand-record/1`` itself
- ``phh``          poker hand histories that jinhua wrote
- ``mapping``      which column of a CSV is what
- ``action_table`` a CSV of actions
"""
