"""The scripts run as programs within the tests' own process."""

import importlib.util
import json
from pathlib import Path

import pytest

from adapters.cli import main

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def run(database, capfd):
    """Run a script on the store: its status, and what it printed, read as JSON if asked."""

    def of(script, *words):
        capfd.readouterr()
        status = main([*words, "--dsn", database], app_of(script))
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return status, json.loads(out) if "--json" in words else out + err

    return of


def app_of(script):
    """Return the program of a script; to start a process for each takes a second of processor."""
    spec = importlib.util.spec_from_file_location(script, SCRIPTS / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.app
