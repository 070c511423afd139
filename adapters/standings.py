"""Where running hands stood when this process last appended to them, to go on from unread.

That is a guess, for others append too: whoever goes on from it names the link that the stream must
still be at, and reads the store as soon as anything is other than expected.
"""

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

from adapters.appending import Tip
from domain.hand import Hand
from domain.zhajinhua.state import HandState

HANDS_MAX: Final = 4_096
"""Hands that are remembered, some kilobytes each; the one that was quiet for longest goes first."""


class Standing(NamedTuple):
    """A hand after the last event that this process appended to it."""

    tip: Tip
    state: HandState


class Standings:
    """Remembers running hands by their streams, for any number of threads."""

    def __init__(self, hands_max: int = HANDS_MAX) -> None:
        """Remember nothing yet."""
        self._hands_max = hands_max
        self._hands: OrderedDict[str, Standing] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, stream: str) -> Standing | None:
        """Return where a hand stood, if that is remembered."""
        with self._lock:
            found = self._hands.get(stream)
            if found is not None:
                self._hands.move_to_end(stream)
            return found

    def keep(self, stream: str, standing: Standing) -> None:
        """Remember where a hand stands; one that is over takes no more actions."""
        with self._lock:
            self._hands.pop(stream, None)
            if not standing.state.over:
                self._hands[stream] = standing
            if len(self._hands) > self._hands_max:
                self._hands.popitem(last=False)

    def forget(self, stream: str) -> None:
        """Remember a hand no longer."""
        with self._lock:
            self._hands.pop(stream, None)


class Resumed(Hand):
    """A hand that goes on from a state, without the events that led to it."""

    def __init__(self, stream_id: str, version: int, state: HandState) -> None:
        """Stand where so many events have led."""
        super().__init__(stream_id)
        self.version = version
        self._state = state
