CREATE TABLE "policies" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"version" integer NOT NULL,
	"needs_approval" text DEFAULT 'off' NOT NULL,
	"max_publications_per_day" integer,
	"quiet_from" text,
	"quiet_to" text,
	"allowed_targets" text[],
	"monthly_article_credits" integer,
	"monthly_crowdwork_cents" integer,
	"frozen" boolean DEFAULT false NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "policies_needs_approval_check" CHECK ("policies"."needs_approval" in ('off', 'first', 'every')),
	CONSTRAINT "policies_quiet_hours_check" CHECK (("policies"."quiet_from" is null) = ("policies"."quiet_to" is null))
);
--> statement-breakpoint
CREATE TABLE "policy_versions" (
	"project_id" integer NOT NULL,
	"version" integer NOT NULL,
	"clauses" jsonb NOT NULL,
	"changed_by" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "policy_versions_pkey" PRIMARY KEY("project_id","version")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "publishes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "credits_month" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "credits_used" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;