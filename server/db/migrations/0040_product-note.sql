ALTER TABLE "products" ADD COLUMN "note_label" varchar(80);--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_note_required" boolean DEFAULT false NOT NULL;