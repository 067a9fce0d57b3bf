-- concurrent
CREATE INDEX CONCURRENTLY "payments_code_idx" ON "payments" USING btree ("transaction_code") WHERE transaction_code is not null;