-- concurrent
CREATE INDEX CONCURRENTLY "orders_oversold_idx" ON "orders" USING btree ("created_at") WHERE is_oversold;