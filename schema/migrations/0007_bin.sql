CREATE TABLE "deleted_articles" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"title" text NOT NULL,
	"article" jsonb NOT NULL,
	"revisions" jsonb NOT NULL,
	"deleted_by" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deleted_articles" ADD CONSTRAINT "deleted_articles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deleted_articles" ADD CONSTRAINT "deleted_articles_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_articles_account" ON "deleted_articles" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "deleted_articles_project" ON "deleted_articles" USING btree ("project_id","deleted_at");--> statement-breakpoint
CREATE INDEX "deleted_articles_deleted" ON "deleted_articles" USING btree ("deleted_at");