ALTER TABLE "invitations" DROP CONSTRAINT "invitations_role_check";--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_role_check";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "project_id" integer;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "project_id" integer;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
-- allowed: the table has a row for each person or invitation of an account; the index is made in milliseconds
CREATE INDEX "invitations_project" ON "invitations" USING btree ("project_id");--> statement-breakpoint
-- allowed: the table has a row for each person or invitation of an account; the index is made in milliseconds
CREATE INDEX "memberships_project" ON "memberships" USING btree ("project_id");--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_check" CHECK (("invitations"."project_id" is not null) = ("invitations"."role" in ('editor', 'client'))) NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role_check" CHECK ("invitations"."role" in ('owner', 'member', 'editor', 'client')) NOT VALID;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_check" CHECK ("memberships"."project_id" is null or "memberships"."role" in ('editor', 'client')) NOT VALID;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_check" CHECK ("memberships"."role" in ('owner', 'member', 'editor', 'client')) NOT VALID;