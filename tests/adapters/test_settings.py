import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from adapters.settings import Settings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("JINHUA_")]:
        monkeypatch.delenv(name)


def test_without_configuration_the_store_is_embedded_in_the_users_data_directory(
    monkeypatch, tmp_path
):
    """Nothing has to be configured to begin."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    settings = Settings()

    assert settings.dsn is None
    assert settings.data_dir.name == "jinhua"
    assert settings.data_dir.is_relative_to(tmp_path)


def test_the_environment_names_the_server_and_the_directory(monkeypatch):
    """JINHUA_DSN and JINHUA_DATA_DIR are what an operator sets."""
    monkeypatch.setenv("JINHUA_DSN", "postgresql://ledger.example/jinhua")
    monkeypatch.setenv("JINHUA_DATA_DIR", "/srv/jinhua")

    settings = Settings()

    assert settings.dsn == "postgresql://ledger.example/jinhua"
    assert settings.data_dir == Path("/srv/jinhua")


def test_an_empty_variable_counts_as_absent(monkeypatch):
    """`JINHUA_DSN= jinhua …` means the embedded server, not a server without a name."""
    monkeypatch.setenv("JINHUA_DSN", "")

    assert Settings().dsn is None


@pytest.mark.parametrize(
    ("given", "meant"),
    [("~/ledger", Path.home() / "ledger"), ("ledger", Path.cwd() / "ledger")],
    ids=["home", "relative"],
)
def test_the_data_directory_does_not_depend_on_where_a_command_runs_later(
    monkeypatch, given, meant
):
    """A home sign and a relative path are resolved once, when the configuration is read."""
    monkeypatch.setenv("JINHUA_DATA_DIR", given)

    assert Settings().data_dir == meant


def test_a_password_in_the_dsn_is_never_printed(monkeypatch):
    """Settings may be logged."""
    monkeypatch.setenv("JINHUA_DSN", "postgresql://ledger:s3cret@ledger.example/jinhua")

    assert "s3cret" not in repr(Settings())


def test_the_signing_key_is_never_printed(monkeypatch):
    """Whoever has it can sign what he rewrote."""
    monkeypatch.setenv("JINHUA_SIGNING_KEY", "PRIVATE+KEY+s3cret")

    settings = Settings()

    assert "s3cret" not in f"{settings!r} {settings} {settings.signing_key}"
    assert settings.signing_key is not None
    assert settings.signing_key.get_secret_value() == "PRIVATE+KEY+s3cret"


def test_configuration_does_not_change_while_a_process_runs():
    """What was read at the start holds to the end."""
    settings = Settings()

    with pytest.raises(ValidationError, match="frozen"):
        settings.dsn = "postgresql://elsewhere/"  # type: ignore[misc]
