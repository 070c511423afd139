"""The read models in PostgreSQL, one file each, beside what they share and what keeps them up.

Read downwards; a file imports only files above it.

- ``feed``         events read in batches, and those that cannot be read
- ``parking``      events that could not be taken in, kept aside
- ``generation``   one generation of a read model: what every one of them can do
- ``balances``     rows, queries and fresh fold of ``projections.balances``
- ``bonuses``      … of ``projections.bonuses``
- ``house``        … of ``projections.house``
- ``hands``        … of ``projections.hands``
- ``disputes``     … of ``projections.disputes``
- ``audit_trail``  … of ``projections.audit_trail``
- ``catalogue``    all of them by name
- ``tracking``     how far each has come; the step that takes it further
- ``hand_list``    hands found by who played, where, when, and how it ended
- ``hand_counts``  hands counted and their pots added up
- ``players``      a player at a glance: the balance over time, and against whom
- ``as_of``        what the read models told at an earlier moment
- ``projector``    keeps them up: each event counted once
- ``side_by_side`` whole read models, each by one of several processes
- ``waiting``      until they have come as far as one's own write
- ``views``        the queries, for whoever reads
"""
