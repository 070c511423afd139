-- Every event as a line that an auditor can read. The columns are the fields of
-- projections/audit_trail/row.py, in their order.
CREATE TABLE projected_audit_trail (
    position          bigint                   NOT NULL,
    stream            text        COLLATE "C"  NOT NULL,
    version           integer                  NOT NULL,
    topic             text        COLLATE "C"  NOT NULL,
    happened_at       timestamptz              NOT NULL,
    recorded_at       timestamptz              NOT NULL,
    actor             text                     NOT NULL,
    command_id        text                     NOT NULL,
    hand              text        COLLATE "C",
    seat              bigint,
    player            text        COLLATE "C",
    "by"              text,
    transfers         jsonb                    NOT NULL, -- [[source, target, amount, reason], …]
    amount            numeric                  NOT NULL,
    stack_before      numeric,
    stack_after       numeric,
    pot_before        numeric,
    pot_after         numeric,
    balance_before    numeric,
    balance_after     numeric,
    round             integer,
    amount_this_round numeric,
    seen              boolean,
    compared_with     bigint,
    result            text,
    initiated         boolean,
    folded            boolean,
    generation        integer                  NOT NULL,
    PRIMARY KEY (position, generation)
);

CREATE INDEX projected_audit_trail_hand ON projected_audit_trail (hand, position);
CREATE INDEX projected_audit_trail_player ON projected_audit_trail (player, position);

CREATE VIEW audit_trail AS
SELECT position, stream, version, topic, happened_at, recorded_at, actor, command_id,
       hand, seat, player, "by", transfers, amount, stack_before, stack_after,
       pot_before, pot_after, balance_before, balance_after, round, amount_this_round,
       seen, compared_with, result, initiated, folded
FROM projected_audit_trail
WHERE generation = (SELECT generation FROM projections WHERE name = 'audit_trail');

INSERT INTO projections (name) VALUES ('audit_trail');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_audit_trail TO jinhua_projector;
GRANT SELECT ON audit_trail TO jinhua_reader, jinhua_writer, jinhua_projector;
