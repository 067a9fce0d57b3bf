CREATE TABLE "analytics_days" (
	"zone" varchar(64) NOT NULL,
	"day" date NOT NULL,
	"kind" varchar(20) NOT NULL,
	"key" varchar(500) NOT NULL,
	"shard" smallint NOT NULL,
	"views" integer NOT NULL,
	"started" integer NOT NULL,
	"completed" integer NOT NULL,
	"thanked" integer NOT NULL,
	"orders" integer NOT NULL,
	"revenue" numeric(14, 2) NOT NULL,
	CONSTRAINT "analytics_days_zone_day_kind_key_shard_pk" PRIMARY KEY("zone","day","kind","key","shard")
);
--> statement-breakpoint
CREATE TABLE "analytics_visits" (
	"visitor" char(64) NOT NULL,
	"product_id" uuid NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checkout_id" uuid,
	CONSTRAINT "analytics_visits_visitor_product_id_pk" PRIMARY KEY("visitor","product_id")
);
--> statement-breakpoint
CREATE TABLE "analytics_zones" (
	"zone" varchar(64) PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "analytics_events_newest_idx";--> statement-breakpoint
DROP INDEX "analytics_events_order_idx";--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "visitor" jsonb;--> statement-breakpoint
CREATE INDEX "analytics_visits_seen_idx" ON "analytics_visits" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "checkouts_started_idx" ON "checkouts" USING btree ("started_at") WHERE started_at is not null;--> statement-breakpoint
CREATE INDEX "analytics_events_age_idx" ON "analytics_events" USING btree ("created_at","id");--> statement-breakpoint
-- Until now browsers were believed: what tells of no order, or of one a second time, goes; what orders were silent about comes.
DELETE FROM "analytics_events" AS told WHERE event_type <> 'checkout_view' AND NOT EXISTS
	(SELECT FROM "orders" WHERE orders.id = told.order_id AND orders.product_id = told.product_id);--> statement-breakpoint
DELETE FROM "analytics_events" AS later USING "analytics_events" AS first
	WHERE later.event_type <> 'checkout_view' AND first.event_type = later.event_type AND first.order_id = later.order_id
		AND (first.created_at, first.id) < (later.created_at, later.id);--> statement-breakpoint
UPDATE "analytics_events" SET order_id = NULL WHERE event_type = 'checkout_view';--> statement-breakpoint
INSERT INTO "analytics_events" (event_type, product_id, order_id, created_at)
	SELECT 'checkout_complete', product_id, id, created_at FROM "orders" WHERE NOT EXISTS
		(SELECT FROM "analytics_events" WHERE order_id = orders.id AND event_type = 'checkout_complete');--> statement-breakpoint
UPDATE "checkouts" SET started_at = created_at WHERE details IS NOT NULL OR state = 'paid';--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_events_once_per_order_key" ON "analytics_events" USING btree ("order_id","event_type") WHERE order_id is not null;