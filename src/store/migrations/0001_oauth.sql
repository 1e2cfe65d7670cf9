CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text,
	`redirect_uris` text NOT NULL,
	`auth_method` text NOT NULL,
	`secret_hash` text,
	`grant_types` text NOT NULL,
	`application_type` text,
	`fingerprint` text NOT NULL,
	`address` text NOT NULL,
	`registrations` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_grant_at_ms` integer
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_address` ON `oauth_clients` (`address`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `oauth_clients_fingerprint` ON `oauth_clients` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `oauth_clients_created` ON `oauth_clients` (`created_at_ms`);--> statement-breakpoint
CREATE TABLE `oauth_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text,
	`redirect_uri` text NOT NULL,
	`code_challenge` text NOT NULL,
	`resource` text NOT NULL,
	`scope` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`failures` integer NOT NULL,
	`used_at_ms` integer,
	`grant_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_codes_expiry` ON `oauth_codes` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text,
	`redirect_uri` text NOT NULL,
	`scope` text NOT NULL,
	`resource` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`revoked_at_ms` integer,
	`revoked_for` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_grants_user` ON `oauth_grants` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `oauth_grants_client` ON `oauth_grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_expiry` ON `oauth_grants` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `oauth_requests` (
	`hash` text PRIMARY KEY NOT NULL,
	`browser_hash` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text,
	`redirect_uri` text NOT NULL,
	`state` text,
	`code_challenge` text NOT NULL,
	`resource` text NOT NULL,
	`scope` text NOT NULL,
	`issuer` text NOT NULL,
	`address` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`decision` text,
	`decided_by` text
);
--> statement-breakpoint
CREATE INDEX `oauth_requests_address` ON `oauth_requests` (`address`,`expires_at_ms`);--> statement-breakpoint
CREATE INDEX `oauth_requests_expiry` ON `oauth_requests` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `oauth_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`grant_id` text NOT NULL,
	`scope` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`revoked_at_ms` integer,
	`used_at_ms` integer,
	`uses` integer NOT NULL,
	`parent_hash` text,
	FOREIGN KEY (`grant_id`) REFERENCES `oauth_grants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_tokens_grant` ON `oauth_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_tokens_parent` ON `oauth_tokens` (`parent_hash`);--> statement-breakpoint
CREATE INDEX `oauth_tokens_expiry` ON `oauth_tokens` (`expires_at_ms`);