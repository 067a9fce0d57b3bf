-- Written by hand: what went back of the orders of each day, for the figures that are kept already.
INSERT INTO analytics_days AS known (zone, day, kind, key, is_test, shard, views, visitors, started, completed, thanked,
  orders, revenue, returned)
SELECT zone, (placed.created_at AT TIME ZONE zone)::date AS day, kind, key, placed.is_test, 2, 0, 0, 0, 0, 0, 0, 0,
  sum(least(paid.amount, paid.refunded + paid.charged_back))
FROM payments AS paid
JOIN orders AS placed ON placed.sumup_transaction_id = paid.transaction_id
CROSS JOIN analytics_zones
CROSS JOIN LATERAL (VALUES ('currency', placed.currency::text),
  ('product', placed.product_id || ':' || placed.currency)) AS figures (kind, key)
WHERE paid.refunded + paid.charged_back > 0
GROUP BY zone, day, kind, key, placed.is_test
ON CONFLICT (zone, day, kind, key, is_test, shard) DO UPDATE SET returned = known.returned + excluded.returned;
--> statement-breakpoint
-- The owner of a shop that has sold knows of what went back before this version.
INSERT INTO owner_alerts (kind, told_at) SELECT kind, now()
  FROM (VALUES ('returned-elsewhere'), ('refund-unsettled')) AS kinds (kind)
  WHERE EXISTS (SELECT FROM orders) ON CONFLICT DO NOTHING;
