ALTER TABLE "approvals" VALIDATE CONSTRAINT "approvals_kind_check";--> statement-breakpoint
ALTER TABLE "articles" VALIDATE CONSTRAINT "articles_origin_check";