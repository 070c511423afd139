"""Key files: the signer's, which its owner alone can read, and beside it the one for everybody."""

import os
from pathlib import Path
from typing import ClassVar, Final

from adapters.errors import AdapterError
from adapters.evidence.notes import Signer, Verifier

_OTHERS: Final = 0o077
_LONGEST: Final = 4_096  # bytes; a key is far shorter


class ExposedKeyError(AdapterError):
    """Others than its owner can read or write a signer's key."""

    code: ClassVar[str] = "exposed_key"

    def __init__(self, *, file: Path, mode: int) -> None:
        super().__init__(f"{file} is open to others ({mode:03o}); `chmod 600 {file}` closes it")
        self.file, self.mode = file, mode


def write_pair(file: Path, signer: Signer) -> Path:
    """Write a key to a new file that its owner alone can read, and its verifier beside it.

    Returns:
        The verifier's file: the same name with ``.pub`` behind it.

    Raises:
        FileExistsError: One of them is there. It is left as it was, and nothing is written.
    """
    public = file.with_name(f"{file.name}.pub")
    _write_new(file, signer.text, 0o600)
    try:
        _write_new(public, signer.verifier.text, 0o644)
    except BaseException:
        file.unlink()
        raise
    return public


def read_signer(file: Path) -> Signer:
    """Read a signer's key.

    Raises:
        ExposedKeyError: Others can read or write it too.
        MalformedKeyError: It holds none.
        OSError: It cannot be read.
    """
    with file.open("rb") as source:
        mode = os.fstat(source.fileno()).st_mode & 0o777
        if mode & _OTHERS:
            raise ExposedKeyError(file=file, mode=mode)
        return Signer.parse(_text(source.read(_LONGEST)))


def read_verifier(file: Path) -> Verifier:
    """Read a verifier's key.

    Raises:
        MalformedKeyError: It holds none.
        OSError: It cannot be read.
    """
    with file.open("rb") as source:
        return Verifier.parse(_text(source.read(_LONGEST)))


def _text(data: bytes) -> str:
    return data.decode(errors="replace").strip()


def _write_new(file: Path, text: str, mode: int) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "w", encoding="utf-8") as target:
        target.write(f"{text}\n")
        target.flush()
        os.fsync(handle)
