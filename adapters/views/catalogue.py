"""The read models by name. A new one is one more entry in each of these."""

from collections.abc import Callable, Mapping
from typing import Final

from adapters.store.postgres import Conn
from adapters.views.audit_trail import PostgresAuditTrail
from adapters.views.balances import PostgresBalances
from adapters.views.bonuses import PostgresBonuses
from adapters.views.disputes import PostgresDisputes
from adapters.views.generation import Generation
from adapters.views.hands import PostgresHands
from adapters.views.house import PostgresHouse
from projections.audit_trail.trail import AuditTrail
from projections.balances import Balances
from projections.bonuses import Bonuses
from projections.disputes import Disputes
from projections.hands.hands import Hands
from projections.house import House

READ_MODELS: Final[Mapping[str, Callable[[Conn, int], Generation]]] = {
    Balances.name: PostgresBalances,
    Bonuses.name: PostgresBonuses,
    House.name: PostgresHouse,
    Hands.name: PostgresHands,
    Disputes.name: PostgresDisputes,
    AuditTrail.name: PostgresAuditTrail,
}

FED_BY: Final[Mapping[str, frozenset[str]]] = {
    projection.name: projection.topics
    for projection in (Balances, Bonuses, House, Hands, Disputes, AuditTrail)
}
"""The topics of the events that feed each."""
