"""Cards at rest: sealed under the application's key, so that the database alone shows nobody's.

Each event is sealed under a key of its own, derived from the application's key and the event's
place in its stream; whoever is given that one key opens that one event. The place and the topic
are bound to what is sealed, so that it opens nowhere else. What a command with cards in it leaves
in its receipt is keyed too: from a bare checksum three cards could be guessed.

Several keys may be held. The first seals; each opens what was sealed under it, and what was stored
before there was a key is read as it is.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from hashlib import sha256
from secrets import token_bytes
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adapters.errors import CardKeyMissingError, UnreadableEventError
from domain.events import TOPICS
from domain.framing import length_prefixed

KEY_BYTES: Final = 32

SEALED_TOPICS: Final = frozenset(topic for topic, event in TOPICS.items() if event.SECRET)
"""The topics whose bodies are sealed where there is a key."""

_CARDS: Final = b"jinhua.cards.v1"
_COMMANDS: Final = b"jinhua.card-commands.v1"
_KEY_ID: Final = b"jinhua.card-key.v1"
_KEY_ID_LENGTH: Final = 8  # hexadecimal digits
_NONCE_BYTES: Final = 12
_LENGTH_BYTES: Final = 4

_MARK: Final = '{"sealed":'
_SEALED: Final = re.compile(r'\{"sealed":"([0-9a-f]{8}):([A-Za-z0-9+/]+={0,2})"\}')


class CardKey:
    """One key of the application. It is in no text that this object gives."""

    def __init__(self, key: bytes) -> None:
        assert len(key) == KEY_BYTES, len(key)
        self._key = key
        self.id = sha256(_KEY_ID + key).hexdigest()[:_KEY_ID_LENGTH]
        """Names the key, and tells nothing of it."""

    def event_key(self, stream: str, version: int) -> bytes:
        """Return the key of one event, by its place; it opens no other."""
        return self._derived(_CARDS, stream, str(version))

    def command_key(self, command_id: str) -> bytes:
        """Return the key that what is remembered of one command's body is made with."""
        return self._derived(_COMMANDS, command_id)

    def _derived(self, purpose: bytes, *names: str) -> bytes:
        info = _joined(purpose, *(name.encode(errors="surrogatepass") for name in names))
        return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(self._key)


class CardKeys:
    """The keys that a process holds, if any."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        """Hold keys: the first seals, every one opens."""
        held = [CardKey(key) for key in keys]
        self.sealing = held[0] if held else None
        self._by_id = {key.id: key for key in held}

    def key(self, key_id: str) -> CardKey:
        """Return the key of a name.

        Raises:
            CardKeyMissingError: It is not held.
        """
        found = self._by_id.get(key_id)
        if found is None:
            raise CardKeyMissingError(key_id)
        return found

    def sealed(self, stream: str, version: int, topic: str, body: str) -> str:
        """Return the body of an event as it is stored: sealed, where secret and a key is held."""
        if topic not in SEALED_TOPICS or self.sealing is None:
            return body
        nonce = token_bytes(_NONCE_BYTES)
        key = self.sealing.event_key(stream, version)
        ciphertext = AESGCM(key).encrypt(nonce, body.encode(), _bound(stream, version, topic))
        return f'{_MARK}"{self.sealing.id}:{b64encode(nonce + ciphertext).decode()}"}}'

    def unsealed(
        self, stream: str, version: int, topic: str, body: str | bytes, position: int
    ) -> str | bytes:
        """Return the body of a stored event; one that is not sealed, as it is.

        Raises:
            CardKeyMissingError: It is sealed under a key that is not held.
            UnreadableEventError: The seal is broken.
        """
        if topic not in SEALED_TOPICS:
            return body
        text = body if isinstance(body, str) else body.decode(errors="replace")
        if not text.startswith(_MARK):
            return body
        try:
            key_id, ciphertext = _parsed(text)
            key = self.key(key_id).event_key(stream, version)
            return _opened(key, ciphertext, stream, version, topic)
        except (ValueError, InvalidTag):
            reason = "its seal is broken: it was changed, or is another event's"
            raise UnreadableEventError(position=position, topic=topic, reason=reason) from None


NO_KEYS: Final = CardKeys()
"""Nothing is sealed, and nothing that is sealed can be read."""


def sealed_under(body: str) -> str | None:
    """Return the name of the key that a stored body is sealed under; None where it is not."""
    found = _SEALED.fullmatch(body)
    return found[1] if found else None


def _parsed(body: str) -> tuple[str, bytes]:
    """Return the name of the key, and nonce and ciphertext.

    Raises:
        ValueError: It is no sealed body.
    """
    found = _SEALED.fullmatch(body)
    if found is None:
        raise ValueError("it is no sealed body")
    try:
        return found[1], b64decode(found[2], validate=True)
    except Base64Error as error:
        raise ValueError("it is no base64") from error


def _opened(key: bytes, sealed: bytes, stream: str, version: int, topic: str) -> str:
    nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    return AESGCM(key).decrypt(nonce, ciphertext, _bound(stream, version, topic)).decode()


def _bound(stream: str, version: int, topic: str) -> bytes:
    """Return what a sealed body is bound to: its place and its topic."""
    return _joined(_CARDS, stream.encode(), str(version).encode(), topic.encode())


def _joined(*parts: bytes) -> bytes:
    return length_prefixed(*parts, width=_LENGTH_BYTES)
