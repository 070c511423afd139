"""Everything that touches the world: environment, files, PostgreSQL, terminal.

Read `settings.py` (what can be configured), `errors.py` (what can go wrong out here),
`embedded_postgres.py` (a private server when none is configured), `migrations.py` with `sql/`
(the shape of the store), then the rest. Nothing in `domain` or `projections` imports from here.

One command on its way into the store: `ledger.py` checks it, `execution.py` reads what it needs
(`history.py`), lets `deciding.py` decide, and stores the outcome (`recorder.py`) with a receipt
(`commands.py`) in one transaction whose arithmetic is in `appending.py`. `codec.py` says what an
event is stored as. `importing.py` does the same for many finished hands at a time, `verifying.py`
decides all of it again, and `bootstrap.py` puts everything together.
"""
