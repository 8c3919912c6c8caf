ALTER TABLE "articles" ADD COLUMN "scheduled_day" date;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "scheduled_step" integer DEFAULT 0 NOT NULL;