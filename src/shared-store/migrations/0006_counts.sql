-- Kept by triggers: users that are not deleted, and keys. Neither is ever deleted as a row.
CREATE TABLE row_counts (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  n bigint NOT NULL
);
INSERT INTO row_counts SELECT 'users', count(*) FROM users WHERE deleted_at_ms IS NULL UNION ALL SELECT 'keys', count(*) FROM keys;
CREATE FUNCTION execcomp_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE row_counts SET n = n + TG_ARGV[1]::int WHERE name = TG_ARGV[0];
  RETURN NULL;
END $$;
CREATE TRIGGER users_counted_in AFTER INSERT ON users
  FOR EACH ROW WHEN (NEW.deleted_at_ms IS NULL) EXECUTE FUNCTION execcomp_counted('users', '1');
CREATE TRIGGER users_counted_out AFTER UPDATE OF deleted_at_ms ON users
  FOR EACH ROW WHEN (OLD.deleted_at_ms IS NULL AND NEW.deleted_at_ms IS NOT NULL) EXECUTE FUNCTION execcomp_counted('users', '-1');
CREATE TRIGGER keys_counted_in AFTER INSERT ON keys
  FOR EACH ROW EXECUTE FUNCTION execcomp_counted('keys', '1');
