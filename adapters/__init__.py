"""Everything that touches the world: environment, files, PostgreSQL, terminal.

Read `settings.py` (what can be configured), `errors.py` (what can go wrong out here),
`embedded_postgres.py` (a private server when none is configured), `migrations.py` with `sql/`
(the shape of the store), then the rest. Nothing in `domain` or `projections` imports from here.
"""
