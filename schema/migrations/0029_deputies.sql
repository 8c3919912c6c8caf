CREATE TABLE "deputies" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"account_id" integer NOT NULL,
	"person_id" text NOT NULL,
	"named_by" text NOT NULL,
	"away_until" timestamp (3) with time zone NOT NULL,
	"named_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deputies" ADD CONSTRAINT "deputies_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deputies_account" ON "deputies" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "deputies_person" ON "deputies" USING btree ("person_id");