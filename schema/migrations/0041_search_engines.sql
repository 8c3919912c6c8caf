CREATE TABLE "engine_hosts" (
	"project_id" integer NOT NULL,
	"origin" text NOT NULL,
	"location" text NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"problem" text,
	"refusals" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp (3) with time zone,
	CONSTRAINT "engine_hosts_pkey" PRIMARY KEY("project_id","origin")
);
--> statement-breakpoint
CREATE TABLE "engine_reports" (
	"project_id" integer NOT NULL,
	"url" text NOT NULL,
	"article_id" integer,
	"is_gone" boolean NOT NULL,
	"wanted_at" timestamp (3) with time zone,
	"told_at" timestamp (3) with time zone,
	"answer" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "engine_reports_pkey" PRIMARY KEY("project_id","url")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "tells_engines" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "engine_key" text;--> statement-breakpoint
ALTER TABLE "engine_hosts" ADD CONSTRAINT "engine_hosts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_reports" ADD CONSTRAINT "engine_reports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_reports" ADD CONSTRAINT "engine_reports_article_id_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."articles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "engine_reports_wanted" ON "engine_reports" USING btree ("project_id","wanted_at") WHERE "engine_reports"."wanted_at" is not null;--> statement-breakpoint
CREATE INDEX "engine_reports_told" ON "engine_reports" USING btree ("project_id","told_at");--> statement-breakpoint
CREATE INDEX "engine_reports_article" ON "engine_reports" USING btree ("article_id");--> statement-breakpoint
CREATE INDEX "engine_reports_updated" ON "engine_reports" USING btree ("updated_at");