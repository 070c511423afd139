"""The bench, shortened until its figures mean nothing: it runs through, and says what it should.

No speed is asserted: that is read, on a quiet machine.
"""

import asyncio
import json
import math
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import psycopg
import pytest

from adapters.ledger import Ledger
from adapters.simulation.hands import line_of
from adapters.store.postgres import Store
from scripts.measuring import loading, material, ours, plots, sweep
from scripts.measuring.pairs import Scale
from scripts.measuring.servers import NotDurableError, check_durable, scratch
from scripts.measuring.timing import at_once

BENCH = (sys.executable, str(Path(__file__).parents[2] / "scripts" / "bench.py"))
TINY = ("--rounds", "1", "--seconds", "0.1", "--scale", "0.02")
RATIOS = {
    "append_concurrent_vs_stock",
    "append_concurrent_vs_raw_insert",
    "append_single_vs_stock",
    "hand_vs_stock",
    "verify_vs_stock",
    "verify_vs_copy_out",
    "projection_vs_stock",
}


def run(server, *words):
    """Run the bench on a server; return what it prints as JSON."""
    command = [*BENCH, *TINY, "--json", "--dsn", server, *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def quietly(line):
    """Tell nobody."""
    del line


def databases(server):
    """Return the names of the scratch databases that are there."""
    with psycopg.connect(server, autocommit=True) as conn:
        found = conn.execute("SELECT datname FROM pg_database WHERE datname LIKE 'jinhua_bench_%'")
        return [name for (name,) in found]


@pytest.fixture(scope="module")
def hands():
    """A few hands to play."""
    return material.Material(6)


def test_the_pairs_are_measured_and_told(server):
    """Every ratio is there, a finite number above zero; every side has its figures."""
    figures = run(server, "--quick")

    ratios = figures["ratios"]
    assert ratios.keys() >= RATIOS | {"chain_cost"}
    assert all(math.isfinite(value) for value in ratios.values()), ratios
    assert all(ratios[name] > 0 for name in RATIOS), ratios
    assert ratios["chain_cost"] < 1  # noise alone can make it less than nothing
    for pair, sides in figures["absolute"].items():
        if pair != "chain_cost":
            assert {"ours", "stock"} <= sides.keys()
            assert all(side["per_s"] > 0 for side in sides.values()), (pair, sides)
    ours_at_once = figures["absolute"]["append_concurrent"]["ours"]
    assert 0 < ours_at_once["p50_ms"] <= ours_at_once["p99_ms"]
    machine = figures["machine"]
    assert machine["cpus"] >= 1
    assert machine["cpu"]
    assert machine["postgres_settings"]["synchronous_commit"] == "on"
    assert {"python", "postgres", "date", "versions"} <= machine.keys()
    assert databases(server) == []


def test_a_server_that_is_not_there_is_exit_4():
    """Said on standard error; nothing on standard output."""
    command = [*BENCH, "--dsn", "postgresql://127.0.0.1:1/nowhere?connect_timeout=5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 4
    assert done.stdout == ""
    assert done.stderr.startswith("bench: ")


def test_growth_is_measured_on_ledgers_of_three_sizes_and_drawn(server, tmp_path):
    """The same work has its cost on each, and each table its size."""
    figures = run(server, "--growth", "--hands", "40", "--plot", str(tmp_path))

    costs = figures["ratios"]
    works = ("append", "import", "hand_read", "verify", "projection", "hand_list", "proof")
    again = {f"growth_{work}_again" for work in ("hand_read", "verify", "hand_list", "proof")}
    assert costs.keys() == {f"growth_{work}" for work in works} | again
    assert all(0 < cost < math.inf for cost in costs.values()), costs
    absolute = figures["absolute"]
    assert [absolute[f"growth_to_{size}_hands"]["hands"] for size in (4, 12, 40)] == [4, 12, 40]
    assert absolute["growth_to_40_hands"]["events_bytes"] > 100
    assert absolute["growth_to_40_hands"]["checkpoint_s"] > 0
    assert absolute["growth_proof"]["40_hands"]["p50_ms"] > 0
    assert databases(server) == []
    assert words_of(tmp_path / "growth.svg") >= {"4", "12", "40", "hand read", "the bar: 1.1"}


def test_the_service_is_measured_against_a_bare_endpoint(server):
    """Requests are answered on both sides; each has its rate, its latencies, its processor time."""
    figures = run(server, "--http", "--workers", "1", "--seconds", "0.5")

    ratios = figures["ratios"]
    assert ratios.keys() == {"http_vs_bare", "http_p99_vs_bare", "http_cpu_vs_bare"}
    assert all(0 < value < math.inf for value in ratios.values()), ratios
    found = figures["absolute"]["http"]
    assert (found["clients"], found["workers"]) == (32, 1)
    for side in ("ours", "bare"):
        assert found[side]["per_s"] > 0
        assert 0 < found[side]["p50_ms"] <= found[side]["p99_ms"]
        assert found[side]["server_cpu_us"] > 0
    assert databases(server) == []


def test_the_client_who_is_through_ends_it_for_all():
    """Fewer clients would be asked less of, and the clock would run on."""
    begun = [0, 0]

    def work(who: int, count: int) -> Iterator[Awaitable[None]]:
        for _ in range(count):
            begun[who] += 1
            yield asyncio.sleep(0)

    window = asyncio.run(at_once([work(0, 3), work(1, 1_000)], 30.0))

    short, long = begun
    assert short == 3
    assert long <= 4
    assert window.done == len(window.latencies) == short + long


def test_a_worker_is_killed_and_nothing_is_lost_or_doubled(server):
    """It is said how many commands were given again, and that all are stored as answered."""
    figures = run(server, "--kill", "--seconds", "2")

    found = figures["absolute"]["http_killed"]
    assert figures["ratios"].keys() == {"http_killed_vs_bare"}
    assert (found["faults"], found["clients"], found["workers"]) == (0, 32, 2)
    assert found["answered"] > 0 < found["connections_broken"]
    assert found["given_again"] == found["of_these_stored_before"] + found["of_these_stored_then"]
    assert databases(server) == []


def test_a_peer_that_cannot_be_had_is_told_and_why(server, tmp_path):
    """Ours is measured; of the others it is said that nothing of them is there."""
    figures = run(server, "--peers", "--peer-dir", str(tmp_path))

    peers = figures["absolute"]["peers"]
    assert peers["ours"]["per_s"] > 0
    for name in ("message_db", "emmett"):
        assert peers[name].startswith(f"not measured: {tmp_path} holds no"), peers
    assert figures["ratios"] == {}


def test_what_is_loaded_is_what_an_import_would_have_stored(database, hands):
    """Verification finds nothing in it, and its hands are imported already."""
    with psycopg.connect(database, autocommit=True) as owner:
        loaded = loading.Loader(owner, hands).load(25, quietly)
    records = [
        material.renamed(hands.records[number % 6], loading.hand_name(number), "")
        for number in range(25)
    ]
    for number, record in enumerate(records):
        for seat in record["seats"]:
            seat["player"] = loading.player_name(number, seat["seat"], 25)

    with Ledger(Store(database)) as ledger:
        assert list(ledger.verify()) == []
        assert len(list(ledger.hands())) == loaded.hands == 25
        report = ledger.import_hands(map(line_of, records))

    assert (report.already, report.hands, report.refused) == (25, 0, [])


def test_what_the_others_are_given_is_what_ours_stores(database, hands):
    """Event by event, wallets included, in the same order."""
    chosen = material.stored(hands.records)

    with Ledger(Store(database)) as ledger:
        ledger.import_hands(hand.line for hand in chosen)
        found = ledger.recorder.select_notifications(None, 10_000)

    assert [(row.originator_id, row.topic, row.state.decode()) for row in found] == [
        fact for hand in chosen for fact in hand.facts
    ]


def test_without_its_chain_a_ledger_does_not_verify(database, hands):
    """So the cost of the chain is measured against something that lacks it."""
    with Ledger(Store(database)) as ledger:
        ours.unchain(database)
        ledger.import_hands(hand.line for hand in material.stored(hands.records[:2]))

        assert {one.what for one in ledger.verify()} == {"link"}


def test_a_server_that_loses_commits_is_not_measured(server):
    """The setting is that of the database, as a careless owner would leave it."""
    with scratch(server, migrated=False) as dsn:
        check_durable(dsn)
        with psycopg.connect(dsn, autocommit=True) as owner:
            ((name,),) = owner.execute("SELECT current_database()").fetchall()
            owner.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        with pytest.raises(NotDurableError, match="synchronous_commit"):
            check_durable(dsn)


def test_the_sweep_of_writers_is_drawn_from_its_figures(server, tmp_path, monkeypatch):
    """Two drawings, each with a line for every side; the same figures give the same bytes."""
    monkeypatch.setattr(sweep, "WRITERS", (1, 2))
    tiny = Scale(rounds=1, seconds=0.1, hands=4, projected=4, distinct=4)

    found = sweep.measure(server, tiny, quietly)

    assert found.absolute.keys() == {"writers_1", "writers_2"}
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps({"absolute": found.absolute}))
    drawn = [plots.draw(json.loads(figures.read_text())["absolute"], tmp_path / n) for n in "ab"]
    for once, again in zip(*drawn, strict=True):
        assert words_of(once) >= {"1", "2", "callers at once", "INSERT and COMMIT: no rules"}
        assert once.read_bytes() == again.read_bytes()
    assert [path.name for path in drawn[0]] == ["writers-throughput.svg", "writers-p99.svg"]


def words_of(drawing):
    """Return every text of an SVG."""
    texts = ET.parse(drawing).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - it is ours
    return {(text.text or "").strip() for text in texts}
