"""What staying in costs a seat that answers an all-in."""

import json
from datetime import UTC, datetime

import pytest

from domain.record import begin, read
from domain.stream import Cause
from domain.zhajinhua.all_in import staying_price
from domain.zhajinhua.play import Action

CAUSE = Cause("c", "ann", datetime(2026, 1, 1, tzinfo=UTC))

# fmt: off
PRICES = {
    # why                                     rulebook      ann  bo  price
    "up to the level of a short all-in":     ("tongcheng",   18, 99,     8),  # 18 - 10
    "as far as the stack reaches":           ("tongcheng",   18, 15,     5),  # 15 - 10
    "what a blind all-in put in":            ("feifan2017",  40, 99,    30),  # 40 - 10
    "what is left, where that is less":      ("feifan2017",  40, 25,    15),  # 25 - 10
}
# fmt: on


@pytest.mark.parametrize(("rulebook", "ann", "bo", "price"), PRICES.values(), ids=PRICES)
def test_an_all_in_is_answered_at_its_price(rulebook, ann, bo, price):
    """The ante is 10; ann, blind, goes all-in at once, and bo, blind, may answer."""
    record = {
        "hand": "h",
        "rulebook": rulebook,
        "table": {"ante": 10},
        "dealer": 1,
        "seats": [
            {"seat": 1, "player": "ann", "carry": ann},
            {"seat": 2, "player": "bo", "carry": bo},
        ],
        "deal": {"1": "AsKd9c", "2": "7h6d2c"},
        "actions": [],
    }
    hand = begin(read(json.dumps(record)), CAUSE)
    hand.act(Action("all_in", 1), CAUSE)

    assert price == staying_price(hand.state, hand.state.seats[2])
