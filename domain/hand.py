"""The aggregate of one hand: commands that check, then record.

The hand itself knows no rule. The game that its opening names decides
(:mod:`domain.zhajinhua`; the other games will stand beside it).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from domain.errors import HandExistsError, HandNotOverError, HandOverError
from domain.events import Event, HandOpened, SeatTaken, SettlementClaimed
from domain.rulebook import Parameters
from domain.stream import Cause, Stream
from domain.zhajinhua import game as zhajinhua
from domain.zhajinhua.disclosing import disclose
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.play import Action, Play
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.settlement import void
from domain.zhajinhua.state import HandState, opened

_OF_HANDS: Final = "hand:"


def hand_stream(hand: str) -> str:
    """Return the id of a hand's stream."""
    return f"{_OF_HANDS}{hand}"


def hand_of(stream_id: str) -> str:
    """Return the hand whose stream it is."""
    return stream_id.removeprefix(_OF_HANDS)


class Hand(Stream):
    """One deal of cards, from the antes to the settlement."""

    def __init__(self, stream_id: str) -> None:
        """Start before the opening."""
        super().__init__(stream_id)
        self.hand = hand_of(stream_id)
        self._state: HandState | None = None

    @classmethod
    def replay(cls, stream_id: str, events: Iterable[Event]) -> Self:
        """Return the hand that these events, from the first on, made."""
        opening, *later = events
        hand = cls(stream_id)
        hand.evolve(opening)
        hand._state = evolve(hand.state, *later)
        hand.version = 1 + len(later)
        return hand

    @classmethod
    def resume(cls, stream_id: str, *, version: int, state: HandState) -> Self:
        """Return the hand as so many events left it, without these events."""
        hand = cls(stream_id)
        hand.version = version
        hand._state = state
        return hand

    @property
    def state(self) -> HandState:
        """Return the hand as it stands; it has been opened."""
        assert self._state is not None, self.id
        return self._state

    @property
    def is_open(self) -> bool:
        """Tell whether anything has happened yet."""
        return self._state is not None

    def evolve(self, event: Event) -> None:
        """Take in one event."""
        self._state = opened(event) if isinstance(event, HandOpened) else evolve(self.state, event)

    def open(  # noqa: PLR0913 - what a hand opens with, each by name
        self,
        rulebook: ZhajinhuaRulebook,
        *,
        table: Parameters,
        dealer: int,
        opener: int | None,
        seats: Sequence[SeatTaken],
        deal: Mapping[int, str],
        draws: Mapping[int, int],
        cause: Cause,
        commitment: str | None = None,
    ) -> None:
        """Open the hand: antes and cards, and all that follows from them.

        Raises:
            HandExistsError: It was opened before.
            RefusalError: As :func:`domain.zhajinhua.game.open_hand` refuses.
        """
        if self.is_open:
            raise HandExistsError(f"hand {self.hand} is recorded already", hand=self.hand)
        play = zhajinhua.open_hand(
            rulebook,
            table=table,
            dealer=dealer,
            opener=opener,
            seats=seats,
            deal=deal,
            draws=draws,
            commitment=commitment,
        )
        self._keep(play.freeze(), cause)

    def act(self, action: Action, cause: Cause, *, price: int | None = None) -> None:
        """Take one action, and all that follows from it up to the settlement.

        Args:
            action: What is done.
            cause: Why.
            price: What staying in cost the seat when it decided, where it says so.

        Raises:
            PriceChangedError: It costs something else by now.
            RefusalError: As :func:`domain.zhajinhua.game.decide` refuses.
        """
        if price is not None:
            zhajinhua.check_price(self.state, action, price)
        self._keep(zhajinhua.decide(self.state, action), cause)

    def act_all(self, steps: Iterable[tuple[Action, Cause]]) -> None:
        """Take actions, each as :meth:`act` does, up to the first that is refused.

        Args:
            steps: Each action, and why.

        Raises:
            RefusalError: As :func:`domain.zhajinhua.game.decide` refuses; what came before stays.
        """
        play, kept = Play(self.state), 0
        try:
            for action, cause in steps:
                zhajinhua.take(play, action)
                for event in play.events[kept:]:
                    self.keep(event, cause)
                kept = len(play.events)
        finally:
            assert kept == len(play.events), "an action that is refused records nothing"
            if kept:
                self._state = play.freeze().state

    def claim(self, claimant: str, settlement: Mapping[str, object], cause: Cause) -> None:
        """Keep a foreign system's figures beside the hand's own.

        Raises:
            HandNotOverError: The hand is not settled.
        """
        if not self.state.settled:
            raise HandNotOverError(f"hand {self.hand} is not settled", hand=self.hand)
        self.record(SettlementClaimed(claimant=claimant, settlement=dict(settlement)), cause)

    def void(self, reason: str, cause: Cause) -> None:
        """Let a running hand not count: every stake goes back to its seat.

        Raises:
            HandOverError: The hand is settled or void already.
        """
        if self.state.over:
            raise HandOverError(f"hand {self.hand} is over", hand=self.hand)
        self.record(void(self.state, reason), cause)

    def disclose(self, salt: object, deck: object, cause: Cause) -> None:
        """Disclose the deck that the opening committed to.

        Raises:
            RefusalError: As :func:`domain.zhajinhua.disclosing.disclose` refuses.
        """
        self.record(disclose(self.hand, self.state, salt=salt, deck=deck), cause)

    def _keep(self, play: Play, cause: Cause) -> None:
        """Record what was decided; deciding has evolved the hand through it."""
        self._state = play.state
        for event in play.events:
            self.keep(event, cause)
