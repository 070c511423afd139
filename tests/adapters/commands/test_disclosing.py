"""Decks on a ledger: committed to, disclosed, shown, verified, and forged."""

# ruff: noqa: E501 - a case stays on one line

import json

import psycopg
import pytest

from adapters.appending.batches import Append
from adapters.cli import main
from adapters.commands.execution import AT_THE_STORE
from adapters.ledger import Ledger
from adapters.shuffle import new_salt, new_secret, shuffled
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from domain.cards import DECK, split
from domain.deck import commit, dealt
from domain.errors import (
    AlreadyDisclosedError,
    BadRecordError,
    CommandIdReusedError,
    CommitmentMismatchError,
    CommitmentRequiredError,
    HandRunningError,
    NoCommitmentError,
    UnknownHandError,
)
from domain.events import DeckDisclosed, HandOpened
from domain.zhajinhua.rulebooks import find
from tests.adapters.play import TABLE, do, fund, sit_down

SALT = bytes(range(32))
DECK_ORDER = (2, 1)  # of a hand of two whose dealer sits in seat 2
ORDERED = "".join(DECK)


def begun(ledger: Ledger, deck: str = ORDERED, *, hand: str = "h-1", **more):
    """Open a hand of ann and bob that is committed to a deck, dealt from it unless told."""
    fund(ledger, "ann", "bob")
    given = {
        "deal": dealt(deck, DECK_ORDER),
        "commitment": commit(hand, find("jiuyou").digest, deck, SALT),
    }
    return sit_down(ledger, hand, **(given | more))


def nothing(_: Ledger):
    """Open no hand."""


def ended(ledger: Ledger, deck: str = ORDERED, **more):
    """Play such a hand to its end."""
    begun(ledger, deck, **more)
    do(ledger, 1, "fold")


def disclose(ledger: Ledger, deck: str = ORDERED, *, hand: str = "h-1", command_id: str = "x-1"):
    """Disclose a deck."""
    return ledger.disclose_deck(hand, SALT.hex(), deck, command_id=command_id, actor="house")


# --- the opening -------------------------------------------------------------------------


def test_a_commitment_is_kept_in_the_opening(ledger):
    """As it was given."""
    begun(ledger)

    opening = ledger.hand("h-1")[0].entry.event
    assert isinstance(opening, HandOpened)
    assert commit("h-1", find("jiuyou").digest, ORDERED, SALT) == opening.commitment


@pytest.mark.parametrize("commitment", ["", "e3b0c442", "AB" * 32, 7])
def test_what_cannot_be_a_commitment_opens_no_hand(ledger, commitment):
    """Nothing of it is stored but the refusal."""
    with pytest.raises(BadRecordError, match="commitment"):
        begun(ledger, commitment=commitment)

    assert ["bad_record"] == [kept.code for kept in ledger.refusals("h-1")]


WANTS = {**TABLE, "commit_deck": True}


def test_a_table_may_open_no_hand_without_a_commitment(ledger):
    """With one it does; what the table wants is in no event, so nothing of a hand changes."""
    with pytest.raises(CommitmentRequiredError):
        begun(ledger, table=WANTS, commitment=None)

    begun(ledger, table=WANTS)

    (kept,) = ledger.refusals("h-1")
    opening = ledger.hand("h-1")[0].entry.event
    assert isinstance(opening, HandOpened)
    assert ("commitment_required", "§2.6") == (kept.code, kept.rule)
    assert {**TABLE, "round_limit": 15} == opening.table
    assert [] == list(ledger.verify())


@pytest.mark.parametrize("wants", [False, None], ids=["not wanted", "not said"])
def test_without_such_a_table_a_commitment_is_free(ledger, wants):
    """As ever."""
    table = TABLE if wants is None else {**TABLE, "commit_deck": wants}

    assert "applied" == begun(ledger, table=table, commitment=None).status


@pytest.mark.parametrize("wants", ["yes", 1, None, [True]], ids=repr)
def test_a_table_wants_a_commitment_or_does_not(ledger, wants):
    """Anything else is a mistake of the caller."""
    with pytest.raises(BadRecordError, match=r"table\.commit_deck: is neither true nor false"):
        begun(ledger, table={**TABLE, "commit_deck": wants})


def test_a_record_knows_nothing_of_commitments(ledger):
    """The format is as it was: neither a parameter of the table nor a field."""
    given: dict[str, object] = {
        "hand": "h-1",
        "rulebook": "jiuyou",
        "table": {**TABLE, "commit_deck": False},
    }
    given |= {"dealer": 1, "seats": [], "deal": {}, "actions": []}

    for record in (given, {**given, "table": TABLE, "commitment": "ab" * 32}):
        report = ledger.import_hands([json.dumps(record)])
        assert ["bad_record"] == [reject.code for reject in report.refused]


def test_a_commitment_belongs_to_the_command(ledger):
    """Another one under the same id is another command."""
    begun(ledger)

    with pytest.raises(CommandIdReusedError, match="another commitment"):
        begun(ledger, commitment="ab" * 32)


# --- the disclosure ----------------------------------------------------------------------


def test_a_deck_is_disclosed_after_the_end(ledger):
    """The answer says what is proven; wallets are as they were, and everything agrees."""
    ended(ledger)
    before = ledger.recorder.max_notification_id()

    receipt = disclose(ledger)

    last = ledger.hand("h-1")[-1]
    assert before + 1 == receipt.first_position == receipt.last_position == last.position
    assert DeckDisclosed(salt=SALT.hex(), deck=ORDERED) == last.entry.event
    assert ("proven", "deal_matches") == (receipt.answer["verdict"], receipt.answer["reason"])
    assert [] == list(ledger.verify())


def test_a_disclosure_given_again_is_answered_as_before(ledger):
    """Under its id nothing is stored twice; under another it comes too late."""
    ended(ledger)
    first = disclose(ledger)

    assert first._replace(status="replayed") == disclose(ledger)
    with pytest.raises(AlreadyDisclosedError):
        disclose(ledger, command_id="x-2")


def test_of_two_at_once_the_second_is_told_that_it_is_disclosed(ledger):
    """Both were decided on the same hand; whoever is stored second decides again."""
    ended(ledger)
    both = [
        ledger.execution.steps(
            ledger.asking.disclose_deck(
                "h-1", SALT.hex(), ORDERED, command_id=command_id, actor="house"
            )
        )
        for command_id in ("x-1", "x-2")
    ]
    brought = [next(step for step in steps if isinstance(step, Append)) for steps in both]

    outcomes = [ledger.group.append(append) for append in brought]

    with pytest.raises(StopIteration):
        both[0].send(outcomes[0])
    assert both[1].send(outcomes[1]) is AT_THE_STORE  # it reads again
    with pytest.raises(AlreadyDisclosedError):
        list(both[1])
    assert [] == list(ledger.verify())


REFUSED = {
    # why                  what is done before                       the deck        refusal
    "no such hand":       (nothing,                      ORDERED,        UnknownHandError),
    "it is running":      (begun,                                    ORDERED,        HandRunningError),
    "no commitment":      (lambda ledger: ended(ledger, commitment=None), ORDERED,   NoCommitmentError),
    "another deck":       (ended,                                    ORDERED[2:] + ORDERED[:2], CommitmentMismatchError),
    "no deck":            (ended,                                    ORDERED[2:],    BadRecordError),
}  # fmt: skip


@pytest.mark.parametrize(("before", "deck", "refusal"), REFUSED.values(), ids=REFUSED)
def test_a_refused_disclosure_leaves_only_its_refusal(ledger, before, deck, refusal):
    """Without the deck and the salt: while a hand is running they would tell everybody's cards."""
    before(ledger)
    reached = ledger.recorder.max_notification_id()

    with pytest.raises(refusal):
        disclose(ledger, deck)

    (kept,) = ledger.refusals("h-1")
    assert reached == ledger.recorder.max_notification_id()
    assert ("disclose_deck", refusal.code) == (kept.kind, kept.code)
    assert {"hand": "h-1"} == kept.asked
    assert not any(secret in str(kept) for secret in (SALT.hex(), deck[:8]))


def test_a_deck_that_gives_other_cards_is_stored_as_evidence(ledger):
    """It is the one committed to, so it is what the house has to answer for."""
    ended(ledger, deal={1: "AsAdAh", 2: "2c4d7h"})

    receipt = disclose(ledger)

    found = list(ledger.verify(["h-1"]))
    assert ("not_proven", "deal_differs") == (receipt.answer["verdict"], receipt.answer["reason"])
    assert ["cards_dealt.cards.1", "cards_dealt.cards.2"] == [d.what for d in found]


def test_a_shuffled_deck_goes_all_the_way(ledger):
    """Secret, contributions, deck, commitment, deal, disclosure, proof."""
    deck, salt = shuffled(new_secret(), [b"ann's", b"bob's"]), new_salt()
    commitment = commit("h-1", find("jiuyou").digest, deck, salt)
    ended(ledger, deck, commitment=commitment)

    receipt = ledger.disclose_deck("h-1", salt.hex(), deck, command_id="x", actor="house")

    assert "proven" == receipt.answer["verdict"]


# --- forged ------------------------------------------------------------------------------


def write(dsn: str, topic: str, field: str, value: object) -> None:
    """Write over a field of a stored event, as the owner of the database can."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(
            "UPDATE events SET body = jsonb_set(body::jsonb, %s, %s::jsonb)::text WHERE topic = %s",
            [[field], json.dumps(value), topic],
        )


FORGED = {
    # what             event                      field         written            verdict on the deal
    "the deck":       ("hand.deck_disclosed.v1",  "deck",       ORDERED[2:] + ORDERED[:2], "commitment_mismatch"),
    "the salt":       ("hand.deck_disclosed.v1",  "salt",       bytes(32).hex(),   "commitment_mismatch"),
    "the commitment": ("hand.opened.v1",          "commitment", "ab" * 32,         "commitment_mismatch"),
}  # fmt: skip


@pytest.mark.parametrize(("topic", "field", "value", "reason"), FORGED.values(), ids=FORGED)
def test_a_forged_disclosure_is_found(store_dsn, capfd, topic, field, value, reason):
    """By `verify`, with exit status 3, and by `show`."""
    with Ledger(Store(store_dsn)) as ledger:
        ended(ledger)
        disclose(ledger)
    write(store_dsn, topic, field, value)
    capfd.readouterr()  # what was logged meanwhile

    status = main(["verify", "h-1", "--json", "--dsn", store_dsn])
    told = json.loads(capfd.readouterr().out)
    main(["show", "h-1", "--json", "--dsn", store_dsn])
    shown = json.loads(capfd.readouterr().out)

    assert 3 == status
    found = [(row["what"], row["derived"]) for row in told["discrepancies"]]
    assert ("deck_disclosed", "commitment_mismatch") in found
    assert {"h-1": {"verdict": "not_proven", "reason": reason, "seats": []}} == told["deck_proofs"]
    assert ("not_proven", reason) == (shown["deck_proof"]["verdict"], shown["deck_proof"]["reason"])


# --- what is told of it ------------------------------------------------------------------


@pytest.fixture
def jinhua(database, capfd):
    """Run a command on a fresh store: its status, and what it printed, read as JSON if asked."""

    def run(*words):
        capfd.readouterr()  # what was logged meanwhile
        status = main([*words, "--dsn", database])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if out and "--json" in words else out or err

    return run


def test_from_the_command_line(jinhua, database):
    """Disclosed, shown, verified, explained, and found by its mark."""
    with Ledger(Store(database)) as ledger:
        ended(ledger)
        open_commitment = "the deck that the hand is committed to is not disclosed"
        assert open_commitment in jinhua("show", "h-1")[1]
        words = ("disclose", "h-1", "--salt", SALT.hex(), "--deck", ORDERED)

        status, told = jinhua(*words, "--json")

        again = jinhua(*words)
        assert (0, "applied", "proven") == (status, told["status"], told["deck_proof"]["verdict"])
        assert (0, "hand h-1: the deal is proven: ") == (again[0], again[1][:30])
        assert [] == list(ledger.verify())
    deal = jinhua("show", "h-1", "--json")[1]["deck_proof"]
    assert told["deck_proof"] == deal
    assert (SALT.hex(), ORDERED, []) == (deal["salt"], deal["deck"], deal["seats"])
    assert "the deal is proven" in jinhua("show", "h-1")[1]
    assert "hand h-1: the deal is proven" in jinhua("verify", "h-1")[1]
    assert "deck_proofs" not in jinhua("verify", "--json")[1]
    assert "牌序已公开" in jinhua("explain", "h-1", "--lang", "zh")[1]
    found = jinhua("hands", "--flag", "disclosed", "--json")[1]["hands"]
    assert [("h-1", ["disclosed"])] == [(hand["hand"], hand["flags"]) for hand in found]


def test_a_hand_without_a_commitment_has_no_proof(jinhua, database):
    """Which is no disagreement."""
    with Ledger(Store(database)) as ledger:
        ended(ledger, commitment=None)

    status, told = jinhua("verify", "h-1", "--json")

    assert (0, {"verdict": "absent", "reason": "no_commitment", "seats": []}) == (
        status,
        told["deck_proofs"]["h-1"],
    )
    assert (
        "there is no proof of the deal: the hand opened without a commitment"
        in jinhua("show", "h-1")[1]
    )
    assert 2 == jinhua("disclose", "h-1", "--salt", SALT.hex(), "--deck", ORDERED)[0]


def test_a_deck_that_gives_other_cards_is_a_disagreement(jinhua, database):
    """The seats are named."""
    with Ledger(Store(database)) as ledger:
        ended(ledger, deal={1: "AsAdAh", 2: "2c4d7h"})

    status, told = jinhua("disclose", "h-1", "--salt", SALT.hex(), "--deck", ORDERED)

    assert 3 == status
    assert "the deal is not proven: " in told
    assert "gives other cards to seat 1, 2" in told


BROKEN = {
    # what somebody wrote      the stored event         the field        its value
    "what nobody can read":   ("hand.cards_dealt.v1",   "cards",         "none"),
    "an unknown rulebook":    ("hand.opened.v1",        "rulebook",      "mahjong"),
    "a dealer without a seat": ("hand.opened.v1",       "dealer",        7),
}  # fmt: skip


@pytest.mark.parametrize(("topic", "field", "value"), BROKEN.values(), ids=BROKEN)
def test_a_hand_that_cannot_be_followed_has_no_proof(jinhua, database, topic, field, value):
    """Whatever its events once said; it is a disagreement, not a failure of the command."""
    with Ledger(Store(database)) as ledger:
        ended(ledger)
        disclose(ledger)
    write(database, topic, field, value)

    status, told = jinhua("verify", "h-1", "--json")

    assert 3 == status
    unreadable = {"verdict": "not_proven", "reason": "unreadable", "seats": []}
    assert {"h-1": unreadable} == told["deck_proofs"]


def test_read_models_hold_no_card_of_a_deck(database):
    """The trail has a line for the disclosure, and that is all."""
    with Ledger(Store(database)) as ledger:
        ended(ledger)
        disclose(ledger)
    with Store(database, role=ROLE) as store:
        Projector(store).catch_up()
    with psycopg.connect(database) as owner:
        rows = owner.execute("SELECT t::text FROM audit_trail t").fetchall()

    (line,) = (text for (text,) in rows if "hand.deck_disclosed.v1" in text)
    assert not any(text in line for text in (SALT.hex(), *split(ORDERED)))


def test_every_refusal_of_a_deck_has_a_code_of_its_own():
    """Stable, for programs."""
    codes = {kind.code for kind in _OF_DECKS}

    assert {
        "commitment_required",
        "hand_running",
        "no_commitment",
        "already_disclosed",
        "commitment_mismatch",
    } == codes


_OF_DECKS = (
    CommitmentRequiredError,
    HandRunningError,
    NoCommitmentError,
    AlreadyDisclosedError,
    CommitmentMismatchError,
)
