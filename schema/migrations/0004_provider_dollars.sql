ALTER TABLE "accounts" ADD COLUMN "provider_month" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "provider_usd" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "visibility_scans" ADD COLUMN "expected_usd" double precision DEFAULT 0 NOT NULL;