"""Checkpoints as signed notes, in the formats of C2SP, so that foreign tools can read them.

A checkpoint is what the log was at a size, in a few lines of text (https://c2sp.org/tlog-checkpoint):

    jinhua                                           the log's name
    21                                               its size
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=     the root of the log
    players 3 u1rz…                                  how many players; the root of their index

A note (https://c2sp.org/signed-note) is a text, an empty line, and lines of signatures:
``— NAME BASE64``, which is four bytes of hash of the key and the Ed25519 signature over the text.
Keys are written as in Go's sumdb/note: ``NAME+HASH+BASE64`` for everybody, and for the signer alone
``PRIVATE+KEY+NAME+HASH+BASE64``.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import ClassVar, Final, NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from adapters.errors import AdapterError, EvidenceError

_ED25519: Final = b"\1"
_KEY_BYTES: Final = 32
_PRIVATE: Final = "PRIVATE+KEY+"
_SIGNATURE: Final = re.compile("— ([^ ]+) ([^ ]+)")
_SIGNATURES_MAX: Final = 100
_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")
_SIZE_MAX: Final = 2**63 - 1
_CONTROL_END: Final = 0x20


class MalformedNoteError(AdapterError):
    """A text that is no note, or no checkpoint of ours."""

    code: ClassVar[str] = "malformed_note"

    def __init__(self, *, line: int, reason: str) -> None:
        super().__init__(f"line {line} of the note: {reason}")
        self.line, self.reason = line, reason


class MalformedKeyError(AdapterError):
    """A text that is no key. It is not repeated: it may be a secret."""

    code: ClassVar[str] = "malformed_key"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"the key cannot be used: {reason}")
        self.reason = reason


class UnknownKeyError(EvidenceError):
    """A note that the key which was asked for has not signed."""

    code: ClassVar[str] = "unknown_key"

    def __init__(self, *, wanted: str, found: list[str]) -> None:
        by = f"by {', '.join(found)}" if found else "by nobody"
        super().__init__(f"the note is signed {by}, not by {wanted}")
        self.wanted, self.found = wanted, found


class BadSignatureError(EvidenceError):
    """A signature that is not the named key's over this text."""

    code: ClassVar[str] = "bad_signature"

    def __init__(self, *, key: str) -> None:
        super().__init__(f"the signature of {key} is not over this text")
        self.key = key


class WrongOriginError(EvidenceError):
    """A checkpoint of another log than the one that the key signs for."""

    code: ClassVar[str] = "wrong_origin"

    def __init__(self, *, origin: str, key: str) -> None:
        super().__init__(f"the checkpoint is of the log {origin}, signed by {key}")
        self.origin, self.key = origin, key


class Checkpoint(NamedTuple):
    """What the log was at a size."""

    origin: str
    """The log's name, which is that of its key."""
    size: int
    """The last position."""
    root: bytes
    players: int
    """How many are in the index at that size."""
    players_root: bytes


class Verifier(NamedTuple):
    """What everybody needs to check a signature."""

    name: str
    key: bytes

    @property
    def hash(self) -> bytes:
        """The four bytes by which a signature names the key."""
        return sha256(f"{self.name}\n".encode() + _ED25519 + self.key).digest()[:4]

    @property
    def id(self) -> str:
        """The name and the hash."""
        return f"{self.name}+{self.hash.hex()}"

    @property
    def text(self) -> str:
        """The key as it is handed out."""
        return f"{self.id}+{base64(_ED25519 + self.key)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a key as it is handed out.

        Raises:
            MalformedKeyError: It is none, or not of Ed25519.
        """
        name, hash_, key = _key_parts(text)
        verifier = cls(name, key)
        _check_hash(verifier.hash, hash_)
        return verifier


class Signer:
    """What signs. Its text is a secret: nothing prints it but :attr:`text`."""

    def __init__(self, name: str, seed: bytes) -> None:
        """Take a key.

        Raises:
            MalformedKeyError: No key can have that name, or that seed.
        """
        _check_name(name)
        if len(seed) != _KEY_BYTES:
            raise MalformedKeyError(reason=f"a seed has {_KEY_BYTES} bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = Verifier(name, self._key.public_key().public_bytes_raw())

    @property
    def text(self) -> str:
        """The secret, as it is kept."""
        return f"{_PRIVATE}{self.verifier.id}+{base64(_ED25519 + self._key.private_bytes_raw())}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a key as it is kept.

        Raises:
            MalformedKeyError: It is none, or not of Ed25519.
        """
        if not text.startswith(_PRIVATE):
            raise MalformedKeyError(reason=f"a signer's key begins with {_PRIVATE}")
        name, hash_, seed = _key_parts(text.removeprefix(_PRIVATE))
        signer = cls(name, seed)
        _check_hash(signer.verifier.hash, hash_)
        return signer

    @classmethod
    def generate(cls, name: str) -> Self:
        """Return a new key.

        Raises:
            MalformedKeyError: No key can have that name.
        """
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    def sign(self, data: bytes) -> bytes:
        """Return the signature over these bytes."""
        return self._key.sign(data)


def base64(data: bytes) -> str:
    """Return bytes as notes have them."""
    return b64encode(data).decode()


def text(checkpoint: Checkpoint) -> str:
    """Return a checkpoint as the text that is signed."""
    return (
        f"{checkpoint.origin}\n{checkpoint.size}\n{base64(checkpoint.root)}\n"
        f"players {checkpoint.players} {base64(checkpoint.players_root)}\n"
    )


def parse(note: str) -> Checkpoint:
    """Read a checkpoint, whoever signed it: a note, or the text alone.

    Raises:
        MalformedNoteError: It is none of ours.
    """
    lines = _split(note)[0].split("\n")[:-1]
    if len(lines) != 4:  # noqa: PLR2004 - as the module says
        raise MalformedNoteError(line=len(lines), reason=f"{len(lines)} lines of text, not 4")
    origin, size, root, players = lines
    if not origin:
        raise MalformedNoteError(line=1, reason="no name of a log")
    words = players.split(" ")
    if len(words) != 3 or words[0] != "players":  # noqa: PLR2004 - as the module says
        raise MalformedNoteError(line=4, reason="not `players COUNT ROOT`")
    return Checkpoint(
        origin, _size(2, size), _root(3, root), _size(4, words[1]), _root(4, words[2])
    )


def sign(checkpoint: Checkpoint, signer: Signer) -> str:
    """Return the note of a checkpoint.

    Raises:
        WrongOriginError: The signer signs for another log.
    """
    if checkpoint.origin != signer.verifier.name:
        raise WrongOriginError(origin=checkpoint.origin, key=signer.verifier.id)
    return sign_text(text(checkpoint), signer)


def verify(note: str, verifier: Verifier) -> Checkpoint:
    """Return the checkpoint of a note that a key has signed.

    Raises:
        MalformedNoteError: It is no note, or no checkpoint of ours.
        UnknownKeyError: The key has not signed it.
        BadSignatureError: The key's signature is over another text.
        WrongOriginError: It is of another log than the one the key signs for.
    """
    checkpoint = parse(verify_text(note, verifier))
    if checkpoint.origin != verifier.name:
        raise WrongOriginError(origin=checkpoint.origin, key=verifier.id)
    return checkpoint


def sign_text(text: str, signer: Signer) -> str:
    """Return a text as a note.

    Raises:
        MalformedNoteError: No note can have it.
    """
    _check_text(text)
    signature = base64(signer.verifier.hash + signer.sign(text.encode()))
    return f"{text}\n— {signer.verifier.name} {signature}\n"


def verify_text(note: str, verifier: Verifier) -> str:
    """Return the text of a note that a key has signed; what others signed is not looked at.

    Raises:
        MalformedNoteError: It is no note.
        UnknownKeyError: The key has not signed it.
        BadSignatureError: The key's signature is over another text.
    """
    text, signatures = _split(note)
    for name, signature in signatures:
        if (name, signature[:4]) == (verifier.name, verifier.hash):
            try:
                public = Ed25519PublicKey.from_public_bytes(verifier.key)
                public.verify(signature[4:], text.encode())
            except InvalidSignature:
                raise BadSignatureError(key=verifier.id) from None
            return text
    raise UnknownKeyError(wanted=verifier.id, found=signed_by(note))


def signed_by(note: str) -> list[str]:
    """Return the names and hashes of the keys that a note says it is signed with.

    Raises:
        MalformedNoteError: It is no note.
    """
    return [f"{name}+{signature[:4].hex()}" for name, signature in _split(note)[1]]


def _split(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the text of a note and its signatures, each with the name of its key."""
    text, empty_line, rest = note.rpartition("\n\n")
    if not empty_line:
        _check_text(note)
        return note, []
    text += "\n"
    _check_text(text)
    before = text.count("\n") + 2
    lines = rest.split("\n")
    if lines.pop():
        raise MalformedNoteError(line=before + len(lines), reason="it has no end")
    if not 1 <= len(lines) <= _SIGNATURES_MAX:
        raise MalformedNoteError(line=before, reason=f"{len(lines)} signatures")
    return text, [_signature(number, line) for number, line in enumerate(lines, before)]


def _signature(number: int, line: str) -> tuple[str, bytes]:
    """Return the name of the key that a signature is of, and its bytes."""
    found = _SIGNATURE.fullmatch(line)
    if found is None:
        raise MalformedNoteError(line=number, reason="not `— NAME SIGNATURE`")
    name, encoded = found.groups()
    signature = _decoded(encoded)
    if not _is_name(name) or signature is None or len(signature) <= 4:  # noqa: PLR2004 - the hash
        raise MalformedNoteError(line=number, reason="no signature")
    return name, signature


def _check_text(text: str) -> None:
    if not text.endswith("\n"):
        raise MalformedNoteError(line=text.count("\n") + 1, reason="it has no end")
    for number, line in enumerate(text.split("\n"), 1):
        if any(ord(character) < _CONTROL_END for character in line):
            raise MalformedNoteError(line=number, reason="a control character")


def _size(line: int, digits: str) -> int:
    if not _SIZE.fullmatch(digits) or int(digits) > _SIZE_MAX:
        raise MalformedNoteError(line=line, reason="not a number")
    return int(digits)


def _root(line: int, encoded: str) -> bytes:
    root = _decoded(encoded)
    if root is None or len(root) != sha256().digest_size:
        raise MalformedNoteError(line=line, reason="not the Base64 of a root")
    return root


def _key_parts(text: str) -> tuple[str, bytes, bytes]:
    """Return the name, the hash and the bytes of a key."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not re.fullmatch("[0-9a-f]{8}", parts[1]):  # noqa: PLR2004 - as it says
        raise MalformedKeyError(reason="it is not NAME+HASH+KEY")
    name, hash_, encoded = parts
    _check_name(name)
    key = _decoded(encoded)
    if key is None or key[:1] != _ED25519 or len(key) != 1 + _KEY_BYTES:
        raise MalformedKeyError(reason="it is no Ed25519 key in Base64")
    return name, bytes.fromhex(hash_), key[1:]


def _check_hash(due: bytes, found: bytes) -> None:
    if due != found:
        raise MalformedKeyError(reason=f"its hash is {due.hex()}, and it says {found.hex()}")


def _check_name(name: str) -> None:
    if not _is_name(name):
        raise MalformedKeyError(reason="a name is some text without blanks and without +")


def _is_name(name: str) -> bool:
    return bool(name) and name.isprintable() and "+" not in name and not re.search(r"\s", name)


def _decoded(encoded: str) -> bytes | None:
    """Return what Base64 says; None where it does not, or not in the one way there is."""
    try:
        data = b64decode(encoded, validate=True)
    except (Base64Error, ValueError):
        return None
    return data if base64(data) == encoded else None
