ALTER TABLE "integrations" ADD COLUMN "unknown_asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "unknown_status" integer;