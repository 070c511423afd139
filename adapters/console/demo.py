"""``jinhua demo``: a hand of the rule document and 200 others, settled, checked, tampered with."""

import json as json_text
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib.resources import files
from typing import Any, Final

import psycopg

from adapters.commands.imported import ImportReport
from adapters.console.failures import DISAGREEMENT
from adapters.console.hands import catch_up, print_argument
from adapters.console.options import HERE, Opened, Where, opened
from adapters.console.output import AsJson, print_json, progress, say, table
from adapters.console.verify import print_verdict, verification
from adapters.copies.scratch import scratch_copy
from adapters.ledger import PositionedEntry
from adapters.plain_json import plain
from adapters.simulation.hands import line_of, simulate
from domain.events import BetCalled, Event, HandOpened, HandSettled
from domain.money import in_chips
from domain.zhajinhua.explanation import Step, explain
from domain.zhajinhua.wording import Language
from projections.balances import Balance

HAND: Final = "000-last-stand"
SIMULATED: Final = 200
SEED: Final = 2026
TOP: Final = 8  # balances shown
TAKEN_OFF: Final = 10_00  # a stored price, by the tampering; minor units

REFUNDS: Final = {"A": 190_00, "B": 95_00}
BEFORE_RAKE: Final = {"A": -115_00, "B": -110_00, "C": -605_00, "D": 1035_00, "E": -205_00}
"""What document 000 prints, in minor units."""


def demo(*, lang: Language = "en", where: Where = HERE, json: AsJson = False) -> int:
    """Play a hand of the rule document and 200 random ones through the whole ledger.

    Imports them, argues the document's example step by step, prints its results and the top
    balances, verifies everything, then tampers with one stored event in a throw-away copy of the
    database and lets `verify` find it. Run twice it changes nothing. The exit status is 0 when all
    went as expected, else 3.

    For example:

        jinhua demo
        jinhua demo --lang zh

    Parameters:
        lang: Of the example's explanation.
    """
    with opened(where) as store:
        report = _import(store)
        stored = store.ledger.shown(HAND)
        events = [entry.event for _, entry in stored]
        steps = explain(events, lang)
        catch_up(store)
        told: dict[str, Any] = {
            "imported": {"hands": report.hands, "already": report.already},
            "steps": [plain(step) for step in steps],
            "results": _results(events),
            "top_balances": [plain(row) for row in _top(store.views.balances())],
            "verify": verification(store, None),
            "tampered": _tamper_with_a_copy(store, stored),
            "original": verification(store, [HAND]),
        }
    told["as_expected"] = not report.refused and not report.mismatched and _is_as_expected(told)
    if json:
        print_json(told)
    else:
        _print(told, steps)
    return 0 if told["as_expected"] else DISAGREEMENT


def _import(store: Opened) -> ImportReport:
    """Import the examples of the document and the simulated hands; those that are there stay."""
    examples = files("adapters").joinpath("examples/document-000.jsonl").read_bytes().splitlines()
    simulated = (line_of(record) for record in simulate("jiuyou", hands=SIMULATED, seed=SEED))
    with progress("hands imported") as told:
        return store.ledger.import_hands(
            [*examples, *simulated],
            progress=lambda done: told(done, len(examples) + SIMULATED),
        )


def _results(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return what the example came to for each player, minor units, before rake and after."""
    opening = next(event for event in events if isinstance(event, HandOpened))
    settled = next(event for event in events if isinstance(event, HandSettled))
    results = settled.settlement["seats"]
    return [
        {
            "player": taken.player,
            "refund": result["refund"],
            "before_rake": result["net"] + result["rake"],
            "rake": result["rake"],
            "net": result["net"],
        }
        for taken in opening.seats
        for result in [results[str(taken.seat)]]
    ]


def _top(balances: Sequence[Balance]) -> list[Balance]:
    """Return the richest players."""
    players = [row for row in balances if row.account.startswith("player:")]
    return sorted(players, key=lambda row: -row.balance)[:TOP]


def _tamper_with_a_copy(store: Opened, stored: Sequence[PositionedEntry]) -> dict[str, Any]:
    """Edit one event of the example in a throw-away copy, as its owner can; verify the copy."""
    position = next(at for at, entry in stored if isinstance(entry.event, BetCalled))
    with scratch_copy(store.dsn) as copy:
        with psycopg.connect(copy, autocommit=True) as owner:
            was, edited = _edit(owner, position)
        with ExitStack() as closing:
            verdict = verification(Opened(copy, closing, store.cards, store.build), None)
    return {"position": position, "was": was, "edited": edited, "verify": verdict}


def _edit(owner: psycopg.Connection, position: int) -> tuple[int, int]:
    """Take ten chips off the price of a stored call; return the price before and after."""
    (body,) = (
        owner.execute("SELECT body FROM events WHERE position = %s", [position]).fetchone() or ()
    )
    event = json_text.loads(body)
    source, target, was, reason = event["transfers"][0]
    edited = was - TAKEN_OFF
    event["transfers"][0] = [source, target, edited, reason]
    text = json_text.dumps(event, ensure_ascii=False, separators=(",", ":"))
    owner.execute("UPDATE events SET body = %s WHERE position = %s", [text, position])
    return was, edited


def _is_as_expected(told: Mapping[str, Any]) -> bool:
    """Tell whether the document's figures came out, and only the tampering was found."""
    refunds = {row["player"]: row["refund"] for row in told["results"] if row["refund"]}
    before_rake = {row["player"]: row["before_rake"] for row in told["results"]}
    tampered = told["tampered"]
    named = {(d["hand"], d["position"]) for d in tampered["verify"]["discrepancies"]}
    return (
        (refunds, before_rake) == (REFUNDS, BEFORE_RAKE)
        and not told["verify"]["discrepancies"]
        and (HAND, tampered["position"]) in named
        and not told["original"]["discrepancies"]
    )


def _print(told: Mapping[str, Any], steps: Sequence[Step]) -> None:
    imported, tampered = told["imported"], told["tampered"]
    _heading("1. Import")
    say(f"{imported['hands']} hands stored now, {imported['already']} were there already:")
    say(f"the examples of document 000, and {SIMULATED} simulated hands (seed {SEED}).")
    _heading(f"2. The document's last stand, argued (jinhua explain {HAND})")
    print_argument(steps)
    _heading("3. What it came to")
    columns = ("player", "refund$", "before rake#", "rake$", "net#")
    table(
        columns,
        (
            (r["player"], r["refund"], _signed(r["before_rake"]), r["rake"], _signed(r["net"]))
            for r in sorted(told["results"], key=lambda r: str(r["player"]))
        ),
    )
    _heading("4. Top balances (jinhua balances)")
    table(
        ("account", "balance$"), ([row["account"], row["balance"]] for row in told["top_balances"])
    )
    _heading("5. Everything decided again from the events (jinhua verify)")
    print_verdict(told["verify"])
    _heading("6. One stored event edited, in a throw-away copy of the database")
    say(
        f"The event at position {tampered['position']}, a call of {in_chips(tampered['was'])}, was"
        f" made {in_chips(tampered['edited'])} by the owner of the copy; verify on the copy says:"
    )
    print_verdict(tampered["verify"])
    say("", "The copy is dropped. The original was not touched; verify says of its hand:")
    print_verdict(told["original"])
    say("", "All as expected." if told["as_expected"] else "NOT as expected: see above.")


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{in_chips(amount)}"


def _heading(text: str) -> None:
    say("", text, "-" * len(text))
