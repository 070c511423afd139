"""The cards of a running hand are nobody's but their seat's: every output is searched for them.

The search itself is tried too: each way in which a card could be told is planted once, and found.
"""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest
import structlog
from psycopg import sql

from adapters import ledger as ledger_module
from adapters import logs
from adapters.cli import _COMMANDS, main
from adapters.console import options
from adapters.copies.client_programs import for_dump, running
from adapters.ledger import Ledger
from adapters.store.postgres import Store
from adapters.store.sealing import CardKeys
from domain.cards import HIDDEN, split
from domain.errors import RefusalError, UnknownSeatError
from domain.events import CardsDealt
from domain.zhajinhua.play import Action
from domain.zhajinhua.wording import faces
from tests.adapters.play import CARRY, TABLE, fund
from tests.adapters.stored import execute, replace, rows

KEY: Final = bytes(range(32))

# Texts that nothing else holds: no digest in hexadecimal has such letters, and no word begins so.
DEAL: Final[Mapping[int, str]] = {1: "JcQdKh", 2: "JdQhKc", 3: "JhQcTd"}
PLAYERS: Final = ("ann", "bob", "cai")

# What spells a card by chance, now and then: hashes and signatures in Base64.
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}")

_SEALED: Final = re.compile(r'\{"sealed":"[0-9a-f]{8}:[A-Za-z0-9+/=]+"\}')


def _spellings() -> set[str]:
    """Return every way in which the code writes a card, or three."""
    found = set()
    for cards in DEAL.values():
        for text in (cards, *split(cards)):
            shown = faces(text)
            found |= {text, shown, ascii(shown)[1:-1], text.translate(_SUITS), shown.lower()}
    return found


_SUITS: Final = str.maketrans("cdhs", "♣♦♥♠")
SPELLINGS: Final = _spellings()


def leaks(text: str) -> set[str]:
    """Return the cards that a text holds, however often escaped; a sealed body is not read."""
    read = _BASE64.sub("", _SEALED.sub("", re.sub(r"\\+", r"\\", text)))
    return {card for card in SPELLINGS if card in read}


# --- the hand, and everything that can be done wrong in it -----------------------------------


def _open(ledger: Ledger, hand: str = "live", **more: Any) -> None:
    given: dict[str, Any] = {
        "table": TABLE,
        "dealer": 3,
        "seats": [{"seat": n, "player": p, "carry": CARRY} for n, p in enumerate(PLAYERS, 1)],
        "deal": DEAL,
        "command_id": f"open:{hand}",
        "actor": "table-1",
    }
    ledger.open_hand(hand, "jiuyou", **(given | more))


def _act(ledger: Ledger, verb: str, seat: int, hand: str = "live", **more: Any) -> None:
    _ACTS.append(verb)
    ledger.act(
        hand, Action(verb, seat, **more), command_id=f"{hand}:{len(_ACTS)}", actor=f"seat-{seat}"
    )


_ACTS: list[str] = []

Wrong = Callable[[Ledger], object]
WRONG: Final[Mapping[str, Wrong]] = {
    "out of turn": lambda ledger: _act(ledger, "call", 3),
    "looks twice": lambda ledger: _act(ledger, "look", 1),
    "a compare too early": lambda ledger: _act(ledger, "compare", 2, target=1),
    "a compare with itself": lambda ledger: _act(ledger, "compare", 2, target=2),
    "a compare with nobody": lambda ledger: _act(ledger, "compare", 2, target=9),
    "a raise too low": lambda ledger: _act(ledger, "raise", 2, stake=1),
    "a raise too high": lambda ledger: _act(ledger, "raise", 2, stake=10**9),
    "all-in with chips": lambda ledger: _act(ledger, "all_in", 2),
    "everyone folds": lambda ledger: ledger.act(
        "live", Action("fold_all"), command_id="x-1", actor="floor"
    ),
    "a verb that is none": lambda ledger: _act(ledger, "cheat", 2),
    "a seat that is nobody's": lambda ledger: _act(ledger, "call", 9),
    "a field too many": lambda ledger: _act(ledger, "call", 2, stake=5),
    "a number as text": lambda ledger: _act(ledger, "raise", 2, stake="5"),
    "several, one of them wrong": lambda ledger: ledger.act_many(
        "live",
        [Action("look", 2), Action("look", 2)],
        command_id="x-2",
        actor="seat-2",
    ),
    "opened again": lambda ledger: _open(ledger, command_id="x-3"),
    "opened again by its id": lambda ledger: _open(ledger, deal={**DEAL, 3: "2c4d7h"}),
    "opened with cards in a seat": lambda ledger: _open(
        ledger,
        command_id="x-4",
        seats=[{"seat": n, "player": "p", "carry": 1, "cards": DEAL[n]} for n in DEAL],
    ),
    "opened with cards at the table": lambda ledger: _open(
        ledger, command_id="x-5", table={**TABLE, "deal": dict(DEAL), "cards": list(DEAL.values())}
    ),
    "a version that is past": lambda ledger: ledger.act(
        "live", Action("call", 2), command_id="x-6", actor="seat-2", expected_version=1
    ),
    "voided without a reason": lambda ledger: ledger.void_hand(
        "live", "", command_id="x-7", actor="floor"
    ),
}


def _refused(ledger: Ledger) -> dict[str, str]:
    """Give every command that is wrong; return what each of them is told."""
    told = {}
    for name, give in WRONG.items():
        with pytest.raises(RefusalError) as refused:
            give(ledger)
        told[name] = f"{refused.value} {refused.value!r} {refused.value.numbers}"
    return told


class Live(NamedTuple):
    """A store with one running hand, in which one seat has looked and all was tried."""

    dsn: str
    ledger: Ledger
    errors: Mapping[str, str]
    log: io.StringIO


@pytest.fixture(params=["clear", "sealed"])
def live(request, database, monkeypatch) -> Iterator[Live]:
    """The same with a card key and without; every log line there is, is written."""
    before = structlog.get_config()
    if request.param == "sealed":
        monkeypatch.setenv("JINHUA_CARD_KEY", KEY.hex())
    log = io.StringIO()
    logs.configure("debug")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(file=log))
    monkeypatch.setattr(options, "configure", lambda: None)
    keys = CardKeys([KEY] if request.param == "sealed" else [])
    with Ledger(Store(database, cards=keys)) as ledger:
        fund(ledger, *PLAYERS, amount=2 * CARRY)
        _open(ledger)
        _act(ledger, "look", 1)
        yield Live(database, ledger, _refused(ledger), log)
    structlog.configure(**before)


@pytest.fixture
def sealed(live) -> bool:
    """Tell which of the two it is."""
    return bool(live.ledger.store.cards.sealing)


# --- every command ---------------------------------------------------------------------------

RECORD: Final = {
    "hand": "live",
    "rulebook": "jiuyou",
    "table": dict(TABLE),
    "dealer": 2,
    "seats": [{"seat": n, "player": p, "carry": CARRY} for n, p in enumerate(PLAYERS[:2], 1)],
    "deal": {"1": "2c4d7h", "2": "3c5d8h"},
    "actions": [{"seat": 1, "do": "fold"}],
}

SAID: Final[Mapping[str, Sequence[tuple[str, ...]]]] = {
    "rulebooks": [("rulebooks",), ("rulebooks", "show", "jiuyou")],
    "import": [("import", "{record}")],
    "verify": [("verify",), ("verify", "live")],
    "show": [("show", "live"), ("show", "live", "--refusals"), ("show", "live", "--seat", "2")],
    "explain": [("explain", "live"), ("explain", "live", "--lang", "zh")],
    "whatif": [("whatif", "live", "--rulebook", "platform"), ("whatif", "live")],
    "bisect": [("bisect", "live", "{record}"), ("bisect", "{record}", "live")],
    "hands": [("hands",), ("hands", "--state", "running")],
    "balances": [("balances",), ("balances", "--as-of", "7")],
    "statement": [("statement", "ann"), ("statement", "ann", "--as-of", "7")],
    "bonuses": [("bonuses",)],
    "house": [("house",)],
    "name": [("name", "ann", "Annabel")],
    "erase": [("erase", "bob", "--why", "asked for", "--yes")],
    "disclose": [("disclose", "live", "--salt", "00" * 32, "--deck", "2c3c")],
    "audit": [("audit",), ("audit", "--hand", "live"), ("audit", "--player", "ann")],
    "checkpoint": [("checkpoint", "--unsigned")],
    "checkpoints": [("checkpoints",)],
    "consistency": [("consistency", "{size}", "{size}")],
    "proof": [
        ("proof", "live", "--out", "{proof}"),
        ("proof", "--player", "ann", "--out", "{proof}"),
    ],
    "export": [
        *(
            ("export", "--format", form)
            for form in ("record", "hledger", "beancount", "phh", "ohh")
        ),
        *(("export", "--format", "csv", "--table", table) for table in ("hands", "events")),
        ("export", "live", "--format", "csv", "--viewer", "player:bob", "--table", "seats"),
    ],
    "dispute": [
        ("dispute", "open", "live", "--by", "ann", "--claims", "x", "--due", "2099-01-01"),
        ("dispute", "list"),
    ],
    "dossier": [("dossier", "live", "--out", "{dossier}")],
    # What `keys create` prints is random, and would hold a card by chance.
    "keys": [("keys", "list"), ("keys", "revoke", "00000000")],
    "rebuild": [("rebuild",), ("rebuild", "--parked")],
    "migrate": [("migrate",)],
    "dsn": [("dsn",)],
    "doctor": [("doctor",), ("doctor", "--deep")],
    "backup": [("backup", "{backup}")],
    "restore": [("restore", "{backup}", "--into", "{into}")],
}

NOT_OF_THE_STORE: Final = {
    "settle": "answers records that it is given, and has no store",
    "shuffle": "draws decks, and has no store",
    "keygen": "makes a key, and has no store",
    "simulate": "makes hands up, and has no store",
    "demo": "shows hands that it has imported itself, all of them settled",
    "serve": "answers over HTTP: tests/adapters/http_api/test_live_privacy_http.py searches that",
    "stop": "takes no DSN",
}


def test_every_command_is_searched_or_it_is_said_why_not():
    """A command that is added must be added here."""
    assert set(_COMMANDS) == SAID.keys() | NOT_OF_THE_STORE.keys()


def _run(words: Sequence[str], live: Live, capfd: pytest.CaptureFixture[str]) -> str:
    """Run a command as it is and with --json; return all that it says, its log included."""
    told = ""
    for more in ((), ("--json",)):
        given = [*words, *more, "--dsn", live.dsn] if words[0] != "rulebooks" else [*words, *more]
        main(given)
        told += "".join(capfd.readouterr())
    assert "Traceback" not in told
    return told + live.log.getvalue()


def test_no_command_tells_a_card_of_a_running_hand(live, capfd, tmp_path):
    """Whatever is asked, in words or as JSON, in what it logs and in why it refuses."""
    record = tmp_path / "record.jsonl"
    record.write_text(json.dumps(RECORD), encoding="utf-8")
    into = f"copy_{live.ledger.recorder.max_notification_id()}_{tmp_path.name}".replace("-", "_")
    proof = tmp_path / "proof.json"
    names = {"record": str(record), "backup": str(tmp_path / "b.jinhua"), "into": into}
    names["proof"] = str(proof)
    dossier = tmp_path / "dossier.html"
    names["dossier"] = str(dossier)

    told = {}
    try:
        for commands in SAID.values():
            for words in commands:
                names["size"] = str(live.ledger.recorder.max_notification_id())
                filled = [word.format_map(names) for word in words]
                told[" ".join(filled)] = _run(filled, live, capfd)
    finally:
        execute(live.dsn, f'DROP DATABASE IF EXISTS "{into}" WITH (FORCE)')

    told["a player's proof"] = proof.read_text(encoding="utf-8")
    told["a dossier"] = dossier.read_text(encoding="utf-8")
    assert {words: found for words, said in told.items() if (found := leaks(said))} == {}
    assert all(told.values())
    assert HIDDEN in told["show live"]
    assert "no discrepancies" in told["verify live"]


def test_no_error_and_no_log_line_tells_a_card(live):
    """Neither words nor numbers of a refusal, nor what is written of any command."""
    assert {name: found for name, said in live.errors.items() if (found := leaks(said))} == {}
    assert leaks(live.log.getvalue()) == set()
    assert live.log.getvalue().count("command_refused") >= len(WRONG) - 1
    assert "hand_opened" in live.log.getvalue()


def test_no_answer_tells_a_card(live):
    """Those of receipts, and those of refusals, as a program gets them."""
    refusals = [row._replace(digest=b"") for row in live.ledger.refusals()]  # bytes print at random
    told = repr(refusals) + repr(live.ledger.shown("live"))
    told += live.ledger.act("live", Action("look", 2), command_id="a-1", actor="bob").text

    assert leaks(told) == set()


def test_no_table_but_the_events_holds_a_card(live, capfd):
    """Dumped as text: what readers read, refusals, receipts, and all else that there is."""
    _run(["rebuild"], live, capfd)
    views = _granted(live.dsn, "jinhua_reader")
    tables = {name for (name,) in rows(live.dsn, _TABLES)} - {"events"}

    assert {"audit_trail", "hands", "balances", "bonuses"} <= views
    assert {"receipts", "refusals", "parked_events", "projected_audit_trail"} <= tables
    with psycopg.connect(live.dsn, autocommit=True) as owner:
        owner.execute("SET ROLE jinhua_reader")
        told = {name: _text(owner, name) for name in views}
        owner.execute("RESET ROLE")
        told |= {name: _text(owner, name) for name in tables}
    assert {name: found for name, said in told.items() if (found := leaks(said))} == {}
    assert "live" in told["hands"]
    assert len(told["refusals"].splitlines()) >= len(WRONG) - 1


_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
_GRANTED: Final = """
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'v', 'm', 'p')
           AND has_any_column_privilege(%s, c.oid, 'SELECT')
"""


def _granted(dsn: str, role: str) -> set[str]:
    return {name for (name,) in rows(dsn, _GRANTED, [role])}


def _text(conn: psycopg.Connection, table: str) -> str:
    query = sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(table))
    return "\n".join(text for (text,) in conn.execute(query))


def _dump(live: Live, file: Path) -> str:
    """Return the whole database as the text of pg_dump."""
    with psycopg.connect(live.dsn) as owner:
        program = for_dump(owner.info.server_version // 10_000)
    with running(program, live.dsn, "--format=plain", f"--file={file}"):
        pass
    return file.read_text(encoding="utf-8")


def test_a_dump_holds_no_card_where_there_is_a_key_and_every_card_where_there_is_none(
    live, sealed, capfd, tmp_path
):
    """Of everything: events, receipts, refusals, read models. So the search can fail."""
    _run(["rebuild"], live, capfd)
    dump = _dump(live, tmp_path / "dump.sql")

    assert len(_SEALED.findall(dump)) == sealed
    if sealed:
        assert leaks(dump) == set()
    else:
        assert leaks(dump) >= {card for held in DEAL.values() for card in (held, *split(held))}


# --- the seat's own view ---------------------------------------------------------------------


def test_a_seat_sees_its_own_cards_once_it_has_looked(live, capfd):
    """And nobody else's; a seat that plays blind does not see its own either."""
    looked = _run(["show", "live", "--seat", "1"], live, capfd)
    blind = _run(["show", "live", "--seat", "2"], live, capfd)

    assert faces(DEAL[1]) in looked
    assert leaks(looked) <= {*map(faces, (DEAL[1], *split(DEAL[1])))} | {
        spelled for spelled in SPELLINGS if spelled in faces(DEAL[1])
    }
    assert leaks(blind) == set()
    assert _dealt(live.ledger, 1) == {1: DEAL[1], 2: HIDDEN, 3: HIDDEN}
    assert _dealt(live.ledger, None) == dict.fromkeys(DEAL, HIDDEN)


def _dealt(ledger: Ledger, seat: int | None, hand: str = "live") -> Mapping[int, str]:
    events = [entry.event for _, entry in ledger.shown(hand, seat)]
    return next(event.cards for event in events if isinstance(event, CardsDealt))


def test_a_seat_that_nobody_sits_in_sees_nothing(live, capfd):
    """Exit 2."""
    assert main(["show", "live", "--seat", "9", "--dsn", live.dsn]) == 2
    assert "nobody sits in seat 9" in capfd.readouterr().err
    with pytest.raises(UnknownSeatError):
        live.ledger.shown("live", 9)


ENDS: Final[Mapping[str, Callable[[Ledger], object]]] = {
    "settled": lambda ledger: ledger.act_many(
        "live", [Action("fold", 2), Action("fold", 1)], command_id="f-1", actor="floor"
    ),
    "void": lambda ledger: ledger.void_hand("live", "misdeal", command_id="v-1", actor="floor"),
}


@pytest.mark.parametrize("state", ENDS)
def test_a_hand_that_has_ended_shows_all_cards_to_everybody(live, state, capfd):
    """A settled one and a void one, in every telling."""
    ENDS[state](live.ledger)

    shown = _run(["show", "live"], live, capfd)

    assert f"live: {state}" in shown
    assert all(faces(held) in shown for held in DEAL.values())
    for seat in (None, 2):
        assert _dealt(live.ledger, seat) == DEAL
    assert leaks(_run(["explain", "live"], live, capfd))


# --- where somebody tampered ------------------------------------------------------------------

TAMPERED: Final = {
    "a card that is none": {**DEAL, 2: "JdQhXx"},
    "a card twice": {**DEAL, 2: "JcQhKc"},
    "a seat too many": {**DEAL, 9: "2c4d7h"},
    "cards for a number": {"JcQdKh": 1},
    "a number for cards": {**DEAL, 3: 7},
    "cards in another form": {**DEAL, 1: "JcQdKh "},
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_verdict_on_a_running_hand_withholds_its_cards(live, case, capfd):
    """What is wrong is named, and not what is dealt; nor is it by what is parked."""
    ((position,),) = rows(
        live.dsn, "SELECT position FROM events WHERE topic = %s", [CardsDealt.TOPIC]
    )
    body = json.dumps({"cards": TAMPERED[case]}, separators=(",", ":"))
    topic = CardsDealt.TOPIC
    replace(live.dsn, position, topic, live.ledger.store.cards.sealed("hand:live", 5, topic, body))

    words = ("verify live", "rebuild", "doctor", "show live", "explain live", "whatif live")
    said = {given: _run(given.split(), live, capfd) for given in words}

    assert {words: found for words, text in said.items() if (found := leaks(text))} == {}
    assert '"hand":"live"' in said["verify live"]
    told = rows(live.dsn, "SELECT reason FROM parked_events")
    assert leaks(repr(told)) == set()


# --- the search can fail ------------------------------------------------------------------------


def test_a_view_that_hides_nothing_is_found(live, monkeypatch, capfd):
    """Planted: everybody sees everything."""
    monkeypatch.setattr(ledger_module, "as_seen", lambda events, _seat: events)

    assert leaks(_run(["show", "live"], live, capfd)) >= {faces(DEAL[1]), faces(DEAL[3])}


PLANTED: Final = {
    "as it is dealt": "dealt JcQdKh",
    "one card of it": '{"card":"Jd"}',
    "for people": "J♥ Q♣ 10♦",
    "for people, escaped": '"J\\u2665 Q\\u2663 10\\u2666"',
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_card_is_found_in_every_spelling(case, live, capfd):
    """Planted: in a table, and in a log line."""
    execute(live.dsn, "UPDATE refusals SET message = %s WHERE command_id = 'x-3'", [PLANTED[case]])
    with psycopg.connect(live.dsn) as owner:
        assert leaks(_text(owner, "refusals"))
    assert leaks(_run(["show", "live", "--refusals"], live, capfd))

    structlog.get_logger().info("planted", words=PLANTED[case])
    assert leaks(live.log.getvalue())


def test_the_console_takes_hands_by_their_view_alone():
    """Whatever prints goes through it: ``Ledger.hand`` and ``stream_hands`` give every card.

    The proofs of decks tell a verdict and nothing of what it rests on.
    """
    console = Path(options.__file__).parent
    text = {file.name: file.read_text(encoding="utf-8") for file in console.glob("*.py")}

    raw = {name for name, code in text.items() if re.search(r"\.(hand|stream_hands)\(", code)}
    assert raw == {"deck_proofs.py"}
    assert sum(code.count(".ledger.shown(") for code in text.values()) >= 4


def test_a_program_of_its_own_prints_no_card(live):
    """The command line as its users have it, with its log in whatever shape that takes."""
    done = subprocess.run(
        [sys.executable, "-m", "adapters.cli", "explain", "live", "--json", "--dsn", live.dsn],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(options.__file__).parents[2],
    )

    assert leaks(done.stdout + done.stderr) == set()
    assert done.stdout.startswith("{")
