"""The files to deploy with: what of them can be run without a container is run."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import psycopg
import pytest
import yaml  # type: ignore[import-untyped]
from psycopg.conninfo import make_conninfo

from adapters.cli import app
from adapters.http_api.serving import FINISHING_S
from adapters.store.embedded_postgres import binary
from tests.adapters.http_api.test_serve import ask, deposit, serving

DEPLOY = Path(__file__).parents[3] / "scripts" / "deploy"
PASSWORD = "it's secret"  # noqa: S105 - of a role that lives as long as the test
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def login(database):
    """The DSN of the service's login, as the owner makes it."""
    environment = {**os.environ, "SERVICE_PASSWORD": PASSWORD}
    command = [binary("psql"), database, "-v", "ON_ERROR_STOP=1", "-f", DEPLOY / "login.sql"]
    for _ in range(2):  # made, then given its password again
        subprocess.run(command, env=environment, check=True, capture_output=True)
    yield make_conninfo(database, user="jinhua_service", password=PASSWORD)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP ROLE jinhua_service")


def test_the_service_runs_as_a_login_that_owns_nothing(login):
    """It writes and reads; whatever role it takes on, it changes and deletes nothing."""
    with serving(login) as (_, address):
        assert deposit(address, "d-1")[0] == 200
        assert ask(address, "GET", "/v1/players/ann/balance?min_position=1")[1]["balance"] == 1
    with psycopg.connect(login, autocommit=True) as conn:
        for role in ("jinhua_service", "jinhua_writer", "jinhua_reader", "jinhua_projector"):
            conn.execute(f"SET ROLE {role}")
            for statement in ("UPDATE events SET actor = 'x'", "DELETE FROM events"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    conn.execute(statement)


def test_what_the_files_run_is_what_there_is():
    """Each command line is one that our program takes, and each file that is named is there."""
    unit = (DEPLOY / "jinhua.service").read_text(encoding="utf-8")
    (run,) = re.findall(r"^ExecStart=/opt/jinhua/bin/jinhua (.*)$", unit, re.MULTILINE)
    container = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (given,) = re.findall(r"^CMD (\[.*\])$", container, re.MULTILINE)
    lines = [shlex.split(run), yaml.safe_load(given), COMPOSE["services"]["migrate"]["command"]]

    names = [app.parse_args(words, exit_on_error=False)[0].__name__ for words in lines]

    assert names == ["serve", "serve", "migrate"]
    build = COMPOSE["services"]["service"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Containerfile")
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", container, re.MULTILINE):
        assert all((DEPLOY.parents[1] / name).exists() for name in copied.split()), copied


def test_the_files_leave_time_to_finish():
    """Nobody kills the service before it has finished what is under way."""
    unit = (DEPLOY / "jinhua.service").read_text(encoding="utf-8")
    (patience,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)

    assert int(patience) > FINISHING_S
    assert COMPOSE["services"]["service"]["stop_grace_period"] == f"{patience}s"
