ALTER TABLE "products" ADD COLUMN "paused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "folded_notices" text[] DEFAULT '{}' NOT NULL;