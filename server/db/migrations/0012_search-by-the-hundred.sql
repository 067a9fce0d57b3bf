-- Written by hand: the setting is changed in place, without building the indexes anew.
ALTER INDEX "order_search_trigrams_idx" SET (fastupdate = on);--> statement-breakpoint
ALTER INDEX "order_search_pairs_idx" SET (fastupdate = on);
