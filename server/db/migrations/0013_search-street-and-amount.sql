ALTER TABLE "order_search" ADD COLUMN "is_complete" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Written by hand from here: street, apartment and amount are searched too. Rows that exist are completed by the running
-- shop, some at a time (completeOrderSearch).
CREATE FUNCTION order_search_text(
	id uuid, email text, name text, product text, phone text, address jsonb, amount numeric) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN order_search_text(id, email, name, product, phone, address) || order_fold(
	E'\n' || coalesce(address ->> 'address', '') || E'\n' || coalesce(address ->> 'apartment', '') || E'\n' || amount::text);--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search (order_id, created_at, search_text, is_complete, has_address, is_test)
			SELECT id, created_at, order_search_text(
				id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address, amount),
				true, true, is_test
			FROM rows_after;
	ELSE
		UPDATE order_search AS known
			SET created_at = fresh.created_at, search_text = fresh.search_text, is_complete = true, has_address = true,
				is_test = fresh.is_test
			FROM (SELECT id, created_at, is_test, order_search_text(
				id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address, amount) AS search_text
				FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at
					OR known.is_test <> fresh.is_test);
	END IF;
	RETURN NULL;
END
$keep$;
