-- Triggers that keep order_counts and order_search true in the transaction that changes an order. They come after the tables
-- in the initial migration.
-- The sequence starts anew with its table.
ALTER SEQUENCE "order_numbers" OWNED BY "orders"."number";
--> statement-breakpoint
-- Counts are locked in the order of their key, so that two changes at once cannot deadlock.
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $count$
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
$count$;
--> statement-breakpoint
CREATE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search (order_id, created_at, search_text, is_test)
			SELECT id, created_at, order_search_text(id, number, customer_email, customer_name, product, buyer_note,
				customer_phone, shipping_address, amount), is_test
			FROM rows_after;
	ELSE
		UPDATE order_search AS known
			SET created_at = fresh.created_at, search_text = fresh.search_text, is_test = fresh.is_test
			FROM (SELECT id, created_at, is_test, order_search_text(id, number, customer_email, customer_name, product,
				buyer_note, customer_phone, shipping_address, amount) AS search_text FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at
					OR known.is_test <> fresh.is_test);
	END IF;
	RETURN NULL;
END
$keep$;
--> statement-breakpoint
CREATE TRIGGER orders_count_added AFTER INSERT ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_count_changed AFTER UPDATE ON "orders" REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_count_removed AFTER DELETE ON "orders" REFERENCING OLD TABLE AS rows_before
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_count_emptied AFTER TRUNCATE ON "orders" FOR EACH STATEMENT EXECUTE FUNCTION count_orders();
--> statement-breakpoint
CREATE TRIGGER orders_search_added AFTER INSERT ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION keep_order_search();
--> statement-breakpoint
CREATE TRIGGER orders_search_changed AFTER UPDATE ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION keep_order_search();
