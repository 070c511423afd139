"""Many simulated hands, each verified, argued in both languages, and searched for mechanisms.

The hands are shared out to processes of their own, so that looking for what is rare costs little.
"""

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple

from adapters.simulation.hands import simulate_with_events
from domain.discrepancies import Recorded
from domain.events import Event, HandSettled, ToppedUp
from domain.money import POT, post, seat_account
from domain.verification import verify_hand
from domain.zhajinhua.wording import Language
from tests.mechanisms.arguing import unargued
from tests.mechanisms.mechanisms import LETTERS, occurring
from tests.mechanisms.moments import take_apart

SEED: Final = 1
FULL: Final = 2_000  # hands of a rulebook in which every mechanism comes up, under this seed
HANDS: Final = int(
    os.environ.get("JINHUA_SIMULATED_HANDS", FULL if os.environ.get("CI") else FULL // 10)
)
"""How many hands of each rulebook are examined; 20,000 are no trouble, and take minutes."""

LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")

_SHARE: Final = 250  # hands of one task


class Examined(NamedTuple):
    """What an examination of simulated hands of one rulebook found."""

    hands: int
    events: int
    occurred: Counter[str]  # in how many hands each mechanism came up
    unverified: list[str]
    unconserved: list[str]
    unargued: list[str]


def examine_all(hands: int) -> dict[str, Examined]:
    """Examine so many hands of every rulebook."""
    shares = [
        (rulebook, first, min(_SHARE, hands - first + 1))
        for first in range(1, hands + 1, _SHARE)
        for rulebook in LETTERS.values()
    ]
    workers = min(os.cpu_count() or 1, len(shares), 8)
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        found = list(pool.map(_examine, *zip(*shares, strict=True)))
    by_rulebook: dict[str, list[Examined]] = {}
    for (rulebook, *_), one in zip(shares, found, strict=True):
        by_rulebook.setdefault(rulebook, []).append(one)
    return {rulebook: _together(parts) for rulebook, parts in by_rulebook.items()}


def _together(parts: Sequence[Examined]) -> Examined:
    """Add up what was found in shares."""
    return Examined(
        hands=sum(part.hands for part in parts),
        events=sum(part.events for part in parts),
        occurred=sum((part.occurred for part in parts), Counter()),
        unverified=[found for part in parts for found in part.unverified],
        unconserved=[found for part in parts for found in part.unconserved],
        unargued=[found for part in parts for found in part.unargued],
    )


def _examine(rulebook: str, first: int, hands: int) -> Examined:
    """Examine a share of the hands."""
    events, occurred = 0, Counter[str]()
    unverified: list[str] = []
    unconserved: list[str] = []
    missing: list[str] = []
    for record, happened in simulate_with_events(rulebook, hands=hands, seed=SEED, first=first):
        name = record["hand"]
        rows = [Recorded(n, n, event) for n, event in enumerate(happened, start=1)]
        unverified += [f"{name}: {found}" for found in verify_hand(name, rows)]
        unconserved += [f"{name}: {found}" for found in _unconserved(happened)]
        for lang in LANGUAGES:
            missing += [f"{name}: {found}" for found in unargued(happened, lang)]
        occurred.update(occurring(happened))
        events += len(happened)
    return Examined(hands, events, occurred, unverified, unconserved, missing)


def _unconserved(events: Sequence[Event]) -> Iterator[str]:
    """Yield where chips were made or lost; nets, stacks and the house agree in the end."""
    taken = take_apart(events)
    seats, settlement = taken.played.seats, taken.settlement
    accounts = {seat_account(number): seat.carry for number, seat in seats.items()}
    brought = sum(accounts.values())
    for event in events:
        if isinstance(event, ToppedUp):
            accounts[seat_account(event.seat)] += event.amount
            brought += event.amount
        accounts = post(accounts, event.transfers)
        below = [n for n, held in accounts.items() if held < 0 and not n.startswith("house:")]
        if below or sum(accounts.values()) != brought:
            yield f"{below} below zero after {event}"
    assert isinstance(events[-1], HandSettled)
    if accounts.get(POT):
        yield f"{accounts[POT]} left in the pot"
    for number, seat in seats.items():
        net = settlement["seats"][str(number)]["net"]
        if seat.carry + sum(seat.top_ups) + net != accounts[seat_account(number)]:
            yield f"seat {number} nets {net} and holds {accounts[seat_account(number)]}"
