-- Without AUTOINCREMENT, whose counter was one page more of every commit: the newest line never goes, so no number comes twice.
CREATE TABLE `__new_window_hits` (
	`id` integer PRIMARY KEY NOT NULL,
	`writer` text NOT NULL,
	`at_ms` integer NOT NULL,
	`hits` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_window_hits`("id", "writer", "at_ms", "hits") SELECT "id", "writer", "at_ms", "hits" FROM `window_hits`;--> statement-breakpoint
DROP TABLE `window_hits`;--> statement-breakpoint
ALTER TABLE `__new_window_hits` RENAME TO `window_hits`;
