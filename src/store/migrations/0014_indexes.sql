-- What the pages for owners count and search.
DROP INDEX `keys_created`;
--> statement-breakpoint
CREATE INDEX `keys_prefix` ON `keys` (`prefix`);
--> statement-breakpoint
CREATE INDEX `keys_name` ON `keys` (lower(name));
--> statement-breakpoint
CREATE INDEX `keys_created` ON `keys` (`created_at_ms`,`id`);
--> statement-breakpoint
CREATE INDEX `users_present` ON `users` (`role`) WHERE deleted_at_ms IS NULL;
