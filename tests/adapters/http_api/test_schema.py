"""Requests made from the OpenAPI document, against the running service: good ones and bad ones.

No answer is a fault of the server, and each is what the document says of it. With ``--long`` many
more are tried.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.adapters.http_api.test_serve import KEYS, ROOT, serving

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
HOOKS = "tests.adapters.http_api.schema_hooks"
BRIEFLY = ("--phases", "examples,fuzzing", "--max-examples", "4", "--seed", "1")
LONG = ("--phases", "examples,coverage,fuzzing", "--max-examples", "200")


def test_every_answer_is_what_the_document_says(store_dsn, long, tmp_path):
    """Whatever is asked."""
    tool = Path(sys.executable).with_name("schemathesis")
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": HOOKS, "PYTHONPATH": str(ROOT)}
    with serving(store_dsn) as (_, address):
        command = [
            tool, "run", f"http://{address}/openapi.json", "--checks", ",".join(CHECKS),
            "--generation-database", "none", "--no-color", "--continue-on-failure",
            "--request-timeout", "60", "--suppress-health-check", "all",
            "--header", f"Authorization: Bearer {KEYS[address]}", *(LONG if long else BRIEFLY),
        ]  # fmt: skip
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Test cases" in done.stdout
