"""Writers at work while they and their server are killed, and what must be true afterwards."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from adapters.copies.examination import examine
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from adapters.views.views import Views
from tests.faults.journal import Asked, read
from tests.faults.workers import STOP, fund_everybody

ROOT = Path(__file__).parents[2]

Happening = Callable[[str], object]
"""Told what has just been killed."""


class Crowd:
    """Processes of writers, all of them on one store."""

    def __init__(
        self, dsn: str, directory: Path, *, seed: int, processes: int, writers: int
    ) -> None:
        """Give everybody chips; so many writers share a process."""
        self.kills = 0
        self._dsn, self._directory, self._seed = dsn, directory, seed
        self._names = [
            [f"w{process}.{writer}" for writer in range(writers)] for process in range(processes)
        ]
        self._running: list[subprocess.Popen[bytes]] = []
        with Ledger(Store(dsn)) as ledger:
            fund_everybody(ledger)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let them work meanwhile; at the end each finishes what it has asked for."""
        self._running = [self._start(names) for names in self._names]
        try:
            yield
            (self._directory / STOP).touch()
            for process in self._running:
                assert process.wait(120) == 0, "a writer ended with an error"
        finally:
            for process in self._running:
                process.kill()
                process.wait()

    def kill(self, chance: Chance) -> None:
        """Kill one process of writers, and start it again."""
        place = chance.below(len(self._running))
        process = self._running[place]
        assert process.poll() is None, "a writer ended with an error"
        process.kill()
        process.wait()
        self.kills += 1
        self._running[place] = self._start(self._names[place])

    def asked(self) -> Iterator[Asked]:
        """Yield all that was asked for, by all writers."""
        for path in sorted(self._directory.glob("*.jsonl")):
            yield from read(path)

    def answered(self) -> int:
        """Return how many commands were answered so far."""
        return sum(asked.answer is not None for asked in self.asked())

    def _start(self, names: Sequence[str]) -> "subprocess.Popen[bytes]":
        words = (self._dsn, str(self._directory), str(self._seed), *names)
        return subprocess.Popen([sys.executable, "-m", "tests.faults.workers", *words], cwd=ROOT)


class Outcome(NamedTuple):
    """What became of all commands, and everything that is not as it should be."""

    counts: dict[str, int]
    events: int
    hands: int
    discrepancies: list[str]


def judge(crowd: Crowd, dsn: str) -> Outcome:
    """Hold the store against what the writers were told, and against itself."""
    asked = list(crowd.asked())
    found = [*_acknowledged(asked, dsn), *_unasked_for(asked, dsn)]
    with Ledger(Store(dsn)) as ledger:
        found += [f"verify: {discrepancy}" for discrepancy in ledger.verify()]
        found += [f"examine: {finding}" for finding in examine(ledger.store)]
        events = ledger.recorder.max_notification_id() or 0
        hands = sum(1 for _ in ledger.hands())
    with Store(dsn, role=ROLE) as store:
        projector = Projector(store)
        projector.catch_up()
        found += [f"projection: {one}" for one in projector.compare_with_fresh_fold()]
        found += [f"parked: {event}" for event in projector.parked()]
    with Store(dsn, role="jinhua_reader") as store:
        total = sum(row.balance for row in Views(store).balances())
        found += [f"balances: together {total}"] if total else []
    return Outcome(_counts(asked), events, hands, found)


def _acknowledged(asked: Sequence[Asked], dsn: str) -> Iterator[str]:
    """Yield what a writer was told and the store does not hold, or not so."""
    with psycopg.connect(dsn) as owner:
        query = "SELECT command_id, first_position, last_position, answer FROM receipts"
        receipts = {command: tuple(rest) for command, *rest in owner.execute(query)}
    told: dict[str, Any] = {}
    # A refused command that is given again is decided again.
    later = {one.body["id"] for one in asked if one.do == "again" and "text" in (one.answer or {})}
    for one in asked:
        first_id = one.body["id"] if one.do == "again" else one.id
        if one.answer is None:
            yield f"{one.id} was never answered"
        elif one.answer.get("status") == "imported":
            if one.answer["hands"] + one.answer["already"] != 3:
                yield f"{one.id} imported {one.answer}"
        elif "code" in one.answer:
            if one.do != "again" and one.id in receipts.keys() - later:
                yield f"{one} was refused, and is stored as {receipts[one.id]}"
        else:
            answer = tuple(one.answer[name] for name in ("first", "last", "text"))
            if receipts.get(first_id) != answer:
                yield f"{first_id} was told {answer}; stored is {receipts.get(first_id)}"
            if told.setdefault(first_id, answer) != answer:
                yield f"{first_id} was told {answer} after {told[first_id]}"


def _unasked_for(asked: Sequence[Asked], dsn: str) -> Iterator[str]:
    """Yield receipts of commands that nobody gave."""
    known = {one.id for one in asked}
    with psycopg.connect(dsn) as owner:
        for (command,) in owner.execute("SELECT command_id FROM receipts"):
            if command not in known and not command.startswith(("fund:", "import:sim-")):
                yield f"{command} is stored, and nobody asked for it"


def _counts(asked: Sequence[Asked]) -> dict[str, int]:
    """Count answers: by status, conflicts and other refusals apart."""
    counts = Counter({"acknowledged": 0, "applied": 0, "replayed": 0, "conflicts": 0, "refused": 0})
    for one in asked:
        answer = one.answer or {}
        counts["acknowledged"] += one.answer is not None
        if "code" in answer:
            counts["conflicts" if answer["code"] == "conflict" else "refused"] += 1
        elif answer:
            counts[answer["status"]] += 1
    return dict(counts)


def disturb(
    crowd: Crowd,
    *,
    seconds: float,
    chance: Chance,
    every_s: float,
    kill_server: Callable[[], object] | None,
    told: Happening = lambda _: None,
) -> None:
    """Kill writers and their server at random moments, for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(min(every_s * chance.between(10, 190) / 100, max(end - time.monotonic(), 0)))
        if kill_server is not None and chance.happens(20):
            kill_server()
            told("server")
        else:
            crowd.kill(chance)
            told("writers")
