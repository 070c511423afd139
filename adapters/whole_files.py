"""Files that are written beside their place first, and take it when they are complete.

Whatever ends the writing before leaves the place as it was. After a power cut it holds the one or
the other, whole. What a process that was killed had written so far is removed by the next one that
writes to the same place.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Final, TextIO

_UNFINISHED: Final = ".unfinished"
"""Ends the names of what is being written; whoever writes it holds it locked."""

_RANDOM: Final = "?" * 8
"""What tempfile puts into them, to match; a name that somebody thought of is seldom like it."""


@contextmanager
def replacing(file: Path, *, private: bool = False) -> Iterator[Path]:
    """Lend the name of an empty file that takes the place of another, or of none, at the end.

    Args:
        file: Its place.
        private: Nobody else may read it; otherwise it has the rights of any new file.

    Raises:
        OSError: It cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    with unfinished(file, handle, name) as beside:
        yield beside
        os.fsync(handle)
        if not private:
            os.fchmod(handle, as_any_new(0o666))
        beside.replace(file)
    directory = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # after a power cut the name must lead to what was written
    finally:
        os.close(directory)


@contextmanager
def replacing_text(file: Path) -> Iterator[TextIO]:
    """Lend a text file that takes the place of another, or of none, when it is complete.

    Raises:
        OSError: It cannot be written.
    """
    with replacing(file) as beside, beside.open("w", encoding="utf-8", newline="") as text:
        yield text


@contextmanager
def unfinished(place: Path, handle: int, name: str) -> Iterator[Path]:
    """Lend what is new beside a place, under a name that says so; it is removed if it is left.

    Args:
        place: Which it is to take.
        handle: Of the new file or directory; closed at the end.
        name: Of the same.
    """
    beside = Path(name)
    try:
        _clear_away(place)
        with suppress(OSError):  # a file system without locks; nothing is cleared away there
            fcntl.flock(handle, fcntl.LOCK_EX)
        beside = beside.rename(f"{name}{_UNFINISHED}")  # not before it is locked
        yield beside
    finally:
        _remove(beside)
        os.close(handle)


def as_any_new(rights: int) -> int:
    """Return what this process leaves of the rights on its new files and directories."""
    mask = os.umask(0o077)
    os.umask(mask)
    return rights & ~mask


def _clear_away(place: Path) -> None:
    """Remove what was being written to a place by processes that are gone: nobody locks it."""
    for left in place.parent.glob(f".{escape(place.name)}.{_RANDOM}{_UNFINISHED}"):
        with suppress(OSError):  # locked, somebody else's, or complete by now
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(left)
            finally:
                os.close(handle)


def _remove(path: Path) -> None:
    """Remove a file or a directory, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
