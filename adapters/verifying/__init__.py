"""Everything that is stored, decided again: what parts comes back as values.

Read downwards; a file imports only files above it.

- ``bookmark``       how far a verification has come, in a file
- ``portions``       what is checked in one go, and what that comes to
- ``disputes``       streams of disputes
- ``streams``        those of hands and wallets
- ``workers``        portions shared among the workers of a Dask cluster
- ``runs``           some hands of a store, or everything, from the beginning to the end
- ``parquet_events`` the history as Parquet, a row an event
- ``export_streams`` the streams of such an export
- ``export``         everything again, of an export, with no database
"""
