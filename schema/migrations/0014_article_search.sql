CREATE INDEX CONCURRENTLY "articles_account_search" ON "articles" USING gin ("account_id","search_text" gin_trgm_ops);--> statement-breakpoint
DROP INDEX CONCURRENTLY "articles_search";
