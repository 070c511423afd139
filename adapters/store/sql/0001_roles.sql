-- The two roles of the application. Neither can log in: the owner takes one of them on with
-- SET ROLE, so that what a process may do is a grant and not a promise.
--
--   jinhua_writer   appends to the history, and reads it
--   jinhua_reader   reads the read models, and nothing that holds a card
--
-- Roles belong to the whole server, where another database may be migrated at the same moment, or
-- where an administrator has made them because the owner may not.
DO $$
DECLARE
    name      text;
    -- Before version 16 a member could always take on the role.
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000
                       THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    FOREACH name IN ARRAY ARRAY['jinhua_writer', 'jinhua_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- the other database was first
            END;
        END IF;
        IF NOT pg_has_role(current_user, name, privilege) THEN
            EXECUTE format('GRANT %I TO %I', name, current_user);
        END IF;
    END LOOP;
END
$$;
