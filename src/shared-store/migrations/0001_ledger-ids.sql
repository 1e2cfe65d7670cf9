-- Charges of one transaction take their ids in one step: each step of the counter is room for this many.
ALTER SEQUENCE ledger_id_seq INCREMENT BY 1000;
