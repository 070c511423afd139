"""The directory that an export goes to, all at once.

What is written goes beside its place first, and takes it when it is complete. Whatever ends the
export before leaves the place as it was. Single files do the same: adapters/whole_files.py.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.exporting.errors import PlaceTakenError
from adapters.whole_files import as_any_new, unfinished


@contextmanager
def new_directory(place: Path) -> Iterator[Path]:
    """Lend a directory that takes its place when it is complete.

    Raises:
        PlaceTakenError: There is something already; a directory is not replaced all at once.
    """
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise PlaceTakenError(place)
    name = tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent)
    with unfinished(place, os.open(name, os.O_RDONLY), name) as beside:
        yield beside
        beside.chmod(as_any_new(0o777))
        if place.exists():
            place.rmdir()
        beside.rename(place)
