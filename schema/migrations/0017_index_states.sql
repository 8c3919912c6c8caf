CREATE TABLE "index_states" (
	"article_id" integer PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"url" text NOT NULL,
	"state" text NOT NULL,
	"facts" jsonb NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"after_7" text,
	"after_28" text,
	CONSTRAINT "index_states_state_check" CHECK ("index_states"."state" in ('indexed', 'crawled', 'discovered', 'unknown', 'blocked', 'canonical_elsewhere', 'unreachable', 'other', 'not_measured'))
);
--> statement-breakpoint
CREATE TABLE "inspection_days" (
	"property" text NOT NULL,
	"day" date NOT NULL,
	"project_id" integer NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "inspection_days_pkey" PRIMARY KEY("property","day","project_id")
);
--> statement-breakpoint
ALTER TABLE "search_connections" ADD COLUMN "next_inspections_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "search_connections" ADD COLUMN "sitemaps" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "search_connections" ADD COLUMN "sitemaps_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "index_states" ADD CONSTRAINT "index_states_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "index_states" ADD CONSTRAINT "index_states_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inspection_days" ADD CONSTRAINT "inspection_days_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "index_states_project" ON "index_states" USING btree ("project_id","state");--> statement-breakpoint
CREATE INDEX "inspection_days_project" ON "inspection_days" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "inspection_days_day" ON "inspection_days" USING btree ("day");