"""Verification while one looks on: what it tells, what is kept of it, and how it ends."""

import asyncio
import json
import threading

import pytest

from adapters.clock import now
from adapters.desk.running import RUNS_MAX, Run, Runs
from adapters.errors import BusyError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from tests.adapters.commands.test_live_privacy import DEAL, PLAYERS, leaks
from tests.adapters.play import CARRY, fund, sit_down
from tests.adapters.proving import play_hand
from tests.adapters.stored import event_at, replace, rows

PROGRESS = "/desk/verification/progress"


@pytest.fixture
def played(store_dsn):
    """Two hands that are over."""
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, "ann", "bob", amount=10 * CARRY)
        play_hand(ledger, "h-1")
        play_hand(ledger, "h-2")


def tamper(dsn: str, hand: str) -> int:
    """Change what the winner of a hand got; return the position."""
    query = "SELECT max(position) FROM events WHERE originator_id = %s"
    ((position,),) = rows(dsn, query, [f"hand:{hand}"])
    topic, body = event_at(dsn, position)
    event = json.loads(body)
    next(moved for moved in event["transfers"] if moved[3] == "won")[2] += 1
    replace(dsn, position, topic, json.dumps(event, separators=(",", ":")))
    return int(position)


def told(text: str) -> list[tuple[str, str]]:
    """Return server-sent events, each with its name and data."""
    events = []
    for block in text.strip().split("\n\n"):
        name, *data = block.split("\n")
        lines = [line.removeprefix("data: ") for line in data]
        events.append((name.removeprefix("event: "), "\n".join(lines)))
    return events


@pytest.mark.usefixtures("played")
def test_a_history_that_agrees_is_said_to(auditor, store_dsn):
    """And that it was looked at is kept."""
    answer = auditor.get(PROGRESS)
    events = told(answer.text)
    last = json.loads([data for name, data in events if name == "progress"][-1])

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert {name for name, _ in events} == {"progress", "done"}
    assert last == {"hands": 2, "events": last["of"], "discrepancies": 0, "of": last["of"]}
    assert "everything agrees" in events[-1][1]
    assert "None: 2 hands" in auditor.get("/desk/").text
    assert rows(store_dsn, "SELECT hands, discrepancies FROM verification_runs") == [(2, 0)]


@pytest.mark.usefixtures("played")
def test_what_parts_is_told_as_it_is_found_and_kept(auditor, store_dsn):
    """Where it is, what is recorded, what the rules give; on the pages that come after, too."""
    position = tamper(store_dsn, "h-2")
    events = told(auditor.get(PROGRESS).text)
    found = [data for name, data in events if name == "found"]

    assert found
    assert all("/desk/hands/h-2" in row or "/desk/players/" in row for row in found)
    assert any(f">{position}<" in row for row in found)
    assert "found in 2 hands" in events[-1][1]
    for page in ("/desk/verification", "/desk/"):
        assert "found in 2 hands" in auditor.get(page).text
    assert "/desk/hands/h-2" in auditor.get("/desk/verification").text


@pytest.mark.usefixtures("played")
def test_one_hand_is_verified_alone(auditor, store_dsn):
    """Of which nothing is kept; a hand that never was is told."""
    tamper(store_dsn, "h-2")
    fine = told(auditor.get(f"{PROGRESS}?hand=h-1").text)
    wrong = told(auditor.get(f"{PROGRESS}?hand=h-2").text)
    never = told(auditor.get(f"{PROGRESS}?hand=h-9").text)

    assert [name for name, _ in fine if name != "progress"] == ["done"]
    assert [name for name, _ in wrong if name != "progress"][-1] == "done"
    assert "found" in {name for name, _ in wrong}
    assert never[-1][0] == "problem"
    assert "unknown_hand" in never[-1][1]
    assert rows(store_dsn, "SELECT 1 FROM verification_runs") == []


@pytest.mark.parametrize("hand", ["h-1", "ledger", "wallet:ann", "dispute:d-1"])
def test_of_a_running_hand_that_was_tampered_with_no_card_is_told(hand, auditor, store_dsn):
    """Whatever it is called: not what is recorded, which may be one; neither now nor kept."""
    with Ledger(Store(store_dsn)) as ledger:
        fund(ledger, *PLAYERS, amount=10 * CARRY)
        seats = [{"seat": n, "player": who, "carry": CARRY} for n, who in enumerate(PLAYERS, 1)]
        sit_down(ledger, hand, seats=seats, deal=DEAL, dealer=3)
    query = "SELECT position FROM events WHERE topic = 'hand.cards_dealt.v1'"
    ((position,),) = rows(store_dsn, query)
    topic, body = event_at(store_dsn, position)
    replace(store_dsn, position, topic, body.replace(DEAL[1], DEAL[2]))

    text = auditor.get(PROGRESS).text + auditor.get("/desk/verification").text

    assert "event: found" in text
    assert leaks(text) == set()


@pytest.mark.usefixtures("played")
def test_a_run_that_nobody_looks_at_any_more_is_given_up(store_dsn):
    """After the portion that is under way."""
    with Store(store_dsn) as store:
        run = Run(store, None, now())
        run.stop()

        assert run.carry_out() is False


def test_only_so_many_run_at_once(store_dsn):
    """The next one may, as soon as one has ended."""
    going_on = threading.Event()

    class Waits(Run):
        def carry_out(self) -> bool:
            return going_on.wait(60)

    async def begin() -> None:
        runs = Runs()
        begun = [runs.start(Waits(store, None, now())) for _ in range(RUNS_MAX)]
        with pytest.raises(BusyError):
            runs.start(Waits(store, None, now()))
        going_on.set()
        assert all(await asyncio.gather(*begun))
        assert await runs.start(Waits(store, None, now()))

    with Store(store_dsn) as store:
        asyncio.run(begin())
