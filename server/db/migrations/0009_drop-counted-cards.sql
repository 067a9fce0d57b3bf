ALTER TABLE "checkouts" DROP COLUMN "failed_cards";--> statement-breakpoint
ALTER TABLE "checkouts" DROP COLUMN "cards_before";--> statement-breakpoint
ALTER TABLE "checkouts" DROP COLUMN "contradicted_since";