ALTER TABLE "projects" ALTER COLUMN "backlinks_network" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "site_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "owner_shown_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;