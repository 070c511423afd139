"""Everything that can happen, past tense, each with the topic it is stored under.

An event is a closed, frozen fact. Whatever chips it moves are in its
``transfers``, in minor units, between the local accounts of :mod:`domain.money`;
who caused it and when is in the :class:`~domain.stream.Entry` around it. Money
that crosses between a player's account and a hand is moved by the wallet's event
(``CarryReserved``, ``CarryReleased``), never a second time by the hand's.

A published topic is never edited: a changed event is a new topic beside it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, ClassVar, Final, Literal, NotRequired

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from domain.money import MAX_AMOUNT, Transfer
from domain.rulebook import Parameters

_FIRST: Final = datetime.min.replace(tzinfo=UTC)  # what another zone may say before or after
_LAST: Final = datetime.max.replace(tzinfo=UTC)  # these has no time in UTC

Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT)]
ByChoice = Literal["choice", "timeout"]
Duel = Literal["compare", "last_stand", "forced", "shove"]
Opening = Literal["round_limit", "all_in", "short", "showdown"]
Verdict = Literal["upheld", "partly_upheld", "rejected", "withdrawn"]


class Event(BaseModel):
    """One fact. ``transfers`` are the chips that it moved, if any."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    TOPIC: ClassVar[str]

    SECRET: ClassVar[bool] = False
    """Whether it says what nobody but a seat may know while the hand runs."""

    transfers: tuple[Transfer, ...] = ()

    @property
    def paid(self) -> int:
        """Return the minor units of the first transfer: the price of an action."""
        return self.transfers[0].amount if self.transfers else 0

    def __eq__(self, other: object) -> bool:
        """Tell whether it is the same fact: events have their fields and nothing beside them."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = BaseModel.__hash__  # else whoever defines __eq__ has none


# --- a hand, whatever its game -------------------------------------------------------


class SeatTaken(BaseModel):
    """Who sits where, with how much."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    seat: int
    player: str
    carry: Amount  # minor units
    protect: bool = True  # plays on at a timeout where the rulebook says so


class HandOpened(Event):
    """A hand began under a pinned rulebook. The first event of every hand."""

    TOPIC: ClassVar[str] = "hand.opened.v1"

    game: str
    rulebook: str
    version: int
    digest: str  # of the rulebook, SHA-256 in hex
    table: Parameters  # every parameter in force, those left to the rulebook included
    dealer: int  # seat
    opener: int  # seat
    seats: tuple[SeatTaken, ...]  # by seat number
    draws: dict[int, int]  # bonus drawn outside, minor units by seat
    commitment: str | None = None  # to the deck, if one was made


class AntePosted(Event):
    """A seat paid the ante."""

    TOPIC: ClassVar[str] = "hand.ante_posted.v1"

    seat: int


class CardsDealt(Event):
    """Every seat has its cards."""

    TOPIC: ClassVar[str] = "hand.cards_dealt.v1"
    SECRET: ClassVar[bool] = True

    cards: dict[int, str]  # by seat: "AhKhQh"


class BonusGranted(Event):
    """A seat got its 喜钱, from the house or from the other seats."""

    TOPIC: ClassVar[str] = "hand.bonus_granted.v1"

    seat: int
    category: str
    payer: Literal["house", "seats"]


@with_config(ConfigDict(strict=True, extra="forbid"))
class SeatResult(TypedDict):
    """What a hand came to for one seat, minor units."""

    contributed: int
    won: int
    refund: int
    side: int
    bonus: int
    rake: int
    net: int


@with_config(ConfigDict(strict=True, extra="forbid"))
class Settlement(TypedDict):
    """What a hand came to, minor units; seats by number, as text."""

    pot: int
    rounds: int
    winners: list[int]
    rake: int
    house_bonus: int
    house_banked: NotRequired[int]
    seats: dict[str, SeatResult]


class HandSettled(Event):
    """The pot was paid out and ends at zero. The hand accepts no more actions."""

    TOPIC: ClassVar[str] = "hand.settled.v1"

    settlement: Settlement


class SettlementClaimed(Event):
    """A foreign system's own figures for this hand, kept as it gave them."""

    TOPIC: ClassVar[str] = "hand.settlement_claimed.v1"

    claimant: str
    settlement: dict[str, object]


class HandVoided(Event):
    """The hand does not count: every chip went back to the seat that it came from."""

    TOPIC: ClassVar[str] = "hand.voided.v1"

    reason: str


class DeckDisclosed(Event):
    """The deck that the opening committed to, in the order in which it was dealt."""

    TOPIC: ClassVar[str] = "hand.deck_disclosed.v1"

    salt: str  # of the commitment, 64 hex digits
    deck: str  # 52 cards: "AhKhQh…"


ENDINGS: Final = frozenset[type[Event]]({HandSettled, HandVoided})
"""What a hand is over with: settled, or void. Its cards are everybody's from then on."""


# --- a hand of 炸金花 ------------------------------------------------------------------


class CardsSeen(Event):
    """A seat looked at its cards (看牌)."""

    TOPIC: ClassVar[str] = "hand.cards_seen.v1"

    seat: int


class BetCalled(Event):
    """A seat paid the price and stayed in (跟注)."""

    TOPIC: ClassVar[str] = "hand.bet_called.v1"

    seat: int
    seen: bool
    by: ByChoice


class BetRaised(Event):
    """A seat lifted the stake and paid its price (加注)."""

    TOPIC: ClassVar[str] = "hand.bet_raised.v1"

    seat: int
    seen: bool
    stake: Amount  # the new price at factor 1, minor units


class HandsCompared(Event):
    """Two hands met (比牌): the challenger's price, if it paid one, and side payments."""

    TOPIC: ClassVar[str] = "hand.hands_compared.v1"

    challenger: int
    challenged: int
    winner: int | None  # None: equal, and nobody beat the other
    out: tuple[int, ...]  # seats that this duel put out of the hand
    seen: bool  # whether the challenger had looked
    why: Duel
    by: ByChoice


class LastStandTaken(Event):
    """A seat short of the price put in all it had (孤注一掷); its duels follow."""

    TOPIC: ClassVar[str] = "hand.last_stand_taken.v1"

    seat: int
    named: int | None  # the seat that the command named; the rule ignores it
    seen: bool
    due: Annotated[int, Field(ge=0)]  # the full price, minor units; may be beyond any amount
    by: ByChoice


class AllInTaken(Event):
    """A seat put in all it had left (全押). Without a transfer where it had nothing left."""

    TOPIC: ClassVar[str] = "hand.all_in_taken.v1"

    seat: int
    seen: bool


class HandFolded(Event):
    """A seat gave up (弃牌)."""

    TOPIC: ClassVar[str] = "hand.folded.v1"

    seat: int
    by: ByChoice


class AllFolded(Event):
    """Everyone still in gave up at once; the banker takes the pot."""

    TOPIC: ClassVar[str] = "hand.all_folded.v1"

    seats: tuple[int, ...]  # all but the banker


class ToppedUp(Event):
    """A seat brought in more chips (补注). The wallet's event moves them."""

    TOPIC: ClassVar[str] = "hand.topped_up.v1"

    seat: int
    amount: Amount  # minor units


class HandsOpened(Event):
    """Every hand still in was shown (开牌). The transfers are side payments."""

    TOPIC: ClassVar[str] = "hand.hands_opened.v1"

    seats: tuple[int, ...]  # those still in, in turn order
    why: Opening


# --- a player's wallet ---------------------------------------------------------------


class WalletEvent(Event):
    """A change of one wallet; ``balance`` is what it holds afterwards, minor units."""

    balance: Amount


class FundsDeposited(WalletEvent):
    """Chips came in from the cashier."""

    TOPIC: ClassVar[str] = "wallet.deposited.v1"


class FundsWithdrawn(WalletEvent):
    """Chips went out to the cashier."""

    TOPIC: ClassVar[str] = "wallet.withdrawn.v1"


class CarryReserved(WalletEvent):
    """A seat's carry, or a top-up of it, went into a hand."""

    TOPIC: ClassVar[str] = "wallet.carry_reserved.v1"

    hand: str
    seat: int


class CarryReleased(WalletEvent):
    """What a seat was left with came back from a hand."""

    TOPIC: ClassVar[str] = "wallet.carry_released.v1"

    hand: str
    seat: int


class PlayerNamed(WalletEvent):
    """Whose wallet it is got a name, sealed under the player's own key. The last one counts."""

    TOPIC: ClassVar[str] = "wallet.player_named.v1"

    sealed: str  # base64 of the nonce and the ciphertext; the ledger holds no other form


class PlayerErased(WalletEvent):
    """The player's key is destroyed: no name of the player is ever read again."""

    TOPIC: ClassVar[str] = "wallet.player_erased.v1"

    why: str


# --- a dispute about a hand ------------------------------------------------------------


class DisputeEvent(Event):
    """A step of a dispute. It moves no chip; ``hand`` is the one that the dispute is about."""

    hand: str


class DisputeOpened(DisputeEvent):
    """Somebody says that a hand was not as it should be. The first event of every dispute."""

    TOPIC: ClassVar[str] = "dispute.opened.v1"

    by: str  # whose dispute it is: a player of the hand, or anybody else
    claims: str  # what is said
    due: Annotated[AwareDatetime, Field(ge=_FIRST, le=_LAST)]  # the verdict, UTC
    claim: Annotated[int, Field(ge=1, lt=2**31)] | None
    """The version, in the hand's stream, of the foreign figures that it rests on."""


class EvidenceFile(BaseModel):
    """What a file was, without the file: whoever has it can show that it is the one."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: str
    size: Annotated[int, Field(ge=0, le=MAX_AMOUNT)]  # bytes
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class DisputeNoted(DisputeEvent):
    """Something was put on file: a note, and the evidence that it is about where there is some."""

    TOPIC: ClassVar[str] = "dispute.noted.v1"

    text: str
    evidence: EvidenceFile | None


class DisputeRuled(DisputeEvent):
    """The dispute was decided. It takes nothing more."""

    TOPIC: ClassVar[str] = "dispute.ruled.v1"

    verdict: Verdict
    why: str


TOPICS: Final[Mapping[str, type[Event]]] = MappingProxyType(
    {
        event.TOPIC: event
        for event in (
            HandOpened,
            AntePosted,
            CardsDealt,
            CardsSeen,
            BetCalled,
            BetRaised,
            HandsCompared,
            LastStandTaken,
            AllInTaken,
            HandFolded,
            AllFolded,
            ToppedUp,
            HandsOpened,
            BonusGranted,
            HandSettled,
            SettlementClaimed,
            HandVoided,
            DeckDisclosed,
            FundsDeposited,
            FundsWithdrawn,
            CarryReserved,
            CarryReleased,
            PlayerNamed,
            PlayerErased,
            DisputeOpened,
            DisputeNoted,
            DisputeRuled,
        )
    }
)
"""Every published topic. Added to, never taken from."""
