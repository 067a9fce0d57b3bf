ALTER TABLE "checkouts" ADD COLUMN "cards_before" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "has_too_many_cards" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "handled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "handled_by" varchar(255);--> statement-breakpoint
CREATE INDEX "checkouts_cards_idx" ON "checkouts" USING btree ("updated_at") WHERE failed_cards > 0 or state = 'paid';