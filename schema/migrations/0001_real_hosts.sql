CREATE TABLE "live_changes" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"integration_id" integer NOT NULL,
	"kind" text NOT NULL,
	"token" text NOT NULL,
	"version_id" integer,
	"lookups" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "live_changes_kind_check" CHECK ("live_changes"."kind" in ('rollback', 'unpublish'))
);--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_status_check";--> statement-breakpoint
ALTER TABLE "delivery_attempts" DROP CONSTRAINT "delivery_attempts_status_check";--> statement-breakpoint
ALTER TABLE "visibility_answers" DROP CONSTRAINT "visibility_answers_reason_check";--> statement-breakpoint
ALTER TABLE "project_imports" ADD COLUMN "requested_by" text;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "external_ref" text;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "content_sent" text;--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "site_lacks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "caused_by" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "caused_by" text;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "timezone" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "pages_rekey_at" timestamp (3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "language" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_pages" ADD COLUMN "alternate_of" text;--> statement-breakpoint
ALTER TABLE "live_changes" ADD CONSTRAINT "live_changes_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_changes" ADD CONSTRAINT "live_changes_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "live_changes_integration" ON "live_changes" USING btree ("integration_id");--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check" CHECK ("deliveries"."status" in ('sending', 'retrying', 'unknown', 'delivered', 'unclear', 'failed', 'superseded')) NOT VALID;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_status_check" CHECK ("delivery_attempts"."status" in ('sending', 'delivered', 'unclear', 'retrying', 'unknown', 'failed')) NOT VALID;--> statement-breakpoint
ALTER TABLE "visibility_answers" ADD CONSTRAINT "visibility_answers_reason_check" CHECK ("visibility_answers"."reason" in ('unclear', 'no_answer_shown', 'not_configured', 'provider_unavailable', 'provider_timeout', 'provider_rate_limited', 'provider_refused', 'provider_unpaid', 'provider_malformed', 'prompt_refused', 'project_archived', 'internal')) NOT VALID;