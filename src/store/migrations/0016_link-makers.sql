ALTER TABLE `links` ADD `made_by` text;--> statement-breakpoint
UPDATE `links` SET `made_by` = (SELECT `actor` FROM `audit` WHERE `act` = 'user_invited' AND `subject` = `links`.`email` ORDER BY `id` DESC LIMIT 1) WHERE `kind` = 'invite';--> statement-breakpoint
UPDATE `links` SET `made_by` = (SELECT `actor` FROM `audit` WHERE `act` = 'reset_link_created' AND `user_id` = (SELECT `id` FROM `users` WHERE `users`.`email` = `links`.`email`) ORDER BY `id` DESC LIMIT 1) WHERE `kind` = 'reset';
