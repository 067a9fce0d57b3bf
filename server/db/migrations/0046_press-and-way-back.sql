ALTER TABLE "checkouts" ADD COLUMN "has_return_url" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "press_id" varchar(64) DEFAULT '' NOT NULL;