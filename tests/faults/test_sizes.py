"""What is large: up to a limit it is stored like anything else, beyond it there is a clear code."""

import json
from typing import Any

import pytest

from adapters.ledger import Ledger
from adapters.store.postgres import Store
from domain import limits
from domain.errors import TooLargeError
from domain.limits import ACTIONS_MAX, RECORD_BYTES_MAX
from domain.zhajinhua.play import Action
from tests.adapters.play import DEAL, fund, sit_down
from tests.adapters.stored import execute

MIB = 1024 * 1024
HAND: dict[str, Any] = {
    "rulebook": "jiuyou",
    "table": {"ante": 1, "round_limit": 1_000_000},
    "dealer": 1,
    "seats": [{"seat": seat, "player": f"p{seat}", "carry": 10**9} for seat in (1, 2)],
    "deal": {str(seat): cards for seat, cards in DEAL.items()},
}


def of_actions(count: int, hand: str) -> str:
    """Return a hand of so many actions, the last of which ends it."""
    calls = [{"seat": 2 - number % 2, "do": "call"} for number in range(count - 1)]
    fold = {"seat": 2 - (count - 1) % 2, "do": "fold"}
    return json.dumps({"hand": hand, **HAND, "actions": [*calls, fold]})


def of_size(size: int, hand: str) -> str:
    """Return a record of so many bytes, most of them in the event of its claim."""
    given = {"hand": hand, **HAND, "actions": [{"seat": 2, "do": "fold"}]}
    empty = json.dumps({**given, "settlement": {"winners": [1]}})
    more = (size - len(empty)) // 3
    line = json.dumps({**given, "settlement": {"winners": [1] * (more + 1)}})
    return line + " " * (size - len(line))


def longest(ledger: Ledger, hand: str) -> int:
    """Return how long the longest event of a hand is."""
    rows = ledger.recorder.select_events(f"hand:{hand}")
    return max(len(row.state) for row in rows)


def test_ten_thousand_events_in_one_append(ledger, long):
    """10,000 events in one append: stored whole, under one id."""
    count = ACTIONS_MAX if long else 3_000

    report = ledger.import_hands([of_actions(count, "h-1")])

    assert (report.hands, report.refused) == (1, [])
    assert report.events > count
    assert len({row.entry.cause.command_id for row in ledger.hand("h-1")}) == 1
    assert ledger.recorder.max_notification_id() == report.events
    assert list(ledger.verify()) == []


def test_one_action_too_many(ledger):
    """Beyond the documented limit, a clear code, nothing half stored; its neighbours are."""
    lines = [of_actions(3, "h-1"), of_actions(ACTIONS_MAX + 1, "h-2"), of_actions(3, "h-3")]

    report = ledger.import_hands(lines)

    assert [(r.hand, r.code) for r in report.refused] == [("h-2", "too_large")]
    assert list(ledger.hands()) == ["h-1", "h-3"]
    assert list(ledger.verify()) == []


def test_without_the_limit_of_actions_they_are_played(ledger, monkeypatch):
    """So the test above can fail: they come as far as the rules, which object to the first."""
    monkeypatch.setattr(limits, "ACTIONS_MAX", ACTIONS_MAX + 1)
    call = {"seat": 1, "do": "call"}
    line = json.dumps({"hand": "h-1", **HAND, "actions": [call] * (ACTIONS_MAX + 1)})

    (refused,) = ledger.import_hands([line]).refused

    assert (refused.code, refused.at) == ("not_your_turn", 0)


def test_too_many_actions_of_one_command(ledger):
    """Live as in a record: nothing of it is taken."""
    fund(ledger, "ann", "bob")
    sit_down(ledger)
    before = ledger.recorder.max_notification_id()

    with pytest.raises(TooLargeError, match="10001; at most 10000"):
        ledger.act_many("h-1", [Action("look", 1)] * (ACTIONS_MAX + 1), command_id="c", actor="ann")
    assert ledger.recorder.max_notification_id() == before


def test_one_event_of_a_mebibyte(ledger):
    """One event of 1 MB: stored and given back unchanged."""
    report = ledger.import_hands([of_size(MIB, "h-1")])

    assert (report.hands, report.refused) == (1, [])
    assert longest(ledger, "h-1") > 0.6 * MIB  # of three bytes, JSON without spaces needs two
    assert list(ledger.verify(["h-1"])) != []  # nobody wins a third of a million times


def test_a_store_that_cuts_events_off_would_be_noticed(database):
    """So the test above can fail: a column that held less would not give it back."""
    execute(
        database,
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
        " $$BEGIN NEW.body := left(NEW.body, 65536); RETURN NEW; END$$",
    )
    execute(
        database, "CREATE TRIGGER cut BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION cut()"
    )

    with Ledger(Store(database)) as ledger, pytest.raises(AssertionError):
        test_one_event_of_a_mebibyte(ledger)


def test_one_event_of_seventeen(ledger):
    """One event of 17 MB: a documented limit, a clear code, nothing half stored."""
    assert RECORD_BYTES_MAX == 16 * MIB
    lines = [of_size(1_000, "h-1"), of_size(17 * MIB, "h-2"), of_size(1_000, "h-3")]

    report = ledger.import_hands(lines)

    (refused,) = report.refused
    assert refused.code == "too_large"
    assert str(17 * MIB) in refused.message
    assert list(ledger.hands()) == ["h-1", "h-3"]


def test_without_the_limit_of_bytes_they_are_taken(ledger, monkeypatch):
    """So the test above can fail: whatever is read is stored."""
    monkeypatch.setattr(limits, "RECORD_BYTES_MAX", 18 * MIB)
    line = of_size(1_000, "h-1")

    assert ledger.import_hands([line + " " * (17 * MIB - len(line))]).hands == 1


def test_the_limit_itself(ledger, long):
    """To the byte: so much is taken, and one more is not."""
    if long:
        assert ledger.import_hands([of_size(RECORD_BYTES_MAX, "h-1")]).hands == 1
    report = ledger.import_hands([of_size(RECORD_BYTES_MAX + 1, "h-2")])

    assert [refused.code for refused in report.refused] == ["too_large"]


def test_a_limit_is_in_bytes(ledger):
    """However many characters they are."""
    record = {"hand": "h", **HAND, "actions": []}
    wide = json.dumps(record | {"rulebook": "张" * (RECORD_BYTES_MAX // 3)}, ensure_ascii=False)
    assert len(wide) < RECORD_BYTES_MAX

    for line in (wide, wide.encode()):
        (refused,) = ledger.import_hands([line]).refused
        assert refused.code == "too_large"
