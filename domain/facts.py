"""What happened in a hand, whatever the rules: who sat where with which cards, and what was done.

The same facts come out of a hand record and of the hand's stored events. What the
rules made of them (prices, duels, settlements) is no fact, and is not here; what
the hand's own system said it came to is kept beside them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.cards import DECK, are_three_known, split
from domain.errors import HandNotOverError
from domain.events import (
    CardsDealt,
    Event,
    HandOpened,
    HandSettled,
    SeatTaken,
    Settlement,
    SettlementClaimed,
)
from domain.playing import played_under
from domain.record import HandRecord
from domain.rulebook import Parameters
from domain.zhajinhua.play import Action, action_behind
from domain.zhajinhua.rulebooks import find
from domain.zhajinhua.rules import ZhajinhuaRulebook
from domain.zhajinhua.state import turn_order


class Facts(NamedTuple):
    """A hand without its rules. Amounts in minor units."""

    hand: str
    rulebook: ZhajinhuaRulebook  # that it was played under
    table: Parameters  # every parameter that was in force
    dealer: int
    opener: int | None  # the seat that acted first; None where the dealer's seat is nobody's
    seats: tuple[SeatTaken, ...]  # by seat number
    deal: Mapping[int, str]  # each seat's cards, in one order
    draws: Mapping[int, int]  # bonuses drawn outside
    actions: tuple[Action, ...]
    versions: tuple[int, ...] = ()  # of the events behind the actions, where the hand is stored
    settled: Settlement | None = None  # as this ledger recorded it, where it did
    claim: Mapping[str, object] | None = None  # as a foreign system has it, where it says

    def event(self, at: int) -> int | None:
        """Return the version of the event behind an action, or of the opening, if it is stored."""
        numbered = dict(enumerate(self.versions))
        return 1 if self.versions and at < 0 else numbered.get(at)


def of_record(record: HandRecord) -> Facts:
    """Return the facts of a hand record.

    Raises:
        RefusalError: There is no such rulebook, or the record has what it does not take.
    """
    rulebook, table = played_under(record)
    seats = sorted(record.taken, key=lambda taken: taken.seat)
    recorded = record.opener if "opener" in record.model_fields_set else None
    return Facts(
        hand=record.hand,
        rulebook=rulebook,
        table=table,
        dealer=record.dealer,
        opener=_opener(rulebook, record.dealer, recorded, [taken.seat for taken in seats]),
        seats=tuple(seats),
        deal=_sorted(record.cards),
        draws=record.draws,
        actions=tuple(recorded.action for recorded in record.actions),
        claim=record.claim,
    )


def of_events(hand: str, events: Sequence[Event]) -> Facts:
    """Return the facts of a stored hand that is settled: of no other, the cards are nobody's.

    Args:
        hand: Its id.
        events: Its whole stream, in order.

    Raises:
        HandNotOverError: It is still running, or was declared void.
    """
    settled = next((e.settlement for e in events if isinstance(e, HandSettled)), None)
    if settled is None:
        raise HandNotOverError(f"hand {hand} is not settled", hand=hand)
    opening = next(event for event in events if isinstance(event, HandOpened))
    done = [(n, action_behind(event)) for n, event in enumerate(events, start=1)]
    return Facts(
        hand=hand,
        rulebook=find(opening.rulebook, opening.version),
        table=opening.table,
        dealer=opening.dealer,
        opener=opening.opener,
        seats=opening.seats,
        deal=_sorted(next(e.cards for e in events if isinstance(e, CardsDealt))),
        draws=opening.draws,
        actions=tuple(action for _, action in done if action),
        versions=tuple(version for version, action in done if action),
        settled=settled,
        claim=next((e.settlement for e in events if isinstance(e, SettlementClaimed)), None),
    )


def net_of(figures: Mapping[str, object] | None, seat: int) -> int | None:
    """Return what some system's figures say that a seat won or lost, where they say so."""
    seats = (figures or {}).get("seats")
    result = seats.get(str(seat)) if isinstance(seats, Mapping) else None
    net = result.get("net") if isinstance(result, Mapping) else None
    return net if type(net) is int else None


def _opener(
    rulebook: ZhajinhuaRulebook, dealer: int, recorded: int | None, seats: Sequence[int]
) -> int | None:
    """Return the seat that opened: as recorded, else as the hand's own rulebook has it."""
    if recorded is not None or dealer not in seats:
        return recorded
    order = turn_order(seats, dealer, rulebook)
    return order[1] if rulebook.opener == "after_dealer" and len(order) > 1 else dealer


def _sorted(deal: Mapping[int, str]) -> dict[int, str]:
    """Return the deal by seat, the high cards of each first; what is no card stays as it is."""
    return {
        seat: "".join(sorted(split(cards), key=DECK.index, reverse=True))
        if are_three_known(cards)
        else cards
        for seat, cards in sorted(deal.items())
    }
