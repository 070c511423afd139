"""The read models of many hands of every rulebook, against plain counts of the stored JSON."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC

import psycopg

from adapters.ledger import Ledger
from adapters.simulation.hands import line_of, simulate
from adapters.store.postgres import Store
from domain.zhajinhua.rulebooks import published
from tests.adapters.stored import agrees, projector, views

HANDS = int(os.environ.get("JINHUA_TEST_HANDS", "120"))
"""How many hands are played; the other sizes are a matter of time. 20,000 take some minutes."""


def lines() -> Iterator[str]:
    """Yield the records of simulated hands, the rulebooks taking turns."""
    names = sorted({rulebook.id for rulebook in published()})
    each = -(-HANDS // len(names))
    for records in zip(*(simulate(name, hands=each, seed=20) for name in names), strict=True):
        for record in records:
            yield line_of(record)


def counted(dsn):
    """Count every transfer of every event, by account, by bonus, and by day and table."""
    accounts: Counter[str] = Counter()
    bonuses: Counter[tuple[object, ...]] = Counter()
    house: Counter[tuple[object, ...]] = Counter()
    openings = {}
    with psycopg.connect(dsn) as owner, owner.cursor("events") as cursor:
        cursor.itersize = 5000
        cursor.execute(
            "SELECT originator_id, topic, body, happened_at FROM events ORDER BY position"
        )
        for stream, topic, body, at in cursor:
            event = json.loads(body)
            if topic == "hand.opened.v1":
                players = {seat["seat"]: seat["player"] for seat in event["seats"]}
                table = (event["table"]["ante"], event["table"].get("max_stake"))
                openings[stream] = (players, (event["rulebook"], event["version"]), table)
            for source, target, amount, _ in event.get("transfers", ()):
                for name, change in ((source, -amount), (target, amount)):
                    inside = name == "pot" or name.startswith("seat:")
                    accounts[f"{stream}:{name}" if inside else name] += change
                    if name.startswith("house:"):
                        _, rulebook, table = openings[stream]
                        house[at.astimezone(UTC).date(), *rulebook, *table, name] += change
            if topic == "hand.bonus_granted.v1":
                players, rulebook, _ = openings[stream]
                key = (players[event["seat"]], event["category"], *rulebook)
                mine = f"seat:{event['seat']}"
                bonuses[*key, "times"] += 1
                bonuses[*key, "amount"] += sum(
                    t[2] for t in event.get("transfers", ()) if t[1] == mine
                )
    kept = {name: n for name, n in accounts.items() if n or not name.startswith("hand:")}
    return kept, +bonuses, {key: n for key, n in house.items() if n}


def test_money_read_is_money_counted(database):
    """Balances, bonuses and the house, equal to the last unit; and to a fresh fold, with hands."""
    with Ledger(Store(database)) as ledger:
        report = ledger.import_hands(lines(), deposit_missing=True)
    with projector(database, batch=5000) as keeper:
        keeper.catch_up()
    accounts, bonuses, house = counted(database)

    with views(database) as read:
        assert accounts == dict(read.balances())
        assert bonuses == +Counter(
            {
                (*row.key, name): getattr(row, name)
                for row in read.bonuses()
                for name in ("times", "amount")
            }
        )
        assert house == {
            (*row.key, f"house:{name}"): getattr(row, name)
            for row in read.house()
            for name in ("rake", "bank", "bonus", "rounding")
            if getattr(row, name)
        }
        assert len(read.hands()) == report.hands >= HANDS
        print(  # noqa: T201 - the figures of a large run, with `-s`
            f"{report.hands} hands, {report.events} events: {len(accounts)} balances,"
            f" {len(read.bonuses())} bonuses, {len(read.house())} rows of the house agree"
        )
    assert agrees(database)
