ALTER TABLE "checkouts" ADD COLUMN "address_key" char(64);--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "checkouts_personal_idx" ON "checkouts" USING btree ("valid_until") WHERE details is not null or visitor is not null or address_key is not null;--> statement-breakpoint
ALTER TABLE "checkouts" DROP COLUMN "address_hash";