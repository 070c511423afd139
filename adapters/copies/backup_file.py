"""A backup is one file: an archive of ``pg_dump``, and behind it what was in it, sealed.

``pg_restore`` reads it as it is and takes no notice of what follows. The seal is a SHA-256 over
all bytes before it, so whatever was cut off, added or changed on the way is noticed before
anything is restored::

    archive | manifest (JSON) | length of the manifest, 8 bytes | SHA-256, 32 bytes | mark
"""

import hashlib
import os
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.copies.figures import Figure
from adapters.errors import AdapterError

MARK: Final = b"jinhua backup 1\n"
_ARCHIVE_MARK: Final = b"PGDMP"  # the first bytes of every archive of pg_dump
_LENGTH_BYTES: Final = 8
_DIGEST_BYTES: Final = 32
_TAIL_BYTES: Final = _LENGTH_BYTES + _DIGEST_BYTES + len(MARK)
_CHUNK: Final = 1024 * 1024


class BadBackupError(AdapterError):
    """A file that is no backup, or no longer the one that was made."""

    code: ClassVar[str] = "bad_backup"

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.file, self.reason = file, reason


class Manifest(BaseModel):
    """What a backup holds, of the same moment as its archive."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    made_at: str  # the server's time of that moment, ISO 8601
    database: str  # what it was called
    server: str  # the version of PostgreSQL that it was made from
    dumped_by: int  # the major version of the pg_dump that wrote it
    roles: list[str]  # who was granted something in it
    migrations: list[str]  # that had been applied, in order
    figures: dict[str, Figure]


def seal(file: Path, manifest: Manifest) -> None:
    """Put the manifest and the seal behind an archive, and make all of it durable."""
    body = manifest.model_dump_json().encode()
    with file.open("r+b") as archive:
        archive.seek(0, os.SEEK_END)
        archive.write(body + len(body).to_bytes(_LENGTH_BYTES, "big"))
        archive.write(_digest(archive, archive.tell()) + MARK)
        archive.flush()
        os.fsync(archive.fileno())


def unseal(file: Path) -> Manifest:
    """Return what a backup holds, once every byte has proved to be the one that was written.

    Raises:
        BadBackupError: It is none, it is not whole, or it was changed.
    """
    try:
        with file.open("rb") as backup:
            return _unseal(file, backup)
    except OSError as error:
        raise BadBackupError(file, error.strerror or str(error)) from None


def _unseal(file: Path, backup: BinaryIO) -> Manifest:
    size = backup.seek(0, os.SEEK_END)
    backup.seek(0)
    if backup.read(len(_ARCHIVE_MARK)) != _ARCHIVE_MARK:
        raise BadBackupError(file, "it is no backup")
    backup.seek(max(size - _TAIL_BYTES, 0))
    tail = backup.read()
    if len(tail) < _TAIL_BYTES or not tail.endswith(MARK):
        raise BadBackupError(file, "its end is missing, or jinhua did not make it")
    if _digest(backup, size - _DIGEST_BYTES - len(MARK)) != tail[_LENGTH_BYTES:][:_DIGEST_BYTES]:
        raise BadBackupError(file, "it was changed since it was made")
    length = int.from_bytes(tail[:_LENGTH_BYTES], "big")
    backup.seek(size - _TAIL_BYTES - length)
    try:
        return Manifest.model_validate_json(backup.read(length))
    except ValidationError:
        raise BadBackupError(file, "another version of jinhua made it") from None


def _digest(file: BinaryIO, size: int) -> bytes:
    """Digest so many bytes from the beginning, and stay behind them."""
    digest = hashlib.sha256()
    file.seek(0)
    while size > 0 and (chunk := file.read(min(_CHUNK, size))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.digest()
