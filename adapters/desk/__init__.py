"""The pages: what auditors, investigators and players look at in a browser.

They tell what the HTTP API tells, by the same functions, to the same callers. A page is written on
the server; scripts only make some of it livelier. Read downwards; a file imports only files above
it.

- ``words_en``       every text of a page, by its key
- ``words_zh``       the same in Chinese
- ``words_hand``     those of a hand's page, in both languages
- ``words_disputes`` those of disputes
- ``wording``        the texts in one language, and how amounts and times are written
- ``choices``        the reader's language and theme
- ``session``        the cookie that holds the reader's key, and requests that come from elsewhere
- ``front``          what every request passes: choices, cookie, security headers
- ``rendering``      templates, and what every one of them knows
- ``moments``        as of when
- ``paging``         lists in the order of positions, page by page
- ``calling``        what players are called
- ``saving``         searches under a name, and verifications that ended
- ``running``        a verification under way
- ``failing``        refusals and faults as pages
- ``sign_in``        in with a key, and out
- ``overview``       how much was played, and whether all is well
- ``hands``          hands found
- ``players``        a player's balance, statement, 喜钱 and opponents
- ``trail``          every event as a line
- ``verification``   everything decided again, while one looks on
- ``checkpoints``    notes, consistency, proofs
- ``dossiers``       all there is about a hand, to be kept
- ``rulebooks``      the rules, field by field
- ``replay``         a hand as frames: how the table stood after each event
- ``pictures``       a frame as texts, for the server and for static/replayer.js
- ``table_drawing``  where things are on a drawn table
- ``rounds``         seats as rows, rounds as columns
- ``verdict``        whether a hand is what the rules give
- ``claimed``        what is claimed of it, beside what the rules give
- ``refused``        what was refused in it
- ``trying``         what it would come to under other rules
- ``disputes``       what is held against hands, with what it rests on and how it stands
- ``hand``           a hand's page
- ``app``            all of it put together, beside the API

How a page is made: a module here with a ``router``, whose routes take the same ``Reader``,
``Auditor``, ``Seen`` and ``Here`` as the API's and return ``page(request, "name.html", …)``; a
template that extends ``base.html``; its texts in both languages; its router in ``app.py``.
"""
