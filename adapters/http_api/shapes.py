"""What queries answer, as types. How a hand stands, lists of hands and balances: bodies.py.

Amounts are integers of minor units (分), and times are text as RFC 3339 has it.
"""

from typing import Any, Literal

from pydantic import BaseModel, Field


class FollowedEvent(BaseModel):
    """An event in the order of all events."""

    position: int
    hand: str | None = Field(description="Whose it is, or that a wallet pays into or gets from.")
    player: str | None = Field(description="Whose wallet it is of; null of a hand's events.")
    dispute: str | None = Field(
        default=None, description="Whose it is; `hand` is what it is about."
    )
    version: int = Field(description="Its number within the hand, the wallet or the dispute.")
    topic: str
    happened_at: str
    recorded_at: str
    command_id: str
    actor: str
    unreadable: str | None = Field(description="Why it cannot be read, where that is so.")
    event: dict[str, Any] | None = Field(description="Its own fields, as its topic has them.")


class EventPage(BaseModel):
    """Some events in their order."""

    events: list[FollowedEvent]
    after: int = Field(description="Where the next page begins; no less than was asked for.")
    head: int = Field(description="The last position that there was.")


class HandEvent(BaseModel):
    """An event of a hand."""

    position: int
    version: int
    topic: str
    happened_at: str
    command_id: str
    actor: str
    event: dict[str, Any]


class HandEvents(BaseModel):
    """The events of a hand, as whoever asks may see them."""

    hand: str
    view: Literal["auditor", "seat", "public"]
    events: list[HandEvent]


class TimelineMoment(BaseModel):
    """One event of a hand, and how the hand stood after it."""

    position: int
    version: int
    at: str
    actor: str
    command_id: str
    topic: str
    seat: int | None
    player: str | None
    what: str
    price: int | None
    stack: int | None
    pot: int


class Timeline(BaseModel):
    """Who did what when, the price, the stack and the pot after it."""

    hand: str
    view: Literal["auditor", "seat", "public"]
    state: Literal["running", "settled", "void"]
    moments: list[TimelineMoment]


class ArgumentStep(BaseModel):
    """One step of the argument for a hand."""

    version: int
    text: str
    arithmetic: list[str]
    rule: str
    document: str
    quotation: str


class Explanation(BaseModel):
    """The argument for a hand."""

    hand: str
    lang: Literal["en", "zh"]
    steps: list[ArgumentStep]


class Parted(BaseModel):
    """Where what is recorded is not what follows from the events before it."""

    hand: str
    position: int | None
    what: str
    recorded: Any = Field(description="Null while the hand runs: it may hold a card.")
    derived: Any
    rule: str


class DealProof(BaseModel):
    """What is proven of a deal."""

    verdict: Literal["proven", "not_proven", "absent"]
    reason: str
    seats: list[int]


class Verification(BaseModel):
    """A hand decided again from its events alone."""

    hand: str
    agrees: bool
    discrepancies: list[Parted]
    deck_proof: DealProof


class WalletMovement(BaseModel):
    """A change of a player's wallet."""

    position: int
    happened_at: str
    topic: str
    hand: str | None
    seat: int | None
    amount: int
    balance: int


class Statement(BaseModel):
    """Movements of a player's wallet, in their order."""

    player: str
    as_of: int | str | None
    movements: list[WalletMovement]
    after: int | None = Field(description="Where the next page begins; null on the last.")


class Bonus(BaseModel):
    """喜钱 of a player, by category and rulebook."""

    player: str
    category: str
    rulebook: str
    version: int
    times: int
    amount: int


class BonusList(BaseModel):
    """喜钱."""

    bonuses: list[Bonus]
    as_of: int | str | None


class HouseDay(BaseModel):
    """What the house took and gave on a day at a kind of table."""

    day: str
    rulebook: str
    version: int
    ante: int | None
    max_stake: int | None
    rake: int
    bank: int
    bonus: int
    rounding: int


class HouseList(BaseModel):
    """What the house took and gave."""

    house: list[HouseDay]
    as_of: int | str | None


class TrailPage(BaseModel):
    """Lines of the audit trail, in the order of positions."""

    lines: list[dict[str, Any]]
    after: int | None = Field(description="Where the next page begins; null on the last.")


class StoredCheckpoint(BaseModel):
    """What the log was at a size."""

    size: int
    note: str = Field(description="As it is signed: keep it elsewhere.")
    made_at: str


class CheckpointPage(BaseModel):
    """Checkpoints, in the order of their sizes."""

    checkpoints: list[StoredCheckpoint]
    after: int | None = Field(description="Where the next page begins; null on the last.")


class RulebookName(BaseModel):
    """Which rulebook it is."""

    id: str
    version: int
    digest: str
    name: str
    document: str


class RulebookList(BaseModel):
    """Every rulebook that was published."""

    rulebooks: list[RulebookName]


class RulebookField(BaseModel):
    """A field of a rulebook: its value, what it means, and what that rests on."""

    field: str
    value: Any
    said: str
    means: str
    section: str
    sentences: list[str]
    interpretation: str


class RulebookPage(RulebookName):
    """A rulebook, field by field."""

    lang: Literal["en", "zh"]
    fields: list[RulebookField]
