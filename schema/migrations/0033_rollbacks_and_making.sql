ALTER TABLE "page_changes" DROP CONSTRAINT "page_changes_kind_check";--> statement-breakpoint
ALTER TABLE "page_changes" ALTER COLUMN "revision" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "suggestions" ADD COLUMN "making" jsonb;--> statement-breakpoint
ALTER TABLE "page_changes" ADD CONSTRAINT "page_changes_kind_check" CHECK ("page_changes"."kind" in ('rewrite', 'sync', 'rollback')) NOT VALID;