-- What the pages for owners count and search.
CREATE INDEX users_present ON users (role) WHERE deleted_at_ms IS NULL;
DROP INDEX keys_created;
CREATE INDEX keys_created ON keys (created_at_ms, id);
CREATE INDEX keys_prefix ON keys (prefix);
CREATE INDEX keys_name ON keys (lower(name) COLLATE "C");
