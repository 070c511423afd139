-- The roots of more subtrees than those of 4,096 positions, so that a proof reads few of them however
-- long the history is: those of 64 positions, of 256, of 1,024 and so on. What is here already is of
-- 4,096, and good; the next checkpoint adds the others: adapters/evidence/subtrees.py.
ALTER TABLE log_subtrees ADD COLUMN height smallint NOT NULL DEFAULT 12 CHECK (height >= 0);
ALTER TABLE log_subtrees
    ALTER COLUMN height DROP DEFAULT, -- a subtree has 2 to the power of its height positions
    DROP CONSTRAINT log_subtrees_pkey,
    ADD PRIMARY KEY (height, number);
