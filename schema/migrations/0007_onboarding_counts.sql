ALTER TABLE "projects" ADD COLUMN "onboarding_planned" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "onboarding_wanted" integer;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "onboarding_note" text;