-- Functions of the database that the tables' indexes and triggers use. They come before the tables in the initial migration.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
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
$choose$;
--> statement-breakpoint
-- The text of order_search: see server/db/order-schema.ts.
CREATE FUNCTION order_search_text(
	id uuid, number integer, email text, name text, product jsonb, note text, phone text, address jsonb, amount numeric)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN order_fold(concat_ws(E'\n',
	id, email, name, product ->> 'name', product -> 'choice' ->> 'value', note,
	address ->> 'address', address ->> 'apartment', address ->> 'city',
	regexp_replace(address ->> 'postcode', '\s', '', 'g'),
	regexp_replace(phone, '\s', '', 'g'),
	regexp_replace(phone, '\D', '', 'g'),
	-- The phone of the address is another one only if it was corrected.
	CASE WHEN address ->> 'phone' <> coalesce(phone, '') THEN regexp_replace(address ->> 'phone', '\s', '', 'g') END,
	CASE WHEN address ->> 'phone' <> coalesce(phone, '') THEN regexp_replace(address ->> 'phone', '\D', '', 'g') END,
	amount, number));
--> statement-breakpoint
-- Every letter and every pair of letters of e-mail, name and product. Not of the id: such short texts are in so many ids
-- that scanning the newest orders finds them. The cost tells PostgreSQL to read the pairs from their index rather than to
-- compute those of every order.
CREATE FUNCTION order_pairs(search_text text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $pairs$
DECLARE
	letters text[] := string_to_array(substr(search_text, 38), NULL);
	pairs text[] := letters;
BEGIN
	FOR i IN 2 .. cardinality(letters) LOOP
		pairs := pairs || (letters[i - 1] || letters[i]);
	END LOOP;
	RETURN pairs;
END
$pairs$;
--> statement-breakpoint
CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1;--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"product_id" uuid NOT NULL,
	"shown_version" varchar(16) NOT NULL,
	"chosen" jsonb,
	"amount" numeric(10, 2) NOT NULL,
	"currency" char(3) NOT NULL,
	"terms" jsonb,
	"state" varchar(20) DEFAULT 'created' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"buyer_token_hash" char(64) NOT NULL,
	"merchant_code" varchar(50) NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"sumup_checkout_id" varchar(255),
	"has_return_url" boolean DEFAULT false NOT NULL,
	"has_too_many_cards" boolean DEFAULT false NOT NULL,
	"address_key" char(64),
	"details" jsonb,
	"details_at" timestamp with time zone,
	"form_id" varchar(64) DEFAULT '' NOT NULL,
	"press_id" varchar(64) DEFAULT '' NOT NULL,
	"submits" integer DEFAULT 0 NOT NULL,
	"discount_code_id" uuid,
	"held_at" timestamp with time zone,
	"holds" smallint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone,
	"visitor" jsonb,
	"told_at" timestamp with time zone,
	"thanked_at" timestamp with time zone,
	"unclear_since" timestamp with time zone,
	"expired_since" timestamp with time zone,
	"unread_since" timestamp with time zone,
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
	"order_id" uuid,
	"sale_id" uuid,
	"kind" varchar(20) NOT NULL,
	"amount" numeric(10, 2),
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"next_try_at" timestamp with time zone DEFAULT now(),
	"sent_at" timestamp with time zone,
	"given_up_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "order_timeline" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"actor" varchar(255) NOT NULL,
	"event" varchar(50) NOT NULL,
	"from_status" varchar(50),
	"to_status" varchar(50),
	"amount" numeric(10, 2),
	"corrections" jsonb,
	"bulk_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" integer DEFAULT nextval('order_numbers') NOT NULL,
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
	"terms" jsonb,
	"buyer_note" text,
	"status" varchar(50) DEFAULT 'pending' NOT NULL,
	"sumup_checkout_id" varchar(255),
	"sumup_transaction_id" varchar(255),
	"payment_method" varchar(50),
	"shipment" jsonb,
	"accepts_news_at" timestamp with time zone,
	"language" varchar(5),
	"erased_at" timestamp with time zone,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"discount_code_id" uuid,
	"is_oversold" boolean DEFAULT false NOT NULL,
	"is_code_overused" boolean DEFAULT false NOT NULL,
	"is_choice_missing" boolean DEFAULT false NOT NULL,
	"is_piece_returned" boolean DEFAULT false NOT NULL,
	"link_version" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "orders_quantity_positive" CHECK ("orders"."quantity" > 0),
	CONSTRAINT "orders_status_known" CHECK ("orders"."status" in ('pending', 'processing', 'shipped', 'completed'))
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
	"withdrawal_exemption" varchar(20),
	"stock" integer,
	"test_stock" integer,
	"stock_counted_at" timestamp with time zone,
	"low_stock_at" timestamp with time zone,
	"sold_out_at" timestamp with time zone,
	"choice" jsonb,
	"shows_left" boolean DEFAULT false NOT NULL,
	"note_label" varchar(80),
	"is_note_required" boolean DEFAULT false NOT NULL,
	"created_by" varchar(255) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paused_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "products_price_positive" CHECK ("products"."price" > 0)
);
--> statement-breakpoint
CREATE TABLE "shown_products" (
	"version" varchar(16) PRIMARY KEY NOT NULL,
	"product" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_invites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" varchar(64) NOT NULL,
	"email" varchar(255) NOT NULL,
	"invited_by" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"admin_id" uuid,
	"admin_name" varchar(255),
	"action" varchar(40) NOT NULL,
	"subject" varchar(255),
	"detail" jsonb,
	"address" varchar(45),
	"merge_key" varchar(100),
	"part_of" varchar(100),
	"count" integer DEFAULT 1 NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"file" varchar(1000) NOT NULL,
	"bytes" bigint,
	"failed_at" timestamp with time zone,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"username" varchar(255) NOT NULL,
	"password_hash" text NOT NULL,
	"is_weak" boolean DEFAULT false NOT NULL,
	"is_generated" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_alerts" (
	"kind" varchar(30) PRIMARY KEY NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	"held_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "restored_backups" (
	"restored_at" timestamp with time zone PRIMARY KEY DEFAULT now() NOT NULL,
	"backup_at" timestamp with time zone NOT NULL,
	"compared_at" timestamp with time zone,
	"found_orders" integer DEFAULT 0 NOT NULL,
	"found_in_review" integer DEFAULT 0 NOT NULL,
	"counted_sold_at" timestamp with time zone,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" integer DEFAULT 0 NOT NULL,
	"recovery_hashes" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" varchar(255) PRIMARY KEY NOT NULL,
	"sess" jsonb NOT NULL,
	"expire" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shop_settings" (
	"id" varchar(10) PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"values" jsonb NOT NULL,
	"set_up_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" varchar(255) NOT NULL,
	"first_name" varchar(255),
	"last_name" varchar(255),
	"profile_image_url" varchar(1000),
	"folds_setup" boolean DEFAULT false NOT NULL,
	"folded_notices" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "watched_scripts" (
	"url" varchar(1000) PRIMARY KEY NOT NULL,
	"hash" char(64) NOT NULL,
	"changed_at" timestamp with time zone,
	"read_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_days" (
	"zone" varchar(64) NOT NULL,
	"day" date NOT NULL,
	"kind" varchar(20) NOT NULL,
	"key" varchar(500) NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"shard" smallint NOT NULL,
	"views" integer NOT NULL,
	"visitors" integer DEFAULT 0 NOT NULL,
	"started" integer NOT NULL,
	"completed" integer NOT NULL,
	"thanked" integer NOT NULL,
	"orders" integer NOT NULL,
	"revenue" numeric(14, 2) NOT NULL,
	"returned" numeric(14, 2) DEFAULT '0.00' NOT NULL,
	CONSTRAINT "analytics_days_zone_day_kind_key_is_test_shard_pk" PRIMARY KEY("zone","day","kind","key","is_test","shard")
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
	"is_new_visitor" boolean DEFAULT true NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_zones" (
	"zone" varchar(64) PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_jobs" (
	"name" varchar(50) PRIMARY KEY NOT NULL,
	"held_until" timestamp with time zone DEFAULT now() NOT NULL,
	"done_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" varchar(300) NOT NULL,
	"secret_print" varchar(64) NOT NULL,
	"picture_store" varchar(300) NOT NULL,
	"shard" smallint NOT NULL,
	"pool_size" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bulk_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor" varchar(255) NOT NULL,
	"to_status" varchar(50) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone,
	"undone_by" varchar(255)
);
--> statement-breakpoint
CREATE TABLE "discount_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" varchar(40) NOT NULL,
	"percent" integer,
	"amount" numeric(10, 2),
	"product_id" uuid,
	"max_uses" integer,
	"last_day" date,
	"created_by" varchar(255) NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "discount_codes_one_kind" CHECK ((percent between 1 and 99 and amount is null) or (percent is null and amount > 0))
);
--> statement-breakpoint
CREATE TABLE "order_counts" (
	"status" varchar(50) NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"shard" char(1) NOT NULL,
	"orders" integer NOT NULL,
	CONSTRAINT "order_counts_status_is_test_shard_pk" PRIMARY KEY("status","is_test","shard")
);
--> statement-breakpoint
CREATE TABLE "order_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"author" varchar(255) NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_search" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"search_text" text NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid,
	"name" varchar(255) NOT NULL,
	"order_number" varchar(40) NOT NULL,
	"email" varchar(255) NOT NULL,
	"language" varchar(5),
	"is_late" boolean DEFAULT false NOT NULL,
	"is_repeat" boolean DEFAULT false NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"mail_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp with time zone,
	"handled_by" varchar(255),
	"note" text
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sale_id" uuid,
	"merchant_code" varchar(50) NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"transaction_id" varchar(255) NOT NULL,
	"transaction_code" varchar(50),
	"amount" numeric(10, 2),
	"currency" char(3),
	"status" varchar(20) NOT NULL,
	"refunded" numeric(10, 2) DEFAULT '0.00' NOT NULL,
	"charged_back" numeric(10, 2) DEFAULT '0.00' NOT NULL,
	"is_refund_pending" boolean DEFAULT false NOT NULL,
	"failed_refunds" integer DEFAULT 0 NOT NULL,
	"conflict" text,
	"method" varchar(50),
	"made_at" timestamp with time zone,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"unread_since" timestamp with time zone,
	"next_read_at" timestamp with time zone,
	"reads" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" char(3) NOT NULL,
	"state" varchar(20) NOT NULL,
	"refunded_before" numeric(10, 2) NOT NULL,
	"failed_before" integer NOT NULL,
	"asked_by" varchar(255) NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "review_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sale_id" uuid,
	"payment_id" uuid,
	"reason" varchar(30) NOT NULL,
	"state" varchar(20) NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"handled_at" timestamp with time zone,
	"handled_by" varchar(255)
);
--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_shown_version_shown_products_version_fk" FOREIGN KEY ("shown_version") REFERENCES "public"."shown_products"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_timeline" ADD CONSTRAINT "order_timeline_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_invites" ADD CONSTRAINT "admin_invites_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_search" ADD CONSTRAINT "order_search_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_sumup_checkout_id_key" ON "checkouts" USING btree ("sumup_checkout_id");--> statement-breakpoint
CREATE INDEX "checkouts_buyer_idx" ON "checkouts" USING btree ("buyer_token_hash","product_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_one_card_key" ON "checkouts" USING btree ("buyer_token_hash","product_id","is_test") WHERE state = 'submitted';--> statement-breakpoint
CREATE INDEX "checkouts_due_idx" ON "checkouts" USING btree ("priority" DESC NULLS LAST,"next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_open_idx" ON "checkouts" USING btree ("valid_until") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "checkouts_personal_idx" ON "checkouts" USING btree ("state","valid_until") WHERE buyer_token_hash <> '0000000000000000000000000000000000000000000000000000000000000000';--> statement-breakpoint
CREATE INDEX "checkouts_address_idx" ON "checkouts" USING btree ("created_at") WHERE address_key is not null;--> statement-breakpoint
CREATE INDEX "checkouts_started_idx" ON "checkouts" USING btree ("started_at") WHERE started_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_held_idx" ON "checkouts" USING btree ("product_id") WHERE held_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_holds_idx" ON "checkouts" USING btree ("address_key","details_at") WHERE holds > 0;--> statement-breakpoint
CREATE INDEX "checkouts_test_idx" ON "checkouts" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE UNIQUE INDEX "mails_once_per_order_key" ON "mails" USING btree ("order_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "mails_once_per_sale_key" ON "mails" USING btree ("sale_id","kind") WHERE sale_id is not null;--> statement-breakpoint
CREATE INDEX "mails_due_idx" ON "mails" USING btree ("next_try_at") WHERE next_try_at is not null;--> statement-breakpoint
CREATE INDEX "mails_done_idx" ON "mails" USING btree (coalesce(sent_at, given_up_at)) WHERE next_try_at is null;--> statement-breakpoint
CREATE INDEX "mails_given_up_idx" ON "mails" USING btree ("given_up_at") WHERE given_up_at is not null;--> statement-breakpoint
CREATE INDEX "objects_needed_idx" ON "objects" USING btree ("needed_at");--> statement-breakpoint
CREATE INDEX "order_timeline_order_idx" ON "order_timeline" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "order_timeline_bulk_idx" ON "order_timeline" USING btree ("bulk_id") WHERE bulk_id is not null;--> statement-breakpoint
CREATE INDEX "order_timeline_corrected_idx" ON "order_timeline" USING btree ("order_id") WHERE corrections is not null;--> statement-breakpoint
CREATE INDEX "order_timeline_returned_idx" ON "order_timeline" USING btree ("created_at") WHERE (event = 'refunded' or event = 'charged-back') and actor = 'shop';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number_key" ON "orders" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_sumup_checkout_id_key" ON "orders" USING btree ("sumup_checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_sumup_transaction_id_key" ON "orders" USING btree ("sumup_transaction_id");--> statement-breakpoint
CREATE INDEX "orders_age_idx" ON "orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "orders_status_age_idx" ON "orders" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_product_age_idx" ON "orders" USING btree ("product_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_choice_idx" ON "orders" USING btree ((product -> 'choice' ->> 'id'),"created_at") WHERE (product -> 'choice' ->> 'id') is not null;--> statement-breakpoint
CREATE INDEX "orders_amount_idx" ON "orders" USING btree ("amount","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_test_idx" ON "orders" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "orders_code_idx" ON "orders" USING btree ("discount_code_id") WHERE discount_code_id is not null;--> statement-breakpoint
CREATE INDEX "orders_flagged_idx" ON "orders" USING btree ("created_at") WHERE is_oversold or is_code_overused or is_choice_missing;--> statement-breakpoint
CREATE INDEX "orders_buyer_idx" ON "orders" USING btree (lower("customer_email"),"product_id","created_at");--> statement-breakpoint
CREATE INDEX "products_on_sale_idx" ON "products" USING btree ("created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "admin_invites_token_key" ON "admin_invites" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "audit_log_action_idx" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_log_admin_idx" ON "audit_log" USING btree ("admin_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_at_idx" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_merge_key" ON "audit_log" USING btree ("merge_key");--> statement-breakpoint
CREATE INDEX "audit_log_part_idx" ON "audit_log" USING btree ("part_of","id") WHERE part_of is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_username_key" ON "credentials" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "rate_limits_resets_idx" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "sessions_expire_idx" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "analytics_events_age_idx" ON "analytics_events" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "analytics_events_once_per_order_key" ON "analytics_events" USING btree ("order_id","event_type") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "analytics_events_product_idx" ON "analytics_events" USING btree ("product_id","created_at") WHERE event_type = 'checkout_view';--> statement-breakpoint
CREATE INDEX "analytics_events_test_idx" ON "analytics_events" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "bulk_changes_age_idx" ON "bulk_changes" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "discount_codes_code_key" ON "discount_codes" USING btree ("code") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "order_notes_order_idx" ON "order_notes" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "order_search_trigrams_idx" ON "order_search" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "order_search_pairs_idx" ON "order_search" USING gin (order_pairs(search_text));--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_first_of_order_key" ON "withdrawals" USING btree ("order_id") WHERE not is_repeat and handled_at is null;--> statement-breakpoint
CREATE INDEX "withdrawals_order_idx" ON "withdrawals" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "withdrawals_email_idx" ON "withdrawals" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_mail_key" ON "withdrawals" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "withdrawals_open_idx" ON "withdrawals" USING btree ("created_at") WHERE handled_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_transaction_key" ON "payments" USING btree ("transaction_id","merchant_code");--> statement-breakpoint
CREATE INDEX "payments_sale_idx" ON "payments" USING btree ("sale_id") WHERE sale_id is not null;--> statement-breakpoint
CREATE INDEX "payments_due_idx" ON "payments" USING btree ("next_read_at") WHERE next_read_at is not null;--> statement-breakpoint
CREATE INDEX "payments_code_idx" ON "payments" USING btree ("transaction_code") WHERE transaction_code is not null;--> statement-breakpoint
CREATE INDEX "payments_found_idx" ON "payments" USING btree ("found_at");--> statement-breakpoint
CREATE INDEX "payments_returned_idx" ON "payments" USING btree ("transaction_id") WHERE refunded + charged_back > 0;--> statement-breakpoint
CREATE INDEX "payments_test_idx" ON "payments" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "refunds_payment_idx" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refunds_asked_idx" ON "refunds" USING btree ("asked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open_key" ON "refunds" USING btree ("payment_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "review_entries_open_idx" ON "review_entries" USING btree ("opened_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "review_entries_handled_idx" ON "review_entries" USING btree ("handled_at") WHERE handled_at is not null;--> statement-breakpoint
CREATE INDEX "review_entries_sale_idx" ON "review_entries" USING btree ("sale_id") WHERE sale_id is not null;--> statement-breakpoint
CREATE INDEX "review_entries_test_idx" ON "review_entries" USING btree ("id") WHERE is_test;
--> statement-breakpoint
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
