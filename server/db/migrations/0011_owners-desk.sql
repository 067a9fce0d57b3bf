CREATE TABLE "shop_settings" (
	"id" varchar(10) PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"values" jsonb NOT NULL,
	"set_up_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credentials" ADD COLUMN "is_generated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folds_setup" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded_notices" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "follows_settings" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Written by hand from here: the setting is changed in place, without building the indexes anew.
ALTER INDEX "order_search_trigrams_idx" SET (fastupdate = on);--> statement-breakpoint
ALTER INDEX "order_search_pairs_idx" SET (fastupdate = on);
