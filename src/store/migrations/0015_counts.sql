CREATE TABLE `row_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `row_counts` SELECT 'users', count(*) FROM `users` WHERE `deleted_at_ms` IS NULL UNION ALL SELECT 'keys', count(*) FROM `keys`;
--> statement-breakpoint
CREATE TRIGGER `users_counted_in` AFTER INSERT ON `users` WHEN NEW.`deleted_at_ms` IS NULL
BEGIN UPDATE `row_counts` SET `n` = `n` + 1 WHERE `name` = 'users'; END;
--> statement-breakpoint
CREATE TRIGGER `users_counted_out` AFTER UPDATE OF `deleted_at_ms` ON `users` WHEN OLD.`deleted_at_ms` IS NULL AND NEW.`deleted_at_ms` IS NOT NULL
BEGIN UPDATE `row_counts` SET `n` = `n` - 1 WHERE `name` = 'users'; END;
--> statement-breakpoint
CREATE TRIGGER `keys_counted_in` AFTER INSERT ON `keys` BEGIN UPDATE `row_counts` SET `n` = `n` + 1 WHERE `name` = 'keys'; END;
