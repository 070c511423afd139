-- The root of each full stretch of 4,096 positions, which a checkpoint leaves behind so that a proof
-- need not hash the whole log: adapters/evidence/subtrees.py. Derived: nothing is lost with it.
CREATE TABLE log_subtrees (
    number bigint PRIMARY KEY CHECK (number >= 0), -- of the stretch, from 0
    root   bytea  NOT NULL CHECK (length(root) = 32)
);

GRANT SELECT ON log_subtrees TO jinhua_writer, jinhua_reader;
GRANT INSERT ON log_subtrees TO jinhua_writer;
