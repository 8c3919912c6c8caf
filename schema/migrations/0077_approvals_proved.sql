ALTER TABLE "articles" VALIDATE CONSTRAINT "articles_publish_state_check";--> statement-breakpoint
ALTER TABLE "approvals" VALIDATE CONSTRAINT "approvals_kind_check";--> statement-breakpoint
ALTER TABLE "approvals" VALIDATE CONSTRAINT "approvals_status_check";
