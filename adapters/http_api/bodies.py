"""What is sent and what is answered, as types. Amounts are integers of minor units (分).

What a command holds is checked here by type alone; what of it the rules take, they say.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from adapters.commands.deciding import Priced
from domain.limits import ACTIONS_MAX
from domain.money import MAX_AMOUNT
from domain.record import NAME_LENGTH_MAX
from domain.zhajinhua.play import Action

Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT)]
SeatNumber = Annotated[int, Field(ge=-MAX_AMOUNT, le=MAX_AMOUNT)]
Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH_MAX)]
Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

Position = Annotated[int, Field(ge=0, le=MAX_AMOUNT)]
"""A place in the order of all events."""


class _Sent(BaseModel):
    """A part of a request: closed, and without conversions."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=False)


class Command(_Sent):
    """What every command may say of itself."""

    actor: Name | None = Field(
        default=None, description="Who gives it, kept with its events; else the holder of the key."
    )


class Seat(_Sent):
    """Who sits where, with how much."""

    seat: SeatNumber
    player: Name
    carry: Amount
    protect: bool | None = Field(default=None, description="Plays on at a timeout, by rulebook.")


class Opening(Command):
    """A hand that begins."""

    hand: Name
    rulebook: Name = Field(description="Its id; the newest version is taken.")
    table: dict[str, Any] = Field(
        description="Its parameters, as a hand record gives them, and `commit_deck`."
    )
    dealer: SeatNumber
    seats: list[Seat]
    deal: dict[str, str] = Field(description="Each seat's three cards, by seat.")
    opener: SeatNumber | None = None
    bonus_draws: dict[str, Amount] | None = None
    commitment: Hex32 | None = Field(default=None, description="To the deck.")


class Act(_Sent):
    """What a seat does. Which fields belong to it, its verb says."""

    do: Name = Field(
        description="look, call, raise, compare, fold, timeout, all_in, top_up or fold_all"
    )
    seat: SeatNumber | None = None
    stake: Amount | None = Field(default=None, description="Of a raise: the new stake.")
    target: SeatNumber | None = Field(
        default=None, alias="with", description="Of a compare: the seat to duel."
    )
    amount: Amount | None = Field(default=None, description="Of a top-up.")
    price: Amount | None = Field(
        default=None, description="What staying in cost the seat when it decided."
    )

    @property
    def priced(self) -> Priced:
        """Return it as the ledger takes it."""
        action = Action(self.do, self.seat, self.stake, self.target, self.amount)
        return Priced(action, self.price)


class OneAct(Act, Command):
    """One action."""


class ManyActs(Command):
    """Several actions, in order."""

    actions: Annotated[list[Act], Field(min_length=1, max_length=ACTIONS_MAX)]
    atomic: bool = Field(
        default=True, description="All or none; else those before the first that is refused."
    )


class Voiding(Command):
    """Why a hand does not count."""

    reason: Name


class Disclosure(Command):
    """The deck that a hand was committed to."""

    salt: Hex32
    deck: Annotated[str, Field(min_length=104, max_length=104)]


class Claim(Command):
    """What another system says that a hand came to."""

    claimant: Name
    settlement: dict[str, Any] = Field(description="Its figures, whichever it gives.")


class Movement(Command):
    """Chips between a player's wallet and the cashier."""

    amount: Annotated[int, Field(ge=1, le=MAX_AMOUNT)]


# --- answers -------------------------------------------------------------------------


class Receipt(BaseModel):
    """A command that was carried out. Wait for `last_position` to read what it changed."""

    status: Literal["applied", "replayed"]
    command_id: str
    first_position: int
    last_position: int
    answer: dict[str, Any] = Field(description="What it came to: the same however often given.")


class SeatState(BaseModel):
    """A seat as it stands."""

    seat: int
    player: str
    carry: int
    stack: int
    contributed: int
    seen: bool
    out: bool
    all_in: bool
    cards: str | None = Field(description="None where they are not for whoever asks.")


class HandState(BaseModel):
    """A hand as it stands, for whoever asks."""

    hand: str
    version: int
    state: Literal["running", "settled", "void"]
    view: Literal["auditor", "seat", "public"]
    game: str
    rulebook: str
    rulebook_version: int
    rulebook_digest: str
    table: dict[str, Any]
    dealer: int
    opener: int
    turn: int | None
    round: int
    stake: int
    pot: int
    seats: list[SeatState]
    settlement: dict[str, Any] | None
    last_position: int


class HandRow(BaseModel):
    """A hand in a list. What it came to is null until it is settled."""

    hand: str
    game: str
    rulebook: str
    version: int
    ante: int | None
    max_stake: int | None
    seats: list[int]
    players: list[str]
    opened_at: str
    opened_position: int
    state: Literal["running", "settled", "void"]
    ended_at: str | None
    ended_position: int | None
    winners: list[str] | None
    pot: int | None
    rounds: int | None
    rake: int | None
    house_bonus: int | None
    flags: list[str]


class HandPage(BaseModel):
    """Some hands, in the order in which they were opened."""

    hands: list[HandRow]
    after: int | None = Field(description="Where the next page begins; null on the last.")


class Balance(BaseModel):
    """What a player has outside any hand."""

    player: str
    balance: int
    as_of: int | str | None = Field(description="The position or time asked for; null is now.")
