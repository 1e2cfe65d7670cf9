-- The nearest range alone is looked at: by user and number they never overlap, and there is one for every day of years.
DROP TRIGGER `rolled_ledger_never_overlaps`;
--> statement-breakpoint
CREATE TRIGGER `rolled_ledger_never_overlaps` BEFORE INSERT ON `rolled_ledger`
WHEN NEW.`first_entry` > NEW.`last_entry` OR coalesce((
  SELECT `last_entry` FROM `rolled_ledger` WHERE `user_id` = NEW.`user_id` AND `first_entry` <= NEW.`last_entry`
  ORDER BY `first_entry` DESC LIMIT 1
), 0) >= NEW.`first_entry`
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
