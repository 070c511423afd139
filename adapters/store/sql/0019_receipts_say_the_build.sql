-- Which build of the program carried a command out, as the program itself says it: its connections
-- set `jinhua.build`. NULL is not recorded: receipts from before this file, and writers that set
-- nothing. The writer has no grant on the column, so it is filled in by the default alone.
--
-- In two steps: a default that comes with the column would be given to the receipts there are.
ALTER TABLE receipts ADD COLUMN build text COLLATE "C";
ALTER TABLE receipts ALTER COLUMN build
    SET DEFAULT nullif(current_setting('jinhua.build', true), '');
