"""The HTTP API: what game backends, auditors, investigators and players call.

Read downwards; a file imports only files above it.

- ``errors``         what can be wrong with a request, whatever is asked
- ``headers``        header fields of a request; Idempotency-Key, ETag, If-Match
- ``callers``        who is calling, and what that lets them do
- ``admission``      keys of the store let in, and kept from being used too often
- ``measuring``      what is counted and timed
- ``news``           that something was appended, for all who follow the history
- ``closing``        how whoever streams learns that the service is about to stop
- ``keeping``        the read models kept up while it runs, by one process of all
- ``service``        what one process holds open: the ledger, the read models, the threads that read
- ``paths``          ids inside of paths
- ``answers``        values and receipts as responses
- ``problems``       refusals and faults as problem details (RFC 9457)
- ``limits``         what holds for every request and its answer: size, time, security headers
- ``watching``       of every request: its id, a line in the log, its place in the metrics
- ``telemetry``      traces for OpenTelemetry, where that is configured
- ``bodies``         what is sent and what is answered, as types
- ``shapes``         what queries answer, as types
- ``writing``        who gives a command, under which key, expecting what
- ``passing``        the way of every request: limited, watched, answered, no stack trace
- ``commands``       everything that writes, one by one
- ``imports``        finished hands by the thousand, streamed both ways
- ``moments``        positions and times in queries
- ``sights``         who sees what of a hand
- ``queries``        how a hand stands, lists of hands, balances
- ``hand_queries``   what a hand's events say: timeline, argument, verification, proof
- ``ledger_queries`` what is read of players, the house, the trail, checkpoints, rulebooks
- ``feed``           the events in their order, as pages and as they come
- ``operations``     is it alive, is it ready, how is it doing, what does a problem mean
- ``examples``       one story that calls everything: the examples of the OpenAPI document
- ``openapi``        that document
- ``app``            all of it put together
- ``listening``      the socket of a process, or one for each of several
- ``serving``        as processes
"""
