-- Written by hand: what drizzle-kit does not know. Functions that indexes use come first, triggers last.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
-- Ignores case beyond ASCII too, whatever locale the database was created with.
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
-- Every letter and every pair of letters of e-mail, name and product. Not of the id: such short texts are in so many ids
-- that scanning the newest orders finds them.
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
CREATE TABLE "checkouts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"product" jsonb NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" char(3) NOT NULL,
	"state" varchar(20) DEFAULT 'created' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"buyer_token_hash" char(64) NOT NULL,
	"merchant_code" varchar(50) NOT NULL,
	"sumup_checkout_id" varchar(255),
	"sumup_transaction_id" varchar(255),
	"sumup_transaction_code" varchar(50),
	"paid_amount" numeric(10, 2),
	"paid_currency" char(3),
	"failed_ids" text[] DEFAULT '{}' NOT NULL,
	"seen_ids" text[] DEFAULT '{}' NOT NULL,
	"known_ids" text[] DEFAULT '{}' NOT NULL,
	"at_bank_since" timestamp with time zone,
	"has_too_many_cards" boolean DEFAULT false NOT NULL,
	"address_hash" char(64),
	"details" jsonb,
	"details_at" timestamp with time zone,
	"form_id" varchar(64) DEFAULT '' NOT NULL,
	"started_at" timestamp with time zone,
	"visitor" jsonb,
	"told_at" timestamp with time zone,
	"thanked_at" timestamp with time zone,
	"review_reason" varchar(30),
	"review_at" timestamp with time zone,
	"refunding_at" timestamp with time zone,
	"note" text,
	"handled_at" timestamp with time zone,
	"handled_by" varchar(255),
	"unclear_since" timestamp with time zone,
	"expired_since" timestamp with time zone,
	"valid_until" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"priority" smallint DEFAULT 0 NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"kind" varchar(20) NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"next_try_at" timestamp with time zone DEFAULT now(),
	"sent_at" timestamp with time zone,
	"given_up_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_jobs" (
	"name" varchar(50) PRIMARY KEY NOT NULL,
	"held_until" timestamp with time zone DEFAULT now() NOT NULL,
	"done_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "objects" (
	"key" varchar(64) PRIMARY KEY NOT NULL,
	"kind" varchar(20) NOT NULL,
	"content_type" varchar(100),
	"size" integer,
	"width" integer,
	"height" integer,
	"etag" char(32),
	"refusal" varchar(50),
	"upload_id" varchar(1000),
	"created_by" varchar(255) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stored_at" timestamp with time zone,
	"needed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "order_timeline" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"actor" varchar(255) NOT NULL,
	"event" varchar(50) NOT NULL,
	"from_status" varchar(50),
	"to_status" varchar(50),
	"amount" numeric(10, 2),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"product" jsonb NOT NULL,
	"customer_email" varchar(255),
	"customer_phone" varchar(50),
	"customer_name" varchar(255),
	"shipping_address" jsonb NOT NULL,
	"billing_address" jsonb,
	"quantity" integer DEFAULT 1 NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" char(3) NOT NULL,
	"status" varchar(50) DEFAULT 'pending' NOT NULL,
	"sumup_checkout_id" varchar(255),
	"sumup_transaction_id" varchar(255),
	"payment_method" varchar(50),
	"accepts_news_at" timestamp with time zone,
	"refunded_amount" numeric(10, 2) DEFAULT '0.00' NOT NULL,
	"charged_back_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_quantity_positive" CHECK ("orders"."quantity" > 0),
	CONSTRAINT "orders_status_known" CHECK ("orders"."status" in ('pending', 'processing', 'shipped', 'completed'))
);
--> statement-breakpoint
CREATE TABLE "owner_alerts" (
	"kind" varchar(30) PRIMARY KEY NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" varchar(500) NOT NULL,
	"price" numeric(10, 2) NOT NULL,
	"currency" char(3) DEFAULT 'EUR' NOT NULL,
	"description" text,
	"image_url" varchar(1000),
	"header_name" varchar(200),
	"header_logo_url" varchar(1000) NOT NULL,
	"quantity_pricing_enabled" boolean DEFAULT false NOT NULL,
	"quantity_tiers" jsonb,
	"created_by" varchar(255) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "products_price_positive" CHECK ("products"."price" > 0)
);
--> statement-breakpoint
CREATE TABLE "stray_payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"reason" varchar(30) NOT NULL,
	"state" varchar(20) DEFAULT 'open' NOT NULL,
	"sumup_transaction_id" varchar(255) NOT NULL,
	"sumup_transaction_code" varchar(50),
	"reference" varchar(90),
	"merchant_code" varchar(50) NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" char(3) NOT NULL,
	"paid_at" timestamp with time zone NOT NULL,
	"order_id" uuid,
	"refunding_at" timestamp with time zone,
	"note" text,
	"handled_at" timestamp with time zone,
	"handled_by" varchar(255),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"username" varchar(255) NOT NULL,
	"password_hash" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" varchar(255) PRIMARY KEY NOT NULL,
	"sess" jsonb NOT NULL,
	"expire" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" varchar(255) NOT NULL,
	"first_name" varchar(255),
	"last_name" varchar(255),
	"profile_image_url" varchar(1000),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
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
CREATE TABLE "analytics_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_type" varchar(50) NOT NULL,
	"product_id" uuid,
	"order_id" uuid,
	"visitor_ip" varchar(45),
	"country" varchar(100),
	"city" varchar(100),
	"device_type" varchar(50),
	"browser" varchar(100),
	"os" varchar(100),
	"referrer" varchar(500),
	"metadata" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_visits" (
	"visitor" text NOT NULL,
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
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_search" ADD CONSTRAINT "order_search_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_timeline" ADD CONSTRAINT "order_timeline_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_sumup_checkout_id_key" ON "checkouts" USING btree ("sumup_checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_sumup_transaction_id_key" ON "checkouts" USING btree ("sumup_transaction_id");--> statement-breakpoint
CREATE INDEX "checkouts_buyer_idx" ON "checkouts" USING btree ("buyer_token_hash","product_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_one_card_key" ON "checkouts" USING btree ("buyer_token_hash","product_id") WHERE state = 'submitted';--> statement-breakpoint
CREATE INDEX "checkouts_due_idx" ON "checkouts" USING btree ("priority" DESC NULLS LAST,"next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_open_idx" ON "checkouts" USING btree ("valid_until") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "checkouts_review_idx" ON "checkouts" USING btree ("review_at") WHERE review_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_cards_idx" ON "checkouts" USING btree ("updated_at") WHERE failed_ids <> '{}' or state = 'paid';--> statement-breakpoint
CREATE INDEX "checkouts_started_idx" ON "checkouts" USING btree ("started_at") WHERE started_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "mails_once_per_order_key" ON "mails" USING btree ("order_id","kind");--> statement-breakpoint
CREATE INDEX "mails_due_idx" ON "mails" USING btree ("next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "mails_given_up_idx" ON "mails" USING btree ("given_up_at") WHERE given_up_at is not null;--> statement-breakpoint
CREATE INDEX "objects_needed_idx" ON "objects" USING btree ("needed_at");--> statement-breakpoint
CREATE INDEX "order_search_age_idx" ON "order_search" USING btree ("created_at","order_id");--> statement-breakpoint
CREATE INDEX "order_search_trigrams_idx" ON "order_search" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "order_search_pairs_idx" ON "order_search" USING gin (order_pairs(search_text)) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "order_timeline_order_idx" ON "order_timeline" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_sumup_checkout_id_key" ON "orders" USING btree ("sumup_checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_sumup_transaction_id_key" ON "orders" USING btree ("sumup_transaction_id");--> statement-breakpoint
CREATE INDEX "orders_age_idx" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_age_idx" ON "orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_product_idx" ON "orders" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "orders_buyer_idx" ON "orders" USING btree (lower("customer_email"),"product_id","created_at");--> statement-breakpoint
CREATE INDEX "products_on_sale_idx" ON "products" USING btree ("created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "stray_payments_transaction_id_key" ON "stray_payments" USING btree ("sumup_transaction_id");--> statement-breakpoint
CREATE INDEX "stray_payments_created_idx" ON "stray_payments" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_username_key" ON "credentials" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "rate_limits_resets_idx" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "sessions_expire_idx" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "analytics_events_age_idx" ON "analytics_events" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_events_once_per_order_key" ON "analytics_events" USING btree ("order_id","event_type") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "analytics_visits_seen_idx" ON "analytics_visits" USING brin ("seen_at");--> statement-breakpoint
-- Rows are locked in the order of their key, so that two changes at once cannot deadlock.
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
