"""What can be configured, and the one place where the environment is read."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

from platformdirs import user_data_path
from pydantic import AfterValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.build import ADDED


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


_CARD_KEYS: Final = re.compile(r"[0-9a-fA-F]{64}(?:\s*,\s*[0-9a-fA-F]{64})*")


def _card_keys(text: SecretStr) -> SecretStr:
    if not _CARD_KEYS.fullmatch(text.get_secret_value().strip()):
        raise ValueError("each key is 64 hexadecimal digits; several are separated by commas")
    return text


def _build(text: str) -> str:
    if not ADDED.fullmatch(text):
        raise ValueError("it is 1 to 100 printable ASCII characters without a space")
    return text


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

    card_key: Annotated[SecretStr, AfterValidator(_card_keys)] | None = None
    """JINHUA_CARD_KEY. What seals the cards; absent, they are stored in the clear."""

    build: Annotated[str, AfterValidator(_build)] | None = None
    """JINHUA_BUILD. What receipts keep behind the program's version: a commit, say."""

    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """JINHUA_LOG_LEVEL. From which level on the service logs; each request is one of `info`."""

    otlp_endpoint: str | None = Field(default=None, validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """OTEL_EXPORTER_OTLP_ENDPOINT. Where the service sends traces, if the extra `otel` is there."""

    @property
    def card_keys(self) -> tuple[bytes, ...]:
        """The keys of 32 bytes: the first seals, every one opens."""
        text = self.card_key.get_secret_value() if self.card_key else ""
        return tuple(bytes.fromhex(key.strip()) for key in text.split(",") if key.strip())


_METRICS_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus-client as it is imported


@contextmanager
def sharing_metrics(directory: Path | str) -> Iterator[None]:
    """Let the processes that are started meanwhile add their metrics up in a directory."""
    os.environ[_METRICS_DIR] = str(directory)  # noqa: TID251 - it knows no other way
    try:
        yield
    finally:
        del os.environ[_METRICS_DIR]  # noqa: TID251 - as above


def shared_metrics() -> Path | None:
    """Return where the processes of this service add their metrics up, if there are several."""
    found = os.environ.get(_METRICS_DIR)  # noqa: TID251 - as above
    return None if not found else Path(found)
