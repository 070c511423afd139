"""A store with hands of every kind, for exports: all rulebooks, all states, awkward names."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from adapters.ledger import Ledger
from adapters.simulation.hands import line_of, simulate
from domain.deck import commit, dealt
from domain.zhajinhua.rulebooks import find, published
from tests.adapters.play import do, fund, sit_down, vectors
from tests.adapters.stored import rows

AWKWARD = (
    *("张三", "p 1", "p-1", "p:1", "=1+1", "'x", "@home", 'say "hi"; | no', "x\ny", "é́", "a,b"),
    *("-", "--", "Ｐ", "١٢", "𠮷", "\\", "\u200b", "P", "p"),
)
"""Ids of players that some format takes for something else."""

ORDERED = "".join(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
SALT = bytes(32)

SAYABLE = ("claimed", "live", "awkward-0")  # some of those that a record can say
UNSAYABLE = {
    "running": "hand_running",
    "void": "hand_void",
    "committed": "deck_committed",
    "claimed-twice": "several_claims",
    "claimed-by-them": "other_claimant",
}
"""The hands of :func:`fill` that no record can say, each with the code that it is refused with."""

_DIGESTED = """
    SELECT originator_id, topic, body FROM events
     WHERE originator_id LIKE 'hand:%%' ORDER BY originator_id, originator_version
"""


def fill(ledger: Ledger, *, of_each: int) -> None:
    """Put hands into a store: so many of each rulebook's vectors, and as many simulated ones."""
    report = ledger.import_hands(records(of_each))
    assert not report.refused, report.refused
    _played_live(ledger)


def records(of_each: int) -> Iterator[str]:
    """Yield records of hands that settle, under ids of their own; some claim figures, some not."""
    for rulebook in dict.fromkeys(rulebook.id for rulebook in published()):
        settled = [record for record in vectors(rulebook) if "settlement" in record]
        made = [*settled[:of_each], *simulate(rulebook, hands=of_each, seed=5)]
        for number, record in enumerate(made):
            kept = {k: v for k, v in record.items() if k != "settlement" or number % 2}
            yield line_of(kept | {"hand": f"{rulebook}/{number}-{record['hand']}"})
    for number, (one, other) in enumerate(pairwise(AWKWARD)):
        (record,) = simulate("jiuyou", hands=1, seed=number)
        for seat, player in zip(record["seats"], (one, other), strict=False):
            seat["player"] = player
        yield line_of(record | {"hand": f"awkward-{number}"})


def _played_live(ledger: Ledger) -> None:
    """Play hands one command at a time, in every state in which a hand can be."""
    fund(ledger, "ann", "bob", amount=10_000_000)
    for hand in (
        "running",
        "looked",
        "void",
        "live",
        "claimed",
        "claimed-twice",
        "claimed-by-them",
    ):
        sit_down(ledger, hand)
        if hand == "looked":
            do(ledger, 1, "look", hand=hand)
            continue
        do(ledger, 1, "raise", stake=1_000, hand=hand)
        do(ledger, 2, "look", hand=hand)
        if hand not in {"running", "void"}:
            do(ledger, 2, "call", hand=hand)
            do(ledger, 1, "compare", target=2, hand=hand)
    ledger.void_hand("void", "停电", command_id="void", actor="table-1")
    deck = ORDERED
    committed = commit("committed", find("jiuyou").digest, deck, SALT)
    sit_down(ledger, "committed", deal=dealt(deck, (2, 1)), commitment=committed)
    do(ledger, 1, "fold", hand="committed")
    for number, (hand, claimant) in enumerate(
        (
            ("claimed", "record"),
            ("claimed-twice", "record"),
            ("claimed-twice", "record"),
            ("claimed-by-them", "them"),
        )
    ):
        ledger.claim_settlement(
            hand, {"pot": number}, claimant=claimant, command_id=f"claim-{number}", actor="them"
        )


def digests(dsn: str) -> list[tuple[str, str, str]]:
    """Return what the events of every hand say, stream by stream."""
    return rows(dsn, _DIGESTED)


def without(told: list[tuple[str, str, str]], hands: set[str]) -> list[tuple[str, str, str]]:
    """Return the same without some hands."""
    return [event for event in told if event[0].removeprefix("hand:") not in hands]


def written(file: Path) -> str:
    """Return what a file holds, ends of lines as they are."""
    return file.read_bytes().decode()
