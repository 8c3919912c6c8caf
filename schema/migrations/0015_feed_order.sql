-- Existing rows get one value for all, so that the table is not rewritten. They keep the order of their ids.
ALTER TABLE "audit_log" ADD COLUMN "tx" xid8 DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ALTER COLUMN "tx" SET DEFAULT pg_current_xact_id();
