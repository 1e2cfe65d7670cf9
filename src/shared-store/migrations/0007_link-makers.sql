ALTER TABLE links ADD COLUMN made_by text COLLATE "C";
UPDATE links SET made_by = (SELECT actor FROM audit WHERE act = 'user_invited' AND subject = links.email ORDER BY id DESC LIMIT 1) WHERE kind = 'invite';
UPDATE links SET made_by = (SELECT actor FROM audit WHERE act = 'reset_link_created' AND user_id = (SELECT id FROM users WHERE users.email = links.email) ORDER BY id DESC LIMIT 1) WHERE kind = 'reset';
