const duplicateWithin = '10 minutes'

/**
 * Two payments of one person are two orders, and maybe one was meant. The nearest order before this one with the same
 * e-mail, product and price.
 */
export const maybeDuplicateOf = `(
  select earlier.id from orders as earlier
  where lower(earlier.customer_email) = lower(orders.customer_email)
    and earlier.product_id = orders.product_id
    and earlier.created_at >= orders.created_at - interval '${duplicateWithin}'
    and (earlier.created_at, earlier.id) < (orders.created_at, orders.id)
    and earlier.amount = orders.amount and earlier.currency = orders.currency
  order by earlier.created_at desc limit 1)`

/** A moment as JavaScript writes it. */
export function iso(
  column: 'created_at' | 'updated_at' | 'accepts_news_at' | 'charged_back_at',
): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
