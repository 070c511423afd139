"""Hands as files of other programs, and as records that are imported again.

FORMATS.md says what is in each format, for whom, and what it cannot say. Read downwards:
``told.py`` (a hand as it is told of), ``viewers.py`` (with whose eyes), ``source.py`` (which hands,
and their events, in one moment of the store); then the formats: ``record.py``;
``tables.py`` with ``csv_tables.py`` and ``parquet.py``; ``accounts.py`` and ``journal.py`` with
``hledger.py`` and ``beancount.py``; ``phh.py``; ``ohh.py``. ``formats.py`` has them by name,
``destination.py`` lets a directory take its place all at once. What can go wrong is in
``errors.py``, above all of these.
"""
