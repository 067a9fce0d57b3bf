-- concurrent
CREATE INDEX CONCURRENTLY "order_search_incomplete_idx" ON "order_search" USING btree ("order_id") WHERE not has_address;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_timeline_bulk_idx" ON "order_timeline" USING btree ("bulk_id") WHERE bulk_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_product_age_idx" ON "orders" USING btree ("product_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_amount_idx" ON "orders" USING btree ("amount","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "analytics_events_product_idx" ON "analytics_events" USING btree ("product_id","created_at") WHERE event_type = 'checkout_view';--> statement-breakpoint
DROP INDEX CONCURRENTLY "orders_product_idx";
