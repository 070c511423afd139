"""What was stored once loads for ever: topics, samples of every event, and their strictness."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from domain.events import TOPICS, HandFolded, HandOpened, WalletEvent
from domain.money import MAX_AMOUNT, Transfer
from tests.domain.trees import Way, nodes, removed, replaced

PUBLISHED = {
    # Added to as topics are published; never taken from, never renamed.
    "hand.opened.v1": "HandOpened",
    "hand.ante_posted.v1": "AntePosted",
    "hand.cards_dealt.v1": "CardsDealt",
    "hand.cards_seen.v1": "CardsSeen",
    "hand.bet_called.v1": "BetCalled",
    "hand.bet_raised.v1": "BetRaised",
    "hand.hands_compared.v1": "HandsCompared",
    "hand.last_stand_taken.v1": "LastStandTaken",
    "hand.all_in_taken.v1": "AllInTaken",
    "hand.folded.v1": "HandFolded",
    "hand.all_folded.v1": "AllFolded",
    "hand.topped_up.v1": "ToppedUp",
    "hand.hands_opened.v1": "HandsOpened",
    "hand.bonus_granted.v1": "BonusGranted",
    "hand.settled.v1": "HandSettled",
    "hand.settlement_claimed.v1": "SettlementClaimed",
    "hand.voided.v1": "HandVoided",
    "hand.deck_disclosed.v1": "DeckDisclosed",
    "wallet.deposited.v1": "FundsDeposited",
    "wallet.withdrawn.v1": "FundsWithdrawn",
    "wallet.carry_reserved.v1": "CarryReserved",
    "wallet.carry_released.v1": "CarryReleased",
    "wallet.player_named.v1": "PlayerNamed",
    "wallet.player_erased.v1": "PlayerErased",
    "dispute.opened.v1": "DisputeOpened",
    "dispute.noted.v1": "DisputeNoted",
    "dispute.ruled.v1": "DisputeRuled",
}


def _samples() -> Iterator[tuple[str, str]]:
    """Yield the topic and the body of every stored sample."""
    text = Path(__file__).with_name("stored_events.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            topic, _, body = line.partition(" ")
            yield topic, body


SAMPLES = tuple(_samples())
NAMED = {f"{sample[0]} {number}": sample for number, sample in enumerate(SAMPLES)}


def test_no_published_topic_disappears():
    """Each is read by the class that it always had, and each new one is listed here."""
    assert {topic: kind.__name__ for topic, kind in TOPICS.items()} == PUBLISHED


def test_a_topic_is_written_in_the_class_that_it_names():
    """Stored names do not depend on where a class lives."""
    assert all(topic == kind.TOPIC for topic, kind in TOPICS.items())


def test_every_topic_has_a_stored_sample():
    """Nothing is published that could not be read back tomorrow."""
    assert {topic for topic, _ in SAMPLES} == set(TOPICS)


every_sample = pytest.mark.parametrize(("topic", "body"), NAMED.values(), ids=NAMED)


@every_sample
def test_a_stored_event_loads_and_is_stored_the_same_again(topic, body):
    """Byte for byte, where the writer leaves out transfers of nothing."""
    event = TOPICS[topic].model_validate_json(body)

    again = event.model_dump_json(exclude=None if event.transfers else {"transfers"})
    assert again == body
    assert TOPICS[topic].model_validate_json(event.model_dump_json()) == event


@every_sample
def test_an_event_cannot_be_changed(topic, body):
    """Neither its fields nor those of its transfers."""
    event = TOPICS[topic].model_validate_json(body)

    for name in type(event).model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(event, name, getattr(event, name))
    assert isinstance(event.transfers, tuple)
    assert all(isinstance(move, Transfer) for move in event.transfers)


@every_sample
def test_an_event_is_closed(topic, body):
    """A field that nobody knows is refused, at every level that is not free by its nature."""
    for path, node in nodes(json.loads(body)):
        if isinstance(node, dict) and not _is_free(topic, path) and not _is_map(topic, path):
            assert not _loads(topic, replaced(body, (*path, "extra"), 1)), path


@every_sample
def test_an_event_is_strict(topic, body):
    """A number is no text, no fraction and no truth value, nor the other way round."""
    for path, node in nodes(json.loads(body)):
        if _is_free(topic, path) or isinstance(node, (dict, list)):
            continue
        for other in _other_types(node):
            if path[:1] == ("table",) and not isinstance(other, (str, float)):
                continue  # a parameter's type is its rulebook's to say
            assert not _loads(topic, replaced(body, path, other)), (path, other)


@every_sample
def test_no_field_of_an_event_may_be_left_out(topic, body):
    """But for those that stand for nothing: no transfers, no commitment, protection as usual."""
    optional = {"transfers", "commitment", "protect", "house_banked"}
    for path, _ in nodes(json.loads(body)):
        if not path or _is_free(topic, path) or _is_map(topic, path[:-1]):
            continue
        if isinstance(path[-1], str) and path[-1] not in optional:
            assert not _loads(topic, removed(body, path)), path


def test_amounts_are_bounded_where_they_are_stored():
    """0 to 2^63-1, in wallets and carries alike."""
    topics = {topic: body for topic, body in SAMPLES if issubclass(TOPICS[topic], WalletEvent)}
    for topic, body in topics.items():
        assert _loads(topic, replaced(body, ("balance",), MAX_AMOUNT))
        assert not _loads(topic, replaced(body, ("balance",), MAX_AMOUNT + 1))
        assert not _loads(topic, replaced(body, ("balance",), -1))
    opened = next(body for topic, body in SAMPLES if topic == HandOpened.TOPIC)
    assert not _loads(HandOpened.TOPIC, replaced(opened, ("seats", 0, "carry"), MAX_AMOUNT + 1))


def test_the_price_of_an_action_is_its_first_transfer():
    """And nothing where nothing moved."""
    event = TOPICS["hand.hands_compared.v1"].model_validate_json(SAMPLES[10][1])
    assert (event.TOPIC, event.paid) == ("hand.hands_compared.v1", 1)
    assert HandFolded(seat=1, by="choice").paid == 0


# --- what may differ ---------------------------------------------------------------------


def _is_free(topic: str, path: Way) -> bool:
    """Tell whether anything may stand there: a foreign system's claim."""
    return topic == "hand.settlement_claimed.v1" and path[:1] == ("settlement",)


def _is_map(topic: str, path: Way) -> bool:
    """Tell whether the keys there are data: seats, or parameters."""
    maps = {("table",), ("draws",), ("cards",), ("settlement", "seats")}
    return path in maps and topic.startswith("hand.")


def _other_types(node: Any) -> tuple[Any, ...]:
    """Return what a careless writer might have stored instead."""
    if isinstance(node, bool):
        return (int(node), str(node).lower())
    if isinstance(node, int):
        return (str(node), node + 0.5, float(node), True, [node])
    return (0.5, [node], True) if node is None else (7, [node], True)


def _loads(topic: str, body: str) -> bool:
    """Tell whether a text is an event of a topic."""
    kind: type[BaseModel] = TOPICS[topic]
    try:
        kind.model_validate_json(body)
    except ValidationError:
        return False
    return True
