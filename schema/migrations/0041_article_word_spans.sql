CREATE INDEX CONCURRENTLY "articles_account_words" ON "articles" USING gin ("account_id",(("account_id"::bigint << 32) | ("id" >> 15)),"search_text" gin_trgm_ops);--> statement-breakpoint
DROP INDEX CONCURRENTLY "articles_account_search";
