DROP INDEX "analytics_visits_seen_idx";--> statement-breakpoint
ALTER TABLE "analytics_visits" ALTER COLUMN "visitor" SET DATA TYPE text;--> statement-breakpoint
CREATE INDEX "analytics_visits_seen_idx" ON "analytics_visits" USING brin ("seen_at");