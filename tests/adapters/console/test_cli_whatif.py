"""``jinhua whatif`` and ``bisect``: other rules, other tellings; files, pipes and stored hands."""

# ruff: noqa: E501 - a row stays on one line

import io
import json
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from adapters.cli import main
from tests.domain.hands import FLUSH, PAIR, record

EXAMPLES = Path(__file__).parents[2] / "vectors" / "seed-examples.jsonl"
LAST_STAND: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8").splitlines()[0])
DUEL = record(f"1 {FLUSH}, 2 {PAIR}", "2 call, 1 call, 2 compare 1")
NO_STORE = ("--dsn", "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=1")


@pytest.fixture
def jinhua(capfd):
    """Run a command: its status, and what it printed, read as JSON lines if asked."""

    def run(*words):
        status = main(words)
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        if out and "--json" in words:
            return status, [json.loads(line) for line in out.splitlines()]
        return status, out + err

    return run


@pytest.fixture
def file(tmp_path):
    """Write records to a file of that name."""

    def write(name, *records):
        path = tmp_path / name
        lines = (given if isinstance(given, str) else json.dumps(given) for given in records)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def piped(monkeypatch):
    """Give records on standard input."""

    def give(*records):
        lines = "".join(f"{json.dumps(given)}\n" for given in records)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))

    return give


def edited(action: int, **fields: Any) -> dict[str, Any]:
    """Return the last stand with one action changed, without its figures."""
    changed = json.loads(json.dumps(LAST_STAND))
    changed["actions"][action] |= fields
    del changed["settlement"]
    return changed


# --- whatif ------------------------------------------------------------------------------


def test_a_record_is_settled_under_other_rules_without_any_store(jinhua, file):
    """Seat by seat: what was paid, what would have been, and the difference; the keys are fixed."""
    name = file("hand.jsonl", DUEL)

    status, (answer,) = jinhua("whatif", name, "--rulebook", "platform", "--json", *NO_STORE)

    assert 0 == status
    assert [
        "hand",
        "played",
        "tried",
        "left_out",
        "seats",
        "paid",
        "would",
        "paid_reject",
        "reject",
    ] == list(answer)
    assert ("jiuyou", "platform") == (answer["played"]["rulebook"], answer["tried"]["rulebook"])
    # The duel costs seat 2 one call of 500 instead of two; seat 1 wins 500 less, less 5 %.
    assert [
        {
            "seat": 1,
            "player": "p1",
            "claimed": None,
            "paid": 1900,
            "would": 1425,
            "difference": -475,
        },
        {
            "seat": 2,
            "player": "p2",
            "claimed": None,
            "paid": -2000,
            "would": -1500,
            "difference": 500,
        },
    ] == answer["seats"]
    assert 75 == answer["would"]["rake"]
    assert answer["reject"] is None


def test_rules_are_changed_one_by_one(jinhua, file):
    """Several at once, of the rulebook and of the table."""
    name = file("hand.jsonl", DUEL)

    status, (answer,) = jinhua(
        "whatif", name, "--set", "rake_bp=300", "--set", "max_stake=none", "--json"
    )

    assert 0 == status
    assert {"rake_bp": 300, "max_stake": None} == answer["tried"]["changes"]
    assert [1940, -2000] == [seat["would"] for seat in answer["seats"]]
    assert answer["tried"]["table"]["max_stake"] is None


def test_a_person_reads_both_side_by_side(jinhua, file):
    """In chips; what was changed in words; the claim of the record's own system beside them."""
    name = file("hand.jsonl", LAST_STAND)

    status, text = jinhua(
        "whatif", name, "--set", "rake_bp=300", "--set", "bonus=none", "--lang", "zh"
    )

    assert 0 == status
    assert "牌局 000-last-stand：原规则 jiuyou.v1，改按 jiuyou.v1" in text
    assert "改动：rake_bp = 300, bonus = 没有" in text
    # 1035.00 won before rake: 5 % is 51.75, 3 % is 31.05.
    assert ["2", "D", "983.25", "983.25", "1003.95", "20.70"] in [
        line.split() for line in text.splitlines()
    ]
    assert ["抽水", "51.75", "31.05", "-20.70"] in [line.split() for line in text.splitlines()]


def test_where_it_would_not_have_been_legal_a_person_reads_how_far_it_had_come(jinhua, file):
    """The action, the code, the rule; round, stake, pot and who stood how."""
    name = file("hand.jsonl", DUEL)

    status, text = jinhua("whatif", name, "--rulebook", "yingsanzhang")

    assert 0 == status
    assert "not legal at action 2: seat 2 compare 1: not_supported: " in text
    assert "play had come to round 2, stake 5.00, pot 20.00; seat 2 to act" in text
    assert ["1", "p1", "10.00", "990.00", "blind"] in [line.split() for line in text.splitlines()]


def test_a_hand_that_would_have_ended_earlier_or_not_at_all_is_told_apart(jinhua, file):
    """Both are answers."""
    over = file("hand.jsonl", DUEL)
    short = file(
        "short.jsonl",
        record(f"1 {FLUSH}, 2 {PAIR}", "2 call, 1 call", table={"ante": 500, "round_limit": 1}),
    )

    _, early = jinhua("whatif", over, "--set", "round_limit=1")
    _, late = jinhua("whatif", short, "--set", "round_limit=2")

    assert "the hand would have ended before action 2: seat 2 compare 1" in early
    assert "the hand would not have ended: hand_not_over: the hand waits for seat 2" in late


def test_what_does_not_carry_over_is_named(jinhua, file):
    """A parameter that the other rulebook does not know, and bonuses that it would not draw."""
    drawn = record(f"1 {FLUSH}, 2 {PAIR}", "2 fold", rulebook="platform", opener=2, bonus_draws={})
    name = file("hand.jsonl", drawn | {"bonus_draws": {"1": 0}, "deal": {"1": "9s9d9h", "2": PAIR}})

    _, text = jinhua("whatif", name, "--rulebook", "jisu")

    assert "left out, for jisu.v1 knows nothing of it: max_stake" in text
    assert "bonuses that were drawn are not known under jisu.v1; none is granted" in text


def test_every_record_of_a_pipe_is_answered(jinhua, piped):
    """In order; a line that is none is answered as by ``settle``, and makes the status 2."""
    piped(DUEL, {"hand": "h-2"}, DUEL | {"hand": "h-3"})

    status, answers = jinhua("whatif", "-", "--set", "rake_bp=0", "--json")

    assert 2 == status
    assert ["h-1", "h-2", "h-3"] == [answer["hand"] for answer in answers]
    assert (-1, "bad_record") == (answers[1]["reject"]["at"], answers[1]["reject"]["code"])


def test_a_record_that_its_own_rules_refuse_was_paid_nothing(jinhua, file):
    """It says so, and what the others would have paid all the same."""
    name = file(
        "hand.jsonl",
        record(
            f"1 {FLUSH}, 2 {PAIR}",
            "2 call, 1 call, 2 compare 1",
            table={"ante": 500, "max_stake": 500},
        )
        | {"actions": [{"seat": 2, "do": "raise", "stake": 700}, {"seat": 1, "do": "fold"}]},
    )

    _, (answer,) = jinhua("whatif", name, "--set", "max_stake=none", "--json")

    assert (0, "raise_too_high") == (answer["paid_reject"]["at"], answer["paid_reject"]["code"])
    assert [-500, 500 - 25] == [seat["would"] for seat in answer["seats"]]
    assert [None, None] == [seat["paid"] for seat in answer["seats"]]
    _, text = jinhua("whatif", name, "--set", "max_stake=none")
    assert "not legal at action 0: seat 2 raise 7.00: raise_too_high" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--set", "rake=3"), "bad_change: no field is called 'rake'; near it: rake_bp"),
        (("--set", "rake_bp=x"), "bad_change: rake_bp takes an integer of 0 to 10000; 'x' is none"),
        (("--set", "rake_bp"), "bad_change: 'rake_bp' is no field=value"),
        (("--set", "forced_duels_from=never"), "bad_change: at_limit=forced_duels"),
        (("--set", "ante=20000"), "bad_record: table.max_stake: 10000 is below the ante of 20000"),
        (("--rulebook", "nope"), "unknown_rulebook: no rulebook 'nope'"),
        (("--lang", "fr"), "--lang"),
    ],
)
def test_what_cannot_be_asked_is_bad_input(jinhua, file, words, message):
    """Exit status 2, and the reason."""
    status, said = jinhua("whatif", file("hand.jsonl", DUEL), *words)

    assert 2 == status
    assert message in said


def test_a_stored_hand_was_paid_what_its_events_say(jinhua, file, database):
    """The refused action is named by its event in the hand too."""
    store = ("--dsn", database)
    jinhua("import", file("hand.jsonl", LAST_STAND), *store)

    status, (answer,) = jinhua(
        "whatif", "000-last-stand", "--rulebook", "yingsanzhang", "--json", *store
    )

    assert 0 == status
    assert LAST_STAND["settlement"] == answer["paid"]
    assert 98_325 == answer["seats"][1]["paid"] == answer["seats"][1]["claimed"]
    assert (0, 8, "not_your_turn") == tuple(answer["reject"][n] for n in ("at", "event", "code"))


def test_a_hand_that_nobody_stored_is_bad_input(jinhua, database):
    """Neither hand nor file."""
    status, said = jinhua("whatif", "nope", "--set", "rake_bp=0", "--dsn", database)

    assert 2 == status
    assert "unknown_hand: no hand nope was ever opened, nor is there such a file" in said


def test_a_store_that_cannot_be_reached_is_status_4(jinhua):
    """Only where a stored hand is asked for."""
    assert 4 == jinhua("whatif", "some-hand", "--set", "rake_bp=0", *NO_STORE)[0]


def test_a_hand_whose_deal_is_gone_is_no_hand(jinhua, file, database):
    """Status 3, as for whatever the events do not bear out."""
    jinhua("import", file("hand.jsonl", DUEL), "--dsn", database)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("ALTER TABLE events DISABLE TRIGGER USER")
        owner.execute("DELETE FROM events WHERE topic = 'hand.cards_dealt.v1'")

    status, said = jinhua("whatif", "h-1", "--set", "rake_bp=0", "--dsn", database)

    assert 3 == status
    assert "unexplainable" in said


# --- bisect --------------------------------------------------------------------------------


def test_equal_tellings_are_equal(jinhua, file, database):
    """A file and the hand stored from it: status 0."""
    name = file("hand.jsonl", LAST_STAND)
    jinhua("import", name, "--dsn", database)

    status, (found,) = jinhua("bisect", name, "000-last-stand", "--json", "--dsn", database)
    _, text = jinhua("bisect", "000-last-stand", name, "--dsn", database)

    assert 0 == status
    assert ["hands", "equal", "parts", "seats", "settlements", "rejects"] == list(found)
    assert (True, None, [None, None]) == (found["equal"], found["parts"], found["rejects"])
    assert {0} == {seat["difference"] for seat in found["seats"]}
    assert text.startswith("the two tellings are equal\n")


def test_tellings_that_part_are_status_3_and_named(jinhua, file, database):
    """Where, what each says, and what it is worth: A raised to 100.00, or to 90.00."""
    jinhua("import", file("ours.jsonl", LAST_STAND), "--dsn", database)
    theirs = file("theirs.jsonl", edited(0, stake=9000))

    status, (found,) = jinhua("bisect", "000-last-stand", theirs, "--json", "--dsn", database)
    _, text = jinhua("bisect", "000-last-stand", theirs, "--dsn", database)

    assert 3 == status
    assert {
        "at": 0,
        "events": [8, None],
        "what": "action",
        "says": [
            {"do": "raise", "seat": 5, "stake": 10_000},
            {"do": "raise", "seat": 5, "stake": 9000},
        ],
    } == found["parts"]
    assert [2000, -8075, 6000, 500, 0] == [seat["difference"] for seat in found["seats"]]
    assert "they part at action 0: seat 5 raise 100.00 (event 8)" in text
    assert f"  {theirs} says seat 5 raise 90.00" in text


def test_a_telling_that_is_illegal_from_there_says_so(jinhua, file, piped):
    """The other one's result stands alone."""
    piped(edited(0, stake=400))

    status, text = jinhua("bisect", file("ours.jsonl", LAST_STAND), "-", "--lang", "zh")

    assert 3 == status
    assert "在此处不合规则：第 0 个操作：seat 5 raise 4.00：raise_too_low" in text
    assert ["2", "D", "983.25"] in [line.split() for line in text.splitlines()]


# fmt: off
FACTS = {
    # why          what is changed                                                what is said
    "money":      ({"table": {"ante": 600, "max_stake": 10_000}},                 ("table.ante", "5.00", "6.00")),
    "cards":      ({"deal": LAST_STAND["deal"] | {"1": "7s6d3c"}},                ("deal.1", "7♠ 6♦ 2♥", "7♠ 6♦ 3♣")),
    "no money":   ({"dealer": 2},                                                 ("dealer", "1", "2")),
    "nothing":    ({"actions": LAST_STAND["actions"][:-1]},                       ("action 11: seat 2 compare 5", "seat 2 compare 5", "nothing")),
    "figures":    ({"settlement": {"seats": {"2": {"net": 98_575}}}},             ("settlement.seats.2.net", "983.25", "985.75")),
    "no figure":  ({"settlement": {"rounds": 3}},                                 ("settlement.rounds", "2", "3")),
    "no cards":   ({"deal": LAST_STAND["deal"] | {"1": "??????"}},                ("deal.1", "7♠ 6♦ 2♥", "??????")),
}
# fmt: on


@pytest.mark.parametrize(("changed", "said"), FACTS.values(), ids=FACTS)
def test_facts_are_told_as_a_person_reads_them(jinhua, file, changed, said):
    """Money in chips, cards with their suits."""
    ours, theirs = file("ours.jsonl", LAST_STAND), file("theirs.jsonl", LAST_STAND | changed)

    status, text = jinhua("bisect", ours, theirs)

    where, one, other = said
    assert 3 == status
    assert [
        f"they part at {where}",
        f"  {ours} says {one}",
        f"  {theirs} says {other}",
    ] == text.splitlines()[:3]


def test_of_several_records_one_is_named(jinhua, file):
    """… or it is not clear which hand is meant."""
    many = file("many.jsonl", DUEL, DUEL | {"hand": "h-2"})
    lone = file("lone.jsonl", DUEL)

    named = jinhua("bisect", many, lone, "--hand", "h-1")
    unnamed = jinhua("bisect", many, lone)
    absent = jinhua("bisect", many, lone, "--hand", "h-9")

    assert 0 == named[0]
    assert (2, 2) == (unnamed[0], absent[0])
    assert "holds 2 records, not one hand; name one with --hand" in unnamed[1]
    assert "holds 0 records, not hand h-9" in absent[1]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("-", "-", "standard input can be only one of the two tellings"),
        ("bad", "bad", "bad_record"),
        ("--nope", "bad", "unknown option --nope"),
    ],
)
def test_what_is_no_telling_is_bad_input(jinhua, file, first, second, message):
    """Exit status 2, and the reason."""
    bad = file("bad.jsonl", "no record")

    status, said = jinhua("bisect", first.replace("bad", bad), second.replace("bad", bad))

    assert 2 == status
    assert message in said
