ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_project_id_projects_id_fk";--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_project_id_projects_id_fk";--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_project_check";--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_role_check";--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_project_check";--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_role_check";
