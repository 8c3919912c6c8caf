-- Compiling a plan takes longer than any statement here runs, and what a list is thought to cost depends on a sample of its table.
-- allowed: it sets what new sessions begin with, and touches no table. Only the database knows its name, and only its owner may set it:
-- elsewhere the service runs as well, some lists later.
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'only the owner of the database may set jit = off';
END $$;
