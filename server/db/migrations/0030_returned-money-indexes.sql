-- concurrent
CREATE INDEX CONCURRENTLY "order_timeline_returned_idx" ON "order_timeline" USING btree ("created_at") WHERE (event = 'refunded' or event = 'charged-back') and actor = 'shop';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_returned_idx" ON "payments" USING btree ("transaction_id") WHERE refunded + charged_back > 0;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "refunds_asked_idx" ON "refunds" USING btree ("asked_at");