CREATE TABLE `balances` (
	`user_id` text PRIMARY KEY NOT NULL,
	`balance_credits` integer NOT NULL,
	`entries` integer NOT NULL,
	`unmetered` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "balance_never_below_zero" CHECK("balances"."balance_credits" >= 0)
);
--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`last_four` text NOT NULL,
	`scope` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer,
	`revoked_at_ms` integer,
	`replaced_by` text,
	`last_used_at_ms` integer,
	`last_used_address` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash_unique` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_user` ON `keys` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`user_id` text NOT NULL,
	`entry` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`amount_credits` integer NOT NULL,
	`balance_after_credits` integer NOT NULL,
	`operation` text,
	`ticker` text,
	`request_id` text,
	PRIMARY KEY(`user_id`, `entry`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_given_once` ON `ledger` (`user_id`) WHERE kind = 'given';--> statement-breakpoint
CREATE TABLE `links` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`email` text,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`last_seen_at_ms` integer NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `sign_in_failures` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`address` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_failures_account` ON `sign_in_failures` (`account`,`at_ms`);--> statement-breakpoint
CREATE INDEX `sign_in_failures_address` ON `sign_in_failures` (`address`,`at_ms`);--> statement-breakpoint
CREATE INDEX `sign_in_failures_time` ON `sign_in_failures` (`at_ms`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`role` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`disabled_at_ms` integer,
	`deleted_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `window_hits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`writer` text NOT NULL,
	`at_ms` integer NOT NULL,
	`hits` text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `ledger_is_never_changed` BEFORE UPDATE ON `ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_is_never_deleted` BEFORE DELETE ON `ledger` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
