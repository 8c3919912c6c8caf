CREATE TABLE "live_changes" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"integration_id" integer NOT NULL,
	"kind" text NOT NULL,
	"token" text NOT NULL,
	"version_id" integer,
	"lookups" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "live_changes_kind_check" CHECK ("live_changes"."kind" in ('rollback', 'unpublish'))
);
--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "site_lacks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "live_changes" ADD CONSTRAINT "live_changes_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_changes" ADD CONSTRAINT "live_changes_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "live_changes_integration" ON "live_changes" USING btree ("integration_id");