CREATE TABLE "article_drafts" (
	"person_id" text NOT NULL,
	"article_id" integer NOT NULL,
	"draft_id" text NOT NULL,
	"title" text NOT NULL,
	"meta_description" text NOT NULL,
	"content" text NOT NULL,
	"version" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "article_drafts_person_id_article_id_pk" PRIMARY KEY("person_id","article_id")
);
--> statement-breakpoint
ALTER TABLE "article_drafts" ADD CONSTRAINT "article_drafts_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "article_drafts" ADD CONSTRAINT "article_drafts_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "article_drafts_article" ON "article_drafts" USING btree ("article_id");--> statement-breakpoint
CREATE INDEX "article_drafts_updated" ON "article_drafts" USING btree ("updated_at");