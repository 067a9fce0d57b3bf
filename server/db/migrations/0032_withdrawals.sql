CREATE TABLE "withdrawals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid,
	"name" varchar(255) NOT NULL,
	"order_number" varchar(40) NOT NULL,
	"email" varchar(255) NOT NULL,
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
ALTER TABLE "products" ADD COLUMN "withdrawal_exemption" varchar(20);--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_first_of_order_key" ON "withdrawals" USING btree ("order_id") WHERE not is_repeat and handled_at is null;--> statement-breakpoint
CREATE INDEX "withdrawals_order_idx" ON "withdrawals" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "withdrawals_email_idx" ON "withdrawals" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_mail_key" ON "withdrawals" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "withdrawals_open_idx" ON "withdrawals" USING btree ("created_at") WHERE handled_at is null;