ALTER TABLE `users` ADD `proved_at_ms` integer;
--> statement-breakpoint
-- Owners, people without a password (made by the operator or by a provider) and those who used a link that was sent to
-- them. Everybody else may have come by open sign-up.
UPDATE `users` SET `proved_at_ms` = `created_at_ms` WHERE `role` = 'owner' OR `password_hash` IS NULL
  OR `email` IN (SELECT `email` FROM `links` WHERE `used_at_ms` IS NOT NULL AND `email` IS NOT NULL);
