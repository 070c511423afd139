"""Queries over HTTP: what they answer is what the read models and the commands on the store say."""

import json
from typing import Any

import psycopg
import pytest

from adapters.evidence.checkpoints import make
from adapters.evidence.notes import Signer
from adapters.http_api.callers import Caller
from adapters.ledger import Ledger
from adapters.registers.api_keys import Role
from adapters.simulation.hands import line_of, simulate
from adapters.store.postgres import Store
from domain.zhajinhua.rulebooks import published
from tests.adapters.http_api.playing import FUNDS, act, deposit, sit_down
from tests.adapters.http_api.test_commands import code
from tests.adapters.play import CARRY
from tests.adapters.proving import verifier

HAND = "/v1/hands/t1%2F1"


@pytest.fixture
def settled(client):
    """A hand of two that is over; every read model has it."""
    sit_down(client)
    last = act(client, "fold", 1).json()["last_position"]
    for address in ("hands", "audit-trail", "bonuses", "house", "players/ann/balance"):
        assert client.get(f"/v1/{address}?min_position={last}").status_code == 200
    return client


def pages(client, address: str, name: str, limit: int = 2) -> list[dict[str, Any]]:
    """Read every page of a list."""
    found, after = [], 0
    while True:
        answer = client.get(address, params={"after": after, "limit": limit}).json()
        found += answer[name]
        assert len(answer[name]) <= limit
        if answer["after"] is None:
            return found
        after = answer["after"]


def test_a_hand_is_told_as_events_as_a_timeline_and_as_an_argument(settled):
    """Each tells every event but the argument, which takes all antes together; in two languages."""
    events = settled.get(f"{HAND}/events").json()["events"]
    told = settled.get(f"{HAND}/timeline").json()
    told_in_chinese = settled.get(f"{HAND}/timeline?lang=zh").json()
    english = settled.get(f"{HAND}/explanation").json()["steps"]
    chinese = settled.get(f"{HAND}/explanation?lang=zh").json()["steps"]

    versions = list(range(1, len(events) + 1))
    assert [event["version"] for event in events] == versions
    assert [moment["version"] for moment in told["moments"]] == versions
    assert told["state"] == "settled"
    assert ("pays the ante", "下底注") == (
        told["moments"][1]["what"],
        told_in_chinese["moments"][1]["what"],
    )
    assert {step["version"] for step in english} <= {*versions}
    assert [step["rule"] for step in english] == [step["rule"] for step in chinese]
    assert english[0]["text"] != chinese[0]["text"]


def test_a_hand_that_was_tampered_with_is_told_as_one(settled, store_dsn):
    """Where it parts, what is recorded and what should be."""
    good = settled.get(f"{HAND}/verification").json()
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(
            "UPDATE events SET body = replace(body, '500', '400')"
            " WHERE topic = 'hand.ante_posted.v1' AND originator_version = 2"
        )
    bad = settled.get(f"{HAND}/verification").json()

    assert (good["agrees"], good["discrepancies"]) == (True, [])
    assert good["deck_proof"] == {"verdict": "absent", "reason": "no_commitment", "seats": []}
    assert bad["agrees"] is False
    assert any(parted["recorded"] != parted["derived"] for parted in bad["discrepancies"])


def test_of_a_running_hand_no_figure_is_told_that_parts(client, store_dsn):
    """It could be a card: that it parts, and where, has to do."""
    sit_down(client)
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute(
            "UPDATE events SET body = replace(body, 'AsAdAh', 'AsAsAh')"
            " WHERE topic = 'hand.cards_dealt.v1'"
        )
    told = client.get(f"{HAND}/verification").json()

    assert told["agrees"] is False
    assert {(p["recorded"], p["derived"]) for p in told["discrepancies"]} == {(None, None)}


def test_a_proof_is_one_for_whoever_has_the_key(settled, store_dsn, tmp_path, capsys):
    """The program that needs nothing of ours takes it; none leads to what was not made."""
    signer = Signer.generate("jinhua")
    with Store(store_dsn) as store:
        made = make(store, signer)
    file, public = tmp_path / "hand.json", tmp_path / "key.pub"
    file.write_bytes(settled.get(f"{HAND}/proof").content)
    public.write_text(signer.verifier.text + "\n", encoding="utf-8")

    assert verifier.main([str(file), "--key", str(public)]) == 0, capsys.readouterr()
    assert code(settled.get(f"{HAND}/proof?size=3")) == (404, "no_checkpoint")
    (listed,) = settled.get("/v1/checkpoints").json()["checkpoints"]
    size = made.stored.size
    assert listed == settled.get(f"/v1/checkpoints/{size}").json()
    assert (listed["size"], listed["note"]) == (size, made.stored.note)
    assert code(settled.get("/v1/checkpoints/3")) == (404, "not_found")


def test_a_statement_leads_to_the_balance_page_by_page(settled):
    """Each movement follows the one before; as of then there were fewer."""
    rows = pages(settled, "/v1/players/ann/statement", "movements", limit=1)
    early = settled.get("/v1/players/ann/statement?as_of=1").json()
    now = settled.get("/v1/players/ann/balance").json()["balance"]

    balances = [row["balance"] for row in rows]
    assert [row["amount"] for row in rows][:2] == [FUNDS, -CARRY]
    assert balances == [sum(row["amount"] for row in rows[: n + 1]) for n in range(len(rows))]
    assert balances[-1] == now
    assert early["movements"] == rows[:1]
    late = settled.get(f"/v1/players/ann/statement?as_of=13&after={rows[0]['position']}&limit=1")
    assert late.json()["movements"] == rows[1:2]
    assert code(settled.get("/v1/players/ann/statement?as_of=99")) == (404, "position_unknown")


def test_lists_are_those_of_the_read_models(store_dsn, client):
    """Now and as of the last position; hands page by page, each once."""
    hands = [line_of(record) for record in simulate("jiuyou", hands=30, seed=7)]
    with Ledger(Store(store_dsn)) as ledger:
        ledger.import_hands(hands)
        last = ledger.recorder.max_notification_id()
    for address in ("hands", "audit-trail"):
        assert client.get(f"/v1/{address}?min_position={last}").status_code == 200
    for address, name in (("bonuses", "bonuses"), ("house", "house")):
        now = client.get(f"/v1/{address}?min_position={last}").json()
        then = client.get(f"/v1/{address}?as_of={last}").json()
        assert now[name] == then[name] != []
    listed = pages(client, "/v1/hands", "hands", limit=7)
    trail = pages(client, "/v1/audit-trail", "lines", limit=400)

    assert [row["hand"] for row in listed] == [json.loads(hand)["hand"] for hand in hands]
    assert [line["position"] for line in trail] == list(range(1, (last or 0) + 1))
    bonus = client.get("/v1/bonuses").json()["bonuses"][0]
    own = client.get(f"/v1/players/{bonus['player']}/bonuses").json()["bonuses"]
    assert bonus in own
    assert {row["player"] for row in own} == {bonus["player"]}
    assert client.get("/v1/house?until=2000-01-01").json()["house"] == []


def test_rulebooks_are_those_that_were_published(client):
    """Each with every field, in both languages; of what is none there is no page."""
    listed = client.get("/v1/rulebooks").json()["rulebooks"]
    english = client.get("/v1/rulebooks/jiuyou?version=1").json()
    chinese = client.get("/v1/rulebooks/jiuyou?lang=zh").json()

    assert [(r["id"], r["digest"]) for r in listed] == [(r.id, r.digest) for r in published()]
    assert [f["field"] for f in english["fields"]] == [f["field"] for f in chinese["fields"]]
    assert english["fields"][0]["means"] != chinese["fields"][0]["means"]
    assert code(client.get("/v1/rulebooks/none")) == (404, "not_found")
    assert code(client.get("/v1/rulebooks/jiuyou?version=99")) == (404, "not_found")


def test_a_player_is_listed_the_own_hands(settled, calling):
    """Without asking for them, and no others whoever is asked for."""
    deposit(settled, "cai")
    with calling(Caller("ann", Role.PLAYER, player="ann")) as ann:
        (row,) = ann.get("/v1/hands").json()["hands"]
    with calling(Caller("cai", Role.PLAYER, player="cai")) as cai:
        none = cai.get("/v1/hands?winner=ann").json()["hands"]

    assert row["hand"] == "t1/1"
    assert none == []
