"""A ledger on a database of the test's own, and hands to play on it."""

from collections.abc import Iterator

import pytest

from adapters.ledger import Ledger
from adapters.postgres import Store


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    """An empty ledger; whoever plays on it has to be given chips first."""
    with Ledger(Store(database)) as ledger:
        yield ledger
