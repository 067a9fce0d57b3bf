-- concurrent
CREATE INDEX CONCURRENTLY "orders_choice_idx" ON "orders" USING btree ((product -> 'choice' ->> 'id'),"created_at") WHERE (product -> 'choice' ->> 'id') is not null;