-- A day's line grows by the entries that follow it, and by nothing else.
DROP TRIGGER `rolled_ledger_is_never_changed`;
--> statement-breakpoint
CREATE TRIGGER `rolled_ledger_only_grows` BEFORE UPDATE ON `rolled_ledger`
WHEN NEW.`user_id` <> OLD.`user_id` OR NEW.`first_entry` <> OLD.`first_entry` OR NEW.`previous` IS NOT OLD.`previous`
  OR NEW.`day` <> OLD.`day` OR NEW.`last_entry` <= OLD.`last_entry` OR NEW.`last_id` <= OLD.`last_id`
  OR NEW.`balance_after_credits` - OLD.`balance_after_credits`
    <> NEW.`granted_credits` - OLD.`granted_credits` + NEW.`charged_credits` - OLD.`charged_credits`
  OR EXISTS (
    SELECT 1 FROM `rolled_ledger` WHERE `user_id` = NEW.`user_id` AND `first_entry` > OLD.`first_entry` AND `first_entry` <= NEW.`last_entry`
  )
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
