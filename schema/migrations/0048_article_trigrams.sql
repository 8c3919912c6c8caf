CREATE INDEX CONCURRENTLY "articles_account_trigrams" ON "articles" USING gin ("account_id","search_text" gin_trgm_ops);--> statement-breakpoint
DROP INDEX CONCURRENTLY "articles_account_words";