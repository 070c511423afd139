"""The pages: what auditors, investigators and players look at in a browser.

They tell what the HTTP API tells, by the same functions, to the same callers. A page is written on
the server; scripts only make some of it livelier. Read the files in this order; each knows only
those above it.

words_en.py words_zh.py  every text of a page, by its key
words_hand.py words_disputes.py  those of a hand's page and of disputes, in both languages
wording.py      the texts in one language, and how amounts and times are written
choices.py      the reader's language and theme
session.py      the cookie that holds the reader's key, and requests that come from elsewhere
front.py        what every request passes: choices, cookie, security headers
rendering.py    templates, and what every one of them knows
moments.py      as of when
paging.py       lists in the order of positions, page by page
calling.py      what players are called
saving.py       searches under a name, and verifications that ended
running.py      a verification under way
failing.py      refusals and faults as pages
sign_in.py      in with a key, and out
overview.py     how much was played, and whether all is well
hands.py        hands found
players.py      a player's balance, statement, 喜钱 and opponents
trail.py        every event as a line
verification.py everything decided again, while one looks on
checkpoints.py  notes, consistency, proofs
dossiers.py     all there is about a hand, to be kept
rulebooks.py    the rules, field by field
replay.py       a hand as frames: how the table stood after each event
pictures.py     a frame as texts, for the server and for static/replayer.js
table_drawing.py  where things are on a drawn table
rounds.py       seats as rows, rounds as columns
verdict.py      whether a hand is what the rules give
claimed.py      what is claimed of it, beside what the rules give
refused.py      what was refused in it
trying.py       what it would come to under other rules
disputes.py     what is held against hands, with what it rests on and how it stands
hand.py         a hand's page
app.py          all of it put together, beside the API

How a page is made: a module here with a ``router``, whose routes take the same ``Reader``,
``Auditor``, ``Seen`` and ``Here`` as the API's and return ``page(request, "name.html", …)``; a
template that extends ``base.html``; its texts in both languages; its router in ``app.py``.
"""
