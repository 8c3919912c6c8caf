CREATE TABLE "adopted_posts" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"site" text NOT NULL,
	"post_id" text NOT NULL,
	"format" text NOT NULL,
	"source" text NOT NULL,
	"source_hash" text NOT NULL,
	"lock" text,
	"owner" text,
	"fields" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "adopted_posts_format_check" CHECK ("adopted_posts"."format" in ('blocks', 'classic', 'lexical', 'mobiledoc', 'html', 'page'))
);
--> statement-breakpoint
ALTER TABLE "approvals" DROP CONSTRAINT "approvals_kind_check";--> statement-breakpoint
ALTER TABLE "articles" ADD COLUMN "origin" text DEFAULT 'own' NOT NULL;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "approve_adopted" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "adopted_posts" ADD CONSTRAINT "adopted_posts_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adopted_posts" ADD CONSTRAINT "adopted_posts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "adopted_posts_unique" ON "adopted_posts" USING btree ("project_id","site","post_id");--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_kind_check" CHECK ("approvals"."kind" in ('publish', 'sync', 'suggestion', 'rollback', 'unpublish', 'replay', 'social_post', 'comment_guide', 'review_reply', 'crowdwork')) NOT VALID;--> statement-breakpoint
ALTER TABLE "articles" ADD CONSTRAINT "articles_origin_check" CHECK ("articles"."origin" in ('own', 'adopted')) NOT VALID;