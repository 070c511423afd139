"""The facts of play and money. Knows no database, clock, random number or log.

Read downwards; a file imports only files above it.

- ``money``         minor units; transfers from account to account; truncation
- ``cards``         the 52 cards, as text
- ``framing``       bytes told apart before they are hashed or sealed
- ``making``        events of fields that the rules came to, made without being validated
- ``errors``        the refusals, one class a rule
- ``deck``          52 cards in their order: the commitment to them, and who gets which
- ``limits``        how much is taken at once
- ``rulebook``      what every rulebook has: id, version, digest, table parameters
- ``grounds``       what each field of a rulebook rests on: sentences, interpretations
- ``events``        everything that can happen, past tense, with its stored topic
- ``sight``         who may see which cards
- ``stream``        one aggregate's events in order; the entry around each event
- ``claims``        a foreign system's figures against the derived ones
- ``discrepancies`` a stored event, and where it is not what the rules give
- ``zhajinhua``     the rules of 炸金花; the other games will stand beside it
- ``wallet``        the aggregate of one player's chips
- ``dispute``       the aggregate of one dispute: opened, noted, ruled
- ``hand``          the aggregate of one hand: commands that check, then record
- ``custody``       chips between wallets and a hand: reserve, release, hold against each other
- ``record``        ``hand-record/1``: a whole hand as one JSON object, read strictly
- ``playing``       a record played: to its settlement, or to where the rules refuse it
- ``facts``         what happened in a hand, whatever the rules
- ``wallet_verification``  a wallet's events, each command given again
- ``dispute_verification``  … and a dispute's
- ``verification``  replay, decide afresh, compare; every discrepancy
- ``trial``         the facts played under some terms: a settlement, or where it stops
- ``whatif``        a hand settled under other rules, beside what was paid
- ``parting``       two tellings of one hand: where they part, and what that is worth
"""
