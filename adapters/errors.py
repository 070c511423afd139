"""What can go wrong outside the game: one class per cause, each with a stable code."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar


class AdapterError(Exception):
    """The world around the ledger did not do its part; no rule of play was involved."""

    code: ClassVar[str]

    def __reduce__(self) -> tuple[Callable[..., "AdapterError"], tuple[object, ...]]:
        """Let it come from another process as it was raised there."""
        return _as_raised, (type(self), self.args, vars(self))


def _as_raised(
    kind: type[AdapterError], args: tuple[object, ...], fields: Mapping[str, object]
) -> AdapterError:
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


class StoreUnreachableError(AdapterError):
    """PostgreSQL cannot be started or reached."""

    code = "store_unreachable"

    def __init__(self, *, where: Path | str, reason: str) -> None:
        super().__init__(f"PostgreSQL of {where} cannot be reached: {reason}")
        self.where, self.reason = where, reason


class LedgerClosedError(AdapterError):
    """A command came after the ledger was closed; nothing of it was stored."""

    code = "ledger_closed"

    def __init__(self) -> None:
        super().__init__("the ledger is closed")


class ProcessLostError(AdapterError):
    """One of the processes that shared some work ended before it was done."""

    code = "process_lost"

    def __init__(self) -> None:
        super().__init__("a process that shared the work was lost; what it was at is not done")


class ClusterError(AdapterError):
    """A Dask cluster cannot do what it was asked."""


class DaskMissingError(ClusterError):
    """The package that speaks to a cluster is not installed."""

    code = "dask_missing"

    def __init__(self) -> None:
        super().__init__("a Dask cluster takes the package distributed: pip install jinhua[dask]")


class ClusterUnreachableError(ClusterError):
    """There is no scheduler, or it has no worker."""

    code = "cluster_unreachable"

    def __init__(self, *, address: str, reason: str) -> None:
        super().__init__(f"the Dask cluster of {address} cannot be reached: {reason}")
        self.address, self.reason = address, reason


class WorkersDifferError(ClusterError):
    """Not everybody has the same version of this program, so they might judge by other rules."""

    code = "workers_differ"

    def __init__(self, *, here: str, there: str) -> None:
        super().__init__(f"this is jinhua {here}; the scheduler or a worker has {there}")
        self.here, self.there = here, there


class BusyError(AdapterError):
    """More is under way than is taken at once; nothing of this was begun."""

    code = "busy"

    def __init__(self, *, under_way: int) -> None:
        super().__init__(f"{under_way} are under way, and no more are taken")
        self.under_way = under_way


class NotReachedError(AdapterError):
    """A projection has not come as far as was waited for."""

    code = "not_reached"

    def __init__(self, *, projection: str, position: int, reached: int) -> None:
        super().__init__(f"{projection} is at position {reached}, not yet at {position}")
        self.projection, self.position, self.reached = projection, position, reached


class MigrationError(AdapterError):
    """The shape of the store and the migrations of this program do not fit together."""

    code = "migration_refused"


class MigrationEditedError(MigrationError):
    """A migration that was applied has been edited since."""

    code = "migration_edited"

    def __init__(self, *, file: str, applied: str, found: str) -> None:
        super().__init__(
            f"{file} was edited after it was applied: {found[:12]}, not {applied[:12]}"
        )
        self.file, self.applied, self.found = file, applied, found


class StoreTooNewError(MigrationError):
    """The store was migrated by a newer program than this one."""

    code = "store_too_new"

    def __init__(self, *, store: int, program: int) -> None:
        super().__init__(f"the store is at migration {store}; this program knows up to {program}")
        self.store, self.program = store, program


class StoreNotMigratedError(MigrationError):
    """The configured store lacks migrations that this program needs."""

    code = "store_not_migrated"

    def __init__(self, *, pending: list[str]) -> None:
        super().__init__(f"the store lacks {', '.join(pending)}; `jinhua migrate` applies them")
        self.pending = pending


class PositionUnknownError(AdapterError):
    """A moment was asked for that the history has not come to."""

    code = "position_unknown"

    def __init__(self, *, position: int, last: int) -> None:
        super().__init__(f"no position {position}: the history runs from 0 to {last}")
        self.position, self.last = position, last


class EvidenceError(AdapterError):
    """What should prove the history does not."""


class HistoryBrokenError(EvidenceError):
    """A position is missing: an event was taken away."""

    code = "history_broken"

    def __init__(self, *, position: int) -> None:
        super().__init__(f"there is no event at position {position}, though there are later ones")
        self.position = position


class CardKeyMissingError(AdapterError):
    """Cards are sealed under a key that this process was not given: no damage, and no evidence."""

    code = "card_key_missing"

    def __init__(self, key_id: str) -> None:
        super().__init__(
            f"cards are sealed under key {key_id}, which JINHUA_CARD_KEY does not hold"
        )
        self.key_id = key_id


class UnreadableEventError(AdapterError):
    """A stored event is of an unknown topic, or its body is not that topic's."""

    code = "unreadable_event"

    def __init__(self, *, position: int, topic: str, reason: str) -> None:
        super().__init__(f"the event at position {position} ({topic}) is unreadable: {reason}")
        self.position, self.topic, self.reason = position, topic, reason
