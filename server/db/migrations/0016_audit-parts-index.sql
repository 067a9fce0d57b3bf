-- concurrent
CREATE INDEX CONCURRENTLY "audit_log_part_idx" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;