-- concurrent
CREATE INDEX CONCURRENTLY "order_search_to_complete_idx" ON "order_search" USING btree ("order_id") WHERE not is_complete;--> statement-breakpoint
DROP INDEX CONCURRENTLY "order_search_incomplete_idx";
