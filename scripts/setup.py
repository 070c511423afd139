"""Make the project ready to run, then run it.

    python3 scripts/setup.py          set up only
    python3 scripts/setup.py check    … then run every check (scripts/check.py)
    python3 scripts/setup.py demo     … then run `jinhua demo`, and so for all other words

Everything lands in `.venv/`, from the hashes of `requirements.lock`. A second run finds that
nothing changed and starts at once. Only the standard library is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "jinhua-setup.json"  # written last: no stamp, no trust in what lies there

OLDEST_PYTHON = (3, 11)
OFFLINE = ("NewConnectionError", "NameResolutionError", "TimeoutError", "from versions: none")


class SetupError(Exception):
    """Setting up cannot go on; the text tells the user why and what to do."""


def main(words: list[str]) -> int:
    """Set up, then become the command that was asked for."""
    try:
        check_python(sys.version_info[:2])
        with only_one_setup():
            set_up()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: interrupted; the next run starts afresh", file=sys.stderr)
        return 130
    if words:
        command = [str(VENV / "bin" / "jinhua"), *words]
        if words[0] == "check":
            command = [str(PYTHON), str(ROOT / "scripts" / "check.py"), *words[1:]]
        os.execv(command[0], command)  # noqa: S606 - its signals and exit status are then ours
    return 0


def check_python(version: tuple[int, ...]) -> None:
    """Refuse an interpreter that cannot do the work, before it fails halfway."""
    if version < OLDEST_PYTHON:
        needed, found = (".".join(map(str, v)) for v in (OLDEST_PYTHON, version))
        raise SetupError(f"Python {needed} or newer is needed; {sys.executable} is {found}")
    for name in ("fcntl", "venv", "ensurepip"):
        if importlib.util.find_spec(name) is None:
            hint = "Linux or macOS is needed" if name == "fcntl" else "apt install python3-venv"
            raise SetupError(f"{sys.executable} has no module `{name}` ({hint})")


@contextlib.contextmanager
def only_one_setup() -> Iterator[None]:
    """Let a second setup of this checkout wait; the lock dies with its process."""
    import fcntl  # noqa: PLC0415 - absent on Windows, where check_python has said so

    handle = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another setup of this checkout")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def set_up() -> None:
    """Bring `.venv/` up to date with the lock file and the project's own metadata."""
    wanted, found = {"place": place(), "inputs": inputs()}, read_stamp()
    if found == wanted:
        return
    started = time.monotonic()
    STAMP.unlink(missing_ok=True)
    # Without a stamp for this place the last run was killed, or the checkout or Python moved:
    # half-written packages look whole to pip, so begin with an empty directory.
    if found.get("place") != wanted["place"]:
        say(f"creating .venv with Python {sys.version.split()[0]}")
        run([sys.executable, "-I", "-m", "venv", "--clear", str(VENV)])
    pip = [str(PYTHON), "-I", "-m", "pip", "install", "--quiet", "--no-input"]
    say("installing the pinned packages (a minute or two when none is cached)")
    run([*pip, "--require-hashes", "--only-binary=:all:", "--requirement", str(LOCK)])
    run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)])
    STAMP.write_text(json.dumps(wanted))
    say(f"ready in {time.monotonic() - started:.0f} s")


def place() -> str:
    """Name what an environment is bound to: this checkout's path and this interpreter."""
    return f"{ROOT} on {sys.implementation.cache_tag} of {sys.base_prefix}"


def inputs() -> str:
    """Digest what is installed; other tables of pyproject.toml are read in place by their tools."""
    import tomllib  # noqa: PLC0415 - absent before Python 3.11, where check_python has said so

    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = [table["build-system"], table["project"], table["tool"]["setuptools"]]
    text = json.dumps([LOCK.read_text(encoding="utf-8"), installed])
    return hashlib.sha256(text.encode()).hexdigest()


def read_stamp() -> dict[str, str]:
    """Read what the last finished setup noted; empty when it cannot be relied on."""
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if PYTHON.exists() else {}  # Python itself may be gone


def run(command: list[str]) -> None:
    """Run quietly; when it fails, show all it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()
        reason = f"exit status {done.returncode}"
        if any(word in said for word in OFFLINE):
            reason = "no package index gave an answer; check the network and run this again"
        raise SetupError(f"{said}\n\nsetup: failed: {' '.join(command)}\nsetup: {reason}")


def say(line: str) -> None:
    """Print one line of progress at once."""
    print(f"setup: {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
