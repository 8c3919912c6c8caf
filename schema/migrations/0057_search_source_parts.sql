ALTER TABLE "search_sources" ADD COLUMN "filtered_to" text DEFAULT '' NOT NULL;
