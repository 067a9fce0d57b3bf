CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "order_counts" (
	"status" varchar(50) NOT NULL,
	"shard" char(1) NOT NULL,
	"orders" integer NOT NULL,
	CONSTRAINT "order_counts_status_shard_pk" PRIMARY KEY("status","shard")
);
--> statement-breakpoint
CREATE TABLE "order_search" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"search_text" text NOT NULL
);
--> statement-breakpoint
-- Capital and small letters are alike beyond ASCII too, whatever locale the database was made with.
DO $choose$
DECLARE
	is_utf8 boolean := getdatabaseencoding() = 'UTF8';
	letters text := coalesce((
		SELECT format('pg_catalog.%I', collname) FROM pg_collation
		WHERE collnamespace = 'pg_catalog'::regnamespace
			AND (collname = 'pg_c_utf8' AND is_utf8 OR collname = 'und-x-icu')
		ORDER BY collname LIMIT 1), 'pg_catalog."default"');
BEGIN
	EXECUTE format(
		'CREATE FUNCTION order_fold(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE '
		'RETURN lower((%s) COLLATE %s)',
		CASE WHEN is_utf8 THEN 'normalize(words, NFC)' ELSE 'words' END, letters);
END
$choose$;--> statement-breakpoint
CREATE FUNCTION order_search_text(id uuid, email text, name text, product text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN order_fold(id::text || E'\n' || coalesce(email, '') || E'\n' || coalesce(name, '') || E'\n' || coalesce(product, ''));--> statement-breakpoint
-- Every letter and every two neighbours of e-mail, name and product. The id is left out: what is that short is in so many
-- ids that going through the newest orders finds it.
CREATE FUNCTION order_pairs(search_text text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $pairs$
DECLARE
	letters text[] := string_to_array(substr(search_text, 38), NULL);
	pairs text[] := letters;
BEGIN
	FOR i IN 2 .. cardinality(letters) LOOP
		pairs := pairs || (letters[i - 1] || letters[i]);
	END LOOP;
	RETURN pairs;
END
$pairs$;--> statement-breakpoint
DROP INDEX "orders_newest_idx";--> statement-breakpoint
DROP INDEX "orders_status_newest_idx";--> statement-breakpoint
CREATE INDEX "orders_age_idx" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_age_idx" ON "orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_buyer_idx" ON "orders" USING btree (lower("customer_email"),"product_id","created_at");--> statement-breakpoint
INSERT INTO "order_counts" SELECT status, left(id::text, 1), count(*) FROM "orders" GROUP BY 1, 2;--> statement-breakpoint
INSERT INTO "order_search"
	SELECT id, created_at, order_search_text(id, customer_email, customer_name, product ->> 'name') FROM "orders";--> statement-breakpoint
ALTER TABLE "order_search" ADD CONSTRAINT "order_search_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_search_age_idx" ON "order_search" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "order_search_trigrams_idx" ON "order_search" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "order_search_pairs_idx" ON "order_search" USING gin (order_pairs(search_text)) WITH (fastupdate=false);--> statement-breakpoint
-- Rows are locked in the order of their key, so that two changes at once never wait for each other in a circle.
CREATE FUNCTION count_orders() RETURNS trigger LANGUAGE plpgsql AS $count$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_counts AS known (status, shard, orders)
			SELECT status, left(id::text, 1) AS shard, count(*) FROM rows_after GROUP BY 1, 2 ORDER BY 1, 2
			ON CONFLICT (status, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSIF TG_OP = 'UPDATE' THEN
		INSERT INTO order_counts AS known (status, shard, orders)
			SELECT status, shard, sum(change) FROM (
				SELECT status, left(id::text, 1) AS shard, 1 AS change FROM rows_after
				UNION ALL SELECT status, left(id::text, 1), -1 FROM rows_before) AS changes
			GROUP BY 1, 2 HAVING sum(change) <> 0 ORDER BY 1, 2
			ON CONFLICT (status, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSIF TG_OP = 'DELETE' THEN
		INSERT INTO order_counts AS known (status, shard, orders)
			SELECT status, left(id::text, 1) AS shard, -count(*) FROM rows_before GROUP BY 1, 2 ORDER BY 1, 2
			ON CONFLICT (status, shard) DO UPDATE SET orders = known.orders + excluded.orders;
	ELSE
		DELETE FROM order_counts;
	END IF;
	RETURN NULL;
END
$count$;--> statement-breakpoint
CREATE FUNCTION keep_order_search() RETURNS trigger LANGUAGE plpgsql AS $keep$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO order_search
			SELECT id, created_at, order_search_text(id, customer_email, customer_name, product ->> 'name') FROM rows_after;
	ELSE
		UPDATE order_search AS known SET created_at = fresh.created_at, search_text = fresh.search_text
			FROM (SELECT id, created_at, order_search_text(id, customer_email, customer_name, product ->> 'name') AS search_text
				FROM rows_after) AS fresh
			WHERE known.order_id = fresh.id
				AND (known.search_text <> fresh.search_text OR known.created_at <> fresh.created_at);
	END IF;
	RETURN NULL;
END
$keep$;--> statement-breakpoint
CREATE TRIGGER orders_count_added AFTER INSERT ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();--> statement-breakpoint
CREATE TRIGGER orders_count_changed AFTER UPDATE ON "orders" REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();--> statement-breakpoint
CREATE TRIGGER orders_count_removed AFTER DELETE ON "orders" REFERENCING OLD TABLE AS rows_before
	FOR EACH STATEMENT EXECUTE FUNCTION count_orders();--> statement-breakpoint
CREATE TRIGGER orders_count_emptied AFTER TRUNCATE ON "orders" FOR EACH STATEMENT EXECUTE FUNCTION count_orders();--> statement-breakpoint
CREATE TRIGGER orders_search_added AFTER INSERT ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION keep_order_search();--> statement-breakpoint
CREATE TRIGGER orders_search_changed AFTER UPDATE ON "orders" REFERENCING NEW TABLE AS rows_after
	FOR EACH STATEMENT EXECUTE FUNCTION keep_order_search();
