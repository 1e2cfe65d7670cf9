-- The overlap of a rotated key is an expiry; a key with revoked_at_ms is revoked, whatever the clock says.
UPDATE keys SET expires_at_ms = least(coalesce(expires_at_ms, revoked_at_ms), revoked_at_ms), revoked_at_ms = NULL
WHERE replaced_by IS NOT NULL AND revoked_at_ms > extract(epoch FROM now()) * 1000;
