ALTER TABLE "products" ADD COLUMN "choice" jsonb;--> statement-breakpoint
-- Written by hand from here: the value that was chosen and what the buyer wrote are searched too. No order has any yet.
CREATE FUNCTION order_product_text(product jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (product ->> 'name') || coalesce(E'\n' || (product -> 'choice' ->> 'value'), '');--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search (order_id, created_at, search_text, is_complete, has_address, is_test)
			SELECT id, created_at, order_search_text(
				id, customer_email, customer_name, concat_ws(E'\n', order_product_text(product), buyer_note), customer_phone, shipping_address, amount, number),
				true, true, is_test
			FROM rows_after;
	ELSE
		UPDATE order_search AS known
			SET created_at = fresh.created_at, search_text = fresh.search_text, is_complete = true, has_address = true,
				is_test = fresh.is_test
			FROM (SELECT id, created_at, is_test, order_search_text(
				id, customer_email, customer_name, concat_ws(E'\n', order_product_text(product), buyer_note), customer_phone, shipping_address, amount, number)
				AS search_text FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at
					OR known.is_test <> fresh.is_test);
	END IF;
	RETURN NULL;
END
$keep$;
