-- concurrent
DROP INDEX CONCURRENTLY "checkouts_personal_idx";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "checkouts_address_idx" ON "checkouts" USING btree ("created_at") WHERE address_key is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_done_idx" ON "mails" USING btree (coalesce(sent_at, given_up_at)) WHERE next_try_at is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "checkouts_personal_idx" ON "checkouts" USING btree ("state","valid_until") WHERE buyer_token_hash <> '0000000000000000000000000000000000000000000000000000000000000000';