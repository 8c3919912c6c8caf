CREATE TABLE "bing_reports" (
	"project_id" integer NOT NULL,
	"kind" text NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"hash" text NOT NULL,
	"rows" jsonb NOT NULL,
	"citations" integer NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bing_reports_pkey" PRIMARY KEY("project_id","kind","to_day","from_day"),
	CONSTRAINT "bing_reports_kind_check" CHECK ("bing_reports"."kind" in ('pages', 'queries', 'days'))
);
--> statement-breakpoint
ALTER TABLE "bing_reports" ADD CONSTRAINT "bing_reports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;