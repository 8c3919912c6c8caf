ALTER TABLE "approvals" DROP CONSTRAINT "approvals_kind_check";--> statement-breakpoint
ALTER TABLE "approvals" DROP CONSTRAINT "approvals_status_check";--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "result" jsonb;--> statement-breakpoint
ALTER TABLE "social_posts" ADD COLUMN "approval_id" integer;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_kind_check" CHECK ("approvals"."kind" in ('publish', 'sync', 'suggestion', 'rollback', 'replay', 'social_post', 'comment_guide', 'review_reply', 'crowdwork')) NOT VALID;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_status_check" CHECK ("approvals"."status" in ('awaiting', 'approved', 'returned', 'expired', 'superseded', 'used', 'failed')) NOT VALID;