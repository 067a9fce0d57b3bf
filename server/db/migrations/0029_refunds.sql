ALTER TABLE "mails" ADD COLUMN "amount" numeric(10, 2);--> statement-breakpoint
ALTER TABLE "analytics_days" ADD COLUMN "returned" numeric(14, 2) DEFAULT '0.00' NOT NULL;