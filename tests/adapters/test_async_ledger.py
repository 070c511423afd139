"""The ledger for asyncio: the same answers as the other, from one event loop."""

import asyncio
from collections import Counter

import pytest

from adapters.async_ledger import AsyncLedger
from adapters.commands.asking import Asking
from adapters.errors import LedgerClosedError
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain.errors import ConflictError, InsufficientFundsError, RefusalError
from domain.zhajinhua.play import Action
from tests.adapters.play import DEAL, TABLE, balance, fund, sit_down

CALL = Action("call", 1)


@pytest.fixture
def play(store_dsn):
    """What runs a coroutine function on an asynchronous ledger; another one reads it afterwards."""

    def run(work):
        async def main():
            async with AsyncLedger(Ledger(Store(store_dsn))) as ledger:
                return await work(ledger)

        return asyncio.run(main())

    return run


async def opened(ledger: AsyncLedger, hand: str, *players: str):
    """Fund two players and sit them down."""
    for player in players:
        await ledger.deposit(player, 50_000, command_id=f"fund:{player}")
    seats = [{"seat": n, "player": name, "carry": 50_000} for n, name in enumerate(players, 1)]
    return await ledger.open_hand(
        hand, "jiuyou", table=TABLE, dealer=2, seats=seats, deal=DEAL,
        command_id=f"open:{hand}", actor="table-1",
    )  # fmt: skip


async def code(work) -> str:
    """Return what a command came to, a refusal as its code."""
    try:
        return (await work).status
    except RefusalError as refusal:
        return refusal.code


def test_every_command_is_given_to_either_ledger():
    """None of them is forgotten on one side."""
    asked = {name for name in dir(Asking) if not name.startswith("_")}

    assert asked >= {"deposit", "disclose_deck", "rule_dispute"}
    for kind in (Ledger, AsyncLedger):
        assert asked <= set(vars(kind)), kind


def test_a_hand_from_the_deposits_to_the_settlement(play, ledger):
    """Each command is answered as the other ledger answers it."""

    async def work(live: AsyncLedger):
        await opened(live, "h-1", "ann", "bob")
        first = await live.act("h-1", CALL, command_id="c-1", actor="ann", expected_version=4)
        again = await live.act("h-1", CALL, command_id="c-1", actor="ann")
        last = await live.act_many(
            "h-1", [Action("look", 2), Action("fold", 2)], command_id="m-1", actor="bob"
        )
        out = await live.withdraw("ann", 100, command_id="w-1")
        return first, again, last, out, await live.hand("h-1")

    first, again, last, out, rows = play(work)

    assert (first.status, again.status, first.text) == ("applied", "replayed", again.text)
    assert last.answer["settlement"]["winners"] == [1]
    assert out.answer["balance"] == balance(ledger, "ann")
    assert rows == ledger.hand("h-1")
    assert list(ledger.verify()) == []


def test_hundreds_of_hands_at_once(play, ledger):
    """On a few threads and connections; nothing is lost, and few transactions are needed."""

    async def work(live: AsyncLedger):
        async def hand(n: int) -> str:
            await opened(live, f"h-{n}", f"a{n}", f"b{n}")
            await live.act(f"h-{n}", CALL, command_id=f"c-{n}", actor="a")
            return (
                await live.void_hand(f"h-{n}", "misdeal", command_id=f"v-{n}", actor="floor")
            ).status

        return await asyncio.gather(*map(hand, range(100)))

    assert play(work) == ["applied"] * 100
    assert len(list(ledger.hands())) == 100
    assert list(ledger.verify()) == []


def test_who_comes_when_as_many_are_under_way_as_may_be_is_told_so_at_once(store_dsn, ledger):
    """Nothing of it is begun, and those under way are answered; then there is room again."""

    async def main():
        async with AsyncLedger(Ledger(Store(store_dsn)), under_way_max=3) as live:
            given = (live.deposit("ann", 1, command_id=f"d-{n}") for n in range(10))
            first = await asyncio.gather(*given, return_exceptions=True)
            again = await live.deposit("ann", 1, command_id="d-9")
        return first, again

    first, again = asyncio.run(main())

    assert [type(found).__name__ for found in first] == ["Receipt"] * 3 + ["BusyError"] * 7
    assert again.status == "applied"
    assert balance(ledger, "ann") == 4


def test_twenty_at_one_version_of_a_hand_from_one_loop(play, ledger):
    """One success, nineteen conflicts, each kept as a refusal."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)

    async def work(live: AsyncLedger):
        acts = (
            live.act("h-1", CALL, command_id=f"c-{n}", actor="ann", expected_version=4)
            for n in range(20)
        )
        return Counter(await asyncio.gather(*map(code, acts)))

    assert play(work) == {"applied": 1, "conflict": 19}
    assert len(ledger.refusals("h-1")) == 19


def test_refusals_are_raised_and_kept(play):
    """As by the other ledger."""

    async def work(live: AsyncLedger):
        with pytest.raises(InsufficientFundsError):
            await live.withdraw("ann", 1, command_id="w-1")
        await opened(live, "h-1", "ann", "bob")
        with pytest.raises(ConflictError):
            await live.act("h-1", CALL, command_id="c-1", actor="ann", expected_version=9)
        return [kept.code for kept in await live.refusals()]

    assert play(work) == ["insufficient_funds", "conflict"]


def test_whoever_stops_waiting_does_not_stop_the_command(play, ledger):
    """It was given; only its receipt tells whether it was carried out."""

    async def work(live: AsyncLedger):
        giving = asyncio.create_task(live.deposit("ann", 5, command_id="d-1"))
        refused = asyncio.create_task(live.withdraw("bob", 5, command_id="w-1"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in (giving, refused):
            task.cancel()
        return await asyncio.gather(giving, refused, return_exceptions=True)

    assert [type(outcome) for outcome in play(work)] == [asyncio.CancelledError] * 2
    assert balance(ledger, "ann") == 5
    assert [kept.command_id for kept in ledger.refusals()] == ["w-1"]


def test_a_closed_ledger_takes_nothing_more(store_dsn):
    """And says so."""

    async def main():
        live = AsyncLedger(Ledger(Store(store_dsn)))
        await live.close()
        with pytest.raises(LedgerClosedError):
            await live.deposit("ann", 5, command_id="d-1")

    asyncio.run(main())
