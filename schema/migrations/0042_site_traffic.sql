CREATE TABLE "traffic_counts" (
	"article_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "traffic_counts_pkey" PRIMARY KEY("article_id","day","kind","name"),
	CONSTRAINT "traffic_counts_kind_check" CHECK ("traffic_counts"."kind" in ('visit', 'crawl'))
);
--> statement-breakpoint
CREATE TABLE "traffic_days" (
	"project_id" integer NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "traffic_days_pkey" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "next_traffic_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "traffic_error" text;--> statement-breakpoint
ALTER TABLE "traffic_counts" ADD CONSTRAINT "traffic_counts_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_counts" ADD CONSTRAINT "traffic_counts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_days" ADD CONSTRAINT "traffic_days_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_counts_project" ON "traffic_counts" USING btree ("project_id","day");--> statement-breakpoint
CREATE INDEX "traffic_counts_day" ON "traffic_counts" USING btree ("day");--> statement-breakpoint
CREATE INDEX "traffic_days_day" ON "traffic_days" USING btree ("day");