"""Files that are written beside their place first, and take it when they are complete.

Whatever ends the writing before leaves the place as it was. After a power cut it holds the one or
the other, whole.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


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
    beside = Path(name)
    try:
        yield beside
        os.fsync(handle)
        if not private:
            os.fchmod(handle, as_any_new(0o666))
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
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


def as_any_new(rights: int) -> int:
    """Return what this process leaves of the rights on its new files and directories."""
    mask = os.umask(0o077)
    os.umask(mask)
    return rights & ~mask
