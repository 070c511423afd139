"""PostgreSQL refuses to run as root: which account runs it then, and how it reaches its files.

An ordinary user runs the server as himself and nothing here does anything. For root it is the
owner of the data directory, so that root and its owner share one server, else a system account
named `jinhua`, made when missing. That account must be able to enter the directories above its
files: where it cannot, others are let through (`o+x`), but never let look (`o+r`).
"""

import os
import pwd
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SYSTEM_ACCOUNT: Final = "jinhua"

# The caller's own environment must not leak into the server: PGPORT, PGDATA, PGOPTIONS and the
# locale would each change what is started.
ENVIRONMENT: Final[Mapping[str, str]] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    "LC_ALL": "C",
    "TZ": "UTC",
}


@dataclass(frozen=True)
class ServerAccount:
    """Who runs the server."""

    uid: int
    gid: int
    is_another: bool
    """The caller is root and steps down to this account."""

    def own(self, path: Path) -> None:
        """Hand a file or directory over to the account."""
        if self.is_another:
            os.chown(path, self.uid, self.gid)

    def let_through(self, path: Path) -> None:
        """Let the account enter the directory ``path`` and each one above it."""
        if self.is_another:
            for directory in (path, *path.parents):
                self._allow(directory, stat.S_IXOTH)

    def let_read(self, tree: Path) -> None:
        """Let the account read and run what is installed under ``tree``."""
        if not self.is_another:
            return
        self.let_through(tree)
        if self._may(tree, stat.S_IROTH):
            return  # installed under the usual umask, as nearly everywhere
        for path in (tree, *tree.rglob("*")):
            runs = path.stat().st_mode & stat.S_IXUSR
            self._allow(path, stat.S_IROTH | (stat.S_IXOTH if runs else 0))

    def run(self, command: list[str], *, cwd: Path, timeout_s: float) -> tuple[int, str]:
        """Run a command as the account, in its directory and in a bare environment.

        Returns:
            The exit status and all that was printed.

        Raises:
            subprocess.TimeoutExpired: It took longer than ``timeout_s``.
        """
        done = subprocess.run(
            command,
            cwd=cwd,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            encoding="utf-8",
            errors="replace",
            check=False,
            user=self.uid if self.is_another else None,
            group=self.gid if self.is_another else None,
            extra_groups=() if self.is_another else None,
        )
        return done.returncode, done.stdout.strip()

    def _may(self, path: Path, others: int) -> bool:
        """Tell whether the mode of ``path`` grants the account what ``others`` would have."""
        found = path.stat()
        if found.st_uid == self.uid:
            return found.st_mode & (others << 6) == others << 6
        if found.st_gid == self.gid:
            return found.st_mode & (others << 3) == others << 3
        return found.st_mode & others == others

    def _allow(self, path: Path, others: int) -> None:
        if not self._may(path, others):
            path.chmod(stat.S_IMODE(path.stat().st_mode) | others)


def server_account(*directories: Path) -> ServerAccount:
    """Choose the account that runs a server.

    Args:
        directories: Those of the server, innermost first. For root, the owner of the first that
            exists and is not root's own decides.

    Raises:
        LookupError: That owner is unknown to the system, or no account can be made.
    """
    if os.geteuid() != 0:
        return ServerAccount(uid=os.geteuid(), gid=os.getegid(), is_another=False)
    for directory in directories:
        if directory.exists() and (uid := directory.stat().st_uid) != 0:
            entry = pwd.getpwuid(uid)  # the server asks for its own name and stops without one
            break
    else:
        entry = _system_account()
    return ServerAccount(uid=entry.pw_uid, gid=entry.pw_gid, is_another=True)


def _system_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_ACCOUNT)
    except KeyError:
        command = ["useradd", "--system", "--user-group", "--no-create-home"]
        command += ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", SYSTEM_ACCOUNT]
        try:
            done = subprocess.run(
                command, env=ENVIRONMENT, capture_output=True, text=True, check=False
            )
            said = done.stderr.strip()
        except FileNotFoundError:
            said = "there is no useradd"
    try:
        return pwd.getpwnam(SYSTEM_ACCOUNT)  # also when another process was first to make it
    except KeyError:
        message = f"root may not run PostgreSQL and no account {SYSTEM_ACCOUNT!r} was made: {said}"
        raise LookupError(message) from None
