"""The history as the use cases read it: a stream before a command, and the latest of wallets."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from adapters.appending.batches import StoredReceipt
from adapters.appending.recorder import receipts
from adapters.errors import UnreadableEventError
from adapters.store.codec import read_event
from adapters.store.postgres import Runner
from domain.events import Event, WalletEvent
from domain.wallet import Wallet, wallet_id
from domain.zhajinhua.state import HandState

# One statement sees one moment: where there is no receipt, the events are from before the command.
_BEFORE: Final = """
    (SELECT originator_version, topic, body, position, NULL AS receipt
       FROM events WHERE originator_id = %s
      ORDER BY originator_version DESC LIMIT %s)
    UNION ALL
    SELECT NULL, NULL, NULL, NULL,
           row(command_id, digest, fields, first_position, last_position, answer)
      FROM receipts WHERE command_id = %s
     ORDER BY originator_version NULLS FIRST
"""

_LATEST: Final = """
    SELECT stream, originator_version, topic, body, position
      FROM unnest(%b::text[]) AS stream,
           LATERAL (SELECT originator_version, topic, body, position
                      FROM events WHERE originator_id = stream
                     ORDER BY originator_version DESC LIMIT 1) AS latest
"""

_EXISTING: Final = """
    SELECT originator_id FROM events
     WHERE originator_id = ANY(%b::text[]) AND originator_version = 1
"""


_TOPICS: Final = "SELECT originator_version, topic FROM events WHERE originator_id = %s"


class Before(NamedTuple):
    """What a command finds."""

    version: int  # of its stream
    events: list[Event]  # of its stream: all of them, or the last
    receipt: StoredReceipt | None  # of an earlier command with its id
    state: HandState | None = None  # of a hand whose events were not read

    @property
    def balance(self) -> int:
        """Return the minor units of a wallet, which its last event holds."""
        if not self.events:
            return 0
        last = self.events[-1]
        assert isinstance(last, WalletEvent), last
        return last.balance


class History:
    """Reads the store for the use cases."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    def before(self, command_id: str, stream: str, *, last: int | None = None) -> Before:
        """Read a stream, and whether the command was carried out before.

        Args:
            command_id: The command's.
            stream: The one that it is about.
            last: How many of its events, from the end; None is all of them.

        Raises:
            UnreadableEventError: An event of the stream cannot be read.
            CardKeyMissingError: Cards in it are sealed under a key that is not held.
        """
        rows = self.runner.run(
            lambda conn: conn.execute(
                _BEFORE, [stream, last, command_id], prepare=True, binary=True
            ).fetchall()
        )
        *_, receipt = rows[0] if rows else (None,)
        stored = [row for row in rows if row[0] is not None]
        cards = self.runner.cards
        return Before(
            version=stored[-1][0] if stored else 0,
            events=[
                read_event(cards, stream, version, topic, body, position)
                for version, topic, body, position, _ in stored
            ],
            receipt=StoredReceipt(*receipt) if receipt else None,
        )

    def receipts(self, command_ids: Sequence[str]) -> dict[str, StoredReceipt]:
        """Read the receipts of those commands that were carried out."""
        return self.runner.run(lambda conn: receipts(conn, command_ids))

    def existing(self, streams: Sequence[str]) -> set[str]:
        """Return those of the streams that have begun."""
        return self.runner.run(
            lambda conn: {
                stream for (stream,) in conn.execute(_EXISTING, [list(streams)], prepare=True)
            }
        )

    def topics(self, stream: str) -> dict[int, str]:
        """Return what each event of a stream is, by its version; none of them is read."""
        return self.runner.run(
            lambda conn: dict(conn.execute(_TOPICS, [stream], prepare=True).fetchall())
        )

    def wallets(self, players: Sequence[str]) -> dict[str, Wallet]:
        """Read wallets, each from its last event; a new one is empty.

        Raises:
            UnreadableEventError: The last event of one cannot be read.
        """
        player_of = {wallet_id(player): player for player in players}
        latest = self.runner.run(
            lambda conn: conn.execute(_LATEST, [list(player_of)], prepare=True).fetchall()
        )
        found = {player: Wallet(stream) for stream, player in player_of.items()}
        for stream, version, topic, body, position in latest:
            event = read_event(self.runner.cards, stream, version, topic, body, position)
            if not isinstance(event, WalletEvent):
                reason = "it is no wallet's"
                raise UnreadableEventError(position=position, topic=topic, reason=reason)
            player = player_of[stream]
            found[player] = Wallet.resume(player, version=version, balance=event.balance)
        return found
