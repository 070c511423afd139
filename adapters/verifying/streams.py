"""Every stream of the store decided again: whole ones in bulk, and in flat memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, groupby, islice, repeat, starmap
from operator import attrgetter, itemgetter
from typing import Final, TypeVar

from psycopg.rows import TupleRow
from pydantic_core import to_json

from adapters.errors import UnreadableEventError
from adapters.garbage import without_collector
from adapters.store.chain import Chain, Linked
from adapters.store.codec import read_event
from adapters.store.postgres import Conn, Store, snapshot
from adapters.store.sealing import CardKeys
from adapters.verifying.disputes import check_disputes, missing
from adapters.verifying.portions import Checked, Portion
from domain.discrepancies import Discrepancy, Recorded
from domain.events import CarryReleased, CarryReserved
from domain.hand import hand_of, hand_stream
from domain.verification import verify_hand
from domain.wallet import player_of, wallet_id
from domain.wallet_verification import verify_wallet

T = TypeVar("T")

Check = Callable[[Conn], Iterator[Discrepancy]]

WalletEvent = tuple[str, Recorded]
"""With its player."""

Custody = dict[str, list[WalletEvent]]
"""By hand, the events of wallets that name it, in order."""

BULK_HANDS: Final = 500  # a fetch
BULK_ROWS: Final = 5_000  # a fetch

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

_STREAMS: Final = """
    SELECT position, originator_id, originator_version, topic, body, command_id, actor,
           happened_at, recorded_at, link
      FROM events WHERE {}
     ORDER BY originator_id, originator_version
"""

# By the expression and for the topics of the index `events_by_custody`.
_NAMING: Final = r"""
    SELECT asked.hand, found.*
      FROM unnest(%b::text[]) AS asked (hand),
           LATERAL ({}
                     WHERE topic IN ('wallet.carry_reserved.v1', 'wallet.carry_released.v1')
                       AND substring(body FROM '"hand":"((?:[^"\\]|\\.)*)"') COLLATE "C"
                           = asked.hand
                    OFFSET 0) AS found
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
       AND NOT (originator_id >= 'dispute:' AND originator_id < 'dispute;')
     ORDER BY position
"""


def naming(events: str) -> str:
    """Return what asks, by hand, for the wallets' events that name one of many.

    PostgreSQL expects far more events to name a hand than do, and of a large history would rather
    read all: so it is kept at one hand after the other.

    Args:
        events: The SELECT of them, without conditions.
    """
    return _NAMING.format(events)


_CUSTODY: Final = naming(
    "SELECT position, originator_id, originator_version, topic, body FROM events"
)


def hand_ids(store: Store) -> Iterator[str]:
    """Yield the id of every hand."""
    with store.connection() as conn, snapshot(conn):
        for (hand,) in each(conn, _HAND_IDS):
            yield hand


def stream_hands(store: Store, hands: Sequence[str] | None) -> Iterator[tuple[str, list[Linked]]]:
    """Yield hands with their rows, in the order of their ids' bytes; None: all of them."""
    with store.connection() as conn, snapshot(conn):
        if hands is None:
            yield from _hands(conn, _BETWEEN, ["hand:", "hand;"])
        else:
            yield from _hands(conn, _CHOSEN, [list(map(hand_stream, hands))])


def check_portion(conn: Conn, portion: Portion) -> Checked:
    """Check every stream of a portion, which leaves no garbage to be looked for."""
    with without_collector():
        return _check_portion(conn, portion)


def _check_portion(conn: Conn, portion: Portion) -> Checked:
    which, values = _BETWEEN, list[object]((portion.first, portion.before))
    if portion.streams:
        which, values = _CHOSEN, [list(portion.streams)]
    if portion.kind == "hand":
        return _check_hands(conn, list(_hands(conn, which, values)))
    if portion.kind == "dispute":
        rows = each(conn, _STREAMS.format(which), BULK_ROWS, values)
        return check_disputes(map(Linked._make, rows), partial(missing, conn))
    return _check_wallets(conn, which, values)


def _check_hands(conn: Conn, hands: Sequence[tuple[str, list[Linked]]]) -> Checked:
    """Check hands, and that wallets gave them and got back from them what they say."""
    return check_hands(conn.cards, hands, _custody(conn, [hand for hand, _ in hands]))


def check_hands(
    cards: CardKeys, hands: Sequence[tuple[str, list[Linked]]], custody: Custody
) -> Checked:
    """Check hands, and what wallets say of them.

    Args:
        cards: The keys to what is sealed.
        hands: Each with its whole stream.
        custody: By hand, the events of wallets that name it, each with its player.
    """
    found: list[Discrepancy] = []
    chain = Chain()
    for hand, rows in hands:
        events = [recorded(cards, *row[:5]) for row in rows]
        found += verify_hand(hand, events, custody.get(hand, ()))
        found += _misfits(chain, rows)
    return Checked(found, len(hands), sum(len(rows) for _, rows in hands))


def _check_wallets(conn: Conn, which: str, values: Sequence[object]) -> Checked:
    """Check wallets, however long they are, and that the hands they name exist."""
    rows = each(conn, _STREAMS.format(which), BULK_ROWS, values)
    return check_wallets(conn.cards, map(Linked._make, rows), partial(_without_hand, conn))


def check_wallets(
    cards: CardKeys,
    rows: Iterable[Linked],
    strays: Callable[[Sequence[WalletEvent]], Iterable[Discrepancy]] = lambda _events: (),
) -> Checked:
    """Check wallets, however long they are.

    Args:
        cards: The keys to what is sealed; nothing in wallets is, by these.
        rows: Their whole streams, one after another.
        strays: Finds, among some thousand events at a time, those that name no hand there is.
    """
    found: list[Discrepancy] = []
    checked = 0

    def events() -> Iterator[WalletEvent]:
        nonlocal checked
        chain = Chain()
        for bulk in bulks(rows, BULK_ROWS):
            found.extend(_misfits(chain, bulk))
            decoded = [(player_of(row.stream), recorded(cards, *row[:5])) for row in bulk]
            found.extend(strays(decoded))
            checked += len(decoded)
            yield from decoded

    for player, its_events in groupby(events(), key=lambda event: event[0]):
        found.extend(verify_wallet(player, (row for _, row in its_events)))
    found.sort(key=attrgetter("hand"))  # what was found in one wallet stays together
    return Checked(found, 0, checked)


def _misfits(chain: Chain, rows: Iterable[Linked]) -> Iterator[Discrepancy]:
    """Yield the events that do not fit the chain of their stream."""
    for row, fitting in chain.misfits(rows):
        name = hand_of(row.stream)
        recorded, derived = row.link.hex(), fitting.hex()
        yield Discrepancy(name, row.position, "link", recorded, derived, "chain")


def existing(conn: Conn, streams: Sequence[str]) -> set[str]:
    """Return which of these streams have an event."""
    return {stream for (stream,) in conn.execute(_EXISTING, [streams])}


def _without_hand(conn: Conn, events: Sequence[WalletEvent]) -> Iterator[Discrepancy]:
    """Yield where a wallet gave chips to, or got them from, a hand that never was."""
    named = list(naming_hands(events))
    # With U+0000 in its id no hand can be stored, nor be asked for.
    streams = sorted({hand_stream(hand) for _, _, hand in named if "\0" not in hand})
    there = existing(conn, streams)
    for player, row, hand in named:
        if hand_stream(hand) not in there:
            yield stray(player, row, hand)


def naming_hands(events: Iterable[WalletEvent]) -> Iterator[tuple[str, Recorded, str]]:
    """Yield the events of wallets that name a hand, each with its player and that hand."""
    for player, row in events:
        if type(row.event) is CarryReserved or type(row.event) is CarryReleased:
            yield player, row, row.event.hand


def stray(player: str, row: Recorded, hand: str) -> Discrepancy:
    """Return what is wrong with an event of a wallet that names a hand which never was."""
    return Discrepancy(wallet_id(player), row.position, "hand", hand, None, "ledger")


def verify_order(conn: Conn) -> Iterator[Discrepancy]:
    """Check that no position is missing and that every stream is of a known kind."""
    yield from starmap(gap, each(conn, _GAPS))
    yield from starmap(stranger, each(conn, _STRANGERS))


def gap(first: int, last: int) -> Discrepancy:
    """Return what is wrong where positions are missing."""
    return Discrepancy("ledger", first, "position", None, f"{first} to {last}", "ledger")


def stranger(position: int, stream: str) -> Discrepancy:
    """Return what is wrong with an event of a stream of no known kind."""
    return Discrepancy(
        "ledger", position, "stream", stream, "a hand, a wallet or a dispute", "ledger"
    )


def _hands(conn: Conn, which: str, values: Sequence[object]) -> Iterator[tuple[str, list[Linked]]]:
    """Yield hands, each with its rows in order."""
    for stream, positions, *columns in each(conn, _HANDS.format(which), values=values):
        rows = map(Linked._make, zip(positions, repeat(stream), *columns, strict=False))
        yield hand_of(stream), list(rows)


def _custody(conn: Conn, hands: Sequence[str]) -> Custody:
    """Return, by hand, the events of wallets that name it."""
    hand_of = {spelled(hand): hand for hand in hands}
    found: Custody = {}
    rows = conn.execute(_CUSTODY, [list(hand_of)], prepare=True, binary=True).fetchall()
    # Sorted here: asked for an order, PostgreSQL reads the whole history in it.
    for named, position, stream, version, topic, body in sorted(rows, key=itemgetter(1)):
        event = recorded(conn.cards, position, stream, version, topic, body)
        found.setdefault(hand_of[named], []).append((player_of(stream), event))
    return found


def spelled(hand: str) -> str:
    """Return a hand's id as the bodies of wallets spell it."""
    return to_json(hand)[1:-1].decode()


def recorded(
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


def each(
    conn: Conn, query: str, size: int = BULK_HANDS, values: Sequence[object] = ()
) -> Iterator[TupleRow]:
    """Yield rows as they come, so many a fetch."""
    with conn.cursor(name=f"each_{next(_NUMBERS)}") as cursor:
        cursor.itersize = size
        yield from cursor.execute(query, values, binary=True)


_NUMBERS: Final = count()


def bulks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut what comes into lists of so many."""
    rest = iter(items)
    while bulk := list(islice(rest, size)):
        yield bulk
