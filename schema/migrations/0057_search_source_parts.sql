DROP INDEX "search_sources_unique";--> statement-breakpoint
ALTER TABLE "search_sources" ADD COLUMN "filtered_to" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "search_sources_unique" ON "search_sources" USING btree ("project_id","property","filtered_to");