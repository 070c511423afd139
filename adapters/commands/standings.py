"""Where hands and wallets stood when this process last appended to them, to go on from unread.

That is a guess, for others append too: whoever goes on from it names the link that the stream must
still be at, and reads the store as soon as anything is other than expected.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from adapters.appending.batches import Tip
from adapters.commands.history import History
from adapters.store.postgres import Runner
from domain.events import WalletEvent
from domain.stream import Entry
from domain.wallet import Wallet, wallet_id
from domain.zhajinhua.state import HandState

S = TypeVar("S")

HANDS_MAX: Final = 16_384
"""Hands that are remembered, 4 kB each; the one that was quiet for longest goes first."""

WALLETS_MAX: Final = 65_536
"""Wallets, some hundred bytes each."""


class Standing(NamedTuple, Generic[S]):
    """A stream after the last event that this process appended to it."""

    tip: Tip
    state: S


class Standings(Generic[S]):
    """Remembers streams by their ids, for any number of threads."""

    def __init__(self, streams_max: int) -> None:
        """Remember nothing yet."""
        self._streams_max = streams_max
        self._streams: OrderedDict[str, Standing[S]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, stream: str) -> Standing[S] | None:
        """Return where a stream stood, if that is remembered."""
        with self._lock:
            found = self._streams.get(stream)
            if found is not None:
                self._streams.move_to_end(stream)
            return found

    def keep(self, stream: str, tip: Tip, state: S) -> None:
        """Remember where a stream stands."""
        with self._lock:
            self._streams[stream] = Standing(tip, state)
            self._streams.move_to_end(stream)
            if len(self._streams) > self._streams_max:
                self._streams.popitem(last=False)

    def forget(self, stream: str) -> None:
        """Remember a stream no longer."""
        with self._lock:
            self._streams.pop(stream, None)


class Memory:
    """What a process remembers of the streams that it appended to."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.hands: Standings[HandState] = Standings(HANDS_MAX)
        self.balances: Standings[int] = Standings(WALLETS_MAX)  # minor units, by wallet

    def learn(
        self, stream: str, hand: HandState | None, entries: Sequence[Entry], tips: Mapping[str, Tip]
    ) -> None:
        """Remember what a command has stored, and forget a hand that takes no more actions.

        Args:
            stream: The one that the command was about.
            hand: Its state, if that is a hand.
            entries: What is stored, of all streams.
            tips: Where each of them is now.
        """
        if hand is not None and hand.over:
            self.hands.forget(stream)
        elif hand is not None:
            self.hands.keep(stream, tips[stream], hand)
        events = ((entry.originator_id, entry.event) for entry in entries)
        balances = {id_: event.balance for id_, event in events if isinstance(event, WalletEvent)}
        for wallet, balance in balances.items():
            self.balances.keep(wallet, tips[wallet], balance)

    def forget(self, stream: str) -> None:
        """Remember a stream no longer: somebody else has appended to it."""
        self.hands.forget(stream)
        self.balances.forget(stream)


class NotRememberedError(Exception):
    """Somebody's wallet would have to be read: whoever decides unread cannot."""


class Recalling(History):
    """The history to whoever goes on unread: nothing but wallets, as they are remembered."""

    def __init__(self, runner: Runner, balances: Standings[int]) -> None:
        """Know no more than what is remembered."""
        super().__init__(runner)
        self._balances = balances
        self.links: dict[str, bytes] = {}
        """By wallet: the link that it must be at still."""

    def wallets(self, players: Sequence[str]) -> dict[str, Wallet]:
        """Return wallets as remembered.

        Raises:
            NotRememberedError: One is not.
        """
        found = {}
        for player in players:
            standing = self._balances.get(wallet_id(player))
            if standing is None:
                raise NotRememberedError(player)
            tip, balance = standing
            found[player] = Wallet.resume(player, version=tip.version, balance=balance)
            self.links[wallet_id(player)] = tip.link
        return found
