"""The answer to an append is lost on the way: what was stored is found again, stored once."""

import asyncio
from collections import Counter
from contextlib import suppress

import pytest

from adapters.appending import batches
from adapters.appending.batches import Replayed
from adapters.async_ledger import AsyncLedger
from adapters.clock import now
from adapters.commands import importing
from adapters.errors import StoreUnreachableError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.errors import CommandIdReusedError, RefusalError
from tests.adapters.play import balance, do, fund, lines, sit_down, vectors
from tests.faults.proxy import Proxy, answer_to, question
from tests.faults.statements import APPEND

LOST = {
    # what happens to the connection, and when
    "the answer": answer_to(APPEND),
    "the question": question(APPEND),
    "the answer, which is late": answer_to(APPEND, delay_s=0.3),
}


@pytest.fixture
def proxy(store_dsn):
    """A proxy in front of the store."""
    with Proxy(store_dsn) as proxy:
        yield proxy


@pytest.fixture
def far(proxy, ledger):
    """A ledger behind the proxy, on a store with chips in it and a hand under way."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger)
    with Ledger(Store(proxy.dsn, connections_max=2)) as far:
        yield far


COMMANDS = {
    "deposit": lambda ledger: ledger.deposit("ann", 5, command_id="c"),
    "withdraw": lambda ledger: ledger.withdraw("ann", 5, command_id="c"),
    "open": lambda ledger: sit_down(ledger, "h-2", command_id="c"),
    "act": lambda ledger: do(ledger, 1, "call", command_id="c"),
    "settle": lambda ledger: do(ledger, 1, "fold", command_id="c"),
    "void": lambda ledger: ledger.void_hand("h-1", "why", command_id="c", actor="floor"),
}


CASES = [(name, "the answer") for name in COMMANDS] + [
    ("settle", lost) for lost in LOST if lost != "the answer"
]


@pytest.mark.parametrize(("command", "lost"), CASES)
def test_a_lost_answer(far, ledger, proxy, command, lost):
    """The COMMIT answer is lost: retry with the same id returns the first result; stored once."""
    before = ledger.recorder.max_notification_id()
    proxy.next(LOST[lost])

    receipt = COMMANDS[command](far)
    again = COMMANDS[command](far)

    assert proxy.happened == 1
    assert receipt[1:] == again[1:]
    assert again.status == "replayed"
    stored = ledger.recorder.select_notifications(start=before + 1, limit=100)
    assert [row.id for row in stored] == list(range(before + 1, receipt.last_position + 1))
    assert {row.cause.command_id for row in stored} == {"c"}
    assert list(ledger.verify()) == []


def test_lost_again_and_again(far, ledger, proxy):
    """Where the store does not answer the second time either, its caller is told; who retries."""
    proxy.next(answer_to(APPEND), answer_to(APPEND))

    with pytest.raises(StoreUnreachableError):
        far.deposit("ann", 5, command_id="c")
    receipt = far.deposit("ann", 5, command_id="c")

    assert (receipt.status, receipt.answer["balance"]) == ("replayed", 1_000_000 - 50_000 + 5)
    assert balance(ledger, "ann") == receipt.answer["balance"]


def test_a_batch_whose_answer_is_lost(far, ledger, proxy):
    """An import goes on: its hands are found stored, none twice."""
    hands = lines(*vectors("jiuyou")[:6])
    proxy.next(answer_to(APPEND))

    report = far.import_hands(hands)

    assert proxy.happened == 1
    assert report.hands + report.already == 6
    assert far.import_hands(hands).already == 6
    assert list(ledger.verify()) == []


@pytest.mark.parametrize("lost", LOST)
def test_a_batch_of_an_event_loop_of_which_no_answer_comes(far, ledger, proxy, lost):
    """Everybody in it is answered all the same, and so are those behind; each is stored once."""

    async def main():
        live = AsyncLedger(far)
        while live.commit._line is None:
            await live.deposit("ann", 1, command_id=f"w-{far.recorder.max_notification_id()}")
        proxy.next(LOST[lost])
        receipts = await asyncio.gather(
            *(live.deposit(f"p{n}", 5, command_id=f"c-{n}") for n in range(20))
        )
        await live.leave()
        return Counter(receipt.status for receipt in receipts)

    told = asyncio.run(asyncio.wait_for(main(), 60))

    assert proxy.happened == 1
    assert told.total() == 20
    assert bool(told["replayed"]) == (lost == "the answer")
    assert [balance(ledger, f"p{n}") for n in range(20)] == [5] * 20
    assert list(ledger.verify()) == []


def test_an_import_whose_store_is_gone_with_a_batch_ahead(far, ledger, proxy, monkeypatch):
    """Nothing is told as stored but what is; taken up again, no hand is doubled."""
    monkeypatch.setattr(importing, "BATCH_HANDS", 2)
    hands = lines(*vectors("jiuyou")[:10])
    work = importing.Import(far.store, now, deposit_missing=True, claimant="record")
    told: list[str | None] = []

    def import_all() -> None:
        for portion in work.overlapped(hands):
            told.extend(line.hand for line in portion if line.status == "stored")
            proxy.next(answer_to(APPEND), answer_to(APPEND))  # again and again

    with pytest.raises(StoreUnreachableError):
        import_all()
    there = set(ledger.hands()) - {"h-1"}
    again = ledger.import_hands(hands)

    assert told
    assert set(told) < there
    assert (again.already, again.hands) == (len(there), 10 - len(there))
    assert list(ledger.verify()) == []


def test_a_writer_that_is_cut_off_holds_nobody_up(far, ledger, proxy):
    """Cut before its COMMIT, its lock goes with its transaction; others append at once."""
    with suppress(StoreUnreachableError), far.store.alone():
        proxy.cut()
        assert ledger.deposit("ann", 5, command_id="c").status == "applied"


# --- the protections, removed ----------------------------------------------------------


def test_without_receipts_a_lost_answer_stores_twice(forgetful):
    """So the tests above can fail: the receipt alone knows that it was stored."""
    with Proxy(forgetful) as own, Ledger(Store(own.dsn)) as far:
        own.next(answer_to(APPEND))
        far.deposit("ann", 5, command_id="c")

        assert balance(far, "ann") == 10


BODIES = {
    # what is asked for under an id that was used          field
    "amount": lambda ledger: ledger.deposit("ann", 6, command_id="c"),
    "player": lambda ledger: ledger.deposit("bob", 5, command_id="c"),
    "actor": lambda ledger: ledger.deposit("ann", 5, command_id="c", actor="teller"),
    "command": lambda ledger: ledger.withdraw("ann", 5, command_id="c"),
}


@pytest.mark.parametrize("field", BODIES)
def test_another_body_under_the_same_id(ledger, field):
    """Same command id, other body: refused naming the field; stored amount unchanged."""
    ledger.deposit("ann", 5, command_id="c")

    with pytest.raises(CommandIdReusedError) as raised:
        BODIES[field](ledger)

    assert raised.value.numbers == {"command_id": "c", "field": field}
    assert balance(ledger, "ann") == 5
    assert ledger.recorder.max_notification_id() == 1


def test_without_the_digest_another_body_passes_for_the_first(ledger, monkeypatch):
    """So the test above can fail: the id alone would be taken for the command."""
    monkeypatch.setattr(
        batches.StoredReceipt, "answered", lambda self, _: Replayed(self.first, self.last, "{}")
    )
    ledger.deposit("ann", 5, command_id="c")

    for other in BODIES.values():
        try:
            receipt = other(ledger)
        except RefusalError as refusal:
            pytest.fail(f"{refusal.code}")
        assert receipt.status == "replayed"
