"""A deck: what a commitment binds, who gets which card, and what a disclosure proves."""

# ruff: noqa: E501 - a case stays on one line

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK, split
from domain.deck import (
    are_same,
    check_commitment,
    check_deck,
    check_salt,
    commit,
    dealt,
    is_deck,
)
from domain.discrepancies import Recorded
from domain.errors import (
    AlreadyDisclosedError,
    BadRecordError,
    CommitmentMismatchError,
    HandOverError,
    HandRunningError,
    NoCommitmentError,
)
from domain.events import CardsDealt, DeckDisclosed, Event, HandOpened
from domain.framing import length_prefixed
from domain.hand import Hand
from domain.verification import verify_hand
from domain.zhajinhua.disclosing import Proof, deal_of, proof
from tests.domain.hands import (
    ACES,
    CAUSE,
    NOTHING,
    PAIR,
    QUEEN,
    SALT,
    act,
    committed,
    deck_for,
    opened,
)

ORDERED = "".join(DECK)
DIGEST = "ab" * 32
THREE = f"1 {ACES}, 2 {PAIR}, 3 {NOTHING}"
ORDER = (1, 3, 2)  # 九游 deals counter-clockwise, from the dealer in seat 1 on
RIGHT = deck_for(THREE, ORDER)

# --- the commitment ----------------------------------------------------------------------


def test_a_commitment_is_what_anybody_computes_from_the_rule():
    """Written out here by §2.6 alone, and pinned: what was once committed to stays provable."""
    fields = (b"jinhua.deck.v1", b"h-1", DIGEST.encode(), SALT, ORDERED.encode())
    content = b"".join(len(field).to_bytes(8, "big") + field for field in fields)

    commitment = commit("h-1", DIGEST, ORDERED, SALT)

    assert hashlib.sha256(content).hexdigest() == commitment
    assert "acc6ad58da986b909b91cf8987df36dd913a4c1cd24de99d407b628cc3a218ef" == commitment


BOUND: dict[str, tuple[Any, ...]] = {
    # what is another        hand    digest       deck                            salt
    "the hand":             ("h-2",  DIGEST,      ORDERED,                        SALT),
    "the rulebook":         ("h-1",  "ac" * 32,   ORDERED,                        SALT),
    "two cards in places":  ("h-1",  DIGEST,      ORDERED[2:4] + ORDERED[:2] + ORDERED[4:], SALT),
    "the last cards":       ("h-1",  DIGEST,      ORDERED[:-4] + ORDERED[-2:] + ORDERED[-4:-2], SALT),
    "the salt":             ("h-1",  DIGEST,      ORDERED,                        bytes(32)),
}  # fmt: skip


@pytest.mark.parametrize("other", BOUND.values(), ids=BOUND)
def test_a_commitment_is_to_one_deck_of_one_hand_under_one_rulebook(other):
    """Whatever is another makes another."""
    assert commit("h-1", DIGEST, ORDERED, SALT) != commit(*other)


NO_DIGITS: tuple[Any, ...] = (
    *("", "ab", DIGEST[1:], f"{DIGEST}0", DIGEST.upper(), f"{DIGEST[:-1]}g", f"{DIGEST}\n"),
    *(f"0x{DIGEST[2:]}", f" {DIGEST[1:]}", "１" * 64, 7, None, True, SALT),
)


@pytest.mark.parametrize("text", NO_DIGITS, ids=ascii)
def test_a_commitment_and_a_salt_are_64_hex_digits(text):
    """In lower case, so that each has one spelling."""
    with pytest.raises(BadRecordError, match="commitment"):
        check_commitment(text)
    with pytest.raises(BadRecordError, match="salt"):
        check_salt(text)
    assert check_salt(SALT.hex()) == SALT


NO_DECKS: tuple[Any, ...] = (
    *("", ORDERED[:-2], ORDERED + "2c", ORDERED[:-2] + "2c", ORDERED.upper(), ORDERED[1:]),
    *(ORDERED[:-1] + "x", ORDERED + " ", list(DECK), None, 52),
)


@pytest.mark.parametrize("deck", NO_DECKS, ids=range(len(NO_DECKS)))
def test_a_deck_is_all_52_cards_once(deck):
    """What is none is refused, and not repeated in the refusal: it may be one nearly."""
    with pytest.raises(BadRecordError) as refused:
        check_deck(deck)

    assert "deck: is not 52 cards, all different" == str(refused.value)
    assert not is_deck(deck)


# --- the deal ----------------------------------------------------------------------------


def test_cards_go_one_at_a_time_three_times_around():
    """“每人先拿1张，循环3轮”, document 002."""
    assert {5: "2c3c4c", 1: "2d3d4d", 3: "2h3h4h", 8: "2s3s4s"} == dealt(ORDERED, (5, 1, 3, 8))


@given(order=st.permutations(range(1, 10)), deck=st.permutations(DECK))
def test_a_deal_gives_out_the_first_cards_of_the_deck_and_no_other(order, deck):
    """Each once, three to a seat."""
    given_out = dealt("".join(deck), order)

    cards = [card for held in given_out.values() for card in split(held)]
    assert sorted(cards) == sorted(deck[:27])
    assert {3} == {len(split(held)) for held in given_out.values()}


def test_a_seat_s_cards_are_the_same_in_any_order():
    """A hand of three has no order."""
    assert are_same("AhKdQs", "QsAhKd")
    assert not are_same("AhKdQs", "AhKdQc")


DIRECTIONS = {
    # rulebook      dealer  the order in which seats 1, 4, 6 are dealt to
    "jiuyou":      (4,      (4, 1, 6)),
    "feifan2017":  (4,      (4, 6, 1)),
}  # fmt: skip


@pytest.mark.parametrize("rulebook", DIRECTIONS)
def test_the_deal_begins_with_the_dealer_and_goes_the_way_of_play(rulebook):
    """“从庄家开始逆时针发牌”, document 000; clockwise in document 002."""
    dealer, order = DIRECTIONS[rulebook]
    deal = f"1 {ACES}, 4 {PAIR}, 6 {QUEEN}"
    hand = opened(deal, dealer=dealer, rulebook=rulebook)

    assert {1: ACES, 4: PAIR, 6: QUEEN} == deal_of(hand.state, deck_for(deal, order))


# --- the disclosure ----------------------------------------------------------------------


def over(hand: Hand) -> Hand:
    """Return a hand of three after two have folded."""
    return act(hand, "3 fold, 2 fold")


def disclosed(hand: Hand, deck: str = RIGHT, salt: str = SALT.hex()) -> list[Event]:
    """Return the events of a hand after its disclosure."""
    hand.disclose(salt, deck, CAUSE)
    return [entry.event for entry in hand.collect_events()]


def test_a_deck_is_disclosed_once_the_hand_is_over():
    """No chip moves, and nothing but the deck is known that was not known before."""
    hand = over(committed(THREE, ORDER))
    before = hand.state

    last = disclosed(hand)[-1]

    assert DeckDisclosed(salt=SALT.hex(), deck=RIGHT) == last
    assert before._replace(disclosed=True) == hand.state


def test_a_deck_of_a_void_hand_is_disclosed_too():
    """That it does not count does not make its cards a secret."""
    hand = committed(THREE, ORDER)
    hand.void("misdeal", CAUSE)

    assert Proof("proven", "deal_matches") == proof("h-1", disclosed(hand))


def test_a_hand_is_the_same_from_its_events_after_the_disclosure():
    """It is settled, and still takes no action."""
    hand = over(committed(THREE, ORDER))
    events = disclosed(hand)

    again = Hand.replay(hand.id, events)

    assert (hand.state, hand.version) == (again.state, again.version)
    with pytest.raises(HandOverError):
        act(again, "1 fold")


def running() -> Hand:
    """Return a hand that goes on."""
    return committed(THREE, ORDER)


def without_commitment() -> Hand:
    """Return a hand that ended, and opened without a commitment."""
    return over(opened(THREE))


def told() -> Hand:
    """Return a hand whose deck is disclosed."""
    hand = over(committed(THREE, ORDER))
    hand.disclose(SALT.hex(), RIGHT, CAUSE)
    return hand


def ended() -> Hand:
    """Return a hand that ended."""
    return over(committed(THREE, ORDER))


REFUSED: dict[str, tuple[Any, ...]] = {
    # why                   hand                deck         salt            refusal
    "it is running":        (running,            RIGHT,       SALT.hex(),     HandRunningError),
    "no commitment":        (without_commitment, RIGHT,       SALT.hex(),     NoCommitmentError),
    "a second time":        (told,               RIGHT,       SALT.hex(),     AlreadyDisclosedError),
    "another deck":         (ended,              ORDERED,     SALT.hex(),     CommitmentMismatchError),
    "another salt":         (ended,              RIGHT,       bytes(32).hex(), CommitmentMismatchError),
    "no deck":              (ended,              RIGHT[2:],   SALT.hex(),     BadRecordError),
    "no salt":              (ended,              RIGHT,       "salt",         BadRecordError),
    "no deck of a running": (running,            RIGHT[2:],   SALT.hex(),     BadRecordError),
}  # fmt: skip


@pytest.mark.parametrize(("hand", "deck", "salt", "refusal"), REFUSED.values(), ids=REFUSED)
def test_a_disclosure_is_refused(hand, deck, salt, refusal):
    """Each for its own reason; nothing happens in the hand, and no card is repeated."""
    hand = hand()
    version = hand.version

    with pytest.raises(refusal) as refused:
        hand.disclose(salt, deck, CAUSE)

    assert version == hand.version
    assert RIGHT[:4] not in f"{refused.value} {refused.value.numbers}"


@pytest.mark.parametrize("commitment", ["", "e3b0c442", DIGEST.upper()])
def test_a_hand_does_not_open_with_what_cannot_be_a_commitment(commitment):
    """It could never be met."""
    with pytest.raises(BadRecordError, match="commitment: is not 64 hex digits"):
        opened(THREE, commitment=commitment)


# --- what is proven ----------------------------------------------------------------------


def with_other_cards() -> list[Event]:
    """Return a hand that is committed to one deck and was dealt from another."""
    return disclosed(over(committed(THREE, ORDER, deck=ORDERED)), ORDERED)


def with_cards_in_another_order() -> list[Event]:
    """Return a hand whose deck gives a seat its three cards in another order."""
    deck = deck_for(f"1 AhAsAd, 2 {PAIR}, 3 {NOTHING}", ORDER)
    return disclosed(over(committed(THREE, ORDER, deck=deck)), deck)


def forged(**changed: str) -> list[Event]:
    """Return a hand whose disclosure was written over."""
    *events, last = disclosed(ended())
    return [*events, last.model_copy(update=changed)]


def recommitted() -> list[Event]:
    """Return a hand whose commitment was written over."""
    first, *events = disclosed(ended())
    return [first.model_copy(update={"commitment": DIGEST}), *events]


def redealt() -> list[Event]:
    """Return a hand in which two seats' cards were exchanged."""
    return [
        event.model_copy(update={"cards": {1: ACES, 2: NOTHING, 3: PAIR}})
        if isinstance(event, CardsDealt)
        else event
        for event in disclosed(ended())
    ]


def of_twos() -> list[Event]:
    """Return a hand with a disclosure of what is no deck, and the commitment to just that."""
    deck = RIGHT[: 2 * 9] + "2c" * 43
    fields = (b"jinhua.deck.v1", b"h-1", opening().digest.encode(), SALT, deck.encode())
    commitment = hashlib.sha256(length_prefixed(*fields)).hexdigest()
    first, *events, last = disclosed(ended())
    return [
        first.model_copy(update={"commitment": commitment}),
        *events,
        last.model_copy(update={"deck": deck}),
    ]


def opening() -> HandOpened:
    """Return the opening of a hand."""
    event = ended().collect_events()[0].event
    assert isinstance(event, HandOpened)
    return event


def events_of(hand: Hand) -> list[Event]:
    """Return what happened in a hand."""
    return [entry.event for entry in hand.collect_events()]


MISMATCH = ("not_proven", "commitment_mismatch", ())
# fmt: off
PROOFS: dict[str, tuple[Any, ...]] = {
    # what                         events                                   verdict, reason, seats       named by verify
    "as committed":                (lambda: disclosed(ended()),             ("proven", "deal_matches", ()),  []),
    "a seat's cards in any order": (with_cards_in_another_order,            ("proven", "deal_matches", ()),  []),
    "no commitment":               (lambda: events_of(without_commitment()), ("absent", "no_commitment", ()), []),
    "not disclosed":               (lambda: events_of(ended()),             ("not_proven", "not_disclosed", ()), []),
    "still running":               (lambda: events_of(running()),           ("not_proven", "not_disclosed", ()), []),
    "dealt otherwise":             (with_other_cards,                       ("not_proven", "deal_differs", (1, 2, 3)),
                                    ["cards_dealt.cards.1", "cards_dealt.cards.2", "cards_dealt.cards.3"]),
    "cards exchanged":             (redealt,                                ("not_proven", "deal_differs", (2, 3)),
                                    ["cards_dealt.cards.2", "cards_dealt.cards.3"]),
    "another deck forged":         (lambda: forged(deck=ORDERED),           MISMATCH, ["deck_disclosed"]),
    "another salt forged":         (lambda: forged(salt=DIGEST),            MISMATCH, ["deck_disclosed"]),
    "no deck forged":              (lambda: forged(deck="AsKd"),            MISMATCH, ["deck_disclosed"]),
    "no deck, yet committed to":   (of_twos,                                MISMATCH, ["deck_disclosed"]),
    "another commitment forged":   (recommitted,                            MISMATCH, ["deck_disclosed"]),
}
# fmt: on


@pytest.mark.parametrize(("events", "expected", "named"), PROOFS.values(), ids=PROOFS)
def test_what_a_hand_proves_follows_from_its_events(events, expected, named):
    """The verdict with its reason, and what verification finds in the same events."""
    happened = events()
    rows = [Recorded(n, n, event) for n, event in enumerate(happened, start=1)]

    assert expected == tuple(proof("h-1", happened))
    assert named == [discrepancy.what for discrepancy in verify_hand("h-1", rows)]


def test_a_proof_is_of_one_hand_alone():
    """The same events under another id prove nothing."""
    assert MISMATCH == tuple(proof("h-2", disclosed(ended())))


def test_a_deal_that_the_deck_does_not_give_is_named_at_the_deal():
    """With what was dealt, what was due, and the rule."""
    happened = redealt()
    rows = [Recorded(n, n, event) for n, event in enumerate(happened, start=1)]
    dealt_at = next(row.position for row in rows if isinstance(row.event, CardsDealt))

    first = verify_hand("h-1", rows)[0]

    assert (dealt_at, "§2.6") == (first.position, first.rule)
    assert are_same(NOTHING, str(first.recorded))
    assert are_same(PAIR, str(first.derived))


FORGED_MOMENTS: dict[str, tuple[Any, str]] = {
    # where somebody wrote a disclosure     what verification says of it
    "in a running hand":                   (lambda e: [*e[:5], e[-1], *e[5:-1]], "hand_running"),
    "twice":                               (lambda e: [*e, e[-1]],               "already_disclosed"),
    "without a commitment":                (
        lambda e: [e[0].model_copy(update={"commitment": None}), *e[1:]],        "no_commitment"),
}  # fmt: skip


@pytest.mark.parametrize(("forge", "code"), FORGED_MOMENTS.values(), ids=FORGED_MOMENTS)
def test_a_disclosure_that_could_not_be_is_a_discrepancy(forge, code):
    """It is decided again like everything else."""
    happened = forge(disclosed(ended()))
    rows = [Recorded(n, n, event) for n, event in enumerate(happened, start=1)]

    assert code in [discrepancy.derived for discrepancy in verify_hand("h-1", rows)]
