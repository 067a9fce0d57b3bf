CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
-- Without its default at first: that would number all orders at once, and rewrite the table.
ALTER TABLE "orders" ADD COLUMN "number" integer;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "number" SET DEFAULT nextval('order_numbers');--> statement-breakpoint
ALTER SEQUENCE "order_numbers" OWNED BY "orders"."number";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "link_version" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_timeline" ADD COLUMN "corrections" jsonb;--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"author" varchar(255) NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_notes_order_idx" ON "order_notes" USING btree ("order_id","created_at");--> statement-breakpoint
-- Written by hand from here: the number is searched too.
CREATE FUNCTION order_search_text(
	id uuid, email text, name text, product text, phone text, address jsonb, amount numeric, number integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN order_search_text(id, email, name, product, phone, address, amount) || coalesce(E'\n' || number::text, '');--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search (order_id, created_at, search_text, is_complete, has_address, is_test)
			SELECT id, created_at, order_search_text(
				id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address, amount, number),
				true, true, is_test
			FROM rows_after;
	ELSE
		UPDATE order_search AS known
			SET created_at = fresh.created_at, search_text = fresh.search_text, is_complete = true, has_address = true,
				is_test = fresh.is_test
			FROM (SELECT id, created_at, is_test, order_search_text(
				id, customer_email, customer_name, product ->> 'name', customer_phone, shipping_address, amount, number)
				AS search_text FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at
					OR known.is_test <> fresh.is_test);
	END IF;
	RETURN NULL;
END
$keep$;--> statement-breakpoint
-- Orders that exist have the numbers up to here, and new ones go on after them. Only the newest gets its number now:
-- from there the running shop goes back, some orders at a time (numberOrders).
SELECT setval('order_numbers', 1001 + (SELECT coalesce(sum(orders), 0)::bigint FROM order_counts), false);--> statement-breakpoint
UPDATE orders SET number = 1000 + (SELECT sum(orders)::int FROM order_counts)
	WHERE id = (SELECT id FROM orders ORDER BY created_at DESC, id DESC LIMIT 1);
