"""Events of fields that the rules came to, made without being validated.

Validating them again would only take time: most of the time of a decision.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar

from pydantic import BaseModel

P = ParamSpec("P")
E = TypeVar("E", bound=BaseModel)


def decided(kind: Callable[P, E]) -> Callable[P, E]:
    """Return what makes events of a kind, or parts of one, of fields that are known to be right.

    The rules themselves came to them. An event that holds what a command gave, such as the stake of
    a raise, is made by the kind itself. That all fields are given, and no others, is asserted.
    """
    assert isinstance(kind, type), kind
    assert issubclass(kind, BaseModel), kind
    fields = kind.model_fields
    made = [name for name, field in fields.items() if field.default_factory is not None]
    assert not made, (kind, made)  # their defaults would be shared
    required = {name for name, field in fields.items() if field.is_required()}
    blank = {name: None if field.is_required() else field.default for name, field in fields.items()}
    names = set(fields)

    def make(*_: P.args, **given: P.kwargs) -> E:
        values = {**blank, **given}  # in the order in which they are stored
        assert required <= given.keys(), (kind, sorted(given))
        assert len(values) == len(blank), (kind, sorted(given))
        event = _new(kind)
        _set_fields(event, values)
        _set_names(event, names)
        _set_extra(event, None)
        _set_private(event, None)
        return event  # type: ignore[return-value] # mypy knows no class behind E

    return make


def recurring(kind: Callable[P, E]) -> Callable[P, E]:
    """Return :func:`decided` for a kind of which the same events come thousands of times.

    Events are frozen, so one stands for all that say the same.
    """
    return lru_cache(maxsize=4096)(decided(kind))  # type: ignore[return-value] # takes the same


_new: Final = object.__new__

_set_fields, _set_names, _set_extra, _set_private = (
    vars(BaseModel)[slot].__set__
    for slot in (
        "__dict__",
        "__pydantic_fields_set__",
        "__pydantic_extra__",
        "__pydantic_private__",
    )
)
"""The four places in which pydantic keeps a model."""
