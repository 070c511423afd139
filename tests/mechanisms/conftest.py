"""Many hands are simulated once for all tests; what shows what is a table of the report."""

import pytest

from tests.mechanisms.coverage import table
from tests.mechanisms.examination import HANDS, Examined, examine_all

_EXAMINED = pytest.StashKey[dict[str, Examined]]()


@pytest.fixture(scope="session")
def examined(request: pytest.FixtureRequest) -> dict[str, Examined]:
    """What was found in simulated hands, by rulebook."""
    found = examine_all(HANDS)
    request.config.stash[_EXAMINED] = found
    return found


def pytest_terminal_summary(terminalreporter, config):
    """Print which mechanism and which refusal is shown by what, under which rulebook."""
    if _EXAMINED in config.stash:
        terminalreporter.section("mechanisms and refusals, by rulebook and by what shows them")
        for line in table(config.stash[_EXAMINED]):
            terminalreporter.write_line(line)
