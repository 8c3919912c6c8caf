ALTER TABLE "articles" ADD COLUMN "linked_keys" text[];--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "linked_keys" text[];