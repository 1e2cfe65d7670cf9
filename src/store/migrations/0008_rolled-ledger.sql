CREATE TABLE `rolled_ledger` (
	`user_id` text NOT NULL,
	`first_entry` integer NOT NULL,
	`last_entry` integer NOT NULL,
	`last_id` integer NOT NULL,
	`previous` integer,
	`day` integer NOT NULL,
	`granted_credits` integer NOT NULL,
	`charged_credits` integer NOT NULL,
	`balance_after_credits` integer NOT NULL,
	PRIMARY KEY(`user_id`, `first_entry`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `rolled_ledger_last` ON `rolled_ledger` (`last_id`);
--> statement-breakpoint
CREATE TRIGGER `rolled_ledger_is_never_changed` BEFORE UPDATE ON `rolled_ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `rolled_ledger_is_never_deleted` BEFORE DELETE ON `rolled_ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
-- A range is rolled up once, whatever the statement.
CREATE TRIGGER `rolled_ledger_never_overlaps` BEFORE INSERT ON `rolled_ledger`
WHEN NEW.`first_entry` > NEW.`last_entry` OR EXISTS (
  SELECT 1 FROM `rolled_ledger` WHERE `user_id` = NEW.`user_id` AND `first_entry` <= NEW.`last_entry` AND `last_entry` >= NEW.`first_entry`
)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
DROP TRIGGER `ledger_is_never_deleted`;
--> statement-breakpoint
-- Only what a line of the rolled ledger has in its range goes.
CREATE TRIGGER `ledger_is_deleted_by_retention_only` BEFORE DELETE ON `ledger`
WHEN coalesce((
  SELECT `last_entry` FROM `rolled_ledger` WHERE `user_id` = OLD.`user_id` AND `first_entry` <= OLD.`entry`
  ORDER BY `first_entry` DESC LIMIT 1
), 0) < OLD.`entry`
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
