"""Everything that touches the world: environment, files, PostgreSQL, terminal.

Read `settings.py` (what can be configured), `errors.py` (what can go wrong out here),
`embedded_postgres.py` (a private server when none is configured), `migrations.py` with `sql/`
(the shape of the store), then the rest. Nothing in `domain` or `projections` imports from here.

One command on its way into the store: `ledger.py` is the way in (`async_ledger.py` for asyncio),
`asking.py` says what there is to ask for, `execution.py` reads what a command needs (`history.py`),
lets `deciding.py` decide, and stores the outcome with a receipt (`commands.py`), or keeps the
refusal (`refusals.py`). `group_commit.py` lets callers share a transaction, which `recorder.py`
makes and whose arithmetic is in `appending.py`; `waiting.py` waits until projections have come so
far. `codec.py` says what an event is stored as, and `sealing.py` hides the cards in it.
`importing.py` does the same for many finished hands at a time, `verifying.py` decides all of it
again, and `bootstrap.py` puts everything together.

What players are called: `names.py` seals names and reads them, `naming.py` decides who gets one and
who is erased, `player_keys.py` keeps and destroys the keys.

Whoever is outside: `http_api/` answers over HTTP, `api_keys.py` keeps who may call it, and
`following.py` gives the history page by page to whoever follows it.
"""
