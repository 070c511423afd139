"""Balances of another system: what is read, and what is refused instead of guessed."""

import pytest

from adapters.investigation.foreign import BadForeignError, read_balances

OTHER_COLUMNS = {"player": "id", "balance": "余额", "delimiter": ";"}


@pytest.fixture
def csv(tmp_path):
    """Write a file and read it, its columns ``player`` and ``balance`` unless it is said."""

    def read(text, unit="minor", **more):
        file = tmp_path / "balances.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_balances(file, **{"player": "player", "balance": "balance", **more}, unit=unit)

    return read


@pytest.mark.parametrize(
    ("text", "unit", "more", "found"),
    [
        ("player,balance\nann,250\nbo,-1\n", "minor", {}, {"ann": 250, "bo": -1}),
        ("player,balance\nann,2.5\nbo,10\n", "chips", {}, {"ann": 250, "bo": 1000}),
        ("player,balance\nann,-0.07\n", "chips", {}, {"ann": -7}),
        ("\ufeffplayer,balance\r\n张三,1\r\n\r\n", "minor", {}, {"张三": 1}),
        ("余额;x;id\n5;;ann\n", "minor", OTHER_COLUMNS, {"ann": 5}),
        ('player,balance\n"a,b",1\n', "minor", {}, {"a,b": 1}),
        ("player,balance\n", "minor", {}, {}),
    ],
)  # fmt: skip
def test_amounts_are_read_as_said(csv, text, unit, more, found):
    """In minor units or in chips; in whatever columns."""
    assert found == csv(text, unit, **more)


@pytest.mark.parametrize(
    ("text", "unit", "why"),
    [
        ("", "minor", "there is not one column 'player'"),
        ("player,balance,balance\n", "minor", "not one column 'balance'"),
        ("player,balance\nann,1\nann,1\n", "minor", "line 3: ann comes twice"),
        ("player,balance\n,1\n", "minor", "player is empty"),
        ("player,balance\nann\n", "minor", "1 columns in place of 2"),
        ("player,balance\nann,2.50\n", "minor", "'2.50' is not an integer"),
        ("player,balance\nann,2.505\n", "chips", "'2.505' is not chips"),
        ("player,balance\nann,1e3\n", "chips", "'1e3' is not chips"),
        ('player,balance\nann,"1,000.00"\n', "chips", "'1,000.00' is not chips"),
        ("player,balance\nann,NaN\n", "chips", "'NaN' is not chips"),
        ("player,balance\nann,\n", "minor", "'' is not an integer"),
        ("player,balance\nann,9223372036854775808\n", "minor", "beyond any amount"),
        (b"player,balance\n\xff,1\n", "minor", "cannot be read"),
    ],
)
def test_what_is_odd_is_refused(csv, text, unit, why):
    """With the line that it is in."""
    with pytest.raises(BadForeignError, match=why.replace(".", r"\.")):
        csv(text, unit)
