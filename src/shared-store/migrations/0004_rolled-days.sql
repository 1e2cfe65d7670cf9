-- A day's line grows by the entries that follow it, and by nothing else.
CREATE FUNCTION execcomp_rolled_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.user_id <> OLD.user_id OR NEW.first_entry <> OLD.first_entry OR NEW.previous IS DISTINCT FROM OLD.previous
    OR NEW.day <> OLD.day OR NEW.last_entry <= OLD.last_entry OR NEW.last_id <= OLD.last_id
    OR NEW.balance_after_credits - OLD.balance_after_credits
      <> NEW.granted_credits - OLD.granted_credits + NEW.charged_credits - OLD.charged_credits
    OR EXISTS (
      SELECT 1 FROM rolled_ledger
      WHERE user_id = NEW.user_id AND first_entry > OLD.first_entry AND first_entry <= NEW.last_entry
    ) THEN
    RAISE EXCEPTION 'the ledger is append-only';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER rolled_ledger_is_never_changed ON rolled_ledger;
CREATE TRIGGER rolled_ledger_is_never_deleted BEFORE DELETE ON rolled_ledger
  FOR EACH ROW EXECUTE FUNCTION execcomp_append_only();
CREATE TRIGGER rolled_ledger_only_grows BEFORE UPDATE ON rolled_ledger
  FOR EACH ROW EXECUTE FUNCTION execcomp_rolled_grows();
