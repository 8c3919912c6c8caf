ALTER TABLE "article_revisions" ADD COLUMN "feature_image" text;--> statement-breakpoint
ALTER TABLE "article_revisions" ADD COLUMN "alt_text" text;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "seo_title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "canonical_url" text DEFAULT '' NOT NULL;