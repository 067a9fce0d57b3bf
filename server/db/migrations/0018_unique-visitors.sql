-- Written by hand: sales and views of nodes that still run lock these tables in this order.
LOCK TABLE "orders" IN EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "analytics_events" ADD COLUMN "is_new_visitor" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_days" ADD COLUMN "visitors" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Until now a view was the first of a browser in half an hour.
UPDATE "analytics_days" SET "visitors" = "views" WHERE "kind" = 'total';
