"""Money: what is no amount never comes in, and what came in goes out to the last minor unit."""

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from adapters.ledger import Ledger
from adapters.simulation.hands import simulate_with_events
from domain.errors import RefusalError
from domain.events import HandOpened, HandSettled
from domain.money import MAX_AMOUNT, POT, post, seat_account, share
from domain.wallet import Wallet
from domain.zhajinhua import pots
from domain.zhajinhua.evolving import evolve
from domain.zhajinhua.play import Action
from domain.zhajinhua.pots import Layer, divide, has_layers
from domain.zhajinhua.state import HandState, opened
from tests.adapters.play import balance, do, fund, sit_down, vectors

# --- pots that do not divide -----------------------------------------------------------

SHARES = {
    # pot, sharers in the order of the odd units, and what each takes
    (100, 3): {1: 34, 2: 33, 3: 33},
    (100, 7): {1: 15, 2: 15, 3: 14, 4: 14, 5: 14, 6: 14, 7: 14},
    (2, 3): {1: 1, 2: 1, 3: 0},
}


@pytest.mark.parametrize(("pot", "count"), SHARES)
def test_a_pot_that_does_not_divide(pot, count):
    """Pot 100 among 3 and among 7: sums exact; the odd units go where the rule says."""
    parts = share(pot, range(1, count + 1))

    assert parts == SHARES[pot, count]
    assert sum(parts.values()) == pot


TIED = {
    "hand": "tied",
    "rulebook": "yingsanzhang",
    "table": {"ante": 25, "max_stake": 100, "round_limit": 1},
    "dealer": 3,
    "seats": [{"seat": seat, "player": f"p{seat}", "carry": 1_000} for seat in (1, 2, 3, 4)],
    "deal": {"1": "AsKh9d", "2": "AhKd9c", "3": "AdKc9s", "4": "2s4h6d"},
}
TIED_ACTIONS = [{"seat": 4, "do": "fold"}, *({"seat": seat, "do": "call"} for seat in (1, 2, 3))]


def test_a_pot_of_a_hundred_among_three_that_tie(ledger):
    """Through the ledger: the odd unit goes to the first winner from the seat after the dealer."""
    line = json.dumps(TIED | {"actions": TIED_ACTIONS})
    (refused,) = ledger.import_hands([line]).refused or [None]
    assert refused is None, refused

    (settled,) = (
        row.entry.event for row in ledger.hand("tied") if isinstance(row.entry.event, HandSettled)
    )
    won = {int(seat): figures["won"] for seat, figures in settled.settlement["seats"].items()}
    assert sum(won.values()) == settled.settlement["pot"]
    odd = settled.settlement["pot"] % 3
    assert odd > 0
    assert [won[1] - won[3], won[2] - won[3]] == [1, odd - 1]
    assert list(ledger.verify()) == []


def test_without_the_odd_units_a_pot_does_not_come_out(ledger, monkeypatch):
    """So the tests above can fail: what does not divide would stay in the pot."""
    monkeypatch.setattr(
        pots, "share", lambda amount, sharers: dict.fromkeys(sharers, amount // len(sharers))
    )

    with pytest.raises(AssertionError):
        ledger.import_hands([json.dumps(TIED | {"actions": TIED_ACTIONS})])
    assert ledger.recorder.max_notification_id() is None


# --- what is no amount -----------------------------------------------------------------

AMOUNTS: tuple[Any, ...] = (10.85, 1e3, "10", float("nan"), 2**63, -1, True)

INTO: dict[str, Callable[[Ledger, Any], Any]] = {
    "deposit": lambda ledger, amount: ledger.deposit("ann", amount, command_id="c"),
    "withdraw": lambda ledger, amount: ledger.withdraw("ann", amount, command_id="c"),
    "carry": lambda ledger, amount: sit_down(ledger, "h-2", carry=amount),
    "ante": lambda ledger, amount: sit_down(ledger, "h-2", table={"ante": amount}),
    "stake": lambda ledger, amount: do(ledger, 1, "raise", stake=amount, command_id="c"),
    "price": lambda ledger, amount: ledger.act(
        "h-1", Action("call", 1), command_id="c", actor="ann", price=amount
    ),
    "top-up": lambda ledger, amount: do(ledger, 1, "top_up", amount=amount, command_id="c"),
    "bonus draw": lambda ledger, amount: sit_down(ledger, "h-2", draws={1: amount}),
}
RECORDED: dict[str, Callable[[dict[str, Any], Any], Any]] = {
    "a record's carry": lambda record, amount: record["seats"][0].update(carry=amount),
    "a record's ante": lambda record, amount: record["table"].update(ante=amount),
    "a record's stake": lambda record, amount: record["actions"].insert(
        0, {"seat": 1, "do": "raise", "stake": amount}
    ),
    "a record's claim": lambda record, amount: record.update(settlement={"pot": amount}),
}


@pytest.mark.parametrize("into", INTO)
def test_what_is_no_amount(ledger, into):
    """Amounts 10.85, 1e3, "10", NaN, 2^63, -1, true: refused before any write."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger)
    before = ledger.recorder.max_notification_id()

    for amount in AMOUNTS:
        with pytest.raises(RefusalError):
            INTO[into](ledger, amount)

    assert ledger.recorder.max_notification_id() == before


@pytest.mark.parametrize("place", RECORDED)
def test_what_is_no_amount_in_a_record(ledger, place):
    """As a program might write it: 1e3 and NaN as they are, numbers in quotes."""
    # A claim may be any figure, below zero too: it is compared and moves nothing.
    amounts = [a for a in AMOUNTS if (place, a) != ("a record's claim", -1)]
    records = [json.loads(json.dumps(vectors("jiuyou")[0])) for _ in amounts]
    for record, amount in zip(records, amounts, strict=True):
        RECORDED[place](record, amount)

    report = ledger.import_hands(json.dumps(record) for record in records)

    assert (report.hands, len(report.refused)) == (0, len(amounts))
    assert ledger.recorder.max_notification_id() is None


def test_without_the_check_of_amounts_they_come_in(ledger, monkeypatch):
    """So the tests above can fail: a half unit would be taken for an amount."""
    monkeypatch.setattr(Wallet, "_check_amount", lambda *_: None)

    with pytest.raises(Exception) as raised:  # noqa: PT011 - the next line of defence has no code
        ledger.deposit("ann", 10.85, command_id="c")
    assert not isinstance(raised.value, RefusalError)
    with pytest.raises(AssertionError):
        ledger.deposit("ann", -1, command_id="d")


def test_the_largest_amount_is_one(ledger):
    """2^63 - 1 comes in and goes out again; not one more."""
    ledger.deposit("ann", MAX_AMOUNT, command_id="d")
    with pytest.raises(RefusalError):
        ledger.deposit("ann", 1, command_id="e")
    ledger.withdraw("ann", MAX_AMOUNT, command_id="w")

    assert balance(ledger, "ann") == 0


# --- layers of a pot -------------------------------------------------------------------


def ended(rulebook: str, hands: int) -> Iterator[tuple[str, HandState]]:
    """Yield random hands just before they are settled; check that every chip is accounted for."""
    for record, events in simulate_with_events(rulebook, hands=hands, seed=11):
        accounts = {seat_account(seat["seat"]): seat["carry"] for seat in record["seats"]}
        brought = sum(accounts.values())
        opening = events[0]
        assert isinstance(opening, HandOpened)
        state = opened(opening)
        for event in events:
            accounts = post(accounts, event.transfers)
            assert sum(accounts.values()) == brought, record["hand"]
            if isinstance(event, HandSettled):
                yield record["hand"], state
            elif event is not opening:
                state = evolve(state, event)
        assert accounts.get(POT, 0) == 0, record["hand"]


def with_folded(state: HandState, numbers: Collection[int]) -> HandState:
    """Return a hand in which these seats have folded, whatever the rules say to that."""
    seats = {n: seat._replace(out=seat.out or n in numbers) for n, seat in state.seats.items()}
    return state._replace(seats=seats)


def fold_each_layer(hands: int) -> int:
    """Let every claimant of a layer fold, in random hands; return how often there was one.

    Whoever is left gets all that was paid in.
    """
    orphaned = 0
    for rulebook in ("yingsanzhang", "tongcheng"):
        for hand, state in ended(rulebook, hands // 2):
            if not has_layers(state):
                continue
            paid = sum(seat.contributed for seat in state.seats.values())
            for layer in pots.layers(state):
                other = with_folded(state, layer.contestants)
                if other.remaining:
                    won, refunds = divide(other)
                    assert sum(won.values()) + sum(refunds.values()) == paid, (hand, layer)
                    orphaned += not set(layer.paid) & set(other.remaining)
    return orphaned


def test_every_claimant_of_a_layer_folded(long):
    """Every claimant of a layer folded: paid out = paid in over 10^5 random hands."""
    assert fold_each_layer(100_000 if long else 1_000) > 20


def test_a_layer_that_falls_to_nobody_is_noticed(monkeypatch):
    """So the test above can fail: without the rule for such a layer, its chips stay in the pot."""
    real = pots.layers

    def layers(state: HandState) -> list[Layer]:
        found = list(real(state))
        if not state.bettors:
            top = max(state.seats[number].level for number in state.remaining)
            upto = {number: seat.put_in_up_to(top) for number, seat in state.seats.items()}
            below = sum(layer.amount for layer in found[:-1])
            if sum(upto.values()) < below + found[-1].amount:
                found[-1] = found[-1]._replace(paid={state.remaining[0]: 0})
        return found

    monkeypatch.setattr(pots, "layers", layers)

    with pytest.raises(AssertionError):
        fold_each_layer(1_000)
