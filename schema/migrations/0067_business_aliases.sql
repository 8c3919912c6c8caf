ALTER TABLE "projects" ADD COLUMN "business_aliases" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "screenshots" ADD COLUMN "page_words" text;