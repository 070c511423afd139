"""Everything that is stored, decided again: what parts comes back as values.

Read `bookmark.py` (how far a verification has come, in a file), `portions.py` (what is checked in
one go, and what that comes to), `jobs.py` and `workers.py` (portions shared among processes, and
among the workers of a Dask cluster), `disputes.py` and `streams.py` (each kind of stream),
`runs.py` (some hands of a store, or everything, from the beginning to the end),
`parquet_events.py` (the history as Parquet, a row an event), `export_streams.py` and `export.py`
(everything again, of such an export, with no database).
"""
