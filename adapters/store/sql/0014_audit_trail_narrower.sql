-- The audit trail takes less room: columns of a fixed width first, so that none is padded; transfers
-- as JSON text, which the view gives out as jsonb; and indexes without what their queries can sort
-- for themselves (a hand has some dozens of lines) or never ask for (lines of no player).
-- Measured on 2,000 imported hands in domain/decisions/0022-what-an-event-takes.md.
DROP VIEW audit_trail;
ALTER TABLE projected_audit_trail RENAME TO audit_trail_until_0014;
ALTER TABLE audit_trail_until_0014
    RENAME CONSTRAINT projected_audit_trail_pkey TO audit_trail_until_0014_pkey;
ALTER INDEX projected_audit_trail_hand RENAME TO audit_trail_until_0014_hand;
ALTER INDEX projected_audit_trail_player RENAME TO audit_trail_until_0014_player;

CREATE TABLE projected_audit_trail (
    position          bigint                   NOT NULL,
    happened_at       timestamptz              NOT NULL,
    recorded_at       timestamptz              NOT NULL,
    generation        integer                  NOT NULL,
    version           integer                  NOT NULL,
    seat              bigint,
    compared_with     bigint,
    round             integer,
    seen              boolean,
    initiated         boolean,
    folded            boolean,
    stream            text        COLLATE "C"  NOT NULL,
    topic             text        COLLATE "C"  NOT NULL,
    actor             text                     NOT NULL,
    command_id        text                     NOT NULL,
    hand              text        COLLATE "C",
    player            text        COLLATE "C",
    "by"              text,
    transfers         text                     NOT NULL, -- [[source, target, amount, reason], …]
    amount            numeric                  NOT NULL,
    stack_before      numeric,
    stack_after       numeric,
    pot_before        numeric,
    pot_after         numeric,
    balance_before    numeric,
    balance_after     numeric,
    amount_this_round numeric,
    result            text
);

INSERT INTO projected_audit_trail
SELECT position, happened_at, recorded_at, generation, version, seat, compared_with, round, seen,
       initiated, folded, stream, topic, actor, command_id, hand, player, "by", transfers, amount,
       stack_before, stack_after, pot_before, pot_after, balance_before, balance_after,
       amount_this_round, result
FROM audit_trail_until_0014 ORDER BY position;

DROP TABLE audit_trail_until_0014;

ALTER TABLE projected_audit_trail ADD PRIMARY KEY (position, generation);
CREATE INDEX projected_audit_trail_hand ON projected_audit_trail (hand);
CREATE INDEX projected_audit_trail_player
    ON projected_audit_trail (player, position) WHERE player IS NOT NULL;

-- The columns are the fields of projections/audit_trail/row.py, in their order.
CREATE VIEW audit_trail AS
SELECT position, stream, version, topic, happened_at, recorded_at, actor, command_id,
       hand, seat, player, "by", transfers::jsonb AS transfers, amount, stack_before, stack_after,
       pot_before, pot_after, balance_before, balance_after, round, amount_this_round,
       seen, compared_with, result, initiated, folded
FROM projected_audit_trail
WHERE generation = (SELECT generation FROM projections WHERE name = 'audit_trail');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_audit_trail TO jinhua_projector;
GRANT SELECT ON audit_trail TO jinhua_reader, jinhua_writer, jinhua_projector;
