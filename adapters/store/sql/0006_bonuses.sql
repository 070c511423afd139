-- 喜钱 of every player, by category and rulebook, minor units. Rows: projections/bonuses.py
CREATE TABLE projected_bonuses (
    generation integer              NOT NULL,
    player     text    COLLATE "C"  NOT NULL,
    category   text    COLLATE "C"  NOT NULL,
    rulebook   text    COLLATE "C"  NOT NULL,
    version    integer              NOT NULL, -- of the rulebook
    times      bigint               NOT NULL,
    amount     numeric              NOT NULL,
    PRIMARY KEY (player, category, rulebook, version, generation)
);

CREATE VIEW bonuses AS
SELECT player, category, rulebook, version, times, amount FROM projected_bonuses
WHERE generation = (SELECT generation FROM projections WHERE name = 'bonuses');

INSERT INTO projections (name) VALUES ('bonuses');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_bonuses TO jinhua_projector;
GRANT SELECT ON bonuses TO jinhua_reader, jinhua_writer, jinhua_projector;
