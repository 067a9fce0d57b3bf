-- Sales of nodes that still run lock these tables in this order.
LOCK TABLE "orders" IN EXCLUSIVE MODE;--> statement-breakpoint
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
ALTER TABLE "mails" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "submits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "unread_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "sale_id" uuid;--> statement-breakpoint
ALTER TABLE "owner_alerts" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_transaction_key" ON "payments" USING btree ("transaction_id","merchant_code");--> statement-breakpoint
CREATE INDEX "payments_sale_idx" ON "payments" USING btree ("sale_id") WHERE sale_id is not null;--> statement-breakpoint
CREATE INDEX "payments_due_idx" ON "payments" USING btree ("next_read_at") WHERE next_read_at is not null;--> statement-breakpoint
CREATE INDEX "payments_found_idx" ON "payments" USING btree ("found_at");--> statement-breakpoint
CREATE INDEX "payments_test_idx" ON "payments" USING btree ("id") WHERE is_test;--> statement-breakpoint
CREATE INDEX "refunds_payment_idx" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open_key" ON "refunds" USING btree ("payment_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "review_entries_open_idx" ON "review_entries" USING btree ("opened_at") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "review_entries_handled_idx" ON "review_entries" USING btree ("handled_at") WHERE handled_at is not null;--> statement-breakpoint
CREATE INDEX "review_entries_sale_idx" ON "review_entries" USING btree ("sale_id") WHERE sale_id is not null;--> statement-breakpoint
CREATE INDEX "review_entries_test_idx" ON "review_entries" USING btree ("id") WHERE is_test;
