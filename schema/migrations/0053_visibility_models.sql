CREATE TABLE "visibility_models" (
	"engine" text PRIMARY KEY NOT NULL,
	"models" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "visibility_scans" ADD COLUMN "models" jsonb DEFAULT '{}'::jsonb NOT NULL;