DROP INDEX "checkouts_one_card_key";--> statement-breakpoint
ALTER TABLE "order_counts" DROP CONSTRAINT "order_counts_status_shard_pk";--> statement-breakpoint
ALTER TABLE "analytics_days" DROP CONSTRAINT "analytics_days_zone_day_kind_key_shard_pk";--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_counts" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_search" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stray_payments" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_days" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_events" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "analytics_visits" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_counts" ADD CONSTRAINT "order_counts_status_is_test_shard_pk" PRIMARY KEY("status","is_test","shard");--> statement-breakpoint
ALTER TABLE "analytics_days" ADD CONSTRAINT "analytics_days_zone_day_kind_key_is_test_shard_pk" PRIMARY KEY("zone","day","kind","key","is_test","shard");--> statement-breakpoint
CREATE INDEX "checkouts_test_idx" ON "checkouts" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "orders_test_idx" ON "orders" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "analytics_events_test_idx" ON "analytics_events" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_one_card_key" ON "checkouts" USING btree ("buyer_token_hash","product_id","is_test") WHERE state = 'submitted';--> statement-breakpoint
-- Written by hand from here: the triggers know of test orders, and what was made in test mode before is marked.
CREATE OR REPLACE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $count$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_counts AS known (status, is_test, shard, orders)
			SELECT status, is_test, left(id::text, 1) AS shard, count(*) FROM rows_after GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
			ON CONFLICT (status, is_test, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO order_counts AS known (status, is_test, shard, orders)
			SELECT status, is_test, shard, sum(change) FROM (
				SELECT status, is_test, left(id::text, 1) AS shard, 1 AS change FROM rows_after
				UNION ALL SELECT status, is_test, left(id::text, 1), -1 FROM rows_before) AS changes
			GROUP BY 1, 2, 3 HAVING sum(change) <> 0 ORDER BY 1, 2, 3
			ON CONFLICT (status, is_test, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSIF TG_OP = 'DELETE' THEN
		INSERT INTO order_counts AS known (status, is_test, shard, orders)
			SELECT status, is_test, left(id::text, 1) AS shard, -count(*) FROM rows_before GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
			ON CONFLICT (status, is_test, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSE
		DELETE FROM order_counts;
	END IF;
	RETURN NULL;
END
$count$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search (order_id, created_at, search_text, is_test)
			SELECT id, created_at, order_search_text(id, customer_email, customer_name, product ->> 'name'), is_test
			FROM rows_after;
	ELSE
		UPDATE order_search AS known
			SET created_at = fresh.created_at, search_text = fresh.search_text, is_test = fresh.is_test
			FROM (SELECT id, created_at, is_test,
				order_search_text(id, customer_email, customer_name, product ->> 'name') AS search_text
				FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at
					OR known.is_test <> fresh.is_test);
	END IF;
	RETURN NULL;
END
$keep$;--> statement-breakpoint
-- MSANDBOX is the account of the built-in stand-in, DEMO that of the demo data. A sandbox account of SumUp is not known here.
UPDATE checkouts SET is_test = true WHERE merchant_code IN ('MSANDBOX', 'DEMO');--> statement-breakpoint
UPDATE stray_payments SET is_test = true WHERE merchant_code = 'MSANDBOX';--> statement-breakpoint
UPDATE orders SET is_test = true WHERE sumup_transaction_id LIKE 'demo-%'
	OR sumup_checkout_id IN (SELECT sumup_checkout_id FROM checkouts WHERE is_test)
	OR id IN (SELECT order_id FROM stray_payments WHERE is_test);--> statement-breakpoint
-- A view knows no account: those before the first live checkout were in test mode.
UPDATE analytics_events SET is_test = true WHERE metadata @> '{"demo": true}'
	OR order_id IN (SELECT id FROM orders WHERE is_test)
	OR (order_id IS NULL AND EXISTS (SELECT FROM checkouts WHERE is_test)
		AND created_at < coalesce((SELECT min(created_at) FROM checkouts WHERE NOT is_test), 'infinity'));--> statement-breakpoint
-- Figures are counted again when they are next asked for.
DELETE FROM analytics_zones;--> statement-breakpoint
DELETE FROM analytics_days;
