-- Chips of every account, minor units. Rows: projections/balances.py
CREATE TABLE projected_balances (
    generation integer              NOT NULL,
    account    text    COLLATE "C"  NOT NULL,
    balance    numeric              NOT NULL,
    PRIMARY KEY (account, generation)
);

CREATE VIEW balances AS
SELECT account, balance FROM projected_balances
WHERE generation = (SELECT generation FROM projections WHERE name = 'balances');

INSERT INTO projections (name) VALUES ('balances');

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_balances TO jinhua_projector;
GRANT SELECT ON balances TO jinhua_reader, jinhua_writer, jinhua_projector;
