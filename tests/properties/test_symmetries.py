"""What must not matter: the order of lists, of cards, of fields; the names of suits and seats."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.cards import SUITS, split
from domain.events import CardsDealt, Event
from domain.zhajinhua.rulebooks import published
from tests.domain.hands import events_of, settled
from tests.properties.legal import as_line, hands

ALL = published()
SUITLESS = tuple(
    rules for rules in ALL if not rules.suits and rules.bonus in {"antes", "none"}
)  # the others rank suits, or pay for spades


@settings(deadline=None)
@given(record=hands(ALL), data=st.data())
def test_the_order_of_seats_cards_and_fields_in_a_record_does_not_matter(record, data):
    """The same hand, to the last event."""
    shuffled = {
        name: _shuffled(record[name], data) if name in {"seats", "deal", "table"} else record[name]
        for name in data.draw(st.permutations(list(record)))
    }

    assert events_of(as_line(shuffled)) == events_of(as_line(record))


@settings(deadline=None)
@given(record=hands(ALL), data=st.data())
def test_the_order_of_the_cards_within_a_hand_does_not_matter(record, data):
    """Nothing but the deal itself tells them apart."""
    deal = {
        seat: "".join(data.draw(st.permutations(split(cards))))
        for seat, cards in record["deal"].items()
    }

    assert _but_the_deal({**record, "deal": deal}) == _but_the_deal(record)


@settings(deadline=None)
@given(record=hands(SUITLESS), suits=st.permutations(SUITS))
def test_the_names_of_suits_do_not_matter_where_suits_do_not_rank(record, suits):
    """Any suit may stand for any other, in all hands alike."""
    assume(not record["table"].get("suits"))  # a custom room may let them rank
    renamed = str.maketrans(SUITS, "".join(suits))
    deal = {
        seat: "".join(card[0] + card[1].translate(renamed) for card in split(cards))
        for seat, cards in record["deal"].items()
    }

    assert _but_the_deal({**record, "deal": deal}) == _but_the_deal(record)


@settings(deadline=None)
@given(record=hands(ALL), shift=st.integers(0, 8), gap=st.integers(1, 3))
def test_seat_numbers_are_only_names_around_the_table(record, shift, gap):
    """Turning the table, and leaving more chairs free, changes the numbers and nothing else."""
    numbers = sorted(seat["seat"] for seat in record["seats"])
    turned = numbers[shift % len(numbers) :] + numbers[: shift % len(numbers)]
    name = {old: 20 + gap * place for place, old in enumerate(turned)}

    was, became = settled(as_line(record)), settled(as_line(_renamed(record, name)))

    assert {str(name[int(n)]): result for n, result in was["seats"].items()} == became["seats"]
    assert {name[n] for n in was["winners"]} == set(became["winners"])
    assert (was["pot"], was["rounds"], was["rake"]) == (
        became["pot"],
        became["rounds"],
        became["rake"],
    )


@settings(deadline=None)
@given(record=hands(ALL))
def test_who_sits_there_does_not_matter(record):
    """A hand knows seats; the names of players are for the wallets."""
    seats = [{**seat, "player": "张三"} for seat in record["seats"]]

    assert settled(as_line({**record, "seats": seats})) == settled(as_line(record))


@settings(deadline=None)
@given(record=hands(ALL))
def test_a_record_may_claim_its_own_settlement(record):
    """What the ledger came to is a claim that the reader takes without a word."""
    claimed = {**record, "settlement": settled(as_line(record))}

    assert settled(as_line(claimed)) == settled(as_line(record))


def _but_the_deal(record: Mapping[str, Any]) -> list[Event]:
    return [event for event in events_of(as_line(record)) if not isinstance(event, CardsDealt)]


def _shuffled(part: Any, data: st.DataObject) -> Any:
    """Return a list or an object in another order."""
    if isinstance(part, dict):
        return dict(data.draw(st.permutations(list(part.items()))))
    return data.draw(st.permutations(part))


def _renamed(record: Mapping[str, Any], name: Mapping[int, int]) -> dict[str, Any]:
    """Return a record with other seat numbers throughout."""
    renamed = json.loads(as_line(record))
    for field in ("dealer", "opener"):
        if field in renamed:
            renamed[field] = name[renamed[field]]
    for seat in renamed["seats"]:
        seat["seat"] = name[seat["seat"]]
    for field in ("deal", "bonus_draws"):
        if field in renamed:
            renamed[field] = {str(name[int(n)]): v for n, v in renamed[field].items()}
    for action in renamed["actions"]:
        action |= {f: name[action[f]] for f in ("seat", "with") if f in action}
    return renamed
