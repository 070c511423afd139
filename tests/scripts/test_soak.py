"""The soak, shortened: a few seconds of it run through, and it fails where it should."""

import json
import subprocess
import sys
from pathlib import Path

import psycopg

ROOT = Path(__file__).parents[2]
SOAK = (sys.executable, str(ROOT / "scripts" / "soak.py"), "--json", "--writers", "4")


def test_a_short_soak_finds_nothing(long):
    """Writers and server are killed, and all that was answered is stored, once."""
    words = ("--minutes", "5" if long else "0.1", "--kill-every", "0.7", "--processes", "2")
    done = subprocess.run([*SOAK, *words], stdout=subprocess.PIPE, text=True, check=False)

    figures = json.loads(done.stdout)
    assert figures["discrepancies"] == []
    assert done.returncode == 0
    assert figures["acknowledged"] > 20
    assert figures["kills_writers"] + figures["kills_server"] > 2
    assert figures["events"] > 100


def test_a_soak_that_finds_something_is_exit_3(database):
    """So the one above can fail: here a trigger changes what it is given to store."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION lie() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN NEW.answer := NEW.answer || ' '; RETURN NEW; END$$"
        )
        owner.execute(
            "CREATE TRIGGER lie BEFORE INSERT ON receipts FOR EACH ROW"
            " WHEN (NEW.kind = 'deposit') EXECUTE FUNCTION lie()"
        )
    words = ("--minutes", "0.06", "--kill-every", "60", "--processes", "1", "--dsn", database)

    done = subprocess.run([*SOAK, *words], stdout=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 3
    assert any("was told" in one for one in json.loads(done.stdout)["discrepancies"])
