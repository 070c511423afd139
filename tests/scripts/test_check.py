"""The checks fail where a test does, and where a branch of domain is taken by none."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check.py"

DOMAIN = "def sign(x):\n    if x < 0:\n        return -1\n    return 1\n"
TESTS_ALONE = "import check; check.CHECKS.clear(); check.main([])"

# fmt: off
CASES = {
    # why                          what the tests say of domain              exit status
    "every branch is taken":      ("sign(-5) == -1 and sign(5) == 1",        0),
    "a branch is not taken":      ("sign(5) == 1",                           1),
    "a test fails":               ("sign(-5) == 1 and sign(5) == 1",         1),
}
# fmt: on


@pytest.mark.parametrize(("said", "status"), CASES.values(), ids=CASES)
def test_domain_is_covered_completely_or_the_checks_fail(tmp_path, said, status):
    """In a small project of its own, whose tests are all that is checked."""
    files = {
        "pyproject.toml": '[tool.coverage.run]\nbranch = true\nsource = ["domain"]\n',
        "domain/__init__.py": DOMAIN,
        "test_sign.py": f"from domain import sign\n\ndef test_sign():\n    assert {said}\n",
        "scripts/check.py": SCRIPT.read_text(encoding="utf-8"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-c", TESTS_ALONE],
        cwd=tmp_path / "scripts",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert done.returncode == status, done.stdout
    assert "1 failed" in done.stdout if "-5) == 1" in said else "1 passed" in done.stdout
    *_, closing = done.stdout.splitlines()
    assert re.search(r"1 (passed|failed).* in [0-9.]+s", closing)
