CREATE TABLE `page_openings` (
	`user_id` text NOT NULL,
	`dataset` text NOT NULL,
	`subject` text NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `dataset`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
