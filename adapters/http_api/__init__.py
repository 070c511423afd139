"""The HTTP API: what game backends, auditors, investigators and players call.

Read it in this order. A file knows only those above it.

errors.py       what can be wrong with a request, whatever is asked
callers.py      who is calling, and what that lets them do
admission.py    keys of the store let in, and kept from being used too often
measuring.py    what is counted and timed
news.py         that something was appended, for all who follow the history
service.py      what one process holds open: the ledger, the read models, the threads that read
closing.py      how whoever streams learns that the service is about to stop
keeping.py      the read models kept up while it runs, by one process of all
paths.py        ids inside of paths
headers.py      Idempotency-Key, ETag, If-Match
answers.py      values and receipts as responses
problems.py     refusals and faults as problem details (RFC 9457)
limits.py       what holds for every request and its answer: size, time, security headers
watching.py     of every request: its id, a line in the log, its place in the metrics
telemetry.py    traces for OpenTelemetry, where that is configured
bodies.py       what is sent and what is answered, as types
shapes.py       what queries answer, as types
writing.py      who gives a command, under which key, expecting what
passing.py      the way of every request: limited, watched, answered, no stack trace
commands.py     everything that writes, one by one
imports.py      finished hands by the thousand, streamed both ways
moments.py      positions and times in queries
sights.py       who sees what of a hand
queries.py      how a hand stands, lists of hands, balances
hand_queries.py what a hand's events say: timeline, argument, verification, proof
ledger_queries.py  what is read of players, the house, the trail, checkpoints, rulebooks
feed.py         the events in their order, as pages and as they come
operations.py   is it alive, is it ready, how is it doing, what does a problem mean
examples.py     one story that calls everything: the examples of the OpenAPI document
openapi.py      that document
app.py          all of it put together
listening.py    the socket of a process, or one for each of several
serving.py      as processes
"""
