"""What can be configured, and the one place where the environment is read."""

from pathlib import Path
from typing import Annotated

from platformdirs import user_data_path
from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


class Settings(BaseSettings):
    """The configuration of one process. An empty variable counts as absent."""

    model_config = SettingsConfigDict(
        env_prefix="JINHUA_", env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    dsn: str | None = Field(default=None, repr=False)  # may hold a password: never printed
    """JINHUA_DSN. A PostgreSQL server of one's own; absent, an embedded one is run."""

    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(
        default_factory=lambda: user_data_path("jinhua", appauthor=False), validate_default=True
    )
    """JINHUA_DATA_DIR. Where the embedded server keeps its files; made when first needed."""

    signing_key: SecretStr | None = None
    """JINHUA_SIGNING_KEY. What signs checkpoints, as `jinhua keygen` writes it."""
