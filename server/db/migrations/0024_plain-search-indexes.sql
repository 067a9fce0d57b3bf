-- concurrent
CREATE INDEX CONCURRENTLY "order_search_trigrams_idx" ON "order_search" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_search_pairs_idx" ON "order_search" USING gin (order_pairs(search_text));--> statement-breakpoint
DROP INDEX CONCURRENTLY "order_search_words_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY "order_search_short_words_idx";
