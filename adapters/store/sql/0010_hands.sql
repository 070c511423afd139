-- Every hand, one row each. The columns are the fields of projections/hands/row.py, in their order.
CREATE TABLE projected_hands (
    hand            text        COLLATE "C"    NOT NULL,
    game            text        COLLATE "C"    NOT NULL,
    rulebook        text        COLLATE "C"    NOT NULL,
    version         integer                    NOT NULL, -- of the rulebook
    ante            bigint,
    max_stake       bigint,
    seats           bigint[]                   NOT NULL,
    players         text[]      COLLATE "C"    NOT NULL,
    opened_at       timestamptz                NOT NULL,
    opened_position bigint                     NOT NULL,
    state           text        COLLATE "C"    NOT NULL,
    ended_at        timestamptz,
    ended_position  bigint,
    winners         text[]      COLLATE "C",
    pot             numeric,
    rounds          bigint,
    rake            numeric,
    house_bonus     numeric,
    flags           text[]      COLLATE "C"    NOT NULL,
    generation      integer                    NOT NULL,
    PRIMARY KEY (hand, generation)
);

-- Pages go by position: each index but those of arrays ends in it.
CREATE UNIQUE INDEX projected_hands_position ON projected_hands (generation, opened_position);
CREATE INDEX projected_hands_table
    ON projected_hands (generation, rulebook, version, ante, max_stake, opened_position);
CREATE INDEX projected_hands_state
    ON projected_hands (generation, state, opened_position) WHERE state <> 'settled';
CREATE INDEX projected_hands_opened_at ON projected_hands (opened_at, opened_position);
CREATE INDEX projected_hands_players ON projected_hands USING gin (players);
CREATE INDEX projected_hands_winners ON projected_hands USING gin (winners);
CREATE INDEX projected_hands_flags ON projected_hands USING gin (flags);

CREATE VIEW hands AS
SELECT hand, game, rulebook, version, ante, max_stake, seats, players, opened_at, opened_position,
       state, ended_at, ended_position, winners, pot, rounds, rake, house_bonus, flags
FROM projected_hands
WHERE generation = (SELECT generation FROM projections WHERE name = 'hands');

INSERT INTO projections (name) VALUES ('hands');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_hands TO jinhua_projector;
GRANT SELECT ON hands TO jinhua_reader, jinhua_writer, jinhua_projector;
