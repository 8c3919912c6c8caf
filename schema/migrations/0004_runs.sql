ALTER TABLE "outbox" ADD COLUMN "unanswered_offers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "lost_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_dead" ON "outbox" USING btree ("dead_at") WHERE "outbox"."dead_at" is not null;