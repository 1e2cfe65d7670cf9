ALTER TABLE `links` ADD `role` text;--> statement-breakpoint
ALTER TABLE `links` ADD `credits` integer;