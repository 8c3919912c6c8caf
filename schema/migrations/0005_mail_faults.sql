ALTER TABLE "people" ADD COLUMN "mail_fault" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "mail_fault_of" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "mail_fault_at" timestamp (3) with time zone;