-- concurrent
CREATE UNIQUE INDEX CONCURRENTLY "mails_once_per_sale_key" ON "mails" USING btree ("sale_id","kind") WHERE sale_id is not null;
