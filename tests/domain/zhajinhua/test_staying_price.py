"""What staying in costs a seat, and whoever decided on another price."""

import json

import pytest

from domain.errors import PriceChangedError
from domain.playing import begin
from domain.record import read
from domain.zhajinhua.all_in import staying_price
from domain.zhajinhua.game import check_price
from domain.zhajinhua.play import Action
from tests.domain.hands import CAUSE, NOTHING, PAIR, act, opened

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


AGREED = {
    # why                          what was done before    who   decided on
    "what there is to pay":        ("",                      2,      500),
    "after a raise":               ("2 raise 700",           1,      700),
    "nobody's turn of another":    ("2 raise 700",           2,      500),
    "nobody in particular":        ("",                      None,   1),
    "no price after the end":      ("2 fold",                1,      1),
}  # fmt: skip


@pytest.mark.parametrize(("before", "seat", "price"), AGREED.values(), ids=AGREED)
def test_a_price_is_held_against_the_one_that_there_is(before, seat, price):
    """Where nothing is due from the seat, what it decided on says nothing."""
    hand = act(opened(f"1 {PAIR}, 2 {NOTHING}"), before)

    check_price(hand.state, Action("call", seat), price)

    assert staying_price(hand.state, hand.state.seats[1]) == (700 if "raise" in before else 500)


def test_a_bet_that_was_decided_on_another_price_is_refused():
    """It names both, and nothing happens."""
    hand = act(opened(f"1 {PAIR}, 2 {NOTHING}"), "2 raise 700")
    version = hand.version

    with pytest.raises(PriceChangedError) as raised:
        hand.act(Action("call", 1), CAUSE, price=500)

    assert raised.value.numbers == {"seat": 1, "price": 500, "now": 700}
    assert hand.version == version
    hand.act(Action("call", 1), CAUSE, price=700)
    assert hand.version == version + 1
