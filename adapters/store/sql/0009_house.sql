-- What the house took and gave, by day and kind of table, minor units. Rows: projections/house.py
CREATE TABLE projected_house (
    generation integer              NOT NULL,
    day        date                 NOT NULL, -- UTC
    rulebook   text    COLLATE "C"  NOT NULL,
    version    integer              NOT NULL, -- of the rulebook
    ante       bigint,
    max_stake  bigint,
    rake       numeric              NOT NULL,
    bank       numeric              NOT NULL,
    bonus      numeric              NOT NULL,
    rounding   numeric              NOT NULL,
    UNIQUE NULLS NOT DISTINCT (day, rulebook, version, ante, max_stake, generation)
);

CREATE VIEW house AS
SELECT day, rulebook, version, ante, max_stake, rake, bank, bonus, rounding FROM projected_house
WHERE generation = (SELECT generation FROM projections WHERE name = 'house');

INSERT INTO projections (name) VALUES ('house');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_house TO jinhua_projector;
GRANT SELECT ON house TO jinhua_reader, jinhua_writer, jinhua_projector;
