-- Every dispute, one row each. The columns are the fields of projections/disputes.py, in their order.
CREATE TABLE projected_disputes (
    dispute         text        COLLATE "C"    NOT NULL,
    hand            text        COLLATE "C"    NOT NULL,
    "by"            text        COLLATE "C"    NOT NULL,
    claims          text                       NOT NULL,
    due             timestamptz                NOT NULL,
    opened_at       timestamptz                NOT NULL,
    opened_position bigint                     NOT NULL,
    notes           integer                    NOT NULL,
    state           text        COLLATE "C"    NOT NULL,
    verdict         text        COLLATE "C",
    ruled_at        timestamptz,
    ruled_position  bigint,
    generation      integer                    NOT NULL,
    PRIMARY KEY (dispute, generation)
);

-- Pages go by position: each index ends in it.
CREATE UNIQUE INDEX projected_disputes_position ON projected_disputes (generation, opened_position);
CREATE INDEX projected_disputes_hand ON projected_disputes (hand, opened_position);
CREATE INDEX projected_disputes_open
    ON projected_disputes (generation, opened_position) WHERE state = 'open';

CREATE VIEW disputes AS
SELECT dispute, hand, "by", claims, due, opened_at, opened_position, notes, state, verdict,
       ruled_at, ruled_position
FROM projected_disputes
WHERE generation = (SELECT generation FROM projections WHERE name = 'disputes');

INSERT INTO projections (name) VALUES ('disputes');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_disputes TO jinhua_projector;
GRANT SELECT ON disputes TO jinhua_reader, jinhua_writer, jinhua_projector;
