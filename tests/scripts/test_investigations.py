"""The scripts of an investigation, on a ledger in which two are in league and a row was edited."""

import json
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from adapters.ledger import Ledger
from adapters.logs import configure
from adapters.store.postgres import Store
from adapters.views.projector import ROLE, Projector
from tests.adapters.play import do, fund, lines, sit_down
from tests.investigation.tables import Honest, League, ledger

SCRIPTS = Path(__file__).parents[2] / "scripts"
LEAGUE = League("p007", "p003", meet=50, dump=90)


@pytest.fixture
def store(database):
    """The ledger that the scripts look into."""
    configure()
    with Ledger(Store(database)) as opened:
        yield opened


def headings_of(said):
    """Return the words of each line: what stands above columns is one of them."""
    return [line.split() for line in said.splitlines()]


def project(database):
    """Let the read models catch up."""
    with Store(database, role=ROLE) as store:
        Projector(store).catch_up()


def test_two_in_league_are_flagged_and_told_apart(run, store):
    """The script reads what the tests of the pure part play, from the store; exit 3."""
    hands = ledger(400, 2, LEAGUE, honest=Honest(crowd=10))
    store.import_hands(lines(*(record for record, _ in hands)))

    status, found = run("investigate_player", "p007", "--json")

    assert status == 3
    pairs = {(flag["giver"], flag["taker"]) for flag in found["flags"]}
    assert pairs == {("p007", "p003")}
    for flag in found["flags"]:
        assert flag["p"] <= flag["corrected"] <= found["alpha"] == 0.01
        assert "p007" in flag["model"]
        assert {behind["hand"] for behind in flag["behind"]} <= set(store.hands())
    assert found["hands"] == sum(row["hands"] for row in found["by_rulebook"])
    status, said = run("investigate_player", "p007", "--lang", "zh")
    assert status == 3
    assert "加注后相让" in said
    for columns in ("规则书 局数 输赢", "对手 局数 赢得 输掉 输赢", "牌局 序号 得分 筹码"):
        assert columns.split() in headings_of(said), columns
    assert run("investigate_player", "p007", "--until", "2000-01-01")[0] == 0
    assert run("investigate_player", "--screen", "p007")[0] == 2


def test_a_hand_is_told_whole_with_what_was_refused_and_claimed(run, store):
    """A claim of other figures is exit 3; of a running hand no card is told."""
    fund(store, "ann", "bob", amount=100_000)
    sit_down(store, "h-1")
    for seat, verb in ((1, "call"), (2, "look"), (2, "call"), (1, "fold")):
        do(store, seat, verb)
    with pytest.raises(Exception, match="over"):
        do(store, 2, "call", command_id="late")
    sit_down(store, "h-2")
    do(store, 1, "look", hand="h-2")

    status, found = run("investigate_hand", "h-1", "--json")
    assert status == 0
    assert [row["code"] for row in found["refusals"]] == ["hand_over"]
    assert [(c["do"], c["seen"], c["price"], c["paid"]) for c in found["choices"]] == [
        ("call", False, 500, 500),
        ("look", False, 500, 0),
        ("call", True, 1000, 1000),
        ("fold", False, 500, 0),
    ]
    assert found["choices"][3]["was_best"]
    assert {one["rulebook"] for one in found["elsewhere"]} >= {"platform.v1", "tongcheng.v1"}
    claim = {"rake": found["settlement"]["rake"] + 1}
    store.claim_settlement("h-1", claim, claimant="cage", command_id="c", actor="cage")
    status, said = run("investigate_hand", "h-1", "--lang", "zh")
    assert status == 3
    assert "cage 申报不同" in said
    assert said.startswith("h-1: 已结算")
    for columns in (
        "序号 时间 操作者 座位 玩家 事项 跟注价 底池",
        "座位 玩家 轮次 牌 看牌与否 动作 跟注价 实付 底池 其余在局 需胜率 局中最大",
        "时间 谁 事项 代码 原因 规则",
        "项目 申报 已结算",
        "规则书 座位 1 座位 2",
    ):
        assert columns.split() in headings_of(said), columns
    assert re.search(r"闷牌 +跟注 ", said)
    assert re.search(r"已看牌 +跟注 ", said)
    assert re.search(r" 弃牌 .* 是 *$", said, re.MULTILINE)
    status, running = run("investigate_hand", "h-2", "--json")
    assert status == 0
    assert "As" not in json.dumps(running["events"])
    assert {choice["cards"] for choice in running["choices"]} == {None}


def test_balances_are_held_against_each_other(run, store, database, tmp_path):
    """Read model, wallets, fold and a CSV; each that is edited is named, with the last position."""
    hands = ledger(20, 3, honest=Honest(crowd=6))
    store.import_hands(lines(*(record for record, _ in hands)))
    project(database)
    status, found = run("reconcile", "--json")
    assert (status, found["agree"], found["differences"]) == (0, True, [])
    assert len(set(found["totals"].values())) == 1
    csv = tmp_path / "theirs.csv"
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(
            "UPDATE projected_balances SET balance = balance + 7 WHERE account = 'player:p001'"
        )
        query = "SELECT substr(account, 8), balance FROM balances WHERE account LIKE 'player:%'"
        kept: dict[str, int] = dict(owner.execute(query).fetchall())
    kept["p001"] -= 7
    rows = {**kept, "p002": kept["p002"] - 250, "zoe": 300, "nobody": 0}
    csv.write_text("id,chips\n" + "".join(f"{p},{b / 100:.2f}\n" for p, b in rows.items()))

    words = ("--csv", str(csv), "--unit", "chips")
    columns = ("--player-column", "id", "--balance-column", "chips")
    status, found = run("reconcile", *words, *columns, "--json")

    assert status == 3
    told = {row.pop("player"): row for row in found["differences"]}
    assert set(told) == {"p001", "p002", "zoe"}
    assert told["p001"]["read_model"] == told["p001"]["fold"] + 7 == told["p001"]["foreign"] + 7
    assert told["p002"]["foreign"] == told["p002"]["wallet"] - 250
    assert told["p002"]["last_position"] <= found["position"]
    assert (told["zoe"]["fold"], told["zoe"]["foreign"]) == (None, 300)
    _, said = run("reconcile", *words, *columns, "--lang", "zh")
    told_of = "玩家 钱包 读模型 逐条累计 对方 最后序号"
    assert sorted(told_of.split()) in map(sorted, headings_of(said))
    assert run("reconcile", "--as-of", "5")[0] == 0
    assert run("reconcile", *words)[0] == 2


def test_hands_are_settled_anew_and_corrections_proposed_but_not_posted(
    run, store, database, tmp_path
):
    """What an earlier program got wrong shows; so does what another rule would have given."""
    hands = list(ledger(12, 4, honest=Honest(crowd=6)))
    store.import_hands(lines(*(record for record, _ in hands)))
    last = store.recorder.max_notification_id()
    status, found = run("blast_radius", "--rulebook", "jiuyou", "--version", "1", "--json")
    assert (status, found["hands"], found["differ"]) == (0, 12, 0)
    hand, position, body = _settlement(database)
    winner = next(seat for seat, of in body["settlement"]["seats"].items() if of["net"] > 0)
    player = next(
        seat["player"]
        for record, _ in hands
        if record["hand"] == hand
        for seat in record["seats"]
        if seat["seat"] == int(winner)
    )
    body["settlement"]["seats"][winner]["net"] -= 30
    with psycopg.connect(database, autocommit=True) as owner:
        change = "UPDATE events SET body = %s WHERE position = %s"
        owner.execute(change, [json.dumps(body), position])
    out = tmp_path / "corrections.jsonl"

    status, found = run("blast_radius", "--out", str(out), "--json")

    assert (status, found["differ"], found["posted"]) == (3, 1, 0)
    assert found["players"] == [{"player": player, "due": 30}]
    (entry,) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (entry["status"], entry["command"], entry["amount"]) == ("proposed", "deposit", 30)
    assert (entry["player"], entry["hand"]) == (player, hand)
    assert store.recorder.max_notification_id() == last
    status, said = run("blast_radius", "--set", "rake_bp=0", "--lang", "zh")
    assert status == 3
    assert "未入账" in said
    for columns in ("规则书 摘要 局数", "牌局 序号 无法结算 玩家 差额", "玩家 应得"):
        assert columns.split() in headings_of(said), columns
    none = run("blast_radius", "--until", "2000-01-01", "--json")
    assert (none[0], none[1]["hands"]) == (0, 0)


@pytest.mark.parametrize(
    ("script", "word", "code"),
    [
        ("investigate_hand", "never", "unknown_hand"),
        ("investigate_player", "never", "unknown_player"),
    ],
)
def test_as_a_process_too_a_mistyped_id_is_bad_input(database, script, word, code):
    """Exit 2 and a line that says why; it needs no installed package, but the checkout."""
    command = [sys.executable, str(SCRIPTS / f"{script}.py"), word, "--dsn", database]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"jinhua: {code}: ")


def _settlement(database):
    """Return a hand whose winner paid rake, and the position and body of its settlement."""
    query = "SELECT originator_id, position, body FROM events WHERE topic = 'hand.settled.v1'"
    with psycopg.connect(database) as owner:
        for stream, position, text in owner.execute(query):
            body = json.loads(text)
            if body["settlement"]["rake"] > 0:
                return stream.removeprefix("hand:"), position, body
    raise AssertionError("no hand bore rake")
