"""Which build of the program this is: its version, and what a deployment adds to it.

Receipts keep it, so that the hands that a build settled are found should it turn out to be wrong.
"""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NewType

Build = NewType("Build", str)
"""``0.1.0``, or ``0.1.0+3f9c2ab`` where a deployment says more."""

ADDED: Final = re.compile(r"[!-~]{1,100}")
"""What may be added: printable ASCII without a space, so that no connection stumbles over it."""

_NOT_INSTALLED: Final = "source"


def build_of(added: str | None = None) -> Build:
    """Return the build of this program.

    Args:
        added: What a deployment says of it, as of :data:`ADDED`: a commit, a number, an image.
    """
    assert added is None or ADDED.fullmatch(added), added
    return Build(_version() if added is None else f"{_version()}+{added}")


@cache
def _version() -> str:
    """Return the version of the package, or that the files of a checkout run uninstalled."""
    try:
        return version("jinhua")
    except PackageNotFoundError:
        return _NOT_INSTALLED
