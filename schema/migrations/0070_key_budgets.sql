ALTER TABLE "api_keys" ADD COLUMN "budget_article_credits" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "budget_scans" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "budget_cents" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "used_month" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "used_article_credits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "used_scans" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "used_cents" integer DEFAULT 0 NOT NULL;