ALTER TABLE "article_revisions" ADD COLUMN "fields" jsonb;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;