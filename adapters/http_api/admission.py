"""Keys let in: found in the store, remembered for two seconds, and kept from being used too often.

What a process knows of a key it looks up again after :data:`FRESH_S`: so long may a revocation go
unnoticed. Texts that are no key of ours cost one look, and of such looks there are only so many a
second: whoever guesses does not slow those down who are known.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from adapters.http_api.callers import Caller
from adapters.http_api.errors import TooManyRequestsError, UnauthenticatedError
from adapters.registers.api_keys import ApiKey, Role, find_key, prefix_of
from adapters.store.postgres import Store

FRESH_S: Final = 2.0
"""How long what was read of a key counts."""

_KNOWN_MAX: Final = 10_000  # keys that a process remembers


class Rate(NamedTuple):
    """How often something may be done: for long, and at once."""

    per_s: float
    burst: float


RATES: Final[Mapping[Role, Rate]] = {
    # of each key, in each process
    Role.SERVICE: Rate(5_000, 10_000),
    Role.AUDITOR: Rate(200, 400),
    Role.INVESTIGATOR: Rate(200, 400),
    Role.PLAYER: Rate(20, 40),
}

STRANGERS: Final = Rate(100, 200)
"""Of looks into the store for keys that the process does not know."""


class Bucket:
    """Holds tokens: one is taken each time, and they come back at a rate."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take one; False where there is none."""
        gained = (now - self._at) * self._rate.per_s
        self._tokens = min(self._tokens + gained, self._rate.burst)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


@dataclass(slots=True)
class _Known:
    """A key that was found, until when that counts, and how often it may still be used."""

    key: ApiKey
    caller: Caller
    until: float
    bucket: Bucket


class KeyHolders:
    """Lets in whoever holds a key of the store."""

    def __init__(
        self,
        store: Store,
        *,
        rates: Mapping[Role, Rate] = RATES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Look keys up in a store.

        Args:
            store: In a role that may read them.
            rates: How often a key may be used, by its role.
            clock: Seconds from any moment on.
        """
        self._store = store
        # Its own: queries may wait for each other, and whoever is to be let in should not.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jinhua-keys")
        self._rates = rates
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._looks = Bucket(STRANGERS, clock())
        self._looking: dict[str, asyncio.Task[None]] = {}

    def close(self) -> None:
        """Look nothing up any more."""
        self._thread.shutdown()

    async def of(self, key: str | None) -> Caller:
        """Return who calls with a key.

        Raises:
            UnauthenticatedError: It is none, or was revoked.
            TooManyRequestsError: It has been used too often.
        """
        known = await self._held(key)
        if not known.bucket.take(self._clock()):
            raise TooManyRequestsError("this key is used too often; come again in a second")
        return known.caller

    async def check(self, key: str | None) -> None:
        """Refuse a key that was revoked since its holder was let in.

        Raises:
            UnauthenticatedError: It was.
        """
        await self._held(key)

    async def _held(self, text: str | None) -> _Known:
        """Return what is known of a key that counts.

        Raises:
            UnauthenticatedError: It is none, or was revoked.
            TooManyRequestsError: Too many keys are looked for that nobody knows.
        """
        if text is None:
            raise UnauthenticatedError("no key was given: Authorization: Bearer …")
        prefix = prefix_of(text)
        if prefix is not None:
            known = self._known.get(prefix)
            if known is None or known.until <= self._clock():
                await self._look_up(prefix, is_known=known is not None)
                known = self._known.get(prefix)
            if known is not None and known.key.is_key(text):
                return known
        raise UnauthenticatedError("this is no key of this service, or it was revoked")

    async def _look_up(self, prefix: str, *, is_known: bool) -> None:
        """Read a key; whoever wants the same one meanwhile waits for the same look."""
        looking = self._looking.get(prefix)
        if looking is None:
            if not is_known and not self._looks.take(self._clock()):
                raise TooManyRequestsError("too many keys are tried; come again in a second")
            looking = asyncio.create_task(self._read(prefix))
            self._looking[prefix] = looking
            looking.add_done_callback(lambda _: self._looking.pop(prefix, None))
        await asyncio.shield(looking)

    async def _read(self, prefix: str) -> None:
        asked = self._clock()  # what is read is no older than this
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thread, partial(find_key, self._store, prefix))
        before = self._known.pop(prefix, None)
        if found is None or found.revoked_at is not None:
            return
        caller = Caller(found.name, found.role, found.tables, found.player)
        bucket = before.bucket if before else Bucket(self._rates[found.role], asked)
        self._known[prefix] = _Known(found, caller, asked + FRESH_S, bucket)
        if len(self._known) > _KNOWN_MAX:
            del self._known[next(iter(self._known))]  # looked up longest ago
