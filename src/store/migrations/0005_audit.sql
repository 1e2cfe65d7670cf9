CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at_ms` integer NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`user_agent` text,
	`act` text NOT NULL,
	`user_id` text,
	`subject` text,
	`before` text,
	`after` text,
	`form` text
);
--> statement-breakpoint
CREATE INDEX `audit_time` ON `audit` (`at_ms`);--> statement-breakpoint
CREATE INDEX `audit_act` ON `audit` (`act`,`at_ms`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor`,`at_ms`);--> statement-breakpoint
CREATE INDEX `audit_user` ON `audit` (`user_id`,`at_ms`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_form` ON `audit` (`form`) WHERE form IS NOT NULL;--> statement-breakpoint
CREATE INDEX `keys_created` ON `keys` (`created_at_ms`);--> statement-breakpoint
CREATE INDEX `oauth_grants_created` ON `oauth_grants` (`created_at_ms`);--> statement-breakpoint
CREATE TRIGGER `audit_is_never_changed` BEFORE UPDATE ON `audit` BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without asking the trigger below.
CREATE TRIGGER `audit_is_never_replaced` BEFORE INSERT ON `audit`
WHEN EXISTS (SELECT 1 FROM `audit` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `audit` WHERE `form` = NEW.`form`)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
--> statement-breakpoint
-- Only what an entry of the log itself says is over goes.
CREATE TRIGGER `audit_is_deleted_by_retention_only` BEFORE DELETE ON `audit`
WHEN NOT EXISTS (
  SELECT 1 FROM `audit` AS `told`
  WHERE `told`.`act` = 'audit_expired' AND json_extract(`told`.`after`, '$.until_ms') > OLD.`at_ms`
)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
