"""A process of writers who play at shared tables, to be killed at any moment and started again.

    python -m tests.faults.workers DSN DIRECTORY SEED NAME …

Each writer gives one command at a time, all of them decided by its seed and by what it finds. A
command that was not answered is given again, by the same process or by the next one, until it is.
"""

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from adapters import logs
from adapters.commands.imported import ImportReport
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.shuffle import Chance
from adapters.simulation.hands import PLAYERS, line_of, simulate
from adapters.simulation.playing import Table
from adapters.store.postgres import Store
from domain.errors import RefusalError, UnknownHandError
from domain.hand import Hand, hand_stream
from domain.zhajinhua.play import Action
from tests.faults.journal import Journal, read

RULEBOOKS = ("jiuyou", "platform", "yingsanzhang", "feifan2017", "jisu", "tongcheng")
TABLES = 6
FUNDS = 10**12
"""Minor units that each player begins with: enough to play on, whatever is lost."""

STOP = "stop"
"""The name of a file: once it is there, a writer finishes what it has asked for, and ends."""

_PAUSE_S = 0.05
_WEIGHTS = {"act": 70, "deposit": 8, "withdraw": 8, "void": 2, "import": 6, "again": 6}


def fund_everybody(ledger: Ledger) -> None:
    """Give each player of the tables their chips."""
    for player in PLAYERS:
        ledger.deposit(player, FUNDS, command_id=f"fund:{player}")


class Writer:
    """Gives commands, one after the other."""

    def __init__(self, dsn: str, directory: Path, seed: int, name: str) -> None:
        path = directory / f"{name}.jsonl"
        self._earlier = list(read(path))
        self._journal = Journal(path)
        self._stop = directory / STOP
        self._dsn, self._seed, self._name = dsn, seed, name
        self._number = int(self._earlier[-1].id.split(":")[1]) if self._earlier else 0
        self._rounds = dict.fromkeys(range(TABLES), 0)
        self._opened: Ledger | None = None

    def work(self) -> None:
        """Finish what is unanswered, then go on until told to stop."""
        if self._earlier and self._earlier[-1].answer is None:
            last = self._earlier[-1]
            self._insist(last.id, last.do, last.body)
        while not self._stop.exists():
            self._number += 1
            chance = Chance("writer", self._seed, self._name, self._number)
            command = self._reachable(partial(self._next, chance))
            if command is not None:
                do, body = command
                command_id = f"{self._name}:{self._number}"
                self._journal.ask(command_id, do, body)
                self._insist(command_id, do, body)
        if self._opened is not None:
            self._opened.close()

    # --- what to do next ---------------------------------------------------------------

    def _next(self, chance: Chance) -> tuple[str, dict[str, Any]] | None:
        """Decide on a command, on what is found in the store."""
        do = chance.weighed(_WEIGHTS)
        if do in {"deposit", "withdraw"}:
            return do, {"player": chance.pick(PLAYERS), "amount": chance.between(1, 10_000)}
        if do == "import":
            rulebook = chance.pick(RULEBOOKS)
            first = self._number * 10
            seed = int.from_bytes(self._name.encode())
            return do, {"rulebook": rulebook, "seed": seed, "first": first, "hands": 3}
        if do == "again":
            answered = [one for one in self._earlier if one.answer and one.do != "again"]
            return ("again", chance.pick(answered)._asdict()) if answered else None
        return self._at_a_table(chance, do)

    def _at_a_table(self, chance: Chance, do: str) -> tuple[str, dict[str, Any]]:
        """Open the next hand of a table, or go on with the one that is under way."""
        table = chance.below(TABLES)
        while True:
            name = f"t-{table}-{self._rounds[table]}"
            try:
                events = [row.entry.event for row in self._ledger.hand(name)]
            except UnknownHandError:
                return "open", {"hand": name, "record": self._record(table, chance)}
            hand = Hand.replay(hand_stream(name), events)
            if not hand.state.over:
                break
            self._rounds[table] += 1
        if do == "void":
            return do, {"hand": name, "reason": "a misdeal"}
        action, _ = Table(hand.state, chance).act(hand.state)
        version = hand.version if chance.happens(50) else None
        return "act", {"hand": name, "action": action._asdict(), "version": version}

    def _record(self, table: int, chance: Chance) -> dict[str, Any]:
        rulebook = RULEBOOKS[table % len(RULEBOOKS)]
        return next(simulate(rulebook, hands=1, seed=self._seed, first=chance.below(1_000_000)))

    # --- doing it ----------------------------------------------------------------------

    @property
    def _ledger(self) -> Ledger:
        if self._opened is None:
            self._opened = Ledger(Store(self._dsn, connections_max=2))
        return self._opened

    def _insist(self, command_id: str, do: str, body: dict[str, Any]) -> None:
        """Give a command until it is answered."""
        self._journal.told(self._reachable(lambda: self._give(command_id, do, body)))

    def _reachable(self, work: Callable[[], Any]) -> Any:
        """Do something as soon as the store can be reached."""
        while True:
            try:
                return work()
            except StoreUnreachableError:
                time.sleep(_PAUSE_S)

    def _give(self, command_id: str, do: str, body: dict[str, Any]) -> dict[str, Any]:
        """Give a command once; return its answer, or the code of its refusal."""
        if do == "again":
            return self._give(body["id"], body["do"], body["body"])
        try:
            result = self._carry_out(command_id, do, body)
        except RefusalError as refusal:
            return {"code": refusal.code, "message": refusal.message}
        if isinstance(result, ImportReport):
            assert not result.refused, result.refused
            return {"status": "imported", "hands": result.hands, "already": result.already}
        status, _, first, last, text = result
        return {"status": status, "first": first, "last": last, "text": text}

    def _carry_out(self, command_id: str, do: str, body: dict[str, Any]) -> Any:
        ledger = self._ledger
        by: dict[str, Any] = {"command_id": command_id, "actor": self._name}
        match do:
            case "deposit":
                return ledger.deposit(body["player"], body["amount"], **by)
            case "withdraw":
                return ledger.withdraw(body["player"], body["amount"], **by)
            case "void":
                return ledger.void_hand(body["hand"], body["reason"], **by)
            case "act":
                action, version = Action(**body["action"]), body["version"]
                return ledger.act(body["hand"], action, expected_version=version, **by)
            case "open":
                return open_as_recorded(ledger, body["hand"], body["record"], **by)
        given = {name: body[name] for name in ("hands", "seed", "first")}
        return ledger.import_hands(line_of(r) for r in simulate(body["rulebook"], **given))


def open_as_recorded(
    ledger: Ledger, hand: str, record: dict[str, Any], *, command_id: str, actor: str
) -> Any:
    """Open a hand as a record opens one."""
    return ledger.open_hand(
        hand,
        record["rulebook"],
        table=record["table"],
        dealer=record["dealer"],
        seats=record["seats"],
        deal={int(seat): cards for seat, cards in record["deal"].items()},
        opener=record.get("opener"),
        draws={int(seat): amount for seat, amount in record.get("bonus_draws", {}).items()},
        command_id=command_id,
        actor=actor,
    )


def main(dsn: str, directory: str, seed: str, *names: str) -> None:
    """Let writers work until there is a file that tells them to stop."""
    logs.configure("error")
    writers = [Writer(dsn, Path(directory), int(seed), name) for name in names]
    threads = [threading.Thread(target=writer.work) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
