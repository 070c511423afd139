"""``jinhua settle``: one answer a line, in order, whatever the lines are, in flat memory."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.cli import main
from adapters.lines import LINE_LENGTH_MAX
from adapters.simulation.hands import line_of, simulate

JINHUA = (sys.executable, "-m", "adapters.cli")
VECTORS = Path(__file__).parents[2] / "vectors"
EXAMPLE = (VECTORS / "seed-examples.jsonl").read_text(encoding="utf-8").splitlines()[0]


def settle(given: bytes, *words: str) -> tuple[int, list[dict[str, Any]], str]:
    """Run the command in a process of its own, on what is given to its standard input."""
    done = subprocess.run(
        [*JINHUA, "settle", "-", *words], input=given, capture_output=True, check=False
    )
    return (
        done.returncode,
        [json.loads(line) for line in done.stdout.split(b"\n") if line],
        done.stderr.decode(),
    )


def answers(*lines: str | bytes) -> list[dict[str, Any]]:
    """Return the answers to lines, all of which were answered."""
    given = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    status, answered, errors = settle(given)

    assert (0, "") == (status, errors)
    return answered


def edited(**changes) -> str:
    """Return the example with some fields changed; those that are None, left out."""
    record = json.loads(EXAMPLE) | changes
    return json.dumps({name: value for name, value in record.items() if value is not None})


def test_a_hand_is_answered_with_its_settlement_and_nothing_else():
    """The keys are a contract."""
    (answer,) = answers(EXAMPLE)

    assert list(answer) == ["hand", "settlement"]
    assert answer == {"hand": "000-last-stand", "settlement": json.loads(EXAMPLE)["settlement"]}


def test_a_refused_action_is_answered_with_where_and_why():
    """``at`` counts the actions from 0; the code is stable, the message is words."""
    (answer,) = answers(edited(actions=[{"seat": 5, "do": "call"}, {"seat": 5, "do": "call"}]))

    assert list(answer) == ["hand", "reject"]
    assert list(answer["reject"]) == ["at", "code", "message"]
    assert (answer["reject"]["at"], answer["reject"]["code"]) == (1, "not_your_turn")


NO_RECORDS = {
    # why                           the line                              the hand that is named
    "no JSON":                      ("{", None),
    "no object":                    ("[1]", None),
    "a number":                     ("7", None),
    "not UTF-8":                    (b'{"hand": "h\xff"}', None),
    "nothing but a hand":           ('{"hand": "h1"}', "h1"),
    "a hand that is no text":       ('{"hand": 5}', None),
    "a field nobody knows":         (edited(colour="red"), "000-last-stand"),
    "a float for an amount":        (edited(table={"ante": 5.0}), "000-last-stand"),
    "a boolean for a seat":         (edited(dealer=True), "000-last-stand"),
    "NaN":                          (edited(dealer=float("nan")), "000-last-stand"),
    "a field twice":                ('{"hand": "h1", "hand": "h2"}', "h2"),
    "a lone surrogate in a name":   ('{"hand": "h1", "\\ud800": 1}', "h1"),
    "nested beyond all measure":    ("[" * 100_000, None),
    "a number of 10,000 digits":    (f'{{"hand": {"9" * 10_000}}}', None),
}  # fmt: skip


@pytest.mark.parametrize(("line", "hand"), NO_RECORDS.values(), ids=NO_RECORDS)
def test_a_malformed_line_is_refused_and_the_others_go_on(line, hand):
    """``bad_record`` at -1, with the hand as far as it could be read."""
    first, bad, last = answers(EXAMPLE, line, EXAMPLE)

    assert "settlement" in first
    assert "settlement" in last
    assert hand == bad["hand"]
    assert (bad["reject"]["at"], bad["reject"]["code"]) == (-1, "bad_record")
    assert bad["reject"]["message"]


def test_a_rulebook_nobody_knows_is_refused_by_name():
    """The record is well-formed; what it asks for is not there."""
    (answer,) = answers(edited(rulebook="nowhere"))

    assert (answer["reject"]["at"], answer["reject"]["code"]) == (-1, "unknown_rulebook")


def test_empty_lines_carriage_returns_and_a_byte_order_mark_are_no_matter():
    """Files that were through an editor are answered like any other."""
    given = b"\xef\xbb\xbf" + EXAMPLE.encode() + b"\r\n\r\n   \n\n" + EXAMPLE.encode()

    assert ["settlement", "settlement"] == [list(answer)[1] for answer in answers(given)]


def test_a_byte_order_mark_elsewhere_is_no_json():
    """Only the beginning of a file has one."""
    _, second = answers(EXAMPLE, b"\xef\xbb\xbf" + EXAMPLE.encode())

    assert second["reject"]["code"] == "bad_record"


def test_nothing_is_answered_with_nothing():
    """An empty input has no hands."""
    assert answers() == []


def test_names_come_out_readable_and_on_one_line():
    """Text is UTF-8 as it was; only what some readers take for a line's end is escaped."""
    hand = "张三🀄 e\u0301 \u2028\u2029\u0085"
    done = subprocess.run(
        [*JINHUA, "settle", "-"],
        input=edited(hand=hand).encode(),
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout)["hand"] == hand
    assert len(done.stdout.decode().splitlines()) == 1
    assert "张三🀄".encode() in done.stdout


def test_a_line_beyond_the_limit_is_refused_and_the_others_go_on():
    """Whoever sends no line's end does not fill the memory."""
    first, bad, last = answers(EXAMPLE, b" " + b"x" * (LINE_LENGTH_MAX + 1), EXAMPLE)

    assert "settlement" in first
    assert bad["reject"]["code"] == "bad_record"
    assert "settlement" in last


def test_answers_come_as_soon_as_the_lines_do():
    """A caller at the other end of a pipe need not close it to be answered."""
    with subprocess.Popen(
        [*JINHUA, "settle", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(f"{EXAMPLE}\n".encode())
            process.stdin.flush()
            assert b'"settlement"' in process.stdout.readline()
        process.stdin.close()

    assert process.returncode == 0


def test_whoever_stops_reading_is_told_nothing(tmp_path):
    """A broken pipe ends the command without a word."""
    many = tmp_path / "many.jsonl"
    many.write_text(f"{EXAMPLE}\n" * 3000, encoding="utf-8")
    with subprocess.Popen(
        [*JINHUA, "settle", str(many)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()

    assert errors == b""
    assert process.returncode == 141


def test_memory_stays_flat(tmp_path):
    """Ten times the lines take no more memory."""
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    lines = "".join(f"{line_of(record)}\n" for record in simulate("jiuyou", hands=100, seed=1))
    few.write_text(lines, encoding="utf-8")
    many.write_text(lines * 10, encoding="utf-8")

    assert peak_kb(many) < peak_kb(few) + 4_000


def peak_kb(file: Path) -> int:
    """Return the most memory that settling a file took."""
    process = subprocess.Popen([*JINHUA, "settle", str(file)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert isinstance(usage, resource.struct_rusage)
    return usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def test_several_processes_give_the_same_answers():
    """The order of the answers is that of the lines, however many work on them."""
    lines = [line_of(record) for record in simulate("jiuyou", hands=500, seed=2)]
    given = "\n".join([*lines, "{", *lines[:7]]).encode()

    assert settle(given) == settle(given, "--jobs", "3")


def test_no_database_driver_is_loaded():
    """Settling needs no store, and does not wait for one to be imported."""
    script = (
        "import sys; from adapters.cli import main; main(['settle', sys.argv[1]]);"
        "print(sorted({'psycopg', 'eventsourcing', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(VECTORS / "seed-examples.jsonl")],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr.strip() == "[]"


NOT_USED = {
    # why                    words                                  what is said
    "no such file":          (["settle", "/no/such/file"],           "cannot be read"),
    "a directory":           (["settle", "/"],                       "cannot be read"),
    "no file at all":        (["settle"],                            "FILE"),
    "an option of nobody's": (["settle", "-", "--colour"],           "--colour"),
    "an option for a file":  (["settle", "--colour"],                "--colour"),
    "a command of nobody's": (["setle", "-"],                        "setle"),
    "no number of hands":    (["simulate", "--hands", "many"],       "many"),
    "a rulebook of nobody's": (["simulate", "--rulebook", "nowhere"], "nowhere"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "said"), NOT_USED.values(), ids=NOT_USED)
def test_bad_usage_is_exit_2_with_a_word_on_it(words, said, capfd):
    """Nothing goes to standard output, and no traceback anywhere."""
    status = main(words)

    out, err = capfd.readouterr()
    assert status == 2
    assert out == ""
    assert said in err
    assert "Traceback" not in err


def test_a_full_disk_is_exit_2_with_a_word_on_it():
    """What cannot be written is not passed over."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*JINHUA, "simulate", "--hands", "200"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 2
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", [[], ["settle"], ["import"], ["verify"], ["demo"]])
def test_help_is_given(command, capfd):
    """Every command says what it does, with an example."""
    assert main([*command, "--help"]) == 0
    out = capfd.readouterr().out
    assert "Usage: jinhua" in out
    assert not command or f"jinhua {command[0]}" in out.split("For example")[1]
