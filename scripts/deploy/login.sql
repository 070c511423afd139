-- The login of the service, made or given its password by the owner after `jinhua migrate`, in psql:
--
--   SERVICE_PASSWORD=... psql "$OWNER_DSN" -v ON_ERROR_STOP=1 -f scripts/deploy/login.sql
--
-- It may take the application's roles on, and owns nothing: it cannot change or delete an event.
\getenv password SERVICE_PASSWORD
SELECT 'CREATE ROLE jinhua_service LOGIN'
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'jinhua_service') \gexec
ALTER ROLE jinhua_service PASSWORD :'password';
GRANT jinhua_writer, jinhua_reader, jinhua_projector TO jinhua_service;
