ALTER TABLE links ADD COLUMN role text, ADD COLUMN credits bigint;
