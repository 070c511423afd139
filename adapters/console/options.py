"""What commands on a store share: where it is, and how to come to it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators
from psutil import cpu_count
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError

from adapters.bootstrap import prepare_store
from adapters.build import Build, build_of
from adapters.console.failures import BadInputError
from adapters.ledger import Ledger
from adapters.logs import configure
from adapters.registers.names import Names
from adapters.settings import Settings
from adapters.store.postgres import Store
from adapters.store.sealing import CardKeys
from adapters.views.projector import ROLE, Projector
from adapters.views.side_by_side import Projectors
from adapters.views.views import Views

Jobs = Annotated[
    int | None,
    Parameter(
        validator=validators.Number(gte=1),
        help="Processes that share it; as many as there are processors, unless it is said.",
    ),
]
"""The option of what processes can share."""


def processes(jobs: int | None) -> int:
    """Return how many processes there may be."""
    return jobs or cpu_count() or 1


@Parameter(name="*", group="Store")
@dataclass(frozen=True, kw_only=True)
class Where:
    """Which store. Without any of these: JINHUA_DSN, else the embedded server."""

    dsn: Annotated[str | None, Parameter(help="A PostgreSQL server; overrides JINHUA_DSN.")] = None
    data_dir: Annotated[
        Path | None,
        Parameter(help="Where the embedded server keeps its files; overrides JINHUA_DATA_DIR."),
    ] = None

    @property
    def settings(self) -> Settings:
        """Return the configuration, these options before the environment.

        Raises:
            BadInputError: Both were given, or the environment holds what cannot be used.
        """
        if self.dsn is not None and self.data_dir is not None:
            raise BadInputError("--dsn and --data-dir name two stores; give one of them")
        settings = self._chosen()
        try:
            conninfo_to_dict(settings.dsn or "")
        except ProgrammingError:
            # Not repeated: it may hold a password.
            raise BadInputError("--dsn or JINHUA_DSN is no DSN of a PostgreSQL server") from None
        return settings

    def _chosen(self) -> Settings:
        try:
            if self.dsn is not None:
                return Settings(dsn=self.dsn)
            if self.data_dir is not None:
                return Settings(dsn=None, data_dir=self.data_dir)
            return Settings()
        except ValidationError as error:
            raise BadInputError(f"the environment: {error}") from None


HERE = Where()
"""Wherever the environment says."""


class Opened:
    """A store that is ready, and what works on it; each is connected when first used."""

    def __init__(self, dsn: str, closing: ExitStack, cards: CardKeys, build: Build) -> None:
        self.dsn = dsn
        self.cards = cards
        self.build = build
        self._closing = closing

    @cached_property
    def ledger(self) -> Ledger:
        """The commands."""
        return Ledger(self._store("jinhua_writer"))

    @cached_property
    def projector(self) -> Projector:
        """What keeps the read models."""
        return Projector(self._history)

    def projectors(self, jobs: int) -> Projectors:
        """Return what rebuilds and checks the read models, in at most so many processes."""
        return Projectors(self._history, jobs=jobs)

    @cached_property
    def views(self) -> Views:
        """The read models."""
        return Views(self._store("jinhua_reader"), self._history)

    @cached_property
    def names(self) -> Names:
        """What players are called."""
        return Names(self.ledger.store)

    @cached_property
    def _history(self) -> Store:
        """The events, for whoever folds them and adds none."""
        return self._store(ROLE)

    def _store(self, role: str) -> Store:
        store = Store(self.dsn, role=role, cards=self.cards, build=self.build)
        return self._closing.enter_context(store)


@contextmanager
def opened(where: Where) -> Iterator[Opened]:
    """Lend a store, migrated where that is ours to do."""
    configure()
    settings = where.settings
    with ExitStack() as closing:
        cards, build = CardKeys(settings.card_keys), build_of(settings.build)
        yield Opened(prepare_store(settings), closing, cards, build)
