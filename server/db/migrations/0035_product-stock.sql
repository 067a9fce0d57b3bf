ALTER TABLE "orders" ADD COLUMN "is_oversold" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "stock" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "test_stock" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "stock_counted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "low_stock_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "sold_out_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "shows_left" boolean DEFAULT false NOT NULL;