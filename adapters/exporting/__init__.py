"""Hands as files of other programs, and as records that are imported again.

FORMATS.md says what is in each format, for whom, and what it cannot say. Read downwards; a file
imports only files above it.

- ``errors``      what can go wrong
- ``told``        a hand as it is told of
- ``viewers``     with whose eyes
- ``source``      which hands, and their events, in one moment of the store
- ``record``      ``hand-record/1``
- ``tables``      hands, seats, actions and transfers as rows
- ``csv_tables``  these as CSV
- ``parquet``     and as Parquet
- ``accounts``    every account as bookkeeping names it
- ``journal``     hands and wallets as postings
- ``hledger``     these for hledger
- ``beancount``   and for Beancount
- ``phh``         poker hand histories
- ``ohh``         open hand histories
- ``formats``     all of them by name
- ``destination`` a directory that takes its place all at once
"""
