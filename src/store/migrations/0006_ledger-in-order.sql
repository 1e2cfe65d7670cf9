CREATE TABLE `charged_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`credits` integer NOT NULL,
	`charges` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `charged_days` SELECT `user_id`, `at_ms` / 86400000, -sum(`amount_credits`), sum(CASE WHEN `amount_credits` < 0 THEN 1 ELSE -1 END)
	FROM `ledger` WHERE `kind` = 'charged' GROUP BY 1, 2;
--> statement-breakpoint
CREATE TABLE `__new_ledger` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`entry` integer NOT NULL,
	`previous` integer,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`amount_credits` integer NOT NULL,
	`balance_after_credits` integer NOT NULL,
	`operation` text,
	`ticker` text,
	`request_id` text,
	CONSTRAINT "entry_follows_one" CHECK(("__new_ledger"."entry" = 1) = ("__new_ledger"."previous" IS NULL))
);
--> statement-breakpoint
INSERT INTO `__new_ledger` SELECT `id`, `user_id`, `entry`, CASE WHEN `user_before` = `user_id` THEN `id` - 1 END, `at_ms`, `kind`,
	`amount_credits`, `balance_after_credits`, `operation`, `ticker`, `request_id`
	FROM (SELECT *, row_number() OVER by_user AS `id`, lag(`user_id`) OVER by_user AS `user_before`
		FROM `ledger` WINDOW by_user AS (ORDER BY `user_id`, `entry`));
--> statement-breakpoint
DROP TABLE `ledger`;
--> statement-breakpoint
ALTER TABLE `__new_ledger` RENAME TO `ledger`;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_given_once` ON `ledger` (`user_id`) WHERE kind = 'given';
--> statement-breakpoint
CREATE TRIGGER `ledger_is_never_changed` BEFORE UPDATE ON `ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
ALTER TABLE `balances` ADD `newest_entry` integer;
--> statement-breakpoint
ALTER TABLE `balances` ADD `granted_credits` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `balances` ADD `day` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `balances` ADD `day_credits` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `balances` ADD `day_charges` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `balances` SET `newest_entry` = `sums`.`newest`, `granted_credits` = `sums`.`granted`
	FROM (SELECT `user_id`, max(`id`) AS `newest`, coalesce(sum(`amount_credits`) FILTER (WHERE `kind` = 'granted'), 0) AS `granted`
		FROM `ledger` GROUP BY `user_id`) AS `sums` WHERE `sums`.`user_id` = `balances`.`user_id`;
--> statement-breakpoint
CREATE TRIGGER `ledger_is_never_deleted` BEFORE DELETE ON `ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
