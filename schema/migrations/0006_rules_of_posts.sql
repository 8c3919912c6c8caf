ALTER TABLE "project_imports" ADD COLUMN "requested_by" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "caused_by" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "caused_by" text;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "timezone" text;