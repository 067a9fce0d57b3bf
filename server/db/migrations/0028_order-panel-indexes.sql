-- concurrent
CREATE UNIQUE INDEX CONCURRENTLY "orders_number_key" ON "orders" USING btree ("number");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_to_number_idx" ON "orders" USING btree ("created_at","id") WHERE number is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_timeline_corrected_idx" ON "order_timeline" USING btree ("order_id") WHERE corrections is not null;
