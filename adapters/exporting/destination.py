"""Where an export goes: standard output, a file or a directory; a file or directory all at once.

What is written goes beside its place first, and takes it when it is complete. Whatever ends the
export before leaves the place as it was.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from adapters.exporting.errors import PlaceTakenError


@contextmanager
def new_file(place: Path) -> Iterator[TextIO]:
    """Lend a text file that takes its place, or another's there, when it is complete."""
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
        beside.chmod(0o666 & ~_mask())
        beside.replace(place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


@contextmanager
def new_directory(place: Path) -> Iterator[Path]:
    """Lend a directory that takes its place when it is complete.

    Raises:
        PlaceTakenError: There is something already; a directory is not replaced all at once.
    """
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise PlaceTakenError(place)
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        yield beside
        beside.chmod(0o777 & ~_mask())
        if place.exists():
            place.rmdir()
        beside.rename(place)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _mask() -> int:
    """Return what this process takes away from the rights on its new files."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
