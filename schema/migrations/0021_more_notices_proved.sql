ALTER TABLE "notices" VALIDATE CONSTRAINT "notices_kind_check";--> statement-breakpoint
ALTER TABLE "notice_choices" VALIDATE CONSTRAINT "notice_choices_kind_check";
