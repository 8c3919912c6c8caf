ALTER TABLE "exchange_ledger" VALIDATE CONSTRAINT "exchange_ledger_reason_check";--> statement-breakpoint
ALTER TABLE "projects" VALIDATE CONSTRAINT "projects_backlink_credits_check";
