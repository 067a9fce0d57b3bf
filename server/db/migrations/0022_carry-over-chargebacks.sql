-- Written by hand, except for the column. The function is that of 0020, except that a chargeback whose amount is not known
-- is read from SumUp, that a sale which a node of now dismissed is not reopened by one of before, and that what is sold
-- between two of its statements is left for the next time.
ALTER TABLE "payments" ADD COLUMN "is_chargeback_guessed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE OR REPLACE FUNCTION carry_over_payments() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  found integer;
  total integer := 0;
  -- Sales whose payments may be added: nobody decides about them meanwhile.
  taken uuid[];
  -- Every change by a node of before sets updated_at. An hour earlier, for transactions that took long.
  since timestamptz := coalesce(
    (SELECT done_until - interval '1 hour' FROM node_jobs WHERE name = 'carry-over'), '-infinity');
BEGIN
  -- Whoever decides about one of these sales now must read it again: its payments are about to be there. First of all, since
  -- decisions too lock the sale before its payments.
  WITH changed AS (UPDATE checkouts SET version = version + 1
  WHERE updated_at >= since AND state <> 'paid'
    AND (sumup_transaction_id IS NOT NULL OR failed_ids <> '{}' OR at_bank_since IS NOT NULL)
    AND EXISTS (SELECT FROM unnest(failed_ids || seen_ids || sumup_transaction_id::text) AS known (id)
      WHERE known.id NOT LIKE '#%' AND NOT EXISTS (SELECT FROM payments WHERE transaction_id = known.id))
  RETURNING id)
  SELECT coalesce(array_agg(id), '{}') INTO taken FROM changed;

  -- Payments of sales: the one that was booked or is in review. Orders of the demonstration never had a payment.
  INSERT INTO payments (sale_id, merchant_code, is_test, transaction_id, transaction_code, amount, currency, status,
    refunded, charged_back, is_chargeback_guessed, next_read_at, made_at, found_at)
  SELECT sale.id, sale.merchant_code, sale.is_test, sale.sumup_transaction_id, sale.sumup_transaction_code,
    coalesce(placed.amount, sale.paid_amount, sale.amount), coalesce(placed.currency, sale.paid_currency, sale.currency),
    'successful',
    CASE WHEN sale.state = 'refunded' OR sale.review_reason = 'refunded' THEN coalesce(sale.paid_amount, sale.amount)
      ELSE coalesce(placed.refunded_amount, 0) END,
    CASE WHEN placed.charged_back_at IS NOT NULL THEN greatest(placed.amount - placed.refunded_amount, 0) ELSE 0 END,
    placed.charged_back_at IS NOT NULL, CASE WHEN placed.charged_back_at IS NOT NULL THEN now() END,
    coalesce(placed.created_at, sale.updated_at), coalesce(placed.created_at, sale.updated_at)
  FROM checkouts AS sale
  LEFT JOIN orders AS placed ON placed.sumup_transaction_id = sale.sumup_transaction_id
  WHERE sale.updated_at >= since AND sale.sumup_transaction_id IS NOT NULL
    AND (sale.state = 'paid' OR sale.id = ANY (taken))
    AND (sale.state <> 'paid' OR sale.sumup_transaction_id NOT LIKE 'demo-%')
    AND NOT EXISTS (SELECT FROM payments WHERE transaction_id = sale.sumup_transaction_id)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- Cards that were declined. Ids that begin with # were made up for payments without one.
  INSERT INTO payments (sale_id, merchant_code, is_test, transaction_id, amount, currency, status, found_at)
  SELECT sale.id, sale.merchant_code, sale.is_test, failed.id, sale.amount, sale.currency, 'failed', sale.updated_at
  FROM checkouts AS sale CROSS JOIN unnest(sale.failed_ids) AS failed (id)
  WHERE sale.updated_at >= since AND sale.failed_ids <> '{}' AND failed.id NOT LIKE '#%'
    AND (sale.state = 'paid' OR sale.id = ANY (taken))
    AND NOT EXISTS (SELECT FROM payments WHERE transaction_id = failed.id)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- Cards at the bank.
  INSERT INTO payments (sale_id, merchant_code, is_test, transaction_id, amount, currency, status, found_at)
  SELECT sale.id, sale.merchant_code, sale.is_test, seen.id, sale.amount, sale.currency, 'pending', sale.at_bank_since
  FROM checkouts AS sale CROSS JOIN unnest(sale.seen_ids) AS seen (id)
  WHERE sale.updated_at >= since AND sale.at_bank_since IS NOT NULL AND seen.id NOT LIKE '#%'
    AND (sale.state = 'paid' OR sale.id = ANY (taken))
    AND NOT seen.id = ANY (sale.failed_ids)
    AND NOT EXISTS (SELECT FROM payments WHERE transaction_id = seen.id)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- Payments without an order, under the id that links and the log already name.
  INSERT INTO payments (id, sale_id, merchant_code, is_test, transaction_id, transaction_code, amount, currency, status,
    refunded, charged_back, is_chargeback_guessed, next_read_at, made_at, found_at)
  SELECT stray.id, sale.id, stray.merchant_code, stray.is_test, stray.sumup_transaction_id, stray.sumup_transaction_code,
    stray.amount, stray.currency, 'successful',
    CASE WHEN stray.state = 'refunded' THEN stray.amount ELSE coalesce(placed.refunded_amount, 0) END,
    CASE WHEN placed.charged_back_at IS NOT NULL THEN greatest(placed.amount - placed.refunded_amount, 0) ELSE 0 END,
    placed.charged_back_at IS NOT NULL, CASE WHEN placed.charged_back_at IS NOT NULL THEN now() END,
    stray.paid_at, stray.created_at
  FROM stray_payments AS stray
  LEFT JOIN checkouts AS sale ON sale.id::text = stray.reference
  LEFT JOIN orders AS placed ON placed.sumup_transaction_id = stray.sumup_transaction_id
  WHERE NOT EXISTS (SELECT FROM payments WHERE transaction_id = stray.sumup_transaction_id)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- Orders whose sale is gone.
  INSERT INTO payments (merchant_code, is_test, transaction_id, amount, currency, status, refunded, charged_back,
    is_chargeback_guessed, next_read_at, made_at, found_at)
  SELECT '', placed.is_test, placed.sumup_transaction_id, placed.amount, placed.currency, 'successful',
    placed.refunded_amount, CASE WHEN placed.charged_back_at IS NOT NULL THEN greatest(placed.amount - placed.refunded_amount, 0) ELSE 0 END,
    placed.charged_back_at IS NOT NULL, CASE WHEN placed.charged_back_at IS NOT NULL THEN now() END,
    placed.created_at, placed.created_at
  FROM orders AS placed
  WHERE placed.updated_at >= since AND placed.sumup_transaction_id IS NOT NULL
    AND placed.sumup_transaction_id NOT LIKE 'demo-%'
    AND NOT EXISTS (SELECT FROM payments WHERE transaction_id = placed.sumup_transaction_id)
    AND NOT EXISTS (SELECT FROM checkouts WHERE sumup_transaction_id = placed.sumup_transaction_id)
    AND NOT EXISTS (SELECT FROM stray_payments WHERE sumup_transaction_id = placed.sumup_transaction_id)
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- What a node of before learned about payments that were carried over already: cards that ended, and money that went back.
  UPDATE payments AS paid SET status = 'successful', version = paid.version + 1
  FROM checkouts AS sale
  WHERE sale.updated_at >= since AND sale.sumup_transaction_id = paid.transaction_id AND sale.id = paid.sale_id
    AND paid.status <> 'successful';
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE payments AS paid SET status = 'failed', version = paid.version + 1
  FROM checkouts AS sale
  WHERE sale.updated_at >= since AND sale.id = paid.sale_id AND paid.status = 'pending' AND paid.transaction_id = ANY (sale.failed_ids);
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE payments AS paid SET version = paid.version + 1,
    refunded = greatest(paid.refunded, least(placed.refunded_amount, paid.amount))
  FROM orders AS placed
  WHERE placed.updated_at >= since AND placed.sumup_transaction_id = paid.transaction_id
    AND placed.refunded_amount > 0 AND least(placed.refunded_amount, paid.amount) > paid.refunded;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  -- How much was charged back is not known, unless SumUp was read since.
  UPDATE payments AS paid SET version = paid.version + 1, is_chargeback_guessed = true, next_read_at = now(),
    charged_back = greatest(placed.amount - placed.refunded_amount, 0)
  FROM orders AS placed
  WHERE placed.updated_at >= since AND placed.sumup_transaction_id = paid.transaction_id
    AND placed.charged_back_at IS NOT NULL AND paid.charged_back = 0 AND NOT paid.is_chargeback_guessed
    AND (paid.read_at IS NULL OR paid.read_at < placed.charged_back_at);
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE payments AS paid SET refunded = paid.amount, version = paid.version + 1
  FROM checkouts AS sale
  WHERE sale.updated_at >= since AND sale.sumup_transaction_id = paid.transaction_id AND sale.state = 'refunded'
    AND paid.refunded + paid.charged_back < paid.amount;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- What a person decides about, or has decided.
  INSERT INTO review_entries (id, sale_id, payment_id, reason, state, is_test, opened_at, note, handled_at, handled_by)
  SELECT sale.id, sale.id, paid.id, coalesce(sale.review_reason, 'contradiction'),
    CASE WHEN sale.state = 'review' THEN 'open' WHEN sale.state <> 'paid' THEN sale.state
      WHEN sale.handled_at IS NOT NULL THEN 'ordered' ELSE 'cleared' END,
    sale.is_test, coalesce(sale.review_at, sale.updated_at), sale.note, sale.handled_at, sale.handled_by
  FROM checkouts AS sale
  LEFT JOIN payments AS paid ON paid.transaction_id = sale.sumup_transaction_id AND paid.sale_id = sale.id
  WHERE sale.updated_at >= since
    AND ((sale.review_at IS NOT NULL AND sale.state IN ('paid', 'refunded', 'dismissed')) OR sale.state = 'review')
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- A node of before does not see which payment a sale was dismissed with by a node of now, and takes it for a late one.
  UPDATE checkouts AS sale SET state = 'dismissed', next_check_at = NULL, version = sale.version + 1
  FROM review_entries AS entry JOIN payments AS paid ON paid.id = entry.payment_id
  WHERE sale.updated_at >= since AND sale.state = 'review' AND entry.id = sale.id AND entry.state = 'dismissed'
    AND paid.transaction_id = sale.sumup_transaction_id AND sale.review_at > entry.handled_at;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  -- Decided or reopened by a node of before since: a sale is in review exactly as long as its entry is open.
  UPDATE review_entries AS entry SET
    state = CASE WHEN sale.state = 'review' THEN 'open' WHEN sale.state IN ('refunded', 'dismissed') THEN sale.state
      WHEN sale.state = 'paid' AND sale.handled_at IS NOT NULL THEN 'ordered' ELSE 'cleared' END,
    reason = CASE WHEN sale.state = 'review' THEN coalesce(sale.review_reason, entry.reason) ELSE entry.reason END,
    note = CASE WHEN sale.state = 'review' THEN NULL ELSE coalesce(sale.note, entry.note) END,
    handled_at = CASE WHEN sale.state = 'review' THEN NULL ELSE coalesce(sale.handled_at, now()) END,
    handled_by = CASE WHEN sale.state = 'review' THEN NULL ELSE sale.handled_by END
  FROM checkouts AS sale
  WHERE sale.updated_at >= since AND entry.id = sale.id AND (entry.state = 'open') <> (sale.state = 'review');
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;

  INSERT INTO review_entries (id, sale_id, payment_id, reason, state, is_test, opened_at, note, handled_at, handled_by)
  SELECT paid.id, paid.sale_id, paid.id, stray.reason, stray.state, stray.is_test, stray.created_at, stray.note,
    stray.handled_at, stray.handled_by
  FROM stray_payments AS stray JOIN payments AS paid ON paid.transaction_id = stray.sumup_transaction_id
  WHERE stray.carried_state IS NULL
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE review_entries AS entry SET state = stray.state, note = stray.note, handled_at = stray.handled_at,
    handled_by = stray.handled_by
  FROM stray_payments AS stray JOIN payments AS paid ON paid.transaction_id = stray.sumup_transaction_id
  WHERE entry.id = paid.id AND stray.carried_state IS DISTINCT FROM stray.state
    AND (stray.carried_state IS NOT NULL OR entry.state = 'open') AND entry.state <> stray.state;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE payments AS paid SET refunded = paid.amount, version = paid.version + 1
  FROM stray_payments AS stray
  WHERE paid.transaction_id = stray.sumup_transaction_id AND stray.state = 'refunded'
    AND stray.carried_state IS DISTINCT FROM 'refunded' AND paid.refunded + paid.charged_back < paid.amount;

  -- Refunds that SumUp was asked for and has not answered.
  INSERT INTO refunds (payment_id, amount, currency, state, refunded_before, failed_before, asked_by, asked_at)
  SELECT paid.id, paid.amount - paid.refunded - paid.charged_back, paid.currency, 'unknown', paid.refunded, 0, 'shop',
    asked.at
  FROM (SELECT sumup_transaction_id AS id, refunding_at AS at FROM checkouts
      WHERE refunding_at IS NOT NULL AND state = 'review'
    UNION ALL SELECT sumup_transaction_id, refunding_at FROM stray_payments
      WHERE refunding_at IS NOT NULL AND state = 'open') AS asked
  JOIN payments AS paid ON paid.transaction_id = asked.id AND paid.status = 'successful'
  WHERE paid.refunded + paid.charged_back < paid.amount
    AND NOT EXISTS (SELECT FROM refunds WHERE payment_id = paid.id AND (ended_at IS NULL OR asked_at >= asked.at))
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS found = ROW_COUNT;
  total := total + found;
  UPDATE payments SET next_read_at = now() FROM refunds
  WHERE refunds.payment_id = payments.id AND refunds.ended_at IS NULL AND payments.next_read_at IS NULL;

  -- Cards that may be under way: those before the current one have failed.
  UPDATE checkouts SET submits = 1 + (SELECT count(*) FROM unnest(failed_ids) AS failed (id)
    WHERE failed.id = ANY (known_ids) AND failed.id NOT LIKE '#%')
  WHERE updated_at >= since AND state = 'submitted' AND submits = 0 AND details IS NOT NULL;

  -- What admins wrote about people is erased in review entries only.
  UPDATE checkouts SET note = NULL
  WHERE updated_at >= since AND note IS NOT NULL
    AND EXISTS (SELECT FROM review_entries AS entry WHERE entry.id = checkouts.id);
  UPDATE stray_payments SET note = NULL, carried_state = state
  WHERE carried_state IS DISTINCT FROM state OR note IS NOT NULL;
  INSERT INTO node_jobs (name, done_until) VALUES ('carry-over', now())
  ON CONFLICT (name) DO UPDATE SET done_until = excluded.done_until;
  RETURN total;
END $$;
