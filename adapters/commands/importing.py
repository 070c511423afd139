"""Finished hands from records into the store: many a transaction, each whole or not at all.

A hand is the command ``import:<hand>``. So a file that is imported again, wholly or from where a
killed run left it, finds its hands stored and changes nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ClassVar, Final, NamedTuple, Protocol

import structlog

from adapters.appending.batches import Append, Outcome, Prepared, Stored, prepare
from adapters.appending.fingerprints import Keyed, fingerprint
from adapters.appending.recorder import append_prepared
from adapters.clock import Clock
from adapters.commands.deciding_imports import DecidingImports
from adapters.commands.execution import ATTEMPTS_BESIDE_OTHERS
from adapters.commands.foreseen import Assumed, Foreseen
from adapters.commands.history import History
from adapters.commands.imported import Batch, ImportReport, Incoming, Line, command_id_of
from adapters.garbage import few_collections
from adapters.store.postgres import Runner, Store
from domain.errors import BadRecordError
from domain.playing import Reject
from domain.record import read

log = structlog.get_logger()

BATCH_HANDS: Final = 50
"""Hands a transaction: enough to forget the cost of a commit, few enough to lose little time."""

_NOT_ADMITTED: Final = ("not_allowed", "the hand is of a table that is not the importer's", "keys")

Progress = Callable[[int], None]


class Keeper(Protocol):
    """Keeps what is decided, so that what comes after it finds it."""

    logged_as: ClassVar[str]
    takes_time: ClassVar[bool]  # in which the next batch may be decided

    def history(self, runner: Runner) -> History:
        """Return what is found before anything is decided."""

    def append(self, runner: Runner, batch: Sequence[Prepared]) -> list[Outcome]:
        """Keep what was decided, and return what became of it."""


class Storing:
    """Keeps it in the store."""

    logged_as: ClassVar[str] = "hands_imported"
    takes_time: ClassVar[bool] = True

    def history(self, runner: Runner) -> History:
        """Return what is stored."""
        return History(runner)

    def append(self, runner: Runner, batch: Sequence[Prepared]) -> list[Outcome]:
        """Store it."""
        return append_prepared(runner, batch)


STORING: Final = Storing()


class _Ahead(NamedTuple):
    """A batch that is decided, and on its way into the store."""

    batch: Batch
    appends: Mapping[int, Append]  # by place
    outcomes: Future[list[Outcome]]

    def arrive(self) -> bool:
        """Wait for what becomes of it, and tell whether all of it is stored."""
        outcomes = self.outcomes.result()
        self.batch.take(self.appends, outcomes)
        return all(isinstance(outcome, Stored) for outcome in outcomes)


class Import:
    """One run over one file."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        deposit_missing: bool,
        claimant: str,
        admits: Callable[[str], bool] = lambda _hand: True,
        keeper: Keeper = STORING,
    ) -> None:
        """Make ready for a run.

        Args:
            store: Where to.
            clock: Says when.
            deposit_missing: Bring in from the cashier what a player lacks.
            claimant: Whose figures a record's own settlement is.
            admits: Whether whoever imports may write a hand of that id.
            keeper: Keeps what is decided.
        """
        self._store = store
        self._admits = admits
        self._keeper = keeper
        self._deciding = DecidingImports(clock, claimant, deposit_missing)

    def run(self, lines: Iterable[bytes | str], progress: Progress | None) -> ImportReport:
        """Store every line that holds a hand to be stored; report on all of them."""
        report, done = ImportReport(), 0
        with few_collections():
            for portion in self.overlapped(lines):
                for line in portion:
                    report.take(line)
                done += len(portion)
                if progress is not None:
                    progress(done)
        return report

    def log(self, report: ImportReport, *, unread: int = 0) -> None:
        """Log what became of it; ``unread`` is how much was refused before it was a line."""
        log.info(
            self._keeper.logged_as,
            hands=report.hands,
            events=report.events,
            already=report.already,
            refused=len(report.refused) + unread,
            mismatched=len(report.mismatched),
        )

    def portions(self, lines: Iterable[bytes | str]) -> Iterator[list[Line]]:
        """Store every line that holds a hand to be stored; yield what became of each, in order.

        Yields:
            Those of one transaction, once it is committed.
        """
        for batch in self._batches(lines):
            yield self._keep(batch)

    def overlapped(self, lines: Iterable[bytes | str]) -> Iterator[list[Line]]:
        """Do as :meth:`portions` does, but decide on lines while those before them are stored.

        It is done sooner, and what was stored is told later: once the next batch was decided.
        """
        if not self._keeper.takes_time:  # there is nothing to wait for
            yield from self.portions(lines)
            return
        with ThreadPoolExecutor(1, thread_name_prefix="jinhua-import") as storing:
            # At a yield nothing is ahead: whoever stops there was told of all that is stored.
            ahead: _Ahead | None = None
            try:
                for batch in self._batches(lines):
                    appends = self._deciding.decide(self._foreseen(ahead), batch)
                    if ahead is not None:
                        before, ahead = ahead, None
                        is_as_foreseen = before.arrive()
                        yield self._keep(before.batch)
                        if not is_as_foreseen:
                            batch.start_over()
                            appends = self._deciding.decide(
                                self._keeper.history(self._store), batch
                            )
                    # Prepared here: in the thread it would keep the store waiting.
                    prepared = self._prepared(appends)
                    outcomes = storing.submit(self._keeper.append, self._store, prepared)
                    ahead = _Ahead(batch, appends, outcomes)
            finally:  # where the lines break off, what was stored before is told all the same
                if ahead is not None:
                    ahead.arrive()
                    yield self._keep(ahead.batch)

    def _batches(self, lines: Iterable[bytes | str]) -> Iterator[Batch]:
        """Yield lines as read, in batches without a hand twice: the second must find the first."""
        batch: list[Incoming | Reject] = []
        inside: set[str] = set()
        for line in lines:
            if not line.strip():
                continue
            incoming = self._read(line)
            if incoming.hand in inside or len(batch) == BATCH_HANDS:
                yield Batch(batch)
                batch, inside = [], set()
            batch.append(incoming)
            if isinstance(incoming, Incoming):
                inside.add(incoming.hand)
        if batch:
            yield Batch(batch)

    def _read(self, line: bytes | str) -> Incoming | Reject:
        try:
            record = read(line)
        except BadRecordError as refusal:
            return Reject.of(refusal, hand=refusal.hand, at=-1)
        if not self._admits(record.hand):
            return Reject(record.hand, -1, *_NOT_ADMITTED)
        body = record.model_dump(exclude_unset=True, by_alias=True)
        if record.settlement is not None:
            body["claimant"] = self._deciding.claimant
        keyed = Keyed(self._store.cards, command_id_of(record.hand))
        return Incoming(record.hand, record, fingerprint("import", body, keyed))

    def _keep(self, batch: Batch) -> list[Line]:
        """Store what waits of a batch; return what became of each line.

        What conflicts with others' commands is decided again on what they left.
        """
        for _ in range(ATTEMPTS_BESIDE_OTHERS):
            if not batch.waiting:
                return batch.told()
            self._attempt(self._store, batch)
        if batch.waiting:
            with self._store.alone() as runner:
                self._attempt(runner, batch)
        return batch.told()  # nobody else could append

    def _attempt(self, runner: Runner, batch: Batch) -> None:
        """Decide and store once."""
        appends = self._deciding.decide(self._keeper.history(runner), batch)
        batch.take(appends, self._keeper.append(runner, self._prepared(appends)))

    def _foreseen(self, ahead: _Ahead | None) -> History:
        """Return what will be found once a batch that is on its way is stored."""
        if ahead is None:
            return self._keeper.history(self._store)
        return Foreseen(self._store, Assumed(ahead.appends.values()))

    def _prepared(self, appends: Mapping[int, Append]) -> list[Prepared]:
        """Encode and seal what was decided."""
        return [prepare(append, self._store.cards) for append in appends.values()]
