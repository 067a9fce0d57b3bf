-- concurrent
CREATE INDEX CONCURRENTLY "order_search_words_idx" ON "order_search" USING gin ((array[floor(extract(epoch from created_at - timestamptz 'epoch') / 604800)::int]),"search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_search_short_words_idx" ON "order_search" USING gin ((array[floor(extract(epoch from created_at - timestamptz 'epoch') / 604800)::int]),order_pairs(search_text));--> statement-breakpoint
DROP INDEX CONCURRENTLY "order_search_trigrams_idx";--> statement-breakpoint
DROP INDEX CONCURRENTLY "order_search_pairs_idx";
