ALTER TABLE "projects" ALTER COLUMN "backlinks_network" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "owner_shown_at" timestamp (3) with time zone;