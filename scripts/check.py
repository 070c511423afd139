"""Every check of the project, in order, stopping at the first that fails.

    scripts/check.py                  format, lint, types, imports, tests with branch coverage,
                                      which is complete in `domain`
    scripts/check.py --fix            first let ruff format and repair what it can
    scripts/check.py -- -k rake -x    only some tests: the words after `--` go to pytest

With `CI=true` the property tests try more examples (tests/conftest.py).
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

REPAIRS: tuple[tuple[str, ...], ...] = (
    ("ruff", "format", "."),
    ("ruff", "check", "--fix", "."),
    ("ruff", "format", "."),
)
CHECKS: dict[str, tuple[str, ...]] = {
    "format": ("ruff", "format", "--check", "--output-format=concise", "."),
    "lint": ("ruff", "check", "."),
    "types": ("mypy",),
    "imports": ("lint-imports", "--no-cache", "--no-logo"),
}
# Every line and every branch that can move a chip is taken by some test.
COVERAGE: tuple[str, ...] = ("--cov=domain", "--cov-report=term", "--cov-fail-under=100")

# A file is one process's, and each process has a PostgreSQL of its own. One more than there are
# cores, up to four: much of a test is waiting for a server, or for the disk.
SPREAD: tuple[str, ...] = ("-n", str(min((os.cpu_count() or 1) + 1, 4)), "--dist=loadfile")


def main(words: list[str]) -> NoReturn:
    """Run the checks; the exit status is that of the first that fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fix", action="store_true", help="format and repair before checking")
    parser.add_argument("pytest", nargs="*", help="words for pytest, after --")
    asked = parser.parse_args(words)
    if asked.fix:
        for command in REPAIRS:
            subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, check=False)
    for name, command in CHECKS.items():
        check(name, command)
    os.chdir(ROOT)
    print("tests", flush=True)
    # A part of the tests says nothing of coverage.
    become("pytest", *(asked.pytest or (*SPREAD, *COVERAGE)))


def check(name: str, command: tuple[str, ...]) -> None:
    """Run one tool; show its words, and end, only when it objects."""
    started = time.monotonic()
    done = subprocess.run(
        [BIN / command[0], *command[1:]],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    verdict = "ok" if done.returncode == 0 else "FAILED"
    print(f"{name:8} {verdict:6} {time.monotonic() - started:5.1f} s", flush=True)
    if done.returncode != 0:
        print(f"\n{done.stdout}\ncheck: {' '.join(command)}", flush=True)
        sys.exit(done.returncode)


def become(module: str, *words: str) -> NoReturn:
    """Turn into a module: its closing line, its signals and its exit status are then ours."""
    command = [sys.executable, "-m", module, *words]
    os.execv(command[0], command)  # noqa: S606 - no shell is meant


if __name__ == "__main__":
    main(sys.argv[1:])
