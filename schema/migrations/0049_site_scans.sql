ALTER TABLE "projects" DROP CONSTRAINT "projects_onboarding_state_check";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "site_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "projects_scan_due" ON "projects" USING btree ("site_scanned_at") WHERE "projects"."status" = 'Active' and "projects"."site_scan_state" in ('completed', 'failed');--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_onboarding_state_check" CHECK ("projects"."onboarding_state" in ('not_started', 'running', 'completed', 'failed'));--> statement-breakpoint
UPDATE "projects" SET "onboarding_state" = 'failed' WHERE "onboarding_state" = 'not_started' and "onboarding_error" is not null;--> statement-breakpoint
UPDATE "projects" SET "site_read_at" = "site_scanned_at" WHERE "site_scan_state" = 'completed';
