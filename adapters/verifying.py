"""Verification over the store: whole streams in bulk, in one snapshot, in flat memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, groupby, islice, pairwise, repeat
from typing import Final, NamedTuple, TypeVar

from psycopg.rows import TupleRow
from pydantic_core import to_json

from adapters.chain import Chain, Linked
from adapters.codec import read_event
from adapters.errors import UnreadableEventError
from adapters.garbage import few_collections
from adapters.names import KEPT_NAMES, verify_names
from adapters.postgres import Conn, Held, Store, snapshot
from adapters.sealing import CardKeys
from adapters.verifying_jobs import in_order
from domain.discrepancies import Discrepancy, Recorded
from domain.errors import UnknownHandError
from domain.events import CarryReleased, CarryReserved
from domain.hand import hand_stream
from domain.verification import verify_hand_and_custody
from domain.wallet import wallet_id
from domain.wallet_verification import verify_wallet

T = TypeVar("T")

Progress = Callable[[int, int], None]
Check = Callable[[Conn], Iterator[Discrepancy]]

BULK_HANDS: Final = 500  # a fetch
BULK_WALLET_ROWS: Final = 5_000  # a fetch

PORTION_WALLETS: Final = 50
"""Wallets that are checked in one go. A wallet goes on for ever where a hand ends, so these are
fewer than hands: else one process would still be at them when the others have nothing left."""

PORTIONS_WORTH_A_PROCESS: Final = 8
"""With fewer of them, processes of their own take longer to start than they save."""

# In the order of bytes the streams of hands, and no others, are between "hand:" and "hand;".
_HAND_IDS: Final = """
    SELECT substr(originator_id, 6) FROM events
     WHERE originator_id >= 'hand:' AND originator_id < 'hand;' AND originator_version = 1
     ORDER BY originator_id
"""

_HANDS: Final = """
    SELECT originator_id,
           array_agg(position ORDER BY originator_version),
           array_agg(originator_version ORDER BY originator_version),
           array_agg(topic ORDER BY originator_version),
           array_agg(body ORDER BY originator_version),
           array_agg(command_id ORDER BY originator_version),
           array_agg(actor ORDER BY originator_version),
           array_agg(happened_at ORDER BY originator_version),
           array_agg(recorded_at ORDER BY originator_version),
           array_agg(link ORDER BY originator_version)
      FROM events WHERE {} GROUP BY originator_id ORDER BY originator_id
"""
_BETWEEN: Final = "originator_id >= %s AND originator_id < %s"
_CHOSEN: Final = "originator_id = ANY(%s)"

_WALLETS: Final = """
    SELECT position, originator_id, originator_version, topic, body, command_id, actor,
           happened_at, recorded_at, link
      FROM events WHERE originator_id >= %s AND originator_id < %s
     ORDER BY originator_id, originator_version
"""

# The first of so many streams, again and again.
_FIRSTS: Final = """
    SELECT originator_id
      FROM (SELECT originator_id, row_number() OVER (ORDER BY originator_id) AS place
              FROM events
             WHERE originator_id >= %s AND originator_id < %s AND originator_version = 1) AS firsts
     WHERE place %% %s = 1
     ORDER BY originator_id
"""

# By the expression and for the topics of the index `events_by_custody`.
_CUSTODY: Final = r"""
    SELECT position, substring(body FROM '"hand":"((?:[^"\\]|\\.)*)"') COLLATE "C",
           originator_id, originator_version, topic, body
      FROM events
     WHERE topic IN ('wallet.carry_reserved.v1', 'wallet.carry_released.v1')
       AND substring(body FROM '"hand":"((?:[^"\\]|\\.)*)"') COLLATE "C" = ANY(%b::text[])
"""

_EXISTING: Final = "SELECT DISTINCT originator_id FROM events WHERE originator_id = ANY(%b::text[])"

_GAPS: Final = """
    SELECT before + 1, position - 1
      FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before
              FROM events) AS steps
     WHERE position > before + 1
"""

_STRANGERS: Final = """
    SELECT position, originator_id FROM events
     WHERE NOT (originator_id >= 'hand:' AND originator_id < 'hand;')
       AND NOT (originator_id >= 'wallet:' AND originator_id < 'wallet;')
     ORDER BY position
"""


def hand_ids(store: Store) -> Iterator[str]:
    """Yield the id of every hand."""
    with store.connection() as conn, snapshot(conn):
        for (hand,) in _each(conn, _HAND_IDS):
            yield hand


def stream_hands(store: Store, hands: Sequence[str] | None) -> Iterator[tuple[str, list[Linked]]]:
    """Yield hands with their rows, in the order of their ids' bytes; None: all of them."""
    with store.connection() as conn, snapshot(conn):
        if hands is None:
            yield from _hands(conn, _BETWEEN, ["hand:", "hand;"])
        else:
            yield from _hands(conn, _CHOSEN, [list(map(hand_stream, hands))])


def verify(
    store: Store,
    hands: Sequence[str] | None,
    progress: Progress | None,
    *,
    notes: Sequence[str] = (),
    key: str | None = None,
    jobs: int = 1,
) -> Iterator[Discrepancy]:
    """Check hands and what their wallets gave them; without a choice, the whole history."""
    if hands is not None:
        streams = {hand_stream(hand): hand for hand in hands}
        with store.connection() as conn:
            existing = {stream for (stream,) in conn.execute(_EXISTING, [list(streams)])}
        for stream, hand in streams.items():
            if stream not in existing:
                raise UnknownHandError(f"no hand {hand} was ever opened", hand=hand)
    checkpoints = _checkpoints(notes, key) if hands is None else None
    return _verify(store, hands, progress or (lambda _hands, _events: None), checkpoints, jobs)


def _checkpoints(notes: Sequence[str], key: str | None) -> Check:
    """Return what checks the stored checkpoints and these, having read these and the key."""
    # Most commands verify nothing, and should not wait for the tree's package: 30 ms of processor.
    from adapters.evidence.checkpoints import discrepancies  # noqa: PLC0415
    from adapters.evidence.notes import Verifier, parse  # noqa: PLC0415

    verifier = None if key is None else Verifier.parse(key)
    for note in notes:
        parse(note)
    return lambda conn: discrepancies(Held(conn), notes, verifier)


def _verify(
    store: Store,
    hands: Sequence[str] | None,
    progress: Progress,
    checkpoints: Check | None,
    jobs: int,
) -> Iterator[Discrepancy]:
    hands_done = events_done = 0
    with few_collections(), store.connection() as conn, snapshot(conn):
        if hands is None:
            portions = [
                *_portions(conn, "hand", BULK_HANDS),
                *_portions(conn, "wallet", PORTION_WALLETS),
            ]
            if jobs > 1 and len(portions) >= PORTIONS_WORTH_A_PROCESS:
                checked = in_order(store, conn, check_portion, portions, jobs)
            else:
                checked = map(partial(check_portion, conn), portions)
        else:
            bulks = _bulks(_hands(conn, _CHOSEN, [list(map(hand_stream, hands))]), BULK_HANDS)
            checked = map(partial(_check_hands, conn), bulks)
        for found, more_hands, more_events in checked:
            yield from found
            hands_done += more_hands
            events_done += more_events
            progress(hands_done, events_done)
        if checkpoints is None:
            return
        yield from verify_names(_each(conn, KEPT_NAMES))
        yield from _verify_order(conn)
        yield from checkpoints(conn)


class Portion(NamedTuple):
    """Streams of one kind that follow one another, in the order of bytes."""

    kind: str  # "hand" or "wallet"
    first: str
    before: str


class Checked(NamedTuple):
    """What was found in a portion, and how much of it there was."""

    found: list[Discrepancy]
    hands: int
    events: int


def _portions(conn: Conn, kind: str, size: int) -> Iterator[Portion]:
    """Cut all streams of a kind into portions of so many; nothing falls between two of them."""
    begin, end = f"{kind}:", f"{kind};"
    firsts = [first for (first,) in _each(conn, _FIRSTS, values=[begin, end, size])][1:]
    for first, before in pairwise((begin, *firsts, end)):
        yield Portion(kind, first, before)


def check_portion(conn: Conn, portion: Portion) -> Checked:
    """Check every stream of a portion."""
    if portion.kind == "hand":
        return _check_hands(conn, list(_hands(conn, _BETWEEN, portion[1:])))
    return _check_wallets(conn, portion)


def _check_hands(conn: Conn, hands: Sequence[tuple[str, list[Linked]]]) -> Checked:
    """Check hands, and that wallets gave them and got back from them what they say."""
    found: list[Discrepancy] = []
    chain = Chain()
    custody = _custody(conn, [hand for hand, _ in hands])
    for hand, rows in hands:
        recorded = [_decoded(conn.cards, *row[:5]) for row in rows]
        found += verify_hand_and_custody(hand, recorded, custody.get(hand, ()))
        found += _misfits(chain, rows)
    return Checked(found, len(hands), sum(len(rows) for _, rows in hands))


def _check_wallets(conn: Conn, portion: Portion) -> Checked:
    """Check wallets, however long they are, and that the hands they name exist."""
    found: list[Discrepancy] = []
    checked = 0

    def events() -> Iterator[tuple[str, Recorded]]:
        nonlocal checked
        chain = Chain()
        rows_of_all = _each(conn, _WALLETS, BULK_WALLET_ROWS, portion[1:])
        for bulk in _bulks(rows_of_all, BULK_WALLET_ROWS):
            rows = list(map(Linked._make, bulk))
            found.extend(_misfits(chain, rows))
            decoded = [
                (row.stream.removeprefix("wallet:"), _decoded(conn.cards, *row[:5])) for row in rows
            ]
            found.extend(_without_hand(conn, decoded))
            checked += len(decoded)
            yield from decoded

    for player, rows in groupby(events(), key=lambda event: event[0]):
        found.extend(verify_wallet(player, (row for _, row in rows)))
    return Checked(found, 0, checked)


def _misfits(chain: Chain, rows: Iterable[Linked]) -> Iterator[Discrepancy]:
    """Yield the events that do not fit the chain of their stream."""
    for row, fitting in chain.misfits(rows):
        name = row.stream.removeprefix("hand:")
        recorded, derived = row.link.hex(), fitting.hex()
        yield Discrepancy(name, row.position, "link", recorded, derived, "chain")


def _without_hand(conn: Conn, events: Sequence[tuple[str, Recorded]]) -> Iterator[Discrepancy]:
    """Yield where a wallet gave chips to, or got them from, a hand that never was."""
    named = [
        (player, row, row.event.hand)
        for player, row in events
        if type(row.event) is CarryReserved or type(row.event) is CarryReleased
    ]
    streams = sorted({hand_stream(hand) for _, _, hand in named})
    existing = {stream for (stream,) in conn.execute(_EXISTING, [streams])}
    for player, row, hand in named:
        if hand_stream(hand) not in existing:
            yield Discrepancy(wallet_id(player), row.position, "hand", hand, None, "ledger")


def _verify_order(conn: Conn) -> Iterator[Discrepancy]:
    """Check that no position is missing and that every stream is a hand's or a wallet's."""
    for first, last in _each(conn, _GAPS):
        yield Discrepancy("ledger", first, "position", None, f"{first} to {last}", "ledger")
    for position, stream in _each(conn, _STRANGERS):
        yield Discrepancy("ledger", position, "stream", stream, "a hand or a wallet", "ledger")


def _hands(conn: Conn, which: str, values: Sequence[object]) -> Iterator[tuple[str, list[Linked]]]:
    """Yield hands, each with its rows in order."""
    for stream, positions, *columns in _each(conn, _HANDS.format(which), values=values):
        rows = map(Linked._make, zip(positions, repeat(stream), *columns, strict=False))
        yield stream.removeprefix("hand:"), list(rows)


def _custody(conn: Conn, hands: Sequence[str]) -> dict[str, list[tuple[str, Recorded]]]:
    """Return, by hand, the events of wallets that name it."""
    hand_of = {to_json(hand)[1:-1].decode(): hand for hand in hands}
    found: dict[str, list[tuple[str, Recorded]]] = {}
    rows = conn.execute(_CUSTODY, [list(hand_of)], prepare=True, binary=True).fetchall()
    # Sorted here: asked for an order, PostgreSQL reads the whole history in it.
    for position, spelled, stream, version, topic, body in sorted(rows):
        decoded = _decoded(conn.cards, position, stream, version, topic, body)
        player = stream.removeprefix("wallet:")
        found.setdefault(hand_of[spelled], []).append((player, decoded))
    return found


def _decoded(
    cards: CardKeys, position: int, stream: str, version: int, topic: str, body: str
) -> Recorded:
    """Return a stored event for verification, None in place of what cannot be read.

    Raises:
        CardKeyMissingError: It is sealed under a key that is not held, which proves nothing.
    """
    try:
        event = read_event(cards, stream, version, topic, body, position)
        return Recorded(position, version, event)
    except UnreadableEventError:
        return Recorded(position, version, None)


def _each(
    conn: Conn, query: str, size: int = BULK_HANDS, values: Sequence[object] = ()
) -> Iterator[TupleRow]:
    """Yield rows as they come, so many a fetch."""
    with conn.cursor(name=f"each_{next(_NUMBERS)}") as cursor:
        cursor.itersize = size
        yield from cursor.execute(query, values, binary=True)


_NUMBERS: Final = count()


def _bulks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut what comes into lists of so many."""
    rest = iter(items)
    while bulk := list(islice(rest, size)):
        yield bulk
