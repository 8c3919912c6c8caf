ALTER TABLE "notice_choices" DROP CONSTRAINT "notice_choices_kind_check";--> statement-breakpoint
ALTER TABLE "notices" DROP CONSTRAINT "notices_kind_check";--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "action" text;--> statement-breakpoint
-- Notices of earlier releases were mailed, so they count as read.
ALTER TABLE "notices" ADD COLUMN "read_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "notices" ALTER COLUMN "read_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_kind_check" CHECK ("notice_choices"."kind" in ('publication_failed', 'will_not_go_out', 'draft_waits', 'approval_wanted', 'decided', 'rewrite_ready', 'work_failed', 'connection_lapsed', 'credits_low')) NOT VALID;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_kind_check" CHECK ("notices"."kind" in ('publication_failed', 'will_not_go_out', 'draft_waits', 'approval_wanted', 'decided', 'rewrite_ready', 'work_failed', 'connection_lapsed', 'credits_low', 'exchange_asked')) NOT VALID;