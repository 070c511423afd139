"""A large ledger without playing a million hands: a few, under other ids and with other players.

What is loaded is what an import would have stored: the same bodies, wallets that go on from hand
to hand, a link for each event, positions without a gap, receipts whose digest is the command's.
`Ledger.verify` finds nothing in it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

import psycopg

from adapters.appending.fingerprints import fingerprint
from adapters.clock import now
from adapters.simulation.hands import line_of
from adapters.store.chain import GENESIS, Linked, link_of
from adapters.store.codec import encode
from domain.events import HandOpened
from domain.hand import Hand, hand_stream
from domain.playing import play
from domain.record import read
from domain.stream import Cause, Entry
from domain.wallet import Wallet, wallet_id
from domain.zhajinhua.state import Seat
from scripts.measuring.material import Material
from scripts.measuring.timing import Tell

ACTOR: Final = "import"
CHUNK_HANDS: Final = 2_000  # a transaction
HANDS_A_PLAYER: Final = 100  # a seat each, on average: as many players as that takes
PLAYERS_MIN: Final = 60  # more than there are seats at a table

_COPY_EVENTS: Final = """
    COPY events (position, originator_id, originator_version, topic, body, command_id, actor,
                 happened_at, recorded_at, link) FROM STDIN (FORMAT BINARY)
"""
_EVENT_TYPES: Final = (
    *("int8", "text", "int4", "text", "text", "text", "text"),
    *("timestamptz", "timestamptz", "bytea"),
)
_COPY_RECEIPTS: Final = """
    COPY receipts (command_id, kind, digest, fields, first_position, last_position, answer)
    FROM STDIN (FORMAT BINARY)
"""
_RECEIPT_TYPES: Final = ("text", "text", "bytea", "text", "int8", "int8", "text")


class Loaded(NamedTuple):
    """What a ledger holds."""

    hands: int
    events: int


class _Played(NamedTuple):
    """A hand that was played once, to be stored often."""

    body: dict[str, Any]  # of the command that imports it
    seats: list[Seat]  # as the hand left them, by number
    opened: HandOpened
    rest: list[tuple[str, str]]  # topic and body of every event but the opening


class Loader:
    """Loads hands into an empty ledger."""

    def __init__(self, conn: psycopg.Connection[Any], material: Material) -> None:
        """Load by a connection of the owner's, with no transaction open."""
        self._conn = conn
        self._played = [_played(record) for record in material.records]
        self._wallets: dict[str, Wallet] = {}
        self._links: dict[str, bytes] = {}  # the last of each wallet
        self._position = 0
        self._at = now()

    def load(self, hands: int, tell: Tell) -> Loaded:
        """Store so many hands, told now and then how far it has come."""
        for first in range(0, hands, CHUNK_HANDS):
            chunk = range(first, min(first + CHUNK_HANDS, hands))
            self._at += timedelta(milliseconds=1)
            self._store([self._hand(number, hands) for number in chunk])
            if first % (CHUNK_HANDS * 10) == 0:
                tell(f"loaded {chunk.stop:,} of {hands:,} hands")
        return Loaded(hands, self._position)

    def _hand(self, number: int, hands: int) -> tuple[list[Linked], tuple[Any, ...]]:
        """Return the rows of one hand in the order of an import, and its receipt."""
        played = self._played[number % len(self._played)]
        hand = hand_name(number)
        names = [player_name(number, seat.number, hands) for seat in played.seats]
        cause = Cause(f"import:{hand}", ACTOR, self._at)
        rows = [self._of_wallet(entry) for entry in self._reserved(played, hand, names, cause)]
        rows += self._of_hand(played, hand, names, cause)
        rows += [self._of_wallet(entry) for entry in self._released(played, hand, names, cause)]
        seats = [
            {**seat, "player": name} for seat, name in zip(played.body["seats"], names, strict=True)
        ]
        given = fingerprint("import", {**played.body, "hand": hand, "seats": seats})
        answer = {"hand": hand, "version": 1 + len(played.rest), "differences": []}
        span = rows[0].position, rows[-1].position
        remembered = given.kind, given.digest, given.fields
        return rows, (cause.command_id, *remembered, *span, json.dumps(answer))

    def _reserved(
        self, played: _Played, hand: str, names: Sequence[str], cause: Cause
    ) -> Iterator[Entry]:
        """Put the players' chips into the hand; what they lack comes from the cashier."""
        for seat, name in zip(played.seats, names, strict=True):
            wallet = self._wallets.setdefault(name, Wallet(wallet_id(name)))
            amounts = seat.carry, *seat.top_ups
            missing = sum(amounts) - wallet.balance
            if missing > 0:
                wallet.deposit(missing, cause)
            for amount in amounts:
                wallet.reserve(hand, seat.number, amount, cause)
            yield from wallet.collect_events()

    def _released(
        self, played: _Played, hand: str, names: Sequence[str], cause: Cause
    ) -> Iterator[Entry]:
        """Give the players what the hand left them."""
        for seat, name in zip(played.seats, names, strict=True):
            wallet = self._wallets[name]
            wallet.release(hand, seat.number, seat.stack, cause)
            yield from wallet.collect_events()

    def _of_hand(
        self, played: _Played, hand: str, names: Sequence[str], cause: Cause
    ) -> Iterator[Linked]:
        """Yield the hand's own rows: only its opening says who plays."""
        seats = tuple(
            taken.model_copy(update={"player": name})
            for taken, name in zip(played.opened.seats, names, strict=True)
        )
        opened = played.opened.model_copy(update={"seats": seats})
        last = GENESIS
        facts = [(opened.TOPIC, encode(opened)), *played.rest]
        for version, (topic, body) in enumerate(facts, start=1):
            row = self._row(last, hand_stream(hand), version, topic, body, cause)
            last = row.link
            yield row

    def _of_wallet(self, entry: Entry) -> Linked:
        stream, version, event, cause = (
            entry.originator_id,
            entry.originator_version,
            entry.event,
            entry.cause,
        )
        last = self._links.get(stream, GENESIS)
        row = self._row(last, stream, version, event.TOPIC, encode(event), cause)
        self._links[stream] = row.link
        return row

    def _row(
        self, last: bytes, stream: str, version: int, topic: str, body: str, cause: Cause
    ) -> Linked:
        """Return the next row of the history, linked to the last of its stream."""
        self._position += 1
        moments = cause.at, self._at
        place = self._position, stream, version
        row = Linked(*place, topic, body, cause.command_id, cause.actor, *moments, b"")
        return row._replace(link=link_of(last, row))

    def _store(self, made: Sequence[tuple[list[Linked], tuple[Any, ...]]]) -> None:
        """Store hands in one transaction."""
        rows = [row for found, _ in made for row in found]
        receipts = [receipt for _, receipt in made]
        with self._conn.transaction():
            self._copy(_COPY_EVENTS, _EVENT_TYPES, rows)
            self._copy(_COPY_RECEIPTS, _RECEIPT_TYPES, receipts)

    def _copy(self, statement: str, types: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        with self._conn.cursor().copy(statement) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)


def hand_name(number: int) -> str:
    """Return the id of a hand that is loaded, by its place from 0 on."""
    return f"g{number}"


def player_name(number: int, seat: int, hands: int) -> str:
    """Return who sits in a seat of one of so many hands: nobody twice in one."""
    players = max(hands // HANDS_A_PLAYER, PLAYERS_MIN)
    return f"g{(number * 7 + seat) % players}"


def _played(record: Mapping[str, Any]) -> _Played:
    """Play a record once."""
    given = read(line_of(record))
    hand = play(given, Cause("-", ACTOR, now()))
    assert isinstance(hand, Hand), hand
    opened, *rest = (entry.event for entry in hand.collect_events())
    assert isinstance(opened, HandOpened), opened
    return _Played(
        body=given.model_dump(exclude_unset=True, by_alias=True),
        seats=[seat for _, seat in sorted(hand.state.seats.items())],
        opened=opened,
        rest=[(event.TOPIC, encode(event)) for event in rest],
    )
