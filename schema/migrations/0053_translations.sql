CREATE TABLE "article_translations" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"group_id" uuid NOT NULL,
	"language" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "article_translations" ADD CONSTRAINT "article_translations_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_translations" ADD CONSTRAINT "article_translations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "article_translations_account" ON "article_translations" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "article_translations_group" ON "article_translations" USING btree ("group_id");