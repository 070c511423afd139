"""A deck disclosed: held against the commitment of the opening, and against the cards dealt.

RULES.md §2.6. Whether a hand is proven follows from its events alone, whoever looks at them.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from domain.deck import are_same, check_deck, check_salt, commit, dealt
from domain.errors import (
    AlreadyDisclosedError,
    BadRecordError,
    CommitmentMismatchError,
    HandRunningError,
    NoCommitmentError,
)
from domain.events import CardsDealt, DeckDisclosed, Event, HandOpened
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.state import HandState, opened, turn_order

Verdict = Literal["proven", "not_proven", "absent"]
Reason = Literal[
    "deal_matches",  # proven: the deck is the one committed to, and gives the cards dealt
    "no_commitment",  # absent
    "not_disclosed",  # not proven, as all that follow
    "commitment_mismatch",  # another deck than the one committed to, or none
    "deal_differs",  # the deck committed to gives some seats other cards
    "unreadable",  # the events make no hand: somebody wrote them
]


class Proof(NamedTuple):
    """What a hand's events prove of its deal."""

    verdict: Verdict
    reason: Reason
    seats: tuple[int, ...] = ()  # whose cards are not those that the deck gives


def disclose(hand: str, state: HandState, *, salt: object, deck: object) -> DeckDisclosed:
    """Decide the disclosure of a deck. It moves no chip.

    Args:
        hand: The hand's id.
        state: The hand as it stands.
        salt: 64 hex digits, the salt of the commitment.
        deck: 52 cards in their order.

    Raises:
        BadRecordError: The salt or the deck is none.
        HandRunningError: The hand is not over.
        NoCommitmentError: It opened without a commitment.
        AlreadyDisclosedError: Its deck is disclosed.
        CommitmentMismatchError: The commitment is to another deck, or with another salt.
    """
    secret = check_salt(salt)
    check_deck(deck)
    assert isinstance(salt, str), "checked"
    assert isinstance(deck, str), "checked"
    if not state.over:
        raise HandRunningError(f"hand {hand} is still running", hand=hand)
    if state.commitment is None:
        raise NoCommitmentError(f"hand {hand} opened without a commitment", hand=hand)
    if state.disclosed:
        raise AlreadyDisclosedError(f"the deck of hand {hand} is disclosed already", hand=hand)
    given = commit(hand, state.digest, deck, secret)
    if given != state.commitment:
        raise CommitmentMismatchError(
            f"hand {hand} is committed to {state.commitment}; this comes to {given}",
            hand=hand,
            commitment=state.commitment,
            given=given,
        )
    return DeckDisclosed(salt=salt, deck=deck)


def deal_of(state: HandState, deck: str) -> dict[int, str]:
    """Return what a deck gives each seat: first the dealer, then the others in turn order."""
    return dealt(deck, turn_order(state.seats, state.dealer, state.rules))


def other_cards(state: HandState, deck: str) -> tuple[int, ...]:
    """Return the seats that hold other cards than the deck gives them, by number."""
    due = deal_of(state, deck)
    return tuple(n for n in sorted(due) if not are_same(state.seats[n].cards, due[n]))


def proof(hand: str, events: Sequence[Event]) -> Proof:
    """Return what a hand's events prove of its deal.

    Args:
        hand: Its id.
        events: Its whole stream so far, from the opening on.
    """
    opening = events[0]
    assert isinstance(opening, HandOpened), "a hand begins with its opening"
    if opening.commitment is None:
        return Proof("absent", "no_commitment")
    disclosed = next((event for event in events if isinstance(event, DeckDisclosed)), None)
    if disclosed is None:
        return Proof("not_proven", "not_disclosed")
    if not _is_committed(hand, opening, disclosed):
        return Proof("not_proven", "commitment_mismatch")
    state = opened(opening)
    for event in events:
        if isinstance(event, CardsDealt):
            state = evolve(state, event)
    seats = other_cards(state, disclosed.deck)
    if seats:
        return Proof("not_proven", "deal_differs", seats)
    return Proof("proven", "deal_matches")


def _is_committed(hand: str, opening: HandOpened, disclosed: DeckDisclosed) -> bool:
    """Tell whether the deck that was disclosed is the one that the opening committed to."""
    try:
        salt = check_salt(disclosed.salt)
        check_deck(disclosed.deck)
    except BadRecordError:
        return False
    return commit(hand, opening.digest, disclosed.deck, salt) == opening.commitment
