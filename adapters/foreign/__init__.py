"""Hands as others keep them, read into hand records, with the number of every line.

``errors.py`` (what can be wrong with them), ``given.py`` (a record and the lines that it comes
from, and what became of it), ``records.py`` (``hand-record/1`` itself), ``phh.py`` (poker hand
histories that jinhua wrote), ``mapping.py`` and ``action_table.py`` (a CSV of actions).
exporting/FORMATS.md describes each.
"""
