DROP INDEX "objects_created_idx";--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "etag" char(32);--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "refusal" varchar(50);--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "upload_id" varchar(1000);--> statement-breakpoint
ALTER TABLE "objects" ADD COLUMN "needed_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "objects_needed_idx" ON "objects" USING btree ("needed_at");