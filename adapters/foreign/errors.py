"""What keeps foreign rows out: one class a reason, each with a stable code, named by its line."""

from typing import ClassVar

from adapters.errors import AdapterError
from domain.errors import RefusalError


class BadMappingError(AdapterError):
    """The mapping is none, or it does not fit the table: no row of it can be read."""

    code: ClassVar[str] = "bad_mapping"


class BadRowError(RefusalError):
    """A cell is not what the mapping says that its column holds."""

    code = "bad_row"
    rule = "mapping"


class BadTableError(RefusalError):
    """A table cannot be read on; nothing behind that place is known."""

    code = "bad_table"
    rule = "csv"


class RowsApartError(RefusalError):
    """The rows of one hand say two things of it, or there are too many of them."""

    code = "rows_apart"
    rule = "mapping"


class NotTomlError(RefusalError):
    """A hand history is not TOML."""

    code = "bad_phh"
    rule = "phh"


class NotOursError(RefusalError):
    """A hand history without our fields: of another game, or written by another program."""

    code = "not_ours"
    rule = "phh"


class FieldsApartError(RefusalError):
    """The format's own fields and ours say two things of one hand."""

    code = "fields_apart"
    rule = "phh"
