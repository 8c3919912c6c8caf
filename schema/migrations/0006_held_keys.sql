ALTER TABLE "api_keys" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "warned_at" timestamp (3) with time zone;