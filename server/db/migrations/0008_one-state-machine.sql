CREATE TABLE "node_jobs" (
	"name" varchar(50) PRIMARY KEY NOT NULL,
	"held_until" timestamp with time zone DEFAULT now() NOT NULL,
	"done_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "owner_alerts" (
	"kind" varchar(30) PRIMARY KEY NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL
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
DROP INDEX "checkouts_buyer_idx";--> statement-breakpoint
DROP INDEX "checkouts_due_idx";--> statement-breakpoint
DROP INDEX "checkouts_review_idx";--> statement-breakpoint
DROP INDEX "checkouts_cards_idx";--> statement-breakpoint
UPDATE "checkouts" SET "review_reason" = CASE WHEN "review_reason" = 'paid before contact and delivery were known' THEN 'no-details' WHEN "review_reason" LIKE '%belongs to another sale%' THEN 'payment-reused' WHEN "review_reason" LIKE 'paid %' OR "review_reason" LIKE '%not ours%' OR "review_reason" LIKE 'another account%' OR "review_reason" LIKE '%another checkout%' THEN 'mismatch' WHEN "review_reason" LIKE '%for a week%' THEN 'stuck' ELSE 'contradiction' END WHERE "review_reason" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ALTER COLUMN "review_reason" SET DATA TYPE varchar(30);--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "merchant_code" varchar(50) DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ALTER COLUMN "merchant_code" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "paid_amount" numeric(10, 2);--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "paid_currency" char(3);--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "failed_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "seen_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "known_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "at_bank_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "details_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "form_id" varchar(64) DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "thanked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "review_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "refunding_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "unclear_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "expired_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "priority" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "given_up_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_timeline" ADD COLUMN "amount" numeric(10, 2);--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunded_amount" numeric(10, 2) DEFAULT '0.00' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "charged_back_at" timestamp with time zone;--> statement-breakpoint
UPDATE "checkouts" SET "state" = 'closed' WHERE "state" = 'expired';--> statement-breakpoint
UPDATE "checkouts" SET "details_at" = "started_at" WHERE "details" IS NOT NULL;--> statement-breakpoint
UPDATE "checkouts" SET "review_at" = "updated_at", "next_check_at" = CASE WHEN "review_reason" IN ('contradiction', 'stuck') THEN now() END WHERE "state" = 'review';--> statement-breakpoint
UPDATE "checkouts" SET "state" = 'dismissed', "note" = 'Marked as handled' WHERE "state" = 'review' AND "handled_at" IS NOT NULL;--> statement-breakpoint
UPDATE "checkouts" SET "told_at" = "updated_at", "thanked_at" = "updated_at" WHERE "state" = 'paid';--> statement-breakpoint
UPDATE "checkouts" AS older SET "state" = 'closed' FROM "checkouts" AS newer WHERE older."state" = 'submitted' AND newer."state" = 'submitted' AND older."buyer_token_hash" = newer."buyer_token_hash" AND older."product_id" = newer."product_id" AND (older."created_at", older."id") < (newer."created_at", newer."id");--> statement-breakpoint
CREATE UNIQUE INDEX "stray_payments_transaction_id_key" ON "stray_payments" USING btree ("sumup_transaction_id");--> statement-breakpoint
CREATE INDEX "stray_payments_created_idx" ON "stray_payments" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_one_card_key" ON "checkouts" USING btree ("buyer_token_hash","product_id") WHERE state = 'submitted';--> statement-breakpoint
CREATE INDEX "checkouts_open_idx" ON "checkouts" USING btree ("valid_until") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "mails_given_up_idx" ON "mails" USING btree ("given_up_at") WHERE given_up_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_buyer_idx" ON "checkouts" USING btree ("buyer_token_hash","product_id","created_at");--> statement-breakpoint
CREATE INDEX "checkouts_due_idx" ON "checkouts" USING btree ("priority" DESC NULLS LAST,"next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_review_idx" ON "checkouts" USING btree ("review_at") WHERE review_at is not null;--> statement-breakpoint
CREATE INDEX "checkouts_cards_idx" ON "checkouts" USING btree ("updated_at") WHERE failed_ids <> '{}' or state = 'paid';