ALTER TABLE "projects" ADD COLUMN "pages_rekey_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "language" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "alternate_of" text;