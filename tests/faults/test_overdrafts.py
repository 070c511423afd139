"""Several at one wallet: it pays out what is in it, and not a minor unit more."""

from typing import Any

import psycopg

from adapters.commands.execution import Receipt
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.store.postgres import Store
from tests.adapters.play import balance, fund, sit_down
from tests.faults.schedule import Schedule, by_seed
from tests.faults.test_races import Work, actors, codes, seeds

# --- six reservations ------------------------------------------------------------------


def reservations(number: object) -> dict[str, Work]:
    """Return six actors, each of whom seats ann with 1,000 in a hand of its own."""
    return actors(
        6,
        lambda ledger, n: sit_down(
            ledger, f"h-{number}-{n}", players=(f"ann-{number}", f"p{number}-{n}"), carry=1_000
        ),
    )


def give(ledger: Ledger, number: object) -> None:
    """Give ann 5,000, and the six others their carries."""
    fund(ledger, *(f"p{number}-{n}" for n in range(6)), amount=1_000)
    fund(ledger, f"ann-{number}", amount=5_000)


def test_six_reservations_of_a_thousand(ledger, store_dsn, long):
    """Six reservations of 1,000 at once from 5,000: five accepted, never below zero."""
    for seed in seeds(long):
        give(ledger, seed)

        results = Schedule(store_dsn, by_seed(seed)).run(reservations(seed))

        assert codes(results) == {"applied": 5, "insufficient_funds": 1}, seed
        assert balance(ledger, f"ann-{seed}") == 0
    assert list(ledger.verify()) == []


def test_without_lock_and_constraints_a_wallet_is_overdrawn(unlocked):
    """So the test above can fail: all six get their chips out of five thousand."""
    dsn = unlocked(constraints=True)
    with Ledger(Store(dsn)) as ledger:
        give(ledger, 0)

        results = Schedule(dsn, by_seed(0)).run(reservations(0))

        assert codes(results) == {"applied": 6}
        assert list(ledger.verify()) != []


# --- whatever is taken -----------------------------------------------------------------

TAKERS, PURSE = 8, 5_000

LEAST = 500
"""What somebody has to bring to a hand."""


def takers(mark: object, amounts: list[int]) -> dict[str, Work]:
    """Return actors who take so much each from ann: by withdrawal, or into a hand of their own."""

    def take(ledger: Ledger, n: int) -> Receipt:
        if n % 2:
            return ledger.withdraw(f"ann-{mark}", amounts[n], command_id=f"w-{mark}-{n}")
        players = (f"ann-{mark}", f"t{mark}-{n}")
        return sit_down(ledger, f"t-{mark}-{n}", players=players, carry=amounts[n])

    return actors(len(amounts), take)


def take_at_once(dsn: str, seed: int, amounts: list[int], **more: Any) -> tuple[int, list[int]]:
    """Let everybody take at once; return what was taken together, and what was refused."""
    with Ledger(Store(dsn)) as ledger:
        fund(ledger, *(f"t{seed}-{n}" for n in range(TAKERS)), amount=PURSE)
        fund(ledger, f"ann-{seed}", amount=PURSE)
    results = Schedule(dsn, by_seed(seed), **more).run(takers(seed, amounts))
    assert set(codes(results)) <= {"applied", "insufficient_funds"}, results
    taken = {n for n in range(TAKERS) if isinstance(results[f"actor-{n:02}"], Receipt)}
    refused = [amount for n, amount in enumerate(amounts) if n not in taken]
    return sum(amounts[n] for n in taken), refused


def test_whatever_is_taken_at_once(ledger, store_dsn, long):
    """Whatever is taken out of a wallet at once: never below zero, in whatever order.

    Nor at any moment between; and nobody is refused what is there.
    """
    with psycopg.connect(store_dsn, autocommit=True) as owner:

        def nobody_owes() -> None:
            query = (
                "SELECT originator_id FROM events WHERE originator_id LIKE 'wallet:%'"
                " AND (body::json->>'balance')::numeric < 0"
            )
            assert owner.execute(query).fetchall() == []

        for seed in seeds(long):
            chance = Chance("overdraft", seed)
            amounts = [chance.between(LEAST, 2 * PURSE // 5) for _ in range(TAKERS)]

            taken, refused = take_at_once(store_dsn, seed, amounts, meanwhile=nobody_owes)

            left = balance(ledger, f"ann-{seed}")
            assert left == PURSE - taken >= 0, seed
            assert all(amount > left for amount in refused), seed
    assert list(ledger.verify()) == []


def test_without_lock_and_constraints_more_is_paid_out_than_there_was(unlocked):
    """So the test above can fail: each finds all of it there, and takes its part."""
    dsn = unlocked(constraints=True)

    taken, _ = take_at_once(dsn, 0, [1_000] * TAKERS)

    assert taken > PURSE
    with Ledger(Store(dsn)) as ledger:
        assert list(ledger.verify()) != []
