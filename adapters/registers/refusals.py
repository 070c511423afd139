"""Refused commands: kept beside the history, for "I folded in time" is decided by them.

A row says who wanted what and why it was refused, and holds no card: those of a deal that was
refused may well be dealt a moment later.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from adapters.appending.fingerprints import SECRET_FIELDS, Fingerprint
from adapters.store.postgres import Conn, Runner
from domain.errors import BadDealError, BadRecordError, DuplicateCardError, RefusalError
from domain.hand import hand_stream
from domain.stream import Cause

_ASKED_MAX: Final = 10_000
"""Characters of a command's body that are kept; beyond them the digest has to do."""

_MESSAGE_MAX: Final = 1_000

# Its answer may have been lost, and then it is given twice.
_KEEP: Final = """
    INSERT INTO refusals (refusal_id, command_id, kind, stream, actor, digest, asked, code,
                          message, rule, numbers, happened_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING
"""

_SELECT: Final = """
    SELECT number, command_id, kind, stream, actor, digest, asked, code, message, rule, numbers,
           happened_at, recorded_at
      FROM refusals
     WHERE (%(stream)s::text IS NULL OR stream = %(stream)s)
           AND (%(command_id)s::text IS NULL OR command_id = %(command_id)s)
     ORDER BY number
"""


class StoredRefusal(NamedTuple):
    """A command that was refused."""

    number: int  # later ones have higher numbers; some are missing
    command_id: str
    kind: str
    stream: str
    actor: str
    digest: bytes  # of the command's body, as in a receipt
    asked: dict[str, Any] | None  # the body, without cards; None where it was very long
    code: str
    message: str
    rule: str
    numbers: dict[str, Any]
    happened_at: datetime  # by the clock of whoever decided it
    recorded_at: datetime  # by the server's


def keep(
    runner: Runner,
    refusal: RefusalError,
    *,
    cause: Cause,
    fingerprint: Fingerprint,
    stream: str,
    asked: Mapping[str, object],
) -> None:
    """Keep a refusal, once.

    Raises:
        StoreUnreachableError: Whether it is kept is not known. The command was not carried out;
            given again it is decided again.
    """
    body = _json(asked)
    row = (
        uuid4(),
        cause.command_id,
        fingerprint.kind,
        stream,
        cause.actor,
        fingerprint.digest,
        body if len(body) <= _ASKED_MAX else None,
        refusal.code,
        _message(refusal),
        refusal.rule,
        _json(refusal.numbers),
        cause.at,
    )
    runner.run(lambda conn: conn.execute(_KEEP, row, prepare=True))


def refusals(
    runner: Runner, *, hand: str | None = None, command_id: str | None = None
) -> list[StoredRefusal]:
    """Read the refusals, of one hand or one command where they are named, in order."""
    given = {"stream": None if hand is None else hand_stream(hand), "command_id": command_id}

    def select(conn: Conn) -> list[StoredRefusal]:
        found = map(StoredRefusal._make, conn.execute(_SELECT, given))
        return [
            row._replace(
                asked=None if row.asked is None else json.loads(str(row.asked)),
                numbers=json.loads(str(row.numbers)),
            )
            for row in found
        ]

    return runner.run(select)


def _message(refusal: RefusalError) -> str:
    """Return the words of a refusal, as PostgreSQL can store them; none of them is a card."""
    of_cards = isinstance(refusal, BadDealError | DuplicateCardError) or (
        isinstance(refusal, BadRecordError) and str(refusal.numbers["field"]).startswith("deal")
    )
    words = "the deal was refused" if of_cards else refusal.message
    return words.encode(errors="backslashreplace").decode().replace("\0", "\\x00")[:_MESSAGE_MAX]


def _json(fields: Mapping[str, object]) -> str:
    """Return fields as JSON in ASCII, without cards; what is no JSON becomes its text."""
    return json.dumps(_plain(fields), default=repr)


def _plain(value: object) -> object:
    """Return a value without cards, and text in place of floats, some of which are no JSON."""
    match value:
        case float():
            return repr(value)
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case Mapping():
            kept = {name: inner for name, inner in value.items() if name not in SECRET_FIELDS}
            return {str(name): _plain(inner) for name, inner in kept.items()}
        case _:
            return value
