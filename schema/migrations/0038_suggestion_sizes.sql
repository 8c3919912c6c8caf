ALTER TABLE "suggestions" ADD COLUMN "proposal_bytes" integer;
--> statement-breakpoint
-- Days come in every night and are read soon after: without this, the pages of the last months would not be known as visible to all,
-- and an index that holds what is read would not be enough.
ALTER TABLE "search_page_days" SET (autovacuum_vacuum_insert_scale_factor = 0.01);
