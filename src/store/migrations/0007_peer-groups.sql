CREATE TABLE `peer_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`name` text NOT NULL,
	`companies` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `peer_groups_user` ON `peer_groups` (`user_id`);