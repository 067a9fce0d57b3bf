-- concurrent
CREATE INDEX CONCURRENTLY "orders_code_idx" ON "orders" USING btree ((terms->>'code')) WHERE terms->>'code' is not null;